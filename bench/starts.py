"""How long the commands take to start, a service until it serves, and a demo match to its end.

Each runs some times, as a process of its own; the least and the middle of the clock are told. The
goals: `--help` 0.25 s, `status` 1 s, serving 2 s, on the first start as well, since what installs
pbem compiles it.
"""

from __future__ import annotations

import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

PBEM = (sys.executable, "-m", "pbem")
ENV = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
"""The first run compiles, as an installation does."""

TIMES = 7
DEMOS = 3
LONGEST = 120.0


def ran(*words: str, folder: Path) -> float:
    """Seconds of a command; raises CalledProcessError where it fails."""
    began = time.perf_counter()
    command = [*PBEM, *words]
    subprocess.run(command, cwd=folder, env=ENV, check=True, capture_output=True, timeout=LONGEST)
    return time.perf_counter() - began


def serving(folder: Path) -> float:
    """Seconds until a service says that it serves; it is ended then."""
    log = folder / "serve.log"
    with log.open("wb") as said:
        began = time.perf_counter()
        process = subprocess.Popen([*PBEM, "serve"], cwd=folder, env=ENV, stdout=said, stderr=said)
        try:
            while b"serving" not in log.read_bytes():
                if process.poll() is not None or time.perf_counter() - began > LONGEST:
                    raise RuntimeError(log.read_text())
                time.sleep(0.005)
            return time.perf_counter() - began
        finally:
            process.terminate()
            process.wait()


def tell(what: str, measured: Callable[[], float], times: int = TIMES) -> None:
    """Print the least and the middle of some runs."""
    found = [measured() for _ in range(times)]
    print(f"{what:32} {min(found):5.2f} s, in the middle {statistics.median(found):5.2f} s")


def main() -> None:
    """Print all of them."""
    with tempfile.TemporaryDirectory(dir=Path.cwd()) as name:
        folder = Path(name)
        ran("init", "--yes", "--address", "games@example.org", "--maildir", "mail", folder=folder)
        tell("--help", lambda: ran("--help", folder=folder))
        tell("status", lambda: ran("status", folder=folder))
        tell("serve, until it serves", lambda: serving(folder))
        demo = ("demo", "--auto")
        tell("demo --auto", lambda: ran(*demo, folder=folder), DEMOS)
        six = (*demo, "looney ludo", "--seats", "6")
        tell("the same: looney ludo, six seats", lambda: ran(*six, folder=folder), DEMOS)


if __name__ == "__main__":
    main()
