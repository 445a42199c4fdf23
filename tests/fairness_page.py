"""The blocks of docs/fairness.md, and its program, run as a player would run it."""

import re
import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path

PAGE = (Path(__file__).parents[1] / "docs" / "fairness.md").read_text(encoding="utf-8")


def fenced(language: str) -> str:
    """Return the only block of the page in a language."""
    (block,) = re.findall(rf"```{language}\n(.*?)```", PAGE, flags=re.DOTALL)
    return str(block)


def check_record(folder: Path, lines: Iterable[str], *emails: Path) -> tuple[int, str]:
    """Return the exit status and the words of the page's program about a record and emails."""
    program, record = folder / "check_record.py", folder / "record.jsonl"
    program.write_text(fenced("python"), encoding="utf-8")
    record.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    ran = subprocess.run(
        [sys.executable, "-I", "-S", program, record, *emails],
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert not ran.stderr
    return ran.returncode, ran.stdout.strip()
