"""What the outbox keeps of a mail comes back as it was."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import fields
from typing import Any, cast, get_type_hints

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pbem import errors
from pbem.errors import Facts
from pbem.notices.codec import KINDS, dump, load
from pbem.notices.notice import Notice
from pbem.notices.replies import OrderRefused, OrderResult

scalars = st.text() | st.integers() | st.booleans() | st.none()
json_values = st.recursive(
    scalars, lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner), max_leaves=8
)
facts: st.SearchStrategy[Facts] = st.dictionaries(st.text(), json_values, max_size=4)


def made(kind: type[object]) -> st.SearchStrategy[object]:
    """Any value of a class: facts are whatever JSON has, the rest is made from its annotation."""
    hints = get_type_hints(kind, localns=vars(errors))
    named = (one.name for one in fields(cast("Any", kind)))
    return st.builds(kind, **{name: field(name, hints[name]) for name in named})


def field(name: str, hint: object) -> st.SearchStrategy[object]:
    match name:
        case "facts":
            return facts
        case "results":
            return st.lists(made(OrderResult)).map(tuple)
        case _:
            return st.from_type(cast("type[object]", hint))


notices = st.one_of(*(made(kind) for kind in KINDS.values()))


@settings(max_examples=60, deadline=None)
@given(st.lists(notices, max_size=4))
def test_every_notice_comes_back(mail: Sequence[Notice]) -> None:
    text = dump(mail)
    assert "\n" not in text
    assert load(text) == tuple(mail)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "{}x",
        "[1]",
        "[{}]",
        '[{"notice": "Nothing"}]',
        '[{"notice": "Invitation"}]',
        '[{"notice": "Invitation", "match": "K7QX2", "more": 1}]',
        '[{"notice": "Account", "results": [{"status": "done"}]}]',
    ],
)
def test_anything_else_is_refused(text: str) -> None:
    with pytest.raises(ValueError):  # noqa: PT011 - JSON's own errors are ValueErrors of many words
        load(text)


def test_the_outbox_can_be_read_by_people() -> None:
    refused = OrderRefused(match=None, typed="püh", code="unknown_order", facts={"near": ["a"]})
    assert json.loads(dump([refused])) == [
        {
            "notice": "OrderRefused",
            "match": None,
            "typed": "püh",
            "code": "unknown_order",
            "facts": {"near": ["a"]},
            "game": None,
            "partly": False,
            "last": "",
            "of_seat": False,
        }
    ]
