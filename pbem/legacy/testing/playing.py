"""Checks of the rules: a game goes on by legal moves alone, and ends with a place for each."""

from __future__ import annotations

from time import perf_counter
from typing import Any, Final

from pbem.bots.luck import seeded
from pbem.errors import Rejection
from pbem.legacy.foreign import answers
from pbem.games.chance import length, parse_draw
from pbem.games.game import Chance, Drawn, Over, Seat, Seats, Style
from pbem.legacy.testing.check import Findings, check
from pbem.legacy.testing.tables import MOST_PLIES, Step, Table, Unplayable, walk

_SECONDS: Final = 1.0
"""What any function may take: pages and mails wait for it."""

_LOOKED_AT: Final = 50
"""Legal moves of a position that are played."""


@check
def ends_with_a_place_for_each(table: Table) -> Findings:
    """Places by seat, 1 is the best; equal seats share, and the places they fill are skipped."""
    for seed in (1, 2, 3):
        steps = table.steps(seed)
        outcome = table.game.outcome(steps[-1].after if steps else table.start())
        if outcome is None:
            yield "turn(): nobody is to move, and it is not over"
            return
        places = outcome.placings
        if not outcome.termination.isidentifier():
            yield f"turn(): the termination {outcome.termination!r} is no word, as in `no_moves`"
        wanted = tuple(1 + sum(other < place for other in places) for place in places)
        if len(places) != table.seats:
            yield f"turn(): {len(places)} placings for {table.seats} seats"
        elif places != wanted:
            yield f"turn(): placings {places} have a gap: equal seats share, as in {wanted}"


@check
def ends_by_chance_as_stated(table: Table) -> Findings:
    """A game that nobody values has bots only where play at random ends."""
    most = table.game.random_plies
    if most is None:
        return
    for seed in (1, 2, 3):
        try:
            plies = sum(1 for _ in walk(table.game, table.start(), seeded(f"chance {seed}")))
        except Unplayable:
            plies = MOST_PLIES + 1
        if plies > most:
            yield f"random_plies: {most} is said, and a game at random took {plies} plies or more"


@check
def seats_are_those_that_play(table: Table) -> Findings:
    """Somebody is to act, or something is drawn; every seat gets its turn."""
    acted: set[int] = set()
    for step in table.steps(1):
        turn = table.game.turn(step.before)
        if isinstance(turn, Seats):
            acted |= {*turn.seats}
            if not turn.seats or not {*turn.seats} <= set(range(1, table.seats + 1)):
                yield f"turn(): to act are {turn.seats}, of {table.seats} seats"
    if acted and acted != set(range(1, table.seats + 1)):
        yield f"turn(): of {table.seats} seats only {sorted(acted)} ever act"


@check
def who_is_out_stays_out(table: Table) -> Findings:
    """Whom the rules put out acts no more, and the others play on."""
    out = table.game.out
    if out is None:
        return
    for step in table.steps(1):
        gone, turn = {*out(step.before)}, table.game.turn(step.before)
        at = table.game.dump(step.before)
        if isinstance(turn, Seats) and gone & {*turn.seats}:
            yield f"out(): {sorted(gone)} are out at {at!r}, and {turn.seats} are to act"
        back = gone - {*out(step.after)} if table.game.outcome(step.after) is None else set()
        if back:
            yield f"out(): {sorted(back)} are out at {at!r}, and no more after the next step"


@check
def legal_moves_differ_and_can_be_played(table: Table) -> Findings:
    """What is offered is possible."""
    game = table.game
    for step, _ in table.turns(1):
        legal = game.legal(step.before)
        texts = [game.notation(move) for move in legal]
        if not legal:
            yield f"legal(): nothing is legal at {game.dump(step.before)!r}, and it is not over"
        if len({*texts}) < len(texts):
            twice = next(text for text in texts if texts.count(text) > 1)
            yield f"legal(): {twice!r} is there twice at {game.dump(step.before)!r}"
        for move, text in zip(legal[:_LOOKED_AT], texts, strict=False):
            try:
                game.play(step.before, move)
            except Rejection as refused:
                at = game.dump(step.before)
                yield f"play(): refuses {text!r}, which legal() has at {at!r}: {refused}"


@check
def rules_are_pure(table: Table) -> Findings:
    """The same input gives the same output, and nothing that was given changes."""
    game = table.game
    for step, seat in table.turns(2):
        before, text = game.dump(step.before), game.notation(step.played)
        for name, twice in (
            ("play", lambda one=step: game.play(one.before, one.played)),
            ("legal", lambda one=step: [*game.legal(one.before)]),
            ("facts", lambda one=step: game.facts(one.played, one.before, one.after)),
            ("value", lambda one=step: game.value(one.before)),
            ("leave", lambda one=step, who=seat: game.leave(one.before, who)),
            ("board", lambda one=step, who=seat: game.board(one.before, who, Style.ASCII)),
        ):
            if twice() != twice():
                yield f"{name}(): gives something else when it is asked again"
            if (game.dump(step.before), game.notation(step.played)) != (before, text):
                yield f"{name}(): changes the position or the move that it was given"
        try:
            same = hash(step.before) == hash(game.load(before))
        except TypeError:
            yield "Position: cannot be hashed; use tuples in a frozen dataclass"
            return
        if not same:
            yield "Position: equal ones have different hashes"


@check
def forced_moves_are_the_only_ones(table: Table) -> Findings:
    """The server plays by itself only what nobody could choose."""
    for step, _ in table.turns(3):
        forced = table.game.forced(step.before)
        legal = table.game.legal(step.before) if forced is not None else []
        if forced is not None and [*legal] != [forced]:
            yield f"forced(): a move is forced where {len(legal)} are legal"


@check
def an_end_is_the_end(table: Table) -> Findings:
    """Nothing is legal, and nothing can be played."""
    game, step = table.game, table.steps(1)[-1]
    if [*game.legal(step.after)]:
        yield "legal(): has moves when it is over"
    if isinstance(step.played, Drawn):
        return
    try:
        game.play(step.after, step.played)
    except Rejection:
        return
    yield "play(): takes a move when it is over"


@check
def any_seat_may_leave_at_any_time(table: Table) -> Findings:
    """Who has left is asked no more; the last one who stays is not asked either."""
    game = table.game
    for number, step in enumerate(table.sampled(2)):
        position, gone = step.before, set[Seat]()
        for seat in sorted(
            map(Seat, range(1, table.seats + 1)), key=lambda one: (one * 7 + number) % 5
        ):
            position = game.leave(position, seat)
            gone.add(seat)
            turn = game.turn(position)
            if isinstance(turn, Seats) and gone & {*turn.seats}:
                yield f"leave(): seat {seat} has left and is to act"
            if game.load(game.dump(position)) != position:
                yield f"dump(): who has left is lost in {game.dump(position)!r}"
            game.board(position, seat, Style.ASCII)
        if not isinstance(game.turn(position), Over):
            yield "leave(): all seats have left, and it is not over"


@check
def it_goes_on_when_somebody_left(table: Table) -> Findings:
    """With three and more seats those who stay play to the end."""
    game = table.game
    for number, step in enumerate([*table.sampled(3)][::9]):
        position = game.leave(step.before, Seat(number % table.seats + 1))
        ended: Any = position
        for later in walk(game, position, seeded(f"left {number}"), by_chance=60):
            ended = later.after
        outcome = game.outcome(ended)
        if outcome is None or len(outcome.placings) != table.seats:
            yield "leave(): the game then ends without a place for each seat"


@check
def draws_are_as_they_say(table: Table) -> Findings:
    """What is drawn can be written, read back, and checked by others."""
    game = table.game
    for step in table.steps(1):
        turn = game.turn(step.before)
        if not isinstance(turn, Chance):
            continue
        request = turn.draw
        if parse_draw(str(request)).parts != request.parts or not request.name.strip():
            yield f"turn(): {str(request)!r} is no request that can be read back"
        if request.secret and not game.secrets:
            yield "secrets: a draw is secret, so the record has to say `secrets=True`"
        text = game.chance_notation(step.before, step.played)
        if "\n" in text or "{" in text or "}" in text:
            yield f"chance_notation(): {text!r} cannot stand in a record: one line without braces"
        try:
            again = game.read_chance(text, step.before)
        except Rejection as refused:
            yield f"read_chance(): refuses {text!r}, which chance_notation() wrote: {refused}"
            continue
        if again != step.played or len(again.values) != length(request):
            yield f"read_chance(): reads {text!r} as {again.values}, not {step.played.values}"


@check
def nothing_takes_long(table: Table) -> Findings:
    """A second a call, on a slow machine too: mails, pages and other matches wait."""
    game = table.game
    for step, seat in table.turns(1):
        for name, call in _calls(table, step, seat):
            begun = perf_counter()
            call()
            spent = perf_counter() - begun
            if spent > _SECONDS:
                yield f"{name}(): took {spent:.1f} s at {game.dump(step.before)!r}; 1 s is allowed"


def _calls(table: Table, step: Step, seat: Seat) -> Any:
    game, before = table.game, step.before
    text = game.notation(step.played)
    yield "initial", lambda: game.initial(table.seats, game.normal_options({}))
    yield "turn", lambda: game.turn(before)
    yield "legal", lambda: game.legal(before)
    yield "play", lambda: game.play(before, step.played)
    yield "parse", lambda: game.parse(text, before, seat)
    yield "read", lambda: game.read(text, before)
    yield "value", lambda: game.value(before)
    yield "board", lambda: game.board(before, seat, Style.UNICODE)
    yield "picture", lambda: game.picture(before, seat, table.marks(step))
    yield "places", lambda: game.places(before, seat)
    yield "load", lambda: game.load(game.dump(before))


@check
def values_can_leave_their_process(table: Table) -> Findings:
    """Rules of others run in a process of their own: what they give is looked at, and made anew."""
    game = table.game
    for step, seat in table.turns(2):
        try:
            answers.turn(game.turn(step.before), table.seats)
            answers.facts(game.facts(step.played, step.before, step.after), "facts()")
            answers.board(game.board(step.before, seat, Style.UNICODE, table.signs))
            answers.picture(game.picture(step.before, seat, table.marks(step)))
            answers.text(game.notation(step.played), "notation()")
            answers.text(game.dump(step.before), "dump()")
            answers.cells(game.cells(step.before, seat, table.marks(step), Style.ASCII))
            answers.given("places", game.places(step.before, seat))
            answers.given("value", game.value(step.before))
            answers.given("terms", game.terms(step.before))
        except answers.Wrong as wrong:
            yield str(wrong)
