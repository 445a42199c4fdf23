"""MAIL 9: automatic mails of the systems of the world are known, and no reply is taken for one."""

from __future__ import annotations

import pytest

from pbem.mail.bounces import read_bounce
from pbem.mail.letter import read_letter
from tests.mail.corpus.automatic import Robot, robots
from tests.mail.corpus.samples import read_samples

ROBOTS = robots()
OURS = frozenset({"games@pbem.example"})


def sign(robot: Robot) -> str | None:
    return read_letter(robot.raw, own_addresses=OURS).automatic


def test_automatic_mails_are_known(figures: list[str]) -> None:
    unknown = [robot.system for robot in ROBOTS if sign(robot) is None]
    share = 1 - len(unknown) / len(ROBOTS)
    figures.append(f"{share:.1%} of {len(ROBOTS)} automatic mails known; not: {unknown}")
    assert len(ROBOTS) >= 120
    assert share >= 0.98


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


def test_other_automatic_mail_is_no_bounce() -> None:
    others = [robot for robot in ROBOTS if not robot.bounce]
    assert [one.system for one in others if read_letter(one.raw).is_bounce] == []
