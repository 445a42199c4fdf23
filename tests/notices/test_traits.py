"""Every class of notice says what becomes of it, and nothing else does."""

from __future__ import annotations

import importlib
import pkgutil
from dataclasses import fields
from typing import get_type_hints

import pytest

import pbem.notices
from pbem import errors
from pbem.names import Digest
from pbem.notices.codec import KINDS
from pbem.notices.notice import Notice, Place, Traits
from pbem.players.wishes import WISHES

kinds = pytest.mark.parametrize("kind", KINDS.values(), ids=KINDS)


@kinds
def test_each_class_states_its_own_traits(kind: type[Notice]) -> None:
    assert isinstance(vars(kind).get("traits"), Traits)


@kinds
def test_a_wish_that_silences_is_one_that_there_is(kind: type[Notice]) -> None:
    assert kind.traits.wish in {"", *(wish.name for wish in WISHES)}


@kinds
def test_what_is_covered_lasts(kind: type[Notice]) -> None:
    # What waits for more is what may be covered by it: no question can be.
    assert all(covered.traits.lasts for covered in kind.traits.covers)


@kinds
def test_what_asks_for_an_answer_stays_true_until_it_comes(kind: type[Notice]) -> None:
    assert kind.traits.asks in ("anything", "nothing") or not kind.traits.lasts


@kinds
def test_what_needs_its_own_address_never_waits(kind: type[Notice]) -> None:
    # A digest is answered at the usual address.
    assert not (kind.traits.own_address and kind.traits.waits)


@kinds
def test_strangers_get_no_board_and_no_turn(kind: type[Notice]) -> None:
    assert not kind.traits.unproved or (kind.traits.place is Place.NEWS and not kind.traits.teaches)


@kinds
def test_whom_a_notice_is_about_is_a_field_of_it(kind: type[Notice]) -> None:
    named = {field.name for field in fields(kind)}
    about = kind.traits.about
    assert {about} - {""} <= named
    assert about != "seat" or "match" in named


@kinds
def test_what_a_notice_says_is_sealed(kind: type[Notice]) -> None:
    says, hints = kind.traits.says, get_type_hints(kind, localns=vars(errors))
    assert not says or hints[says] is Digest


def test_every_notice_stands_in_the_file_of_a_family() -> None:
    found = pkgutil.walk_packages(pbem.notices.__path__, "pbem.notices.")
    every = [value for one in found for value in vars(importlib.import_module(one.name)).values()]
    ours = {one for one in every if isinstance(one, type) and issubclass(one, Notice)} - {Notice}
    assert {*KINDS.values()} == ours
    assert len(ours) > 70
