"""How many of the bits that fall over in tables' content `pbem check --deep` finds.

`./run bench flips 200`: each alone, in a played database of the tests.
"""

from __future__ import annotations

import asyncio
import random
import sqlite3
import sys
from collections import Counter
from contextlib import closing
from pathlib import Path
from tempfile import TemporaryDirectory

from tests.store.flips import chosen, flipped, is_found
from tests.store.played import played


def main() -> None:
    """Flip, look, flip back; then tell what was found, by table."""
    count = next((int(word) for word in sys.argv[1:] if word.isdigit()), 200)
    with TemporaryDirectory() as folder:
        path = asyncio.run(played(Path(folder)))
        with closing(sqlite3.connect(path)) as conn:
            conn.execute("VACUUM").close()
            conn.execute("PRAGMA journal_mode = DELETE").close()
        seen, found = Counter[str](), Counter[str]()
        for flip in list(chosen(path, count, random.Random(count))):
            with flipped(path, flip):
                seen[flip.table] += 1
                found[flip.table] += is_found(path)
    for table, flips in sorted(seen.items()):
        print(f"{table:<15} {found[table]:>4} of {flips:>4}")
    print(f"{'all':<15} {found.total():>4} of {count:>4}")
