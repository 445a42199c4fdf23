"""Faults in draws, hours, letters, names, the store, the matches and waiting mails."""

from __future__ import annotations

from typing import Final

from tests.mutants.mutant import Mutant

_FAIRNESS_TESTS: Final = ("tests/test_fairness.py",)
FAIRNESS: Final = [
    Mutant(
        "fairness_texts_without_length",
        "pbem/fairness.py",
        'b"%d:%s," % (len(part), part)',
        'b"%d:%s," % (0, part)',
        _FAIRNESS_TESTS,
    ),
    Mutant(
        "fairness_same_block_again",
        "pbem/fairness.py",
        "        counter += 1\n",
        "        counter += 0\n",
        _FAIRNESS_TESTS,
    ),
    Mutant(
        "fairness_any_question",
        "pbem/fairness.py",
        "str(index), asked, digest, str(counter))",
        "str(index), digest, str(counter))",
        _FAIRNESS_TESTS,
    ),
    Mutant(
        "fairness_keeps_old_links",
        "pbem/fairness.py",
        "return replace(self, next_index=index + 1, ahead=())",
        "return replace(self, next_index=index + 1)",
        _FAIRNESS_TESTS,
    ),
    Mutant(
        "fairness_start_has_no_letters",
        "pbem/fairness.py",
        "netstrings(_START, *chain.from_iterable(accepted))",
        "netstrings(_START, *chain.from_iterable(one[:2] for one in accepted))",
        _FAIRNESS_TESTS,
    ),
]

_HOURS_TESTS: Final = ("tests/test_hours.py",)
HOURS: Final = [
    Mutant(
        "hours_rest_a_day_late",
        "pbem/hours.py",
        "if day.weekday() in hours.rest_days:",
        "if (day.weekday() - 1) % 7 in hours.rest_days:",
        _HOURS_TESTS,
    ),
    Mutant(
        "hours_quiet_by_day",
        "pbem/hours.py",
        "if hours.quiet[0] < hours.quiet[1]:",
        "if hours.quiet[0] > hours.quiet[1]:",
        _HOURS_TESTS,
    ),
    Mutant(
        "hours_end_while_quiet",
        "pbem/hours.py",
        "if seconds < length:",
        "if seconds <= length:",
        _HOURS_TESTS,
    ),
    Mutant(
        "hours_count_backwards",
        "pbem/hours.py",
        "return max(0, (end - start) // A_SECOND)",
        "return (end - start) // A_SECOND",
        _HOURS_TESTS,
    ),
]

LETTERS: Final = [
    Mutant(
        "address_of_anybody",
        "pbem/mail/addresses.py",
        "not compare_digest(mac, _mac(secret",
        "not compare_digest(mac, mac or _mac(secret",
        ("tests/mail/test_addresses.py",),
    ),
    Mutant(
        "address_of_other_host",
        "pbem/mail/addresses.py",
        "if domain != base_domain:",
        "if not domain:",
        ("tests/mail/test_addresses.py",),
    ),
    Mutant(
        "bond_without_date",
        "pbem/mail/letter.py",
        "return Bond(letter_digest(message_id, date),",
        'return Bond(letter_digest(message_id, ""),',
        ("tests/mail/test_bond.py",),
    ),
    Mutant(
        "bond_hides_rewriting",
        "pbem/mail/letter.py",
        'elif any(one not in ("", message_id) for one in originals)',
        'elif all(one not in ("", message_id) for one in originals)',
        ("tests/mail/test_bond.py",),
    ),
    Mutant(
        "consent_under_a_refusal",
        "pbem/mail/free_text/consent.py",
        "few = _is_signature(filled[1:]) and _is_signature(behind)",
        "few = _is_signature(filled[1:])",
        ("tests/mail/free_text/test_consent.py",),
    ),
    Mutant(
        "consent_with_a_but",
        "pbem/mail/free_text/consent.py",
        "few and (not filled[1:] or _closed(without_office(filled)[1:], known))",
        "few",
        ("tests/mail/free_text/test_consent.py",),
    ),
    Mutant(
        "consent_by_ok",
        "pbem/mail/free_text/consent.py",
        "return frozenset(known) - frozenset(verb.also)",
        "return frozenset(known)",
        ("tests/mail/free_text/test_consent.py",),
    ),
    Mutant(
        "automatic_circle",
        "pbem/mail/automatic.py",
        'if len(headers.all.get("received", ())) > HOPS:',
        'if len(headers.all.get("received", ())) > 2 * HOPS:',
        ("tests/mail/test_automatic.py",),
    ),
    Mutant(
        "automatic_null_path",
        "pbem/mail/automatic.py",
        'if path is not None and (not path or "<>" in path or _DAEMONS.fullmatch(path)):',
        "if path is not None and _DAEMONS.fullmatch(path):",
        ("tests/mail/test_automatic.py",),
    ),
    Mutant(
        "automatic_ourselves",
        "pbem/mail/automatic.py",
        "ourselves = any(one in ours for one in writers)",
        "ourselves = False",
        ("tests/mail/test_automatic.py",),
    ),
    Mutant(
        "recipients_root_dot",
        "pbem/mail/headers.py",
        'range(at + 1, len(tokens)))).rstrip(".")',
        "range(at + 1, len(tokens))))",
        ("tests/mail/test_recipients.py",),
    ),
    Mutant(
        "sender_with_controls",
        "pbem/mail/headers.py",
        'if len(value) > LONGEST or not value.replace("\\t", " ").isprintable():',
        "if len(value) > LONGEST:",
        ("tests/mail/test_headers.py",),
    ),
    Mutant(
        "quote_from_an_order",
        "pbem/mail/quotes.py",
        "return not line.quoted and self.known(at) and not self.order(at)",
        "return not line.quoted and self.known(at)",
        (
            "tests/mail/test_reply_text.py",
            "tests/mail/test_samples.py",
        ),
    ),
    Mutant(
        "sign_off_of_weak_words",
        "pbem/mail/reply_text.py",
        "strong = any(word not in said.weak_sign_offs for word in words[:first])",
        "strong = True",
        (
            "tests/mail/test_reply_text.py",
            "tests/mail/free_text/test_said_text.py",
            "tests/mail/free_text/test_near_moves.py",
        ),
    ),
]

_PEOPLE_TESTS: Final = ("tests/players/test_names.py",)
PEOPLE: Final = [
    Mutant(
        "names_rn_is_no_m",
        "pbem/players/names.py",
        '_PAIRS: Final = (("rn", "m"), ("vv", "w"))',
        '_PAIRS: Final = (("vv", "w"),)',
        _PEOPLE_TESTS,
    ),
    Mutant(
        "names_one_is_no_l",
        "pbem/players/names.py",
        'str.maketrans("01|!$i", "olllsl")',
        'str.maketrans("0|!$i", "ollsl")',
        _PEOPLE_TESTS,
    ),
]

STORE: Final = [
    Mutant(
        "log_reads_one_more",
        "pbem/store/log/event_log.py",
        'tables.event.c.version > bindparam("after")',
        'tables.event.c.version >= bindparam("after")',
        ("tests/store/test_event_log.py",),
    ),
    Mutant(
        "log_same_id_elsewhere",
        "pbem/store/log/event_log.py",
        "netstrings(cause, stream, str(number))",
        "netstrings(cause, str(number))",
        ("tests/store/test_event_log.py",),
    ),
    Mutant(
        "log_positions_overlap",
        "pbem/store/log/event_log.py",
        "return int(last) - count + 1",
        "return int(last) - count",
        ("tests/store/test_event_log.py",),
    ),
    Mutant(
        "verify_no_head",
        "pbem/store/log/verify.py",
        "if row.head_hash != previous:",
        "if row.head_hash is None:",
        ("tests/store/test_verify.py",),
    ),
    Mutant(
        "verify_no_category",
        "pbem/store/log/verify.py",
        "if category is not None and recorded.type not in TYPES.get(category, {}):",
        "if category is None and recorded.type:",
        ("tests/store/test_verify.py",),
    ),
    Mutant(
        "verify_no_form",
        "pbem/store/log/verify.py",
        "if canonical(json.loads(recorded.data)) != recorded.data:",
        "if not json.loads(recorded.data) and recorded.data:",
        ("tests/store/test_verify.py",),
    ),
    Mutant(
        "inbox_newest_first",
        "pbem/store/mails/inbox.py",
        '.where(_T.state == "new").order_by(_T.number)',
        '.where(_T.state == "new").order_by(_T.number.desc())',
        ("tests/store/test_inbox.py",),
    ),
    Mutant(
        "inbox_overtakes",
        "pbem/store/mails/inbox.py",
        "_T.number < _OLDER.c.number",
        "_T.number > _OLDER.c.number",
        (
            "tests/store/test_waiting.py",
            "tests/store/test_inbox.py",
            "tests/intake/test_waiting_letters.py",
        ),
    ),
    Mutant(
        "outbox_suspects_late",
        "pbem/store/mails/leases.py",
        "_T.data.is_(None), _T.attempts >= SUSPECT",
        "_T.data.is_(None), _T.attempts > SUSPECT",
        (
            "tests/store/test_outbox.py",
            "tests/delivery/test_unwritable_mails.py",
        ),
    ),
    Mutant(
        "outbox_lets_wait_late",
        "pbem/store/mails/leases.py",
        "_T.attempts >= ENDS_US)",
        "_T.attempts > ENDS_US)",
        (
            "tests/store/test_outbox.py",
            "tests/delivery/test_unwritable_mails.py",
        ),
    ),
]

MATCHES: Final = [
    Mutant(
        "clock_without_cap",
        "pbem/matches/clocks.py",
        "return min(most, self.left(seat, at) + self.control.increment * HOUR)",
        "return max(0 * most, self.left(seat, at) + self.control.increment * HOUR)",
        (
            "tests/matches/clocks/test_clocks.py",
            "tests/matches/clocks/test_clock_laws.py",
        ),
    ),
    Mutant(
        "clock_below_nothing",
        "pbem/matches/clocks.py",
        "return max(0, clock.bank - counted(clock.hours, clock.since, at))",
        "return clock.bank - counted(clock.hours, clock.since, at)",
        (
            "tests/matches/clocks/test_clocks.py",
            "tests/matches/clocks/test_clock_laws.py",
        ),
    ),
    Mutant(
        "clock_takes_back_credit",
        "pbem/matches/clocks.py",
        "leave=(*hours.leave, *clock.given_back))",
        "leave=hours.leave)",
        (
            "tests/matches/clocks/test_clocks.py",
            "tests/matches/clocks/test_clock_laws.py",
        ),
    ),
    Mutant(
        "clock_bank_over_cap",
        "pbem/matches/clocks.py",
        "if not 0 < bank <= cap:",
        "if not 0 < bank:",
        ("tests/matches/clocks/test_clocks.py",),
    ),
    Mutant(
        "deadline_before_its_time",
        "pbem/matches/timing.py",
        "if running is None or running.due > now or is_held_in_time(match, seat, now):",
        "if running is None or is_held_in_time(match, seat, now):",
        ("tests/matches/clocks/test_clocks.py",),
    ),
    Mutant(
        "clock_of_held_moves",
        "pbem/matches/timing.py",
        "at = held.made(now) if held is not None else now",
        "at = now",
        ("tests/orders/test_windows_and_clocks.py",),
    ),
    Mutant(
        "turn_of_anybody",
        "pbem/matches/match.py",
        "if seat not in (to_act := match.to_act):",
        "if not (to_act := match.to_act):",
        ("tests/matches/test_decide.py",),
    ),
    Mutant(
        "takeback_among_many",
        "pbem/matches/takebacks.py",
        "return len(others) >= TWO and not is_only_bots(others)",
        "return len(others) > TWO and not is_only_bots(others)",
        ("tests/matches/second_thoughts/test_takebacks.py",),
    ),
    Mutant(
        "takeback_of_draws",
        "pbem/matches/takebacks.py",
        'raise Rejection("takeback_past_draw", ply=step.ply)',
        "pass",
        ("tests/matches/second_thoughts/test_takebacks.py",),
    ),
    Mutant(
        "takeback_of_secrets",
        "pbem/matches/takebacks.py",
        "case StepKind.MOVE if match.game.reveals(step.before, step.after, None):",
        "case StepKind.MOVE if step.ply < 0:",
        (
            "tests/matches/second_thoughts/test_takebacks.py",
            "tests/matches/test_secrets.py",
        ),
    ),
    Mutant(
        "takeback_of_forced",
        "pbem/matches/takebacks.py",
        "step.seat == seat and not step.forced:",
        "step.seat == seat:",
        ("tests/matches/second_thoughts/test_takebacks.py",),
    ),
    Mutant(
        "bound_to_bots",
        "pbem/matches/chance.py",
        "return all(is_bot(player) for player, _, _ in match.table.accepted[1:])",
        "return any(is_bot(player) for player, _, _ in match.table.accepted[1:])",
        ("tests/matches/test_only_bots.py",),
    ),
]

_COALESCING_TESTS: Final = ("tests/transaction/test_overtaken.py",)
WAITING: Final = [
    Mutant(
        "waiting_mail_told_anew_after_takeback",
        "pbem/transaction/coalescing.py",
        "elif not went_back and _can_grow(",
        "elif _can_grow(",
        _COALESCING_TESTS,
    ),
    Mutant(
        "waiting_mail_of_the_version_before",
        "pbem/transaction/coalescing.py",
        "version=match.version,",
        "version=match.version - 1,",
        _COALESCING_TESTS,
    ),
    Mutant(
        "rest_of_held_mail_goes_at_once",
        "pbem/transaction/coalescing.py",
        'early.next_at if early.state == "held" else _due(early, notices, match, now)',
        "_due(early, notices, match, now)",
        ("tests/delivery/test_digests.py",),
    ),
]
