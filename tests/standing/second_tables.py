"""Tournaments once more, by another program: from exported lines and docs/tournaments.md alone.

It shares nothing with the package. What it counts itself, it compares with what the club says in
its events, one after the other; draws it makes again by the program of the page about fairness.
"""

from __future__ import annotations

import json
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from tests.standing import second_rules as rules
from tests.standing.second import recount
from tests.standing.second_rules import PAGE, TWO, Table

Line = Mapping[str, Any]
Expected = tuple[Any, ...]


@dataclass
class Season:
    """A season so far; `left` are those who went while it ran, but for those who were absent."""

    number: int
    players: list[str]
    lots: list[list[int]] = field(default_factory=list)
    groups: list[list[str]] = field(default_factory=list)
    tables: dict[int, Table] = field(default_factory=dict)
    byes: dict[tuple[int, int], str] = field(default_factory=dict)
    round: int = 0
    left: set[str] = field(default_factory=set)
    absent: set[str] = field(default_factory=set)
    first: Counter[str] = field(default_factory=Counter)
    met: dict[str, str] = field(default_factory=dict)
    stopped: bool = False
    ended: bool = False

    def of(self, group: int) -> list[Table]:
        return [table for table in self.tables.values() if table.group == group]

    def lot(self) -> dict[str, int]:
        """TR-3.3: who was drawn as which."""
        return {self.players[one]: at for at, one in enumerate(self.lots[0])}


def differences(lines: Iterable[str]) -> list[str]:
    """Whatever the club says otherwise than this program counts, in words; nothing if all agree."""
    events: list[Line] = [one for one in map(json.loads, lines) if "event_id" in one]
    events.sort(key=lambda one: one["position"])
    streams: dict[str, list[Line]] = defaultdict(list)
    for one in events:
        streams[one["stream"]].append(one)
    rated = [one for one in events if one["type"] in ("MatchEnded", "MatchUnrated")]
    return [
        words
        for stream, own in streams.items()
        if stream.startswith("tournament-")
        for words in Told(stream.partition("-")[2], streams, rated).wrong(own)
    ]


class Told:
    """What the club tells of one tournament, event by event, beside what is to follow."""

    def __init__(
        self, name: str, streams: Mapping[str, Sequence[Line]], rated: Sequence[Line]
    ) -> None:
        self.name, self.streams, self.rated = name, streams, rated
        self.terms: Line = {}
        self.entered: list[str] = []
        self.order: list[str] = []
        self.seasons: list[Season] = []
        self.bound, self.drawn, self.link = "", 0, b""
        self.expected: list[Expected] = []
        self.over: list[tuple[Season, Table | None]] = []
        self.position = 0

    @property
    def season(self) -> Season:
        return self.seasons[-1]

    @property
    def runs(self) -> bool:
        return bool(self.seasons) and not self.season.ended

    def wrong(self, events: Sequence[Line]) -> Iterator[str]:
        cause = ""
        for event in [*events, {"type": "", "meta": {"caused_by": "the end"}, "data": {}}]:
            if event["meta"]["caused_by"] != cause or event["type"] in FOLLOW:
                self.follow()
            if self.expected and event["meta"]["caused_by"] != cause:
                yield f"{self.name}: before {event['type']} was to follow {self.expected[0]}"
                return
            cause, self.position = event["meta"]["caused_by"], event.get("position", 0)
            found = [*HANDLED.get(event["type"], _nothing)(self, event["data"])]
            yield from (f"{self.name} {event['version']} {event['type']}: {one}" for one in found)
            if found:
                return

    def said(self, *told: Any) -> Iterator[str]:
        """What the club says must be one of the next things that were to follow."""
        if told in self.expected:
            self.expected.remove(told)
        else:
            yield f"{told}, where was to follow {self.expected[:3] or 'nothing'}"

    def next(self, *told: Any) -> Iterator[str]:
        """The same, and it must be the very next one."""
        if not self.expected or self.expected.pop(0) != told:
            yield f"{told} was not the next to follow"

    def bind(self, *words: str) -> None:
        """TR-9.1."""
        self.bound = PAGE["digest"]("pbem lots 1", self.bound, *words)

    def follow(self) -> None:
        """What must come of the tables that have ended, and of the season."""
        over, self.over = self.over, []
        if not over:
            return
        kind, season = self.terms["kind"], over[-1][0]
        if kind == "ladder":
            for table in sorted({t.number for _, t in over if t is not None}):
                self.climb(season.tables[table])
            if season.stopped:
                self.expected.append(("group", [*self.order]))
                self.expected.append(("order", [*self.order]))
        elif season.ended:
            self.expected += self.end(season)
        elif kind == "cup":
            self.go_on(season)
        elif all(table.why for table in season.tables.values()):
            self.expected += self.end(season)

    # --- ladder ----------------------------------------------------------------------------------

    def climb(self, table: Table) -> None:
        """TR-8.2, TR-7.4."""
        if not {*table.seats} <= {*self.order} or not (table.places or table.up):
            return
        winner = table.won()
        if table.up is not None and table.up[0] != winner:
            (who, up), table.up = table.up, None
            was = self.order.index(who) + 1
            self.move("corrected", who, was, min(len(self.order), was + up), table)
            if not table.places:
                return
        places = {who: self.order.index(who) + 1 for who in table.seats}
        higher, lower = sorted(table.seats, key=lambda one: places[one])
        if winner == lower and table.up is None:
            way = -(-(places[lower] - places[higher]) // 2)
            table.up = lower, way
            self.move("won", lower, places[lower], places[lower] - way, table)
        else:
            who = winner or higher
            self.move("kept", who, places[who], places[who], table)

    def move(self, why: str, who: str, was: int, now: int, table: Table) -> None:
        self.expected.append(("moved", why, who, was, now, table.number))
        self.order.remove(who)
        self.order.insert(now - 1, who)

    # --- cup -------------------------------------------------------------------------------------

    def go_on(self, season: Season) -> None:
        """TR-4: replays first; where every pairing is decided the next round, or the end."""
        if season.stopped:
            self.expected += self.end(season)
            return
        pairings = [*self.pairings(season)]
        again = [t for t, _ in pairings if t is not None and self.is_again(season, t)]
        for table in again:
            drawn = table.why != "voided"
            self.expected.append(
                (
                    "table", table.round, table.group,
                    table.seats[::-1] if drawn else table.seats,
                    rules.faster(table.time) if drawn else table.time, table.number,
                )
            )  # fmt: skip
        if again or any(table is not None and not table.why for table, _ in pairings):
            return
        winners = [self.winner(season, *one) for one in pairings]
        if len(winners) == 1:
            self.expected += self.end(season)
        else:
            self.begin_round(season, winners)

    def pairings(self, season: Season) -> Iterator[tuple[Table | None, str | None]]:
        """The newest table of each pairing of the round, or who had none."""
        for pairing in range(1, len(rules.slots(season.players)) // 2**season.round + 1):
            own = [t for t in season.of(pairing) if t.round == season.round]
            yield (own[-1] if own else None), season.byes.get((season.round, pairing))

    def is_again(self, season: Season, table: Table) -> bool:
        """Whether it is played again: by nobody who has gone (TR-6.5)."""
        there = not season.left & {*table.seats}
        return there and not season.stopped and self.is_open(table)

    def is_open(self, table: Table) -> bool:
        """TR-4.5, TR-4.7: a draw is played again, and what was voided, each once."""
        level = bool(table.places) and table.won() is None
        return bool(table.why) and not table.again and (level or table.why == "voided")

    def winner(self, season: Season, table: Table | None, bye: str | None) -> str | None:
        """TR-4.5, TR-4.6, TR-6.5."""
        if table is None:
            return bye
        there = [who for who in table.seats if who not in season.left]
        if table.why == "unplayed" or (len(there) < TWO and self.is_open(table)):
            return there[0] if len(there) == 1 else None
        won = table.won() or min(table.seats, key=season.players.index)
        last = 2**season.round >= len(season.players)
        return there[0] if won not in there and len(there) == 1 and not last else won

    def begin_round(self, season: Season, there: Sequence[str | None]) -> None:
        """TR-4.3, TR-4.4: lots for the first seats where there are tables."""
        season.round += 1
        gone = [None if one in season.left else one for one in there]
        self.pairs = [*zip(gone[::2], gone[1::2], strict=True)]
        if any(None not in pair for pair in self.pairs):
            self.expected.append(("lots",))
        else:
            self.set_round(season)

    def set_round(self, season: Season) -> None:
        lots = iter(season.lots[-1] if season.lots else ())
        for pairing, pair in enumerate(self.pairs, 1):
            known = [one for one in pair if one is not None]
            if len(known) == TWO:
                known.sort(key=season.players.index)
                seats = known if next(lots) == 1 else known[::-1]
                clock = self.terms["time"]
                self.expected.append(("table", season.round, pairing, seats, clock, 0))
            elif known:
                season.byes[season.round, pairing] = known[0]
                self.expected.append(("bye", season.round, pairing, known[0]))
        if not self.expected:
            self.expected = self.end(season)
        elif not any(one[0] == "table" for one in self.expected):
            self.over.append((season, None))  # nobody meets anybody: the round is over

    # --- the end ---------------------------------------------------------------------------------

    def end(self, season: Season) -> list[Expected]:
        if self.terms["kind"] == "cup":
            return self.end_of_cup(season)
        found, ranked = list[Expected](), []
        for number, players in enumerate(season.groups, 1):
            rows = rules.stand(players, season.of(number), season.left)
            found.append(("group", rows))
            gone, lot = season.left | season.absent, season.lot()
            there = [who for who in players if who in self.entered and who not in gone]
            places = {who: (rows[who][0], lot[who]) for who in there}
            ranked.append(sorted(there, key=places.__getitem__))
        if season is not self.season:
            return found  # TR-7.3
        absent = []
        if not season.ended:
            lost = rules.lost_all(season.players, [*season.tables.values()])
            absent = [who for who in lost if who not in season.left]
        ranked = [[who for who in row if who not in absent] for row in ranked]
        order, moved = rules.change_places(ranked, self.terms["moving"])
        return [*found, *moved, *(("absent", who) for who in absent), ("order", order)]

    def end_of_cup(self, season: Season) -> list[Expected]:
        """TR-4.8."""
        reached = {
            who: max(
                [t.round for t in season.tables.values() if who in t.seats]
                + [at for (at, _), player in season.byes.items() if player == who],
                default=1,
            )
            for who in season.players
        }
        if 2**season.round >= len(season.players):
            [(table, bye)] = self.pairings(season)
            ended = table is None or (table.why and not self.is_again(season, table))
            won = self.winner(season, table, bye) if ended else None
            if won is not None:
                reached[won] = season.round + 1
        rows = {
            who: (1 + sum(far > own for far in reached.values()), own)
            for who, own in reached.items()
        }
        entered = [who for who in season.players if who in self.entered]
        return [("group", rows), ("order", sorted(entered, key=lambda who: rows[who][0]))]


# --- what each event says ------------------------------------------------------------------------


def _nothing(told: Told, data: Line) -> Iterator[str]:
    del told, data
    return iter(())


def _opened(told: Told, data: Line) -> Iterator[str]:
    told.terms, told.link = data, bytes.fromhex(data["commitment"])
    return iter(())


def _entered(told: Told, data: Line) -> Iterator[str]:
    player = data["player"]
    if player in told.entered:
        yield "is in it already"
    told.entered.append(player)
    if told.terms["kind"] == "ladder" and told.runs:  # TR-2.3
        told.order.append(player)
    told.bind("entered", player, data["words"], data["letter"])


def _withdrawn(told: Told, data: Line) -> Iterator[str]:
    player = data["player"]
    if data["why"] == "absent":
        yield from told.said("absent", player)
    told.entered = [one for one in told.entered if one != player]
    if told.terms["kind"] == "ladder" or not told.runs:
        told.order = [one for one in told.order if one != player]
    if told.runs:
        (told.season.absent if data["why"] == "absent" else told.season.left).add(player)


def _begun(told: Told, data: Line) -> Iterator[str]:
    row = [one for one in told.order if one in told.entered]
    row += [one for one in told.entered if one not in row]
    kind = told.terms["kind"]
    if kind == "cup":
        # TR-4.1: by the ratings of now, in whole points as they are told.
        before = [json.dumps(one) for one in told.rated if one["position"] < told.position]
        game, ratings = told.terms["ruleset"][:-2], recount(before)
        has = {who: round(ratings[game, who][0]) for who in row if (game, who) in ratings}
        row.sort(key=lambda who: (who not in has, -has.get(who, 0)))
    if data["players"] != row or data["season"] != len(told.seasons) + 1:
        yield f"{data['players']} begin, not {row}"
    season = Season(data["season"], row)
    told.seasons.append(season)
    if kind == "ladder":
        told.order = [*row]
    elif kind == "league":
        told.expected = [("lots",)]
    else:
        told.begin_round(season, rules.slots(row))


def _lots(told: Told, data: Line) -> Iterator[str]:
    yield from told.next("lots")
    told.drawn += 1
    season, link = told.season, bytes.fromhex(data["link"])
    if PAGE["link_before"](link) != told.link or data["index"] != told.drawn:
        yield "its link is not the next one of the chain"
    told.link = link
    source = PAGE["stream"](link, told.name, told.drawn, data["asked"], told.bound)
    if data["digest"] != told.bound or PAGE["drawn"](data["asked"], source) != data["values"]:
        yield "is not what its link gives"
    season.lots.append(data["values"])
    if told.terms["kind"] == "cup":
        told.set_round(season)
        return
    lot = season.lot()
    known = [one for one in season.players if one in told.order]
    newcomers = {*season.players}.difference(known)
    row = known + sorted(newcomers, key=lot.__getitem__)
    terms = told.terms
    for number, size in enumerate(rules.sizes(len(row), terms["seats"], terms["group"]), 1):
        players, row = sorted(row[:size], key=lot.__getitem__), row[size:]
        told.expected.append(("group formed", number, players))


def _formed(told: Told, data: Line) -> Iterator[str]:
    yield from told.next("group formed", data["group"], data["players"])
    season = told.season
    season.groups.append(data["players"])
    if not told.expected and told.terms["seats"] == TWO:
        for number, players in enumerate(season.groups, 1):
            told.expected += [("table", number, *one) for one in rules.circle(players)]


def _set(told: Told, data: Line) -> Iterator[str]:
    season, seats, kind = told.season, data["players"], told.terms["kind"]
    table = Table(data["table"], data["group"], data["round"], seats, data["time"], data["again"])
    if kind == "cup":
        yield from told.said("table", table.round, table.group, seats, table.time, table.again)
    elif kind == "league" and told.terms["seats"] == TWO:
        yield from told.said("table", table.group, table.round, seats)
    elif kind == "ladder":
        yield from _paired(told, table)
    season.tables[table.number] = table
    season.first[seats[0]] += 1
    if kind == "ladder":
        season.met |= {seats[0]: seats[1], seats[1]: seats[0]}


def _paired(told: Told, table: Table) -> Iterator[str]:
    """TR-8.3, TR-8.4. Who was away stands in other lines: who was left out is not judged."""
    season, (first, second) = told.season, table.seats
    if not {first, second} <= {*told.order}:
        yield "somebody is not on the ladder"
        return
    for who, other in ((first, second), (second, first)):
        playing = sum(who in one.seats and not one.why for one in season.tables.values())
        if playing >= max(1, told.terms["at_once"]):
            yield f"{who} is playing"
        if season.met.get(who) == other and len(told.order) > TWO:
            yield "they have just met"
    lower = max(first, second, key=told.order.index)
    more = season.first[first] - season.first[second]
    if more > 0 or (more == 0 and first != lower):
        yield f"{first} sits first"


def _bye(told: Told, data: Line) -> Iterator[str]:
    why = "seed" if data["round"] == 1 else "alone"
    yield from told.said("bye", data["round"], data["pairing"], data["player"])
    if data["why"] != why:
        yield f"{data['why']}, not {why}"


def _table_begun(told: Told, data: Line) -> Iterator[str]:
    season = told.seasons[data["season"] - 1]
    table = season.tables[data["table"]]
    table.match = data["match"]
    issued = told.streams[f"match-{table.match}"][0]["data"]
    if (issued["players"], issued["time"]) != (table.seats, table.time):
        yield "its match is another"
    if told.terms["kind"] == "league" and len(table.seats) > TWO:
        yield from rules.blocks(season.groups[table.group - 1], season.of(table.group))


def _table_ended(told: Told, data: Line) -> Iterator[str]:
    season = told.seasons[data["season"] - 1]
    table = season.tables[data["table"]]
    table.why = data["why"]
    told.over.append((season, table))
    if table.why == "unplayed" and (table.match or not {*table.seats} & season.left):
        yield "nobody has gone from it before it began"
    if table.why not in ("played", "voided"):
        return
    places, late, bound, voided = rules.result(told.streams[f"match-{table.match}"])
    if voided != (table.why == "voided"):
        yield f"{table.why}, and its match is not"
    if table.why == "played":
        if (data["placings"], data["timed_out"], data["moves"]) != (places, late, bound):
            yield f"{data['placings']}, late {data['timed_out']}, not {places}, {late}"
        table.places, table.late = places, [table.seats[seat - 1] for seat in late]
        told.bind("ended", table.match, " ".join(map(str, places)), bound)


def _corrected(told: Told, data: Line) -> Iterator[str]:
    season = told.seasons[data["season"] - 1]
    table = season.tables[data["table"]]
    table.why, table.places = "corrected", data["placings"]
    told.over.append((season, table))
    return iter(())


def _moved(told: Told, data: Line) -> Iterator[str]:
    said = (data["why"], data["player"], data["was"], data["now"], data["table"])
    yield from told.next("moved", *said)


def _group_ended(told: Told, data: Line) -> Iterator[str]:
    kind, fair = told.terms["kind"], told.expected.pop(0) if told.expected else ("nothing", {})
    if fair[0] != "group":
        yield f"follows, where was to follow {fair}"
        return
    if kind == "ladder":
        if (data["players"], data["places"]) != (fair[1], [*range(1, len(fair[1]) + 1)]):
            yield f"{data['players']} on the ladder, not {fair[1]}"
        return
    names = ("points", "direct", "berger", "time_outs") if kind == "league" else ("points",)
    rows = {
        player: tuple(data[name][at] for name in ("places", *names))
        for at, player in enumerate(data["players"])
    }
    for who, row in fair[1].items():
        if rows.get(who) != row:
            yield f"group {data['group']}: {who} stands {rows.get(who)}, not {row}"
    if data["places"] != sorted(data["places"]) or rows.keys() != fair[1].keys():
        yield f"group {data['group']} has other rows, or another order"


def _stopped(told: Told, data: Line) -> Iterator[str]:
    season = told.seasons[data["season"] - 1]
    season.stopped = True
    told.over.append((season, None))
    return iter(())


def _season_ended(told: Told, data: Line) -> Iterator[str]:
    season = told.seasons[data["season"] - 1]
    yield from told.next("order", data["order"])
    if told.terms["kind"] != "cup":
        told.order = data["order"]
    elif not season.ended:
        told.entered = [one for one in told.entered if one not in season.players]  # TR-4.9
    season.ended = True


HANDLED = {
    "TournamentOpened": _opened,
    "PlayerEntered": _entered,
    "PlayerWithdrawn": _withdrawn,
    "SeasonBegun": _begun,
    "LotDrawn": _lots,
    "GroupFormed": _formed,
    "TableSet": _set,
    "ByeGiven": _bye,
    "TableBegun": _table_begun,
    "TableEnded": _table_ended,
    "TableCorrected": _corrected,
    "StandingChanged": _moved,
    "GroupEnded": _group_ended,
    "SeasonStopped": _stopped,
    "SeasonEnded": _season_ended,
}

FOLLOW = frozenset({"LotDrawn", "ByeGiven", "TableSet", "StandingChanged", "GroupEnded"})
"""What follows by itself of what was done before it."""
