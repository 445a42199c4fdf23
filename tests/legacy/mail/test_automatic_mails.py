"""MAIL 9: automatic mails of the systems of the world are known, and no reply is taken for one."""

from __future__ import annotations

import pytest

from pbem.legacy.mail.automatic import COMPLAINT, read_bounce, read_complaint
from pbem.legacy.mail.letter import read_letter
from tests.legacy.mail.corpus.automatic import Robot, robots
from tests.legacy.mail.corpus.failures import COMPLAINTS, REPORTS
from tests.legacy.mail.corpus.robot import IDENT, SUBJECT, robot_mail
from tests.legacy.mail.corpus.samples import read_samples

ROBOTS = robots()
OURS = frozenset({"games@pbem.example"})


def sign(robot: Robot) -> str | None:
    return read_letter(robot.raw, own_addresses=OURS).automatic


def test_automatic_mails_are_known(figures: list[str]) -> None:
    unknown = [robot.system for robot in ROBOTS if sign(robot) is None]
    share = 1 - len(unknown) / len(ROBOTS)
    figures.append(f"{share:.1%} of {len(ROBOTS)} automatic mails known; not: {unknown}")
    assert len(ROBOTS) >= 120
    assert share >= 0.99


def test_no_reply_is_taken_for_an_automatic_mail() -> None:
    taken = []
    for sample in read_samples():
        letter = read_letter(sample.raw, own_addresses=OURS)
        if letter.automatic is not None or letter.is_bounce:
            taken.append((sample.name, letter.automatic))
    assert taken == []


@pytest.mark.parametrize(
    "robot", [robot for robot in ROBOTS if robot.bounce], ids=lambda robot: str(robot.system)
)
def test_a_failed_delivery_is_a_bounce(robot: Robot) -> None:
    assert read_letter(robot.raw, own_addresses=OURS).is_bounce
    found = read_bounce(robot.raw)
    assert found is None or found.recipient == "ann@example.org"


def test_bounces_say_whether_it_is_for_good(figures: list[str]) -> None:
    failed = [robot for robot in ROBOTS if robot.bounce]
    silent = [robot.system for robot in failed if read_bounce(robot.raw) is None]
    share = 1 - len(silent) / len(failed)
    figures.append(f"{share:.1%} of {len(failed)} bounces understood; not: {silent}")
    assert share >= 0.85
    yet = [robot.system for robot in failed if "delayed" in robot.system]
    assert len(yet) > 1
    for robot in failed:
        found = read_bounce(robot.raw)
        assert found is None or found.permanent == (robot.system not in yet), robot.system


def test_other_automatic_mail_is_no_bounce() -> None:
    others = [robot for robot in ROBOTS if not robot.bounce]
    assert [one.system for one in others if read_letter(one.raw).is_bounce] == []


# --- complaints ----------------------------------------------------------------------------------


@pytest.mark.parametrize("robot", COMPLAINTS, ids=lambda robot: str(robot.system))
def test_a_complaint_names_our_mail(robot: Robot) -> None:
    letter = read_letter(robot.raw, own_addresses=OURS)
    assert (letter.automatic, letter.is_bounce) == (COMPLAINT, False)
    found = read_complaint(robot.raw)
    assert found is not None
    assert found.message_ids == (IDENT,)


@pytest.mark.parametrize("robot", REPORTS, ids=lambda robot: str(robot.system))
def test_a_report_in_which_nobody_complains_is_none(robot: Robot) -> None:
    assert sign(robot) == COMPLAINT
    assert read_complaint(robot.raw) is None


# --- what people write that looks like it ---------------------------------------------------------

_FORWARDED = (
    "--b\nContent-Type: text/plain\n\nc1 plant c2\nWhat is this?\n\n--b\n"
    "Content-Type: message/rfc822\n\n{inner}\n--b--\n"
)


@pytest.mark.parametrize(
    ("subject", "body", "fields", "writer"),
    [
        (f"Re: Undeliverable: {SUBJECT}", "c1 plant c2", (), "Ann <ann@example.org>"),
        (f"Re: {SUBJECT}", "My mail could not be delivered yesterday: 550 no such user.\ne4",
         (), "Ann <ann@example.org>"),
        (f"Re: {SUBJECT}", "c1 plant c2", (), "Ann <postmaster@ann.example>"),
        (f"Fwd: {SUBJECT}", _FORWARDED.format(inner=COMPLAINTS[0].raw.decode()),
         ('Content-Type: multipart/mixed; boundary="b"',), "Ann <ann@example.org>"),
        ("complaint about message from Bob", "He is rude.", (), "Ann <ann@example.org>"),
    ],
)  # fmt: skip
def test_people_who_write_about_it_are_heard(
    subject: str, body: str, fields: tuple[str, ...], writer: str
) -> None:
    letter = read_letter(robot_mail(subject, body, *fields, writer=writer), own_addresses=OURS)
    assert (letter.automatic, letter.is_bounce) == (None, False)
