"""What players may type in all languages, from the catalogues of the templates."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from gettext import NullTranslations
from pathlib import Path

from pbem.games import GAMES
from pbem.legacy.mail.verbs.verb_table import VERBS
from pbem.legacy.mail.verbs.vocabulary import (
    HEADERS,
    IN_ENGLISH,
    OWN_NAME,
    TELLTALES,
    TYPED,
    Tongue,
    Vocabulary,
    vocabulary,
)
from pbem.legacy.notices.rendering.environment import template_folder
from pbem.legacy.notices.rendering.languages import ENGLISH, catalogue, languages
from pbem.legacy.notices.views.scene import MARKER


def words_of(folders: Sequence[Path] = ()) -> Vocabulary:
    """The vocabulary of every catalogue; an operator's `folders` are looked at first."""
    everywhere = (*folders, template_folder())
    spoken = (code for code in languages(everywhere) if code != ENGLISH)
    tongues = [_tongue(code, catalogue(everywhere, code)) for code in spoken]
    return vocabulary(tongues, GAMES.values())


def _tongue(code: str, words: NullTranslations) -> Tongue:
    return Tongue(
        code=code,
        name=words.pgettext("language", OWN_NAME),
        english_name=words.pgettext("language", IN_ENGLISH),
        verbs=_listed(words, "verb", (verb.name for verb in VERBS)),
        phrases=_listed(words, "phrase", TYPED),
        games={game.key: _listed(words, game.key, game.keywords) for game in GAMES.values()},
        marker=words.pgettext("marker", MARKER),
        telltales=tuple(words.pgettext("language", TELLTALES).split("|")),
        headers=words.pgettext("header", HEADERS),
    )


def _listed(
    words: NullTranslations, context: str, texts: Iterable[str]
) -> dict[str, tuple[str, ...]]:
    """The translations of words, of which a catalogue may have several between strokes."""
    return {text: tuple(words.pgettext(context, text).split("|")) for text in texts}
