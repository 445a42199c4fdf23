"""Lists exist once: what code names has a template, and no template is without its name."""

from __future__ import annotations

import ast
import re
from collections.abc import Collection, Iterator, Mapping
from pathlib import Path
from typing import Final

import pytest
from jinja2 import TemplateError, nodes
from jinja2.meta import find_referenced_templates

from pbem.errors import Fact, Facts
from pbem.games import GAMES
from pbem.games.game import Seat
from pbem.mail.lines import MARKER as QUOTED_MARKER
from pbem.mail.verbs.verb_table import VERBS
from pbem.matches.course import clock_news, news
from pbem.matches.replay import CHANGES
from pbem.notices.codec import KINDS
from pbem.notices.news import MatchBegan, TurnPrompt
from pbem.notices.rendering import render
from pbem.notices.rendering.environment import environment, template_folder
from pbem.notices.rendering.families import TEXT
from pbem.notices.rendering.render import Renderer
from pbem.notices.replies import OrderRefused
from pbem.notices.views.scene import MARKER, TEMPLATES, snake_case
from pbem.notices.views.view import build
from pbem.store.people.personal import HELD
from pbem.transaction.timers import OF_ORDERS
from tests.notices.scenes import begun, reader, scene

SOURCE: Final = Path(__file__).parents[2] / "pbem"
PIECES: Final = (
    "about",
    "aim",
    "signs",
    "legend",
    "brief",
    "spoken",
    "told",
    "can",
    "key",
    "rules",
    "howto",
    "asks",
)

REFUSALS: Final[Mapping[str, tuple[dict[str, Fact], ...]]] = {
    "analysis_empty": ({},),
    "analysis_not_yours": ({},),
    "analysis_too_early": ({},),
    "analysis_unknown": ({"game": "Chess"},),
    "analysis_waits": ({"match": "K7QX2"},),
    "act_refused": (
        {"why": "halted"},
        {"why": "not_halted"},
        {"why": "stopped"},
        {"why": "same_deadline"},
        {"why": "not_over"},
        {"why": "unrated"},
        {"why": "no_comment"},
        {"why": "sits_there"},
        {"why": "left"},
        {"why": "not_earlier", "ply": 0},
        {"why": "not_earlier", "ply": 4},
    ),
    "already_accepted": ({},),
    "another_match": ({},),
    "colour_taken": ({"colour": "Red", "free": ["Blue", "Orange"]},),
    "gift_refused": (
        {"why": "own_seat"},
        {"why": "gone"},
        {"why": "bot"},
        {"why": "amount", "days": 7},
        {"why": "full", "cap": 172_800},
        {"why": "too_little", "left": 90_000},
    ),
    "match_paused": ({"until": "2026-12-06T12:00:00+00:00"},),
    "name_missing": ({"verb": "give"}, {"verb": "report"}),
    "no_colours": ({"game": "Logger"},),
    "no_pause_asked": ({},),
    "no_such_colour": ({"colour": "pink", "free": ["Blue", "Orange"]},),
    "bad_placings": ({"placings": [2, 2], "seats": 2},),
    "clock_stands": ({"seat": 2},),
    "bad_name": ({"name": "a@b", "longest": 40},),
    "bad_time": ({"typed": "quick", "presets": ["slow", "none"]},),
    "near_move": ({"move": "e3; plant d3"},),
    "no_clocks": ({},),
    "no_flag": ({},),
    "not_due": ({},),
    "bad_option": (
        {"name": "size", "value": "9", "names": ["tree_limit"]},
        {"name": "tree_limit", "value": "x", "values": ["none", "20"]},
    ),
    "cannot_block_yourself": ({},),
    "challenge_exists": ({},),
    "challenge_off": ({},),
    "condition_after_end": ({},),
    "condition_answer": ({"typed": "resign"},),
    "condition_draws": ({"game": "Looney Ludo"},),
    "condition_in_full": ({"typed": "rock n21"},),
    "condition_half": ({},),
    "condition_on_turn": ({},),
    "condition_said": ({},),
    "condition_too_few": ({"seat": 2},),
    "condition_too_late": ({"seat": 2, "notation": "e1"},),
    "condition_too_many": ({},),
    "draw_already_offered": ({"seat": 2, "ply": 4},),
    "draw_offers_off": ({"game": "Logan Stones"},),
    "gif_too_long": ({"plies": 130, "most": 120},),
    "no_gifs": ({},),
    "no_pages": ({},),
    "game_over": ({},),
    "invitations_refused": ({},),
    "letter_too_large": ({"kilobytes": 1000},),
    "letter_set_aside": ({},),
    "log_shorter": ({"since": 4711, "size": 1200},),
    "log_unsigned": ({},),
    "match_has_started": ({},),
    "match_not_over": ({},),
    "match_not_started": ({},),
    "move_unread": ({"move": "e3; plant d3", "unread": ["turned"]},),
    "name_reserved": ({"name": "Operator"},),
    "name_taken": ({"name": "Bob"},),
    "not_signed_yet": ({"due": "2026-11-22T18:00:00+00:00"}, {"due": ""}),
    "no_conditions": ({},),
    "no_draw_offer": ({},),
    "bad_address": ({"address": "ann at home"},),
    "already_away": tuple(
        {
            "begin": "2026-12-24T00:00:00+00:00",
            "end": "2027-01-02T00:00:00+00:00",
            "begun": begun,
        }
        for begun in (True, False)
    ),
    "bad_period": ({"typed": "soon 5"},),
    "bad_quiet_hours": ({"most": 10},),
    "bad_rest_days": ({"most": 2},),
    "hint_held": ({},),
    "hints_spent": ({"most": 3},),
    "hours_chosen_lately": ({"what": "rest", "again": "2026-12-24T00:00:00+00:00"},),
    "learn_what": (
        {"games": ["logger", "looney_ludo"]},
        {"games": ["logger"], "without": "Nine"},
    ),
    "leave_too_long": ({"days": 12, "left": 1}, {"days": 12, "left": 10}),
    "not_away": ({},),
    "not_paused": ({},),
    "one_seat_a_link": ({"game": "Looney Ludo"},),
    "own_limit": ({"limit": 3},),
    "pause_already_asked": ({"seat": 1, "days": 14}, {"seat": 2, "days": 1}),
    "pause_too_long": ({"most": 30},),
    "rules_away": ({"title": "Nine Cells"},),
    "too_many_courtesies": ({"limit": 5},),
    "unclear_date": ({"typed": "2/3"},),
    "bad_wish": (
        {"wish": "width", "value": "99", "may": ["width 40", "width 72"], "near": []},
        {"wish": "tz", "value": "Pari", "may": ["tz UTC"], "near": ["tz Europe/Paris"]},
        {"wish": "tz", "value": "X", "may": ["tz Europe/Paris"], "near": []},
        {"wish": "lang", "value": "xx", "may": ["lang en"], "near": []},
    ),
    "no_such_address": ({"address": "ann@work.example"},),
    "too_many_addresses": ({"most": 5},),
    "no_draw_offers": ({"game": "Logger"},),
    "no_held_move": ({},),
    "no_resignation": ({},),
    "no_takeback": ({},),
    "taken_back_since": ({},),
    "takeback_already_asked": ({},),
    "takeback_among_many": ({},),
    "takeback_past_draw": ({"ply": 4},),
    "takeback_past_leaving": ({"seat": 2},),
    "takeback_past_secret": ({"ply": 4},),
    "nothing_to_undo": ({},),
    "no_link": ({"match": "X9X9X"},),
    "no_links": ({"game": "Looney Ludo"},),
    "no_open_seat": ({"match": "X9X9X"},),
    "order_incomplete": ({"word": "away", "how": ["away 5 days", "away 2026-12-24"]},),
    "no_such_bot": (
        {"level": "greedy", "game": "Logger", "levels": ["random"]},
        {"level": "", "game": "Nine Cells", "levels": []},
    ),
    "no_such_game": (
        {"game": "chess", "games": ["Logger"]},
        {"game": "log", "games": ["Logan Stones", "Logger"], "near": ["Logger"]},
    ),
    "no_such_match": ({"match": "X9X9X"},),
    "no_such_opponent": ({"player": "Zoe"},),
    "no_profile": ({"player": "Zoe"},),
    "no_such_player": ({"player": "Zoe"},),
    "no_such_ply": ({"ply": 9, "last": 4}, {"ply": 9, "last": 4, "over": True}),
    "comment_too_early": ({},),
    "no_such_rule": ({"rule": "LG-99.1"},),
    "no_such_topic": (
        {"topic": "x", "topics": ["say", "board"], "near": []},
        {"topic": "bord", "topics": [], "near": ["board"]},
    ),
    "not_invited": ({},),
    "not_seated": ({},),
    "not_watching": ({},),
    "nothing_to_watch": ({"match": "X9X9X"},),
    "only_watching": ({"match": "K7QX2"},),
    "own_match": ({},),
    "not_your_turn": ({"seats": [1]},),
    "nothing_to_confirm": ({},),
    "only_previewed": ({"move": "place a3"},),
    "player_twice": ({},),
    "question_settled": ({"why": "answered"}, {"why": "late"}, {"why": "moved"}),
    "rematch_asked": ({"match": "M3SS4"},),
    "seat_for_rating": ({"least": 1400, "most": 1700, "own": 1820},),
    "seat_for_reliable": ({"least": 90, "own": 75, "days": 365},),
    "seat_left": ({"ply": 4},),
    "stale_mail": ({"meant": 5, "now": 7},),
    "stale_undo": ({"move": "stay; plant d1", "at": 24},),
    "text_and_html_differ": ({},),
    "text_too_long": ({"most": 4000},),
    "too_many_matches": ({"limit": 5, "most": 50}, {"limit": 50, "most": 50}),
    "too_many_watched": ({"most": 20},),
    "too_many_joins": ({"limit": 1}, {"limit": 10}),
    "too_many_comments": ({"limit": 20, "daily": True}, {"limit": 100, "daily": False}),
    "too_many_conditions": ({"most": 40},),
    "too_many_orders": ({"most": 40},),
    "text_missing": ({"verb": "say"}, {"verb": "comment"}),
    "too_many_invitations": ({"limit": 1}, {"limit": 20}),
    "too_many_pending": ({"limit": 5},),
    "newcomers_budget": (
        {"own": True, "limit": 1, "name": "zoe@example.org", "address": "games@pbem.example"},
        {"own": True, "limit": 10, "name": "Zoe", "address": "games@pbem.example"},
        {"own": False, "limit": 1, "name": "Zoe", "address": "games@pbem.example"},
    ),
    "two_moves_in_mail": ({"candidates": ["e1", "e2; plant e3"]},),
    "unknown_order": (
        {"word": "halp", "near": ["help"]},
        {"word": "claim", "near": ["claim"], "how": ["claim"]},
        {"word": "xyz", "near": []},
    ),
    "consent_missing": ({},),
    "not_proved": ({},),
    "address_seen": ({},),
    "too_many_questions": ({},),
    "yes_alone": ({},),
    "yes_elsewhere": ({},),
    "which_match": (
        {"matches": ["K7QX2", "M3SS4"]},
        {"matches": []},
        {"matches": ["K7QX2"], "move": "e1"},
    ),
    "watch_in_silence": ({},),
    "wrong_number_of_players": ({"game": "Logger", "players": 5, "seats": [2, 3, 4]},),
    "already_entered": ({"name": "spring"},),
    "enter_what": ({"names": ["spring"]}, {"names": []}),
    "no_season": ({"name": "spring"},),
    "no_such_table": ({"season": 1, "table": 9},),
    "no_such_tournament": ({"name": "autumn"},),
    "not_entered": ({"name": "spring"},),
    "not_later": ({},),
    "season_runs": ({"name": "spring", "season": 2},),
    "too_few_entries": ({"name": "spring", "entered": 3, "needed": 4},),
    "too_late_to_correct": ({},),
    "tournament_closed": ({"name": "spring"},),
    "tournament_exists": ({"name": "spring"},),
    "tournament_needs_time": ({},),
    "withdraw_what": ({"names": ["spring", "cup"]}, {"names": []}),
    "wrong_number": ({"most": 3_650},),
    "wrong_seats_for_tournament": ({"kind": "cup", "seats": 3},),
    "wrong_size_of_groups": ({"group": 8, "sizes": [4, 5, 6, 7]},),
}
"""Every code of the platform with the facts that it comes with."""


def members(family: str) -> set[str]:
    """The blocks of a family, which stand in the order of the alphabet."""
    source = (template_folder() / f"{family}{TEXT}").read_text(encoding="utf-8")
    written = re.findall(r"{% block (\w+) %}", source)
    assert written == sorted(written)
    assert set(written) == {*environment().family(family + TEXT)}
    return set(written)


def differences(place: str, there: Collection[str], wanted: Collection[str]) -> list[str]:
    """What a place lacks, and what stands there that nothing uses."""
    lacking = [f"{place} lacks {name}" for name in sorted(set(wanted) - set(there))]
    return lacking + [f"{place} has {name}, of no use" for name in sorted(set(there) - set(wanted))]


def calls(name: str, argument: int, *folders: str) -> Iterator[str]:
    """The text constants that stand as one argument of the calls of a function or method."""
    for folder in folders:
        for path in (SOURCE / folder).rglob("*.py"):
            for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
                if not isinstance(node, ast.Call) or len(node.args) <= argument:
                    continue
                called = node.func
                if getattr(called, "id", getattr(called, "attr", "")) == name:
                    yield from (
                        part.value
                        for part in ast.walk(node.args[argument])
                        if isinstance(part, ast.Constant) and isinstance(part.value, str)
                    )


PARTS: Final = ("subject", "headline", "action", "reason", *render.PARTS[2:])
NEEDED: Final = ("subject", "headline")
"""Each notice has these; what it has not of the others is in usual.txt.j2."""


def test_every_notice_has_its_blocks_and_every_block_a_notice() -> None:
    folder = template_folder() / "notices"
    written = {
        path.name.removesuffix(TEXT): re.findall(r"{% block (\w+) %}", path.read_text("utf-8"))
        for path in folder.glob(f"*{TEXT}")
    }
    expected: dict[str, list[str]] = {}
    for kind in sorted(KINDS.values(), key=TEMPLATES.__getitem__):
        name, family = TEMPLATES[kind], kind.__module__.rpartition(".")[2]
        expected.setdefault(name if name in written else family, []).extend(
            block
            for block in (f"{'' if name in written else f'{name}_'}{part}" for part in PARTS)
            if block in written.get(name, written.get(family, ())) or block.endswith(NEEDED)
        )
    wrong = [
        line
        for name in sorted(written.keys() | expected.keys())
        for line in differences(
            f"notices/{name}{TEXT}", written.get(name, ()), expected.get(name, ())
        )
    ]
    assert not wrong, "\n".join(wrong)
    for name, blocks in expected.items():
        assert written[name] == blocks, "not in the order of the alphabet and of a mail's parts"


def test_a_block_that_is_missing_is_named() -> None:
    with pytest.raises(TemplateError, match=r'rejections\.txt\.j2 has no block "no_such_code"'):
        environment().member("rejections", "no_such_code")


def test_every_code_of_the_platform_has_a_template_and_every_template_a_code() -> None:
    raisers = ("matches", "players", "tournaments", "mail", "transaction", "orders", "intake")
    raised = set(calls("Rejection", 0, *raisers))
    raised |= {
        "bad_option",
        "learn_what",
        "no_such_game",
        "rules_away",
    }  # raised by games/ for all games
    wrong = differences("rejections.txt.j2", members("rejections"), raised)
    wrong += differences("REFUSALS", REFUSALS, raised)
    assert not wrong, "\n".join(wrong)


@pytest.mark.parametrize(
    ("code", "facts"), [(code, facts) for code, cases in REFUSALS.items() for facts in cases]
)
def test_a_refusal_says_what_was_wrong(code: str, facts: Facts) -> None:
    match = begun()
    refused = OrderRefused(match=match.id, typed="xyz", code=code, facts=facts)
    mail = Renderer().render(build([refused], reader(), scene(match)))
    reason = mail.text.partition('You wrote "xyz".\n\n')[2].partition("\n\n")[0]
    assert len(reason) > 20
    assert reason[0].isupper() or reason[0] == '"'
    assert reason.endswith((".", "?"))


def test_every_outcome_has_a_result_and_every_result_an_outcome() -> None:
    done = {*calls("done", 1, "orders", "intake", "transaction"), *calls("_seated", 3, "orders")}
    done |= {
        "refused",
        "skipped",
        "left_out",
        "doubted",
        "came_later",
        "held_undone",
        "not_understood",
        "seat_missed",
    }
    wrong = differences("results.txt.j2", members("results"), done)
    assert not wrong, "\n".join(wrong)


def test_every_order_is_explained_and_nothing_else() -> None:
    verbs = {verb.name.replace(" ", "_") for verb in VERBS}
    wrong = differences("orders.txt.j2", members("orders"), verbs)
    assert not wrong, "\n".join(wrong)


def test_every_question_has_its_words_and_nothing_else() -> None:
    asked = {
        keyword.value.value
        for folder in ("orders", "intake")
        for path in (SOURCE / folder).rglob("*.py")
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        for keyword in (node.keywords if isinstance(node, ast.Call) else ())
        if keyword.arg == "question" and isinstance(keyword.value, ast.Constant)
    }
    wrong = differences("questions.txt.j2", members("questions"), {*map(str, asked), *OF_ORDERS})
    assert not wrong, "\n".join(wrong)


def test_every_table_that_holds_something_has_its_words_and_nothing_else() -> None:
    assert members("holdings") == {*HELD, "stream", "matches"}


@pytest.mark.parametrize("game", sorted({game.key for game in GAMES.values()}))
def test_a_game_has_all_its_pieces(game: str) -> None:
    folder = template_folder() / "games" / game
    missing = [name for name in PIECES if not (folder / f"{name}{TEXT}").exists()]
    assert not missing
    assert "game_over" in members(f"games/{game}/rejections")  # how a match ended


def test_the_marker_is_the_one_that_replies_are_read_by() -> None:
    assert MARKER == QUOTED_MARKER


def test_every_template_compiles() -> None:
    env = environment()
    for name in env.list_templates(extensions=["j2"]):
        env.get_template(name)


def test_every_class_of_a_page_has_its_style_in_the_tag() -> None:
    env = environment()
    for name in env.list_templates(extensions=["html.j2"]):
        source, _, _ = env.loader.get_source(env, name) if env.loader else ("", None, None)
        tags = re.findall(r"<[^<>]*class=[^<>]*>", env.preprocess(source, name))
        assert all('style="' in tag for tag in tags), name
        assert len(tags) == source.count("class="), name


def test_an_operator_overrides_a_template(tmp_path: Path) -> None:
    (tmp_path / "how_to_answer.txt.j2").write_text("Ask the caretaker.\n", encoding="utf-8")
    notice = OrderRefused(match=None, typed="", code="not_invited", facts={})
    mail = Renderer([tmp_path]).render(build([notice], reader(), scene()))
    assert "Ask the caretaker." in mail.text
    assert mail.html is not None
    assert "Ask the caretaker." in mail.html


def test_an_operator_overrides_one_block_as_the_manual_says(tmp_path: Path) -> None:
    page = (SOURCE.parent / "docs" / "operators.md").read_text(encoding="utf-8")
    (example,) = re.findall(r"^```jinja\n(.*?)^```$", page, re.MULTILINE | re.DOTALL)
    (tmp_path / "rejections.txt.j2").write_text(example, encoding="utf-8")

    def refusal(code: str, folders: list[Path]) -> str:
        notice = OrderRefused(match=None, typed="", code=code, facts={})
        return Renderer(folders).render(build([notice], reader(), scene())).text

    assert "Ask the secretary" in refusal("not_seated", [tmp_path])
    sentence = refusal("not_seated", []).partition("\n\n")[2].partition("\n\n")[0]
    assert sentence.partition("\n")[0] in refusal("not_seated", [tmp_path])
    assert refusal("not_invited", [tmp_path]) == refusal("not_invited", [])


@pytest.mark.parametrize(
    ("file", "block"),
    [("notices/news.txt.j2", "turn_prompt_headline"), ("notices/match_began.txt.j2", "headline")],
)
def test_an_operator_overrides_one_block_of_a_notice(tmp_path: Path, file: str, block: str) -> None:
    (tmp_path / "notices").mkdir()
    (tmp_path / file).write_text(
        f'{{% extends "pbem/{file}" %}}\n'
        f"{{% block {block} %}}Hurry! {{{{ super() }}}}{{% endblock %}}"
    )
    match = begun()
    turn = TurnPrompt(match=match.id, seat=Seat(1), ply=match.course.ply)
    notice = turn if "turn_prompt" in block else MatchBegan(match=match.id)
    view = build([notice], reader(), scene(match))
    shipped, own = Renderer().render(view), Renderer([tmp_path]).render(view)
    assert own.subject == shipped.subject
    assert own.text.startswith("Hurry! ")
    assert own.text.partition("\n\n")[2] == shipped.text.partition("\n\n")[2]


def test_a_file_of_ones_own_for_a_notice_takes_the_place_of_its_blocks(tmp_path: Path) -> None:
    (tmp_path / "notices").mkdir()
    (tmp_path / "notices" / "turn_prompt.txt.j2").write_text(
        "{% block subject %}Go{% endblock %}{% block headline %}Play!{% endblock %}"
        "{% block body %}Now.{% endblock %}"
    )
    match = begun()
    view = build(
        [TurnPrompt(match=match.id, seat=Seat(1), ply=match.course.ply)], reader(), scene(match)
    )
    mail = Renderer([tmp_path]).render(view)
    assert (mail.subject, mail.text.partition("\n")[0]) == ("Go", "Play!")


@pytest.mark.parametrize(
    ("source", "said"),
    [
        ("{{ [['a', 'b'], ['c', 'd']] | map('join', '=') | join(', ') }}", "a=b, c=d"),
        ("{{ ['one', 'two'] | map('length') | join(' ') }}", "3 3"),
        ("{{ [{'x': {'y': 1}}] | map(attribute='x.y') | join }}", "1"),
        ("{{ [{'x': 1}, {}] | map(attribute='x', default=2) | join }}", "12"),
        ("{{ ['e3'] | map('move', 'logger') | join }}", "e3"),
        (
            "{% set facts = {'items': 3, 'pop': 4} %}{{ facts['items'] }}{{ facts.get('pop') }}",
            "34",
        ),
        ("{{ ['abc', 'd'] | longest(at_most=2) }}{{ [] | longest(at_least=6) }}", "26"),
    ],
)
def test_what_is_quicker_than_in_jinja_says_the_same(source: str, said: str) -> None:
    assert environment(wraps=False).from_string(source).render() == said


def test_what_a_template_takes_from_another_is_there() -> None:
    env = environment((), "en", wraps=False)
    missing = []
    for name in env.list_templates(filter_func=lambda name: name.endswith(".j2")):
        source = env.parse((template_folder() / name).read_text(encoding="utf-8"))
        for call in source.find_all(nodes.Call):
            match call:
                case nodes.Call(
                    node=nodes.Name(name="member"),
                    args=[nodes.Const(value=family), nodes.Const(value=block), *_],
                ) if block not in env.family(f"{family}{TEXT}"):
                    missing.append((name, family, block))
        # None is one whose name says which game it is of; each game's is there (below).
        files = set(find_referenced_templates(source)) - {None}
        missing += [(name, file, "") for file in files if file not in env.list_templates()]
    assert missing == []
    for game in GAMES.values():
        assert f"games/{game.key}/reasons.txt.j2" in env.list_templates()


def test_news_among_the_moves_have_words_of_their_own() -> None:
    source = (template_folder() / "parts.txt.j2").read_text(encoding="utf-8")
    worded = set(re.findall(r"step\.event == '(\w+)'", source))
    of_course = {kind: dict(parts).get("course") for kind, parts in CHANGES.items()}
    told = {
        snake_case(kind.__name__) for kind, what in of_course.items() if what in (news, clock_news)
    }
    # Whom the operator seats is told of as of any other who takes a seat over.
    assert len(told) > 5
    assert told - {"seat_reassigned"} <= worded
