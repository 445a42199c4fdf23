"""The order `proof`, and the program of docs/witnessing.md that checks what it brings."""

from __future__ import annotations

import base64
import email
import re
import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace
from email.policy import default
from pathlib import Path
from typing import Final

import pytest

from pbem.runners.checkpoints import sign_log
from pbem.store.log import tree
from pbem.wiring.correspondent import ReceivedMail
from pbem.witnessing import mailed, notes
from tests.clubs.club import ANN, BOB, CLEO, Club, open_club
from tests.store.given import behind_its_back, read

SEED = bytes(range(32))
KEY = notes.SecretKey("pbem.example/games", SEED).public
PAGE: Final = Path(__file__).parents[2] / "docs" / "witnessing.md"


def check_proof(folder: Path, *arguments: str | Path, site: bool = False) -> tuple[int, str]:
    """What the page's program says: its exit status and words; `site`: with installed packages."""
    (program,) = re.findall(r"```python\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.DOTALL)
    file = folder / "check_proof.py"
    file.write_text(program, encoding="utf-8")
    alone = ["-I"] if site else ["-I", "-S"]
    ran = subprocess.run(
        [sys.executable, *alone, file, *arguments],
        capture_output=True,
        text=True,
        timeout=240,
        check=False,
    )
    assert not ran.stderr
    return ran.returncode, ran.stdout


def opened(folder: Path, *, seed: bytes | None = SEED) -> Club:
    club = open_club(folder)
    club.house = replace(club.house, log_seed=seed)
    return club


async def begin(club: Club, options: str = "") -> None:
    await club.write(ANN, f"new logger with {BOB} {options}")
    await club.answer(ANN, "yes")
    await club.answer(BOB, "accept")


def raw(club: Club, reader: str) -> bytes:
    """The newest mail to somebody, as its reader saves it."""
    return [data for recipient, data in club.postbox.sent if recipient == reader][-1]


def newest(club: Club) -> str:
    """The note that was signed last."""
    note = read(club.house.db, tree.newest)
    assert note is not None
    return note.note


def lines_of(mail: ReceivedMail) -> list[str]:
    """The lines of the proof in a mail."""
    lines = mail.text.splitlines()
    return lines[lines.index(mailed.BEGIN) : lines.index(mailed.END) + 1]


async def played(folder: Path) -> Club:
    """A club in which a match is over and was signed, with other events before and after it."""
    club = opened(folder)
    await club.write(CLEO, "new landrush with bot")
    await club.answer(CLEO, "yes")
    await begin(club)
    await club.answer(BOB, "resign yes")
    await club.answer(CLEO, "quiet 22-7")
    await club.wait(hours=24)
    await sign_log(club.house)
    return club


async def saved(club: Club, folder: Path) -> tuple[Path, Path]:
    """The mail that `proof` brings Ann, and the file of the match's record."""
    proof, record = folder / "proof.eml", folder / "record.jsonl"
    await club.answer(ANN, "proof")
    proof.write_bytes(raw(club, ANN))
    await club.answer(ANN, "record")
    (file,) = email.message_from_bytes(raw(club, ANN), policy=default).iter_attachments()
    record.write_bytes(file.get_content())
    return proof, record


async def test_the_program_of_the_page_finds_an_honest_proof_right(tmp_path: Path) -> None:
    club = await played(tmp_path)
    proof, record = await saved(club, tmp_path)
    mail = club.mails(ANN)[-2]
    assert "is in the log that was signed on" in mail.text
    assert "later event" not in mail.text
    lines = lines_of(mail)
    assert all(len(line) <= 64 and line.isascii() for line in lines)

    code, said = check_proof(tmp_path, proof, record)
    assert code == 0, said
    assert said.endswith("all as it must be\n")
    assert "The signature was not checked" in said
    head = re.findall("history ([0-9a-f]{16})", mail.text)[-1]
    assert f"as the mails of the match show it: {head}" in said
    code, said = check_proof(tmp_path, proof, record, f"--key={KEY}", site=True)
    assert (code, "not checked" in said) == (0, False)

    # The same lines quoted, or alone in a file.
    proof.write_text("".join(f"> {line}\n" for line in lines), encoding="utf-8")
    assert check_proof(tmp_path, proof, record)[0] == 0
    assert [note for _, _, note in mailed.joined_in(proof.read_text("utf-8"))] == [newest(club)]


def of_another_root(lines: list[str]) -> list[str]:
    """The proof with a note of another root, signed by the right key."""
    (told,) = [note for _, _, note in mailed.joined_in("\n".join(lines))]
    point = notes.read_checkpoint(notes.opened(told, KEY))
    note = notes.signed(str(replace(point, root=bytes(32))), notes.SecretKey(KEY.name, SEED))
    return [
        *lines[: lines.index("signed:") + 1],
        base64.b64encode(note.encode()).decode(),
        lines[-1],
    ]


def changed(number: int) -> Callable[[list[str]], list[str]]:
    """The proof with another hash in a line."""

    def change(lines: list[str]) -> list[str]:
        other = base64.b64encode(bytes(32)).decode()
        return [*lines[:number], other, *lines[number + 1 :]]

    return change


def swapped(lines: list[str]) -> list[str]:
    """The leaf of the first event is said to be another one."""
    number = int(lines[2].removeprefix("first "))
    return [*lines[:2], f"first {number + 1}", *lines[3:]]


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (changed(3), "the first event is in the log"),  # the event
        (changed(4), "the first event is in the log"),  # its way
        (changed(-7), "the last event is in the log"),
        (swapped, "the first event is in the log"),
        (of_another_root, "the last event is in the log"),
        (lambda lines: [*lines[:4], *lines[5:]], "the first event is in the log"),
    ],
)
async def test_the_program_refuses_what_was_changed(
    tmp_path: Path, change: Callable[[list[str]], list[str]], words: str
) -> None:
    club = await played(tmp_path)
    proof, _ = await saved(club, tmp_path)
    lines = lines_of(club.mails(ANN)[-2])
    proof.write_text("\n".join(change(lines)), encoding="utf-8")
    code, said = check_proof(tmp_path, proof)
    assert code == 1
    assert f"nothing shows that {words}" in said


async def test_the_program_refuses_a_record_of_other_events(tmp_path: Path) -> None:
    club = await played(tmp_path)
    proof, record = await saved(club, tmp_path)
    text = record.read_text(encoding="utf-8")
    record.write_text(text.replace('"ruleset":"logger-1"', '"ruleset":"logger-2"', 1), "utf-8")
    code, said = check_proof(tmp_path, proof, record)
    assert (code, "the first event of the record is another one" in said) == (1, True)
    record.write_text(text.replace('"placings":[1,2]', '"placings":[2,1]'), encoding="utf-8")
    code, said = check_proof(tmp_path, proof, record)
    assert (code, "that was proved last is not in the record" in said) == (1, True)
    record.write_text('{"excerpt":"match-K"}\n', encoding="utf-8")
    assert check_proof(tmp_path, proof, record)[0] == 1


async def test_the_program_refuses_a_signature_by_another_key(tmp_path: Path) -> None:
    club = await played(tmp_path)
    proof, _ = await saved(club, tmp_path)
    stranger = notes.SecretKey(KEY.name, bytes(32)).public
    code, said = check_proof(tmp_path, proof, f"--key={stranger}", site=True)
    assert (code, "the note is not signed by" in said) == (1, True)
    lines = lines_of(club.mails(ANN)[-2])
    at = lines.index("signed:") + 1
    note = base64.b64decode("".join(lines[at:-1]))
    false = base64.b64encode(note.replace(b"pbem.example/games\n", b"pbem.example/games\n0", 1))
    proof.write_text("\n".join([*lines[:at], false.decode(), lines[-1]]), encoding="utf-8")
    code, said = check_proof(tmp_path, proof, f"--key={KEY}", site=True)
    assert (code, "the signature by pbem.example/games is false" in said) == (1, True)


# --- the order -----------------------------------------------------------------------------------


async def test_of_what_is_not_signed_yet_it_says_by_when_it_will_be(tmp_path: Path) -> None:
    club = opened(tmp_path)
    await begin(club)
    await club.answer(ANN, "proof")
    # Nothing was signed yet: housekeeping looks every six hours.
    assert "was not signed since the match was begun" in club.last(ANN).text
    assert "18:00 UTC" in club.last(ANN).text
    await sign_log(club.house)
    await club.answer(ANN, "proof")
    assert "later event" not in club.last(ANN).text
    await club.answer(ANN, "say Hello!")
    await club.answer(ANN, "proof")
    text = " ".join(club.last(ANN).text.split())
    assert 'event is not in it yet: write "proof" again after' in text
    assert "after Sunday 22 November, 14:01 UTC." in text  # 20 hours, and the next look
    (tmp_path / "proof.eml").write_bytes(raw(club, ANN))
    assert check_proof(tmp_path, tmp_path / "proof.eml")[0] == 0

    await club.wait(hours=26)
    await sign_log(club.house)
    await club.answer(ANN, "proof")
    assert "later event" not in club.last(ANN).text


async def test_what_others_do_unseen_is_not_told_by_a_proof(tmp_path: Path) -> None:
    """The same with and without: their last event is not what is proved."""
    club = opened(tmp_path)
    await begin(club)
    await club.answer(BOB, "note She never guards the corner.")
    await sign_log(club.house)
    await club.answer(ANN, "proof")
    text = club.last(ANN).text
    head = re.findall("history ([0-9a-f]{16})", text)[-1]
    assert f"\n{head}" in text  # that of Ann's history, not of the log
    position = read(club.house.db, tree.size)
    assert f"last {position - 1}" not in text
    assert "later event" not in text


async def test_an_older_log_is_shown_to_go_on_in_the_newest(tmp_path: Path) -> None:
    club = await played(tmp_path)
    size = read(club.house.db, tree.size)
    await club.answer(ANN, "proof 3")
    ((old, path, note),) = mailed.joined_in(club.last(ANN).text)
    assert (old, note) == (3, newest(club))
    assert path == read(club.house.db, lambda conn: tree.consistency(conn, 3, size))
    await club.answer(ANN, f"proof {size + 1}")
    assert f"fewer than {size + 1}" in " ".join(club.last(ANN).text.split())


async def test_where_nothing_is_signed_there_is_nothing_to_prove_it_by(tmp_path: Path) -> None:
    club = opened(tmp_path, seed=None)
    await begin(club)
    await club.answer(ANN, "proof")
    assert "signs no checkpoints" in club.last(ANN).text


async def test_of_a_private_match_only_its_players_get_a_proof(tmp_path: Path) -> None:
    club = opened(tmp_path)
    await begin(club, "private")
    await club.write(CLEO, "new landrush with bot")
    await club.answer(CLEO, "yes")
    await sign_log(club.house)
    name = re.findall(r"Logger ([A-Z0-9]{5})", club.last(ANN).subject)[0]
    for text in (f"watch {name}", f"{name} proof"):
        await club.answer(CLEO, text)
        assert mailed.BEGIN not in club.last(CLEO).text
        assert "Not done" in club.last(CLEO).text
    for player in (ANN, BOB):
        await club.answer(player, "proof")
        assert mailed.BEGIN in club.last(player).text


async def test_who_watches_gets_the_proof_of_what_everybody_may_see(tmp_path: Path) -> None:
    club = opened(tmp_path)
    await begin(club)
    name = re.findall(r"Logger ([A-Z0-9]{5})", club.last(ANN).subject)[0]
    await club.write(CLEO, f"watch {name}")
    await club.answer(CLEO, "yes")
    await club.answer(ANN, "say This is for Bob alone.")
    await sign_log(club.house)
    await club.answer(CLEO, "proof")
    assert mailed.BEGIN in club.last(CLEO).text
    (tmp_path / "proof.eml").write_bytes(raw(club, CLEO))
    assert check_proof(tmp_path, tmp_path / "proof.eml")[0] == 0


@pytest.mark.sqlite
async def test_a_log_that_was_rewritten_proves_it_against_the_club(tmp_path: Path) -> None:
    club = await played(tmp_path)
    behind_its_back(
        tmp_path / "pbem.db", "UPDATE event SET hash = lower(hex(zeroblob(32))) WHERE position = 2"
    )
    await club.answer(ANN, "proof")
    assert "is NOT in the log as it was signed" in club.last(ANN).text
    (tmp_path / "proof.eml").write_bytes(raw(club, ANN))
    assert check_proof(tmp_path, tmp_path / "proof.eml")[0] == 1
