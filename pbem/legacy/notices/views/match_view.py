"""What a reader may see of a match beside its board: the table, terms, plans, the end."""

from __future__ import annotations

from collections.abc import Collection, Container, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, Final, Literal, cast

from pbem.legacy.bots.levels import knows_worth
from pbem.fairness import PROTOCOL
from pbem.games.game import Outcome, Seat, Style
from pbem.legacy.matches.branches import ANY, RESIGN
from pbem.legacy.matches.challenges import free_colours
from pbem.legacy.matches.chance import is_foreseeable, only_bots_answered
from pbem.legacy.matches.conditions import standing, void_because
from pbem.legacy.matches.course import seats_out
from pbem.legacy.matches.courtesies import still_asked
from pbem.legacy.matches.hints import hint_awaited, hint_for, hints_left, only_among_bots
from pbem.legacy.matches.match import Match, Status, StepKind
from pbem.legacy.matches.resigning import ENOUGH
from pbem.legacy.matches.steps import Proposal
from pbem.legacy.matches.supposing import Ply, Supposed, lines, supposed
from pbem.legacy.matches.window import held_text
from pbem.names import MatchId, PlayerId, is_bot
from pbem.legacy.notices.courtesies import PauseAsked
from pbem.legacy.notices.views.clean import NAME, clean
from pbem.legacy.notices.views.match_parts import (
    NO_ENDING,
    NO_PLAN,
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
from pbem.legacy.notices.views.matches import after_own_ply, name_of, names_at, told
from pbem.legacy.notices.views.scene import SHORT_HASH, NoticeView, Reader, Scene
from pbem.legacy.notices.views.situation import opened_draws, start_draws, time_view
from pbem.legacy.standing.book import Change, Inviter

# --- conditions ----------------------------------------------------------------------------------
# What a reader has decided for the case that the others play so; for that reader's eyes alone.

LINE: Final = 500
"""Characters of one conditional order that are shown."""


def plan_of(match: Match, you: Seat) -> Plan:
    """The conditions of the reader's seat that stand, or why they became void."""
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
    game, table, pending = match.game, match.table, match.pending
    you = match.seat_of(reader.player)
    names = dict(enumerate(names_at(match, scene), 1))
    was = scene.seated.get(match.id)  # PLAY 1: one subject, with the names of its first mail
    subject = (
        [*names.values()] if was is None else [clean(was.get(one, "?"), NAME) for one in names]
    )
    held = waiting(match, you) if you in pending.held else None
    leaves = pending.resigning.get(you) if you is not None else None
    outcome, offer = match.course.outcome, pending.offer
    gone = seats_out(match) if game.out is not None else ()
    own, known = reader.player, scene.names  # who is forgotten has no name
    acting = () if match.id in scene.still else match.to_act
    people = [one for one in match.hearers if one != own and one in known and not is_bot(one)]
    decides = match.status is Status.RUNNING and you in {*pending.conditions, *pending.lapsed}
    return MatchView(
        id=match.id,
        game=game.key,
        title=game.title,
        label=f"{game.title} {match.id}",
        status=match.status.value,
        players=_seat_views(match, reader, scene, acting),
        names=names,
        subject=tuple(subject),
        you=you,
        ply=match.course.ply,
        your_turn=held is None and you in acting,
        playing=you in table.playing and you not in gone,
        stands=match.status is Status.RUNNING and not acting,
        threaded=reader.wishes.thread,
        terms=_terms(match, reader, scene),
        ending=_ending(match, outcome, reader, scene) if outcome is not None else NO_ENDING,
        fairness=FairnessView(
            # Whole: who can choose between two chains with the same beginning is bound to neither.
            chains=tuple(filter(None, (match.chance.commitment, match.chance.secret_commitment))),
            protocol=PROTOCOL,
            head=scene.heads.get(match.id, "")[:SHORT_HASH],
            opened=opened_draws(match) if match.chance.revealed else (),
            was_asked=reader.player in table.invited and bool(people),
        ),
        pending=PendingView(
            draw_offers=game.draw_offers(match.terms.options),
            offer=names[offer.seat] if offer is not None else "",
            offer_is_yours=offer is not None and offer.seat == you,
            plan=plan_of(match, you) if you is not None and decides else NO_PLAN,
            held=held,
            resigns=leaves.until.isoformat() if leaves is not None else "",
            pause=_pause(pending.pause, match, you, names) if pending.pause is not None else None,
        ),
        company=CompanyView(
            alone=not people,
            other=scene.names[people[0]] if len(people) == 1 and people[0] in table.players else "",
            hints=0 if people else hints_open(match, reader.player),
            watchers=len(table.watchers),
            watching=reader.player in table.watchers,
        ),
        time=time_view(match, reader, scene, gone, counts=bool(acting)),
    )


def _pause(asked: Proposal, match: Match, you: Seat | None, names: Mapping[int, str]) -> PauseAsked:
    return PauseAsked(names[asked.seat], asked.days, agreed=you not in still_asked(match))


def hints_open(match: Match, player: PlayerId) -> int:
    """How many hints a player can ask for now: none where one is there, or on its way."""
    seat = match.seat_of(player)
    if seat is None or seat not in match.to_act or seat in match.pending.held:
        return 0
    if seat == hint_awaited(match) or hint_for(match, seat) is not None:
        return 0
    advised = only_among_bots(match, player) and knows_worth(match.game)
    return hints_left(match, seat) if advised else 0


def beginning(match: Match, known: FairnessView) -> FairnessView:
    """What anybody can check when a match begins: its first draws, and whether they are bound.

    The server could have foreseen them, where nothing that a person wrote binds them.
    """
    unbound: Unbound = ""
    if (match.chance.draws or match.chance.sealed) and is_foreseeable(match):
        unbound = "bots" if only_bots_answered(match) else "letters"
    return replace(known, draws=start_draws(match), unbound=unbound)


def _terms(match: Match, reader: Reader, scene: Scene) -> TermsView:
    table, terms, game = match.table, match.terms, match.game
    colours = None
    if match.status is Status.CHALLENGE and game.colours is not None:
        chosen = ((name_of(player, scene), colour) for player, colour in table.colours.items())
        colours = ColoursView(tuple(chosen), free_colours(match, reader.player))
    vacant: Literal["bot", "leave"] = "bot" if terms.stand_in else "leave"
    inviter = scene.standing.get(match.id)
    return TermsView(
        options=tuple(  # those that differ from the game's defaults
            ("starter" if option.begins else option.name, terms.options[option.name])
            for option in game.options
            if terms.options[option.name] != option.default
        ),
        challenger=scene.names.get(table.challenger or PlayerId(""), "?"),
        rematch_of=terms.rematch_of,
        tournament=terms.tournament,
        private=table.private,
        open_seats=table.open_seats if match.status is Status.CHALLENGE else 0,
        link_until=table.link_until.isoformat() if table.link_until is not None else "",
        colours=colours,
        lesson=terms.lesson,
        asks=terms.asks if match.status is Status.CHALLENGE else {},
        inviter=inviter if isinstance(inviter, Inviter) else None,
        rated=match.status is Status.CHALLENGE
        and not (terms.unrated or table.private or any(map(is_bot, table.players))),
        vacant=vacant if len(table.players) + table.open_seats > ENOUGH else "",
    )


def waiting(match: Match, you: Seat | None) -> Waiting | None:
    """The move that the reader's own seat holds."""
    held = match.pending.held.get(you) if you is not None else None
    text = held_text(match, held.move) if held is not None else None
    if held is None or text is None:
        return None
    return Waiting(text.notation, held.until.isoformat(), held.asked)


def _seat_views(
    match: Match, reader: Reader, scene: Scene, acting: Collection[Seat]
) -> tuple[SeatView, ...]:
    seated = match.status in (Status.RUNNING, Status.ENDED)
    left = match.table.left
    asked = match.waiting_for if match.status is Status.CHALLENGE else ()
    return tuple(
        SeatView(
            seat=seat if seated else 0,
            name=scene.names.get(player, "?"),
            you=player == reader.player,
            to_act=seat in acting or player in asked,
            left=seat in left,
        )
        for seat, player in enumerate(match.table.players, 1)
    )


def _ending(match: Match, outcome: Outcome, reader: Reader, scene: Scene) -> EndingView:
    shared: dict[int, list[PlayerId]] = {}
    for place, player in zip(outcome.placings, match.table.players, strict=True):
        shared.setdefault(place, []).append(player)
    points = dict(zip(match.table.players, points_of(match), strict=False))
    ranking = tuple(
        Rank(
            place,
            tuple(name_of(player, scene) for player in players),
            reader.player in players,
            tuple(points[player] for player in players if player in points),
        )
        for place, players in sorted(shared.items())
    )
    span, change = scene.spans.get(match.id), scene.standing.get(match.id)
    return EndingView(
        ranking=ranking,
        termination=outcome.termination,
        lasted=int((span[-1] - span[0]).total_seconds()) if span else None,
        change=change if isinstance(change, Change) else None,
    )


def points_of(match: Match) -> tuple[int, ...]:
    """The points of every seat, none where the game has no points."""
    facts = match.game.board(match.course.position, None, Style.ASCII).facts
    seats = cast("Sequence[Mapping[str, Any]]", facts.get("seats", ()))
    return tuple(seat["points"] for seat in seats if "points" in seat)


def news_beside(
    view: NoticeView, match: Match, you: Seat | None, scene: Scene, received: Container[MatchId]
) -> tuple[Told, ...]:
    """What happened since the reader's last ply, but for the dice or coin that lie on the board.

    That ply, too, where it has shown its player something, and they got no receipt of it.
    """
    lying, steps = {one.index for one in view.board.draws}, match.course.steps
    at = after_own_ply(match, you)
    own = steps[at - 1] if at and match.game.secrets and match.id not in received else None
    if own is not None and match.game.reveals(own.before, own.after, you):
        at -= 1
    news = told(match, steps[at:], scene, you)
    return tuple(one for one in news if one.proof is None or one.proof.index not in lying)
