"""What a reader may see of a match beside its board: the table, terms, plans, the end."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final, Literal, cast

from pbem.fairness import PROTOCOL
from pbem.games.game import Seat, Style
from pbem.matches.branches import ANY, RESIGN
from pbem.matches.challenges import free_colours
from pbem.matches.chance import is_foreseeable, only_bots_answered
from pbem.matches.conditions import standing, void_because
from pbem.matches.match import Match, Status, StepKind
from pbem.matches.resigning import ENOUGH
from pbem.matches.supposing import Ply, Supposed, lines, supposed
from pbem.matches.window import held_text
from pbem.names import PlayerId, is_bot
from pbem.notices.views.clean import NAME, clean
from pbem.notices.views.match_parts import (
    ColoursView,
    CompanyView,
    EndingView,
    FairnessView,
    MatchView,
    PendingView,
    Plan,
    PlanLine,
    Rank,
    SeatView,
    TermsView,
    Told,
    Unbound,
    Waiting,
)
from pbem.notices.views.matches import name_of
from pbem.notices.views.scene import SHORT_HASH, Reader, Scene
from pbem.notices.views.situation import opened_draws, start_draws, time_view

# --- conditions ----------------------------------------------------------------------------------
# What a reader has decided for the case that the others play so; for that reader's eyes alone.

LINE: Final = 500
"""Characters of one conditional order that are shown."""


def plan_of(match: Match, you: Seat | None) -> Plan:
    """The conditions of the reader's seat that stand, or why they became void."""
    if you is None or match.status is not Status.RUNNING:
        return Plan()
    void = void_because(match, you)
    return Plan(
        orders=tuple(clean(line, LINE) for line in lines(standing(match, you))),
        void=void.reason if void is not None else "",
        answer=clean(void.answer, LINE) if void is not None else "",
    )


def plan_lines(match: Match, you: Seat, scene: Scene) -> tuple[PlanLine, ...]:
    """Every condition and answer of the reader's seat, told in the words of the game."""
    return tuple(_lines(supposed(match, you), match, you, scene, first="if"))


def _lines(
    branches: Sequence[Supposed], match: Match, you: Seat, scene: Scene, *, first: str
) -> Iterator[PlanLine]:
    for branch in branches:
        whatever = branch.branch.conditions == (ANY,)
        for number, ply in enumerate(branch.conditions):
            word = "and" if number else first
            if whatever:
                word = "whatever" if first == "if" else "whatever_after"
            yield _line(word, ply, match, you, scene)
        word = "resign" if branch.answer.text == RESIGN else "then"
        yield _line(word, branch.answer, match, you, scene)
        yield from _lines(branch.then, match, you, scene, first="after")


def _line(word: str, ply: Ply, match: Match, you: Seat, scene: Scene) -> PlanLine:
    text = clean(ply.text, LINE)
    name = name_of(match.player_at(ply.seat), scene) if ply.seat is not None else ""
    if ply.move is None:
        return PlanLine(word, text, name, anything=ply.text == ANY)
    kind = StepKind.DRAW if ply.seat is None else StepKind.MOVE
    told = Told(
        kind=kind.value,
        ply=0,
        seat=ply.seat or 0,
        name=name,
        you=ply.seat == you,
        notation=match.game.notation(ply.move) if kind is StepKind.MOVE else text,
        facts=match.game.facts(ply.move, ply.before, ply.after),
        forced=False,
        standing=False,
        proof=None,
    )
    return PlanLine(word, text, name, told)


# --- match view ----------------------------------------------------------------------------------
# What a reader may see of a match beside its board: the table, the terms, the end, the proofs.


def match_view(match: Match, reader: Reader, scene: Scene) -> MatchView:
    """The match in words and numbers. It must have been issued."""
    game = match.game
    you = match.seat_of(reader.player)
    held = waiting(match, you)
    nobody_else = all(is_bot(other) for other in match.others(reader.player))
    return MatchView(
        id=match.id,
        game=game.key,
        title=game.title,
        label=f"{game.title} {match.id}",
        status=match.status.value,
        players=tuple(_seat_views(match, reader, scene)),
        names=names_by_seat(match, scene),
        subject=_names_in_subject(match, scene),
        you=you,
        ply=match.course.ply,
        your_turn=you is not None and you in match.to_act and held is None,
        playing=you in match.table.playing,
        threaded=reader.wishes.thread,
        terms=_terms(match, reader, scene),
        ending=EndingView(
            ranking=_ranking(match, reader, scene),
            termination=match.course.outcome.termination if match.course.outcome else "",
            lasted=scene.lasted.get(match.id),
        ),
        fairness=_fairness(
            match, scene, was_asked=reader.player in match.table.invited and not nobody_else
        ),
        pending=PendingView(
            draw_offers=game.draw_offers(match.terms.options),
            offer=name_of(match.player_at(match.pending.offer.seat), scene)
            if match.pending.offer
            else "",
            offer_is_yours=match.pending.offer is not None and match.pending.offer.seat == you,
            plan=plan_of(match, you),
            held=held,
            resigns=_resigns(match, you),
        ),
        company=CompanyView(
            alone=not match.table.watchers and nobody_else,
            watchers=len(match.table.watchers),
            watching=reader.player in match.table.watchers,
        ),
        time=time_view(match, reader, scene),
    )


def _terms(match: Match, reader: Reader, scene: Scene) -> TermsView:
    return TermsView(
        options=options_shown(match),
        challenger=name_of(match.table.challenger, scene),
        rematch_of=match.terms.rematch_of,
        private=match.table.private,
        open_seats=match.table.open_seats if match.status is Status.CHALLENGE else 0,
        colours=_colours(match, reader, scene),
        vacant=_vacant(match),
    )


def _vacant(match: Match) -> Literal["", "bot", "leave"]:
    if len(match.table.players) + match.table.open_seats <= ENOUGH:
        return ""
    return "bot" if match.terms.stand_in else "leave"


def _fairness(match: Match, scene: Scene, *, was_asked: bool) -> FairnessView:
    return FairnessView(
        commitment=match.chance.commitment[:SHORT_HASH],
        # Whole: who can choose between two chains with the same beginning is bound to neither.
        chains=tuple(filter(None, (match.chance.commitment, match.chance.secret_commitment))),
        protocol=PROTOCOL,
        head=scene.heads.get(match.id, "")[:SHORT_HASH],
        draws=start_draws(match),
        opened=opened_draws(match),
        unbound=_unbound(match),
        was_asked=was_asked,
    )


def _unbound(match: Match) -> Unbound:
    """Why the server could have foreseen the first draws, if there are any and it could."""
    if not (match.chance.draws or match.chance.sealed) or not is_foreseeable(match):
        return ""
    return "bots" if only_bots_answered(match) else "letters"


def _colours(match: Match, reader: Reader, scene: Scene) -> ColoursView | None:
    if match.status is not Status.CHALLENGE or match.game.colours is None:
        return None
    chosen = [(name_of(player, scene), colour) for player, colour in match.table.colours.items()]
    return ColoursView(tuple(chosen), free_colours(match, reader.player))


def waiting(match: Match, you: Seat | None) -> Waiting | None:
    """The move that the reader's own seat holds."""
    held = match.pending.held.get(you) if you is not None else None
    text = held_text(match, held.move) if held is not None else None
    if held is None or text is None:
        return None
    return Waiting(text.notation, held.until.isoformat())


def _resigns(match: Match, you: Seat | None) -> str:
    """When the reader's own resignation will be final, if one is held."""
    held = match.pending.resigning.get(you) if you is not None else None
    return held.until.isoformat() if held is not None else ""


def _names_in_subject(match: Match, scene: Scene) -> tuple[str, ...]:
    """PLAY 1: one subject for all mails of a match, so the names are those of its first mail."""
    names = names_by_seat(match, scene)
    if (seated := scene.seated.get(match.id)) is None:
        return tuple(names.values())
    return tuple(clean(seated.get(seat, "?"), NAME) for seat in names)


def names_by_seat(match: Match, scene: Scene) -> Mapping[int, str]:
    """The names of the players by seat, from 1."""
    return {seat: name_of(player, scene) for seat, player in enumerate(match.table.players, 1)}


def options_shown(match: Match) -> tuple[tuple[str, str], ...]:
    """The options that differ from the game's defaults."""
    return tuple(
        ("starter" if option.begins else option.name, match.terms.options[option.name])
        for option in match.game.options
        if match.terms.options[option.name] != option.default
    )


def _seat_views(match: Match, reader: Reader, scene: Scene) -> list[SeatView]:
    seated = match.status in (Status.RUNNING, Status.ENDED)
    waiting = match.waiting_for if match.status is Status.CHALLENGE else ()
    return [
        SeatView(
            seat=seat if seated else 0,
            name=name_of(player, scene),
            you=player == reader.player,
            to_act=seat in match.to_act or player in waiting,
            left=seat in match.table.left,
        )
        for seat, player in enumerate(match.table.players, 1)
    ]


def _ranking(match: Match, reader: Reader, scene: Scene) -> tuple[Rank, ...]:
    if match.course.outcome is None:
        return ()
    shared: dict[int, list[PlayerId]] = {}
    for place, player in zip(match.course.outcome.placings, match.table.players, strict=True):
        shared.setdefault(place, []).append(player)
    points = dict(zip(match.table.players, _points(match), strict=False))
    return tuple(
        Rank(
            place,
            tuple(name_of(player, scene) for player in players),
            reader.player in players,
            tuple(points[player] for player in players if player in points),
        )
        for place, players in sorted(shared.items())
    )


def _points(match: Match) -> tuple[int, ...]:
    """The points of every seat, none where the game has no points."""
    facts = match.game.board(match.course.position, None, Style.ASCII).facts
    seats = cast("Sequence[Mapping[str, Any]]", facts.get("seats", ()))
    return tuple(seat["points"] for seat in seats if "points" in seat)
