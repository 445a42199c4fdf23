"""The second program agrees with all that can happen to tournaments, and finds what was changed."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import pytest

from pbem.store.codec import encode
from pbem.tournaments.verify import Caused
from tests.standing import second_rules
from tests.standing.second_tables import FOLLOW, differences
from tests.tournaments.test_verify import KINDS, whole

SEEDS, MORE = range(10), range(10, 300)


@pytest.fixture(autouse=True)
def told(monkeypatch: pytest.MonkeyPatch) -> None:
    """No match is played: how each has ended stands in its line."""
    monkeypatch.setattr(second_rules, "result", lambda events: events[0]["result"])


def lines_of(stream: Sequence[Caused]) -> list[dict[str, Any]]:
    """A tournament's events as an export has them, each match of it as one line with its result."""
    lines, tables, begun = list[dict[str, Any]](), {}, dict[tuple[int, int], dict[str, Any]]()

    def add(stream: str, **line: Any) -> dict[str, Any]:
        number = len(lines) + 1
        lines.append({"event_id": str(number), "position": number, "stream": stream, **line})
        return lines[-1]

    for number, caused in enumerate(stream, 1):
        form = encode(caused.event)
        data = json.loads(form.data)
        table = (data.get("season"), data.get("table"))
        if form.type == "TableSet":
            tables[table] = data
        elif form.type == "TableBegun":
            own = tables[table]
            issued = {"players": own["players"], "time": own["time"]}
            meta = {"caused_by": caused.cause}
            begun[table] = add(
                f"match-{data['match']}", type="ChallengeIssued", data=issued, meta=meta
            )
        elif form.type == "TableEnded" and table in begun:
            voided = data["why"] == "voided"
            result = (data["placings"], data["timed_out"], data["moves"], voided)
            begun[table]["result"] = result
        meta = {"caused_by": caused.cause}
        add("tournament-spring", version=number, type=form.type, data=data, meta=meta)
    return lines


def program(lines: Sequence[Mapping[str, Any]]) -> list[str]:
    return differences(map(json.dumps, lines))


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize(("kind", "terms"), KINDS)
def test_both_count_the_same(kind: str, terms: dict[str, int], seed: int) -> None:
    assert program(lines_of(whole(kind, seed, **terms).stream)) == []


@pytest.mark.slow
@pytest.mark.parametrize(("kind", "terms"), KINDS)
def test_both_count_the_same_of_many(kind: str, terms: dict[str, int]) -> None:
    """What comes together seldom, as several who count for nobody at one table."""
    for seed in MORE:
        assert program(lines_of(whole(kind, seed, **terms).stream)) == [], seed


def others(value: Any) -> Iterator[Any]:
    """Other values of the same kind."""
    match value:
        case int():
            yield value + 1
        case str() if len(value) < 8:
            yield f"{value}z"
        case list() if len(value) > 1 and value[0] != value[-1]:
            yield [value[-1], *value[1:-1], value[0]]
        case _:
            pass


@pytest.mark.parametrize(("kind", "terms"), KINDS)
def test_whatever_follows_is_found_where_it_was_changed(kind: str, terms: dict[str, int]) -> None:
    """Rounds and numbers of tables are names, by which nobody stands better."""
    lines, tried = lines_of(whole(kind, 3, **terms).stream), Counter[str]()
    names = {"season", "group", "round", "table", "time", "again", "until", "at", "index", "asked"}
    for line in lines:
        if line["type"] not in FOLLOW or tried[line["type"]] > 2:
            continue
        for name in line["data"].keys() - names:
            if line["type"] == "LotDrawn" and name == "digest":
                continue
            kept = line["data"][name]
            for other in others(kept):
                line["data"][name] = other
                assert program(lines), (line, name)
                tried[line["type"]] += 1
            line["data"][name] = kept
    assert program(lines) == []
    assert len(tried) > 1, tried
