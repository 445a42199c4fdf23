"""In which language somebody is written to who has not chosen one."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pbem.players import commands
from pbem.players.wishes import wished
from pbem.store.people import roster

if TYPE_CHECKING:
    from pbem.names import PlayerId
    from pbem.transaction.transaction import Transaction


def speak(txn: Transaction, player: PlayerId, lang: str | None) -> None:
    """Write to somebody who has chosen none in this language; None is no language."""
    wishes = txn.player(player).wishes
    if lang is None or "lang" in wishes or wished(wishes, "lang") == lang:
        return
    _choose(txn, player, lang)


def speak_as_written(txn: Transaction, player: PlayerId, lang: str | None) -> None:
    """Write to somebody new in the language of their first answer, whoever invited them."""
    if lang is not None and wished(txn.player(player).wishes, "lang") != lang:
        _choose(txn, player, lang)


def _choose(txn: Transaction, player: PlayerId, lang: str) -> None:
    chosen = txn.decide_player(player, commands.ChooseWish(name="lang", value=lang)).wishes
    roster.keep_wishes(txn.conn, player, chosen)


def speak_as_sender(txn: Transaction, player: PlayerId) -> None:
    """Write to somebody new in the language of who invites them."""
    if not txn.player(player).confirmed:
        speak(txn, player, wished(txn.player(txn.sender).wishes, "lang"))
