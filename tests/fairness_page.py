"""The blocks of docs/fairness.md, and its program, run as a player would run it."""

import re
import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path

PAGE = (Path(__file__).parents[1] / "docs" / "fairness.md").read_text(encoding="utf-8")


def fenced(language: str) -> str:
    """The only block of the page in a language."""
    (block,) = re.findall(rf"```{language}\n(.*?)```", PAGE, flags=re.DOTALL)
    return str(block)


def check_draws(folder: Path, lines: Iterable[str], *sent: Path) -> tuple[int, str]:
    """What the page's program says of a record and of mails: its exit status and words."""
    program, record = folder / "check_draws.py", folder / "record.jsonl"
    program.write_text(fenced("python"), encoding="utf-8")
    record.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    ran = subprocess.run(
        [sys.executable, "-I", "-S", program, record, *sent],
        capture_output=True,
        text=True,
        timeout=240,
        check=False,
    )
    assert not ran.stderr
    return ran.returncode, ran.stdout.strip()
