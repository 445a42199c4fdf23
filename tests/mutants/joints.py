"""Mutants of what stands between the rooms: forms of events, files, the door, consent, mails."""

from __future__ import annotations

from typing import Final

from tests.mutants.mutant import Mutant

_CODEC: Final = "pbem/store/codec.py"
_CODEC_TESTS: Final = ("tests/store/test_codec.py",)
CODEC: Final = [
    Mutant(
        "codec_other_fields",
        _CODEC,
        "if read.keys() != shape.keys():",
        "if shape.keys() - read.keys():",
        _CODEC_TESTS,
    ),
    Mutant(
        "codec_time_of_any_form",
        _CODEC,
        "if instant_text(at) == text:",
        "if at.tzinfo is not None:",
        _CODEC_TESTS,
    ),
    Mutant(
        "codec_truth_is_a_number",
        _CODEC,
        "if cls is str and isinstance(value, str):",
        "if isinstance(value, cls):",
        _CODEC_TESTS,
    ),
    Mutant(
        "codec_keys_in_any_order",
        _CODEC,
        "ensure_ascii=False, sort_keys=True, separators",
        "ensure_ascii=False, separators",
        _CODEC_TESTS,
    ),
]

_OUTSIDE: Final = "pbem/store/log/outside_lines.py"
_OUTSIDE_TESTS: Final = ("tests/store/test_outside_lines.py",)
OUTSIDE: Final = [
    Mutant(
        "outside_field_twice",
        _OUTSIDE,
        "        if name in read:\n",
        "        if name in read and not name:\n",
        _OUTSIDE_TESTS,
    ),
    Mutant(
        "outside_any_depth",
        _OUTSIDE,
        "if depth > DEEPEST:",
        "if depth < 0:",
        _OUTSIDE_TESTS,
    ),
    Mutant(
        "outside_any_number",
        _OUTSIDE,
        "if len(text) > DIGITS + 1 or abs(int(text)) > GREATEST:",
        "if len(text) > DIGITS + 1:",
        _OUTSIDE_TESTS,
    ),
    Mutant(
        "outside_truth_is_a_number",
        _OUTSIDE,
        "if type(value) is int and least",
        "if isinstance(value, int) and least",
        _OUTSIDE_TESTS,
    ),
]

_DOOR: Final = "pbem/transaction/limits.py"
_DOOR_TESTS: Final = ("tests/transaction/test_door.py",)
DOOR: Final = [
    Mutant(
        "door_each_spelling_is_a_mailbox",
        _DOOR,
        "{ground}-{_digest(mailbox_of(address))}",
        "{ground}-{_digest(address)}",
        _DOOR_TESTS,
    ),
    Mutant(
        "door_hyphens_are_others",
        _DOOR,
        "ALIKE * strangers.mails_per_mailbox",
        "ALIKE * strangers.mails_per_domain",
        _DOOR_TESTS,
    ),
    Mutant(
        "door_inviters_have_all_of_it",
        _DOOR,
        'f"{KEY}:inviter:{by}", strangers.mails_per_inviter',
        'f"{KEY}:inviter:{by}", strangers.mails_per_day',
        _DOOR_TESTS,
    ),
    Mutant(
        "door_locks_out_who_did_write",
        _DOOR,
        '    if ground != "wrote":\n        yield Budget("all",',
        '    if ground:\n        yield Budget("all",',
        _DOOR_TESTS,
    ),
    Mutant(
        "door_lets_news_out",
        _DOOR,
        "if address is None or _may_go(unit, address):",
        "if address is None or _may_go(unit, address) is not None:",
        _DOOR_TESTS,
    ),
]

_CONSENT: Final = "pbem/intake/consent.py"
_CONSENT_TESTS: Final = ("tests/intake/test_consent.py",)
CONSENT: Final = [
    Mutant(
        "consent_without_the_token",
        _CONSENT,
        "if consents and sender.proof is Proof.TOKEN:",
        "if consents:",
        _CONSENT_TESTS,
    ),
    Mutant(
        "consent_by_accepting_nothing",
        _CONSENT,
        "invited and intent.answer in (Answer.ACCEPT, Answer.AGREED)",
        "intent.answer in (Answer.ACCEPT, Answer.AGREED)",
        _CONSENT_TESTS,
    ),
    Mutant(
        "consent_question_seen_by_others",
        _CONSENT,
        "any(not txn.house.is_ours(one) for one in intent.letter.sent_to)",
        "all(not txn.house.is_ours(one) for one in intent.letter.sent_to)",
        ("tests/intake/test_shown_addresses.py",),
    ),
    Mutant(
        "consent_asked_for_without_end",
        _CONSENT,
        "if not hints(txn, txn.sender, known=False, most=most):",
        "if hints(txn, txn.sender, known=False, most=most) is None:",
        _CONSENT_TESTS,
    ),
]

_COALESCING: Final = "pbem/transaction/coalescing.py"
_COALESCING_TESTS: Final = ("tests/transaction/test_overtaken.py",)
COALESCING: Final = [
    Mutant(
        "waiting_mail_says_twice",
        _COALESCING,
        "if type(one) not in needless and one not in later",
        "if one not in later",
        _COALESCING_TESTS,
    ),
    Mutant(
        "waiting_turn_of_a_ply_before",
        _COALESCING,
        "return not asked or notice.ply != match.course.ply",
        "return not asked",
        _COALESCING_TESTS,
    ),
]

_CLOCK_TESTS: Final = ("tests/runners/test_clock_back.py",)
SCOPES: Final = [
    Mutant(
        "letter_names_one_match",
        "pbem/intake/intent.py",
        "*(one.match for one in said.todo if one.match is not None)",
        "",
        ("tests/orders/test_windows.py",),
    ),
    Mutant(
        "deadline_of_one_match",
        "pbem/runners/timers.py",
        'frozenset({"forced", HELD, PAUSE, "reminder"})',
        'frozenset({"forced", HELD, PAUSE, "reminder", "deadline"})',
        ("tests/runners/test_clocks.py",),
    ),
    Mutant(
        "overtaken_timer_is_a_fault",
        "pbem/runners/timers.py",
        "        except StreamConflict:\n",
        "        except ZeroDivisionError:\n",
        ("tests/runners/test_clocks.py",),
    ),
    Mutant(
        "pause_of_a_clock_ahead",
        "pbem/matches/courtesies.py",
        "return paused.since <= at < paused.until",
        "return at < paused.until",
        _CLOCK_TESTS,
    ),
    Mutant(
        "resignation_of_a_clock_ahead",
        "pbem/runners/absence.py",
        "        RESIGNATION: timedelta(hours=settings.matches.resign_hours),\n",
        "",
        _CLOCK_TESTS,
    ),
]

_OUT_TESTS: Final = ("tests/foreign/test_club.py",)
OUT: Final = [
    Mutant(
        "pause_asks_whoever_is_out",
        "pbem/matches/courtesies.py",
        "(seat for seat in still_in(match) if seat not in _agreeing(asked))",
        "(seat for seat in match.table.playing if seat not in _agreeing(asked))",
        _OUT_TESTS,
    ),
    Mutant(
        "bot_for_whoever_is_out",
        "pbem/matches/resigning.py",
        " or seat in seats_out(match):",
        ":",
        _OUT_TESTS,
    ),
    Mutant(
        "late_is_told_to_whoever_is_out",
        "pbem/notices/courtesies.py",
        "yield from ((match.player_at(seat), late) for seat in still_in(match))",
        "yield from ((match.player_at(seat), late) for seat in match.table.playing)",
        _OUT_TESTS,
    ),
    Mutant(
        "words_reach_spectators_at_once",
        "pbem/matches/match.py",
        "watching = self.table.watchers if self.status is Status.ENDED else ()",
        "watching = self.table.watchers",
        ("tests/orders/test_watching.py",),
    ),
    Mutant(
        "fields_of_any_shape",
        "pbem/foreign/answers.py",
        'name: shaped(value, hints[name], f"{what}, {name} of {kind.__name__}")',
        "name: value",
        ("tests/foreign/test_shapes.py",),
    ),
]
