"""For whose eyes each event is: every class says so, and whatever shows events asks it."""

from __future__ import annotations

from itertools import product
from typing import Any, get_args, get_type_hints

import pytest

from pbem.matches.events import Eyes, Visible
from pbem.names import Digest
from pbem.store.codec import MATCH, TYPES

CLASSES: dict[str, Any] = dict(TYPES[MATCH])
classes = pytest.mark.parametrize("event", CLASSES.values(), ids=CLASSES)

UNHEARD = {
    "ConditionsDropped",
    "ConditionsGiven",
    "ConditionsVoided",
    "HintAsked",
    "HintGiven",
    "HoursChosen",
    "MoveHeld",
    "MoveWithdrawn",
    "NoteKept",
    "ResignationHeld",
    "ResignationTakenBack",
    "StandingOrderGiven",
    "WatchBegan",
    "WatchEnded",
}
"""What changes no hash that others are told before the end: a later edition must not either."""


@classes
def test_each_class_states_for_whose_eyes_it_is(event: Any) -> None:
    assert isinstance(vars(event).get("visible"), Visible)


@classes
def test_texts_are_for_no_more_eyes_than_their_event(event: Any) -> None:
    visible: Visible = event.visible
    for seated, over in product((False, True), repeat=2):
        texts = visible.texts.may_see(seated=seated, over=over)
        assert not texts or visible.event.may_see(seated=seated, over=over)


@classes
def test_who_names_no_text_opens_none(event: Any) -> None:
    names_texts = any(Digest in (hint, *get_args(hint)) for hint in get_type_hints(event).values())
    assert names_texts or event.visible.texts is Eyes.OWN_ALONE


def test_what_nobody_hears_of_before_the_end() -> None:
    assert {
        name
        for name, event in CLASSES.items()
        if not event.visible.event.may_see(seated=True, over=False)
    } == UNHEARD


@pytest.mark.parametrize("eyes", Eyes)
def test_more_is_never_for_fewer_eyes(eyes: Eyes) -> None:
    # Who sits at the table sees what those see who watch, and the end opens and never shuts.
    assert eyes.may_see(seated=True, over=False) >= eyes.may_see(seated=False, over=False)
    assert eyes.may_see(seated=True, over=True) >= eyes.may_see(seated=False, over=True)
    assert eyes.may_see(seated=False, over=True) >= eyes.may_see(seated=False, over=False)
    assert eyes.may_see(seated=True, over=True) >= eyes.may_see(seated=True, over=False)
