"""who has won how many matches."""

from __future__ import annotations

import json
from collections import defaultdict
from itertools import groupby
from operator import itemgetter

import sqlalchemy as sa
from alembic import op

revision = "0009"
down_revision = "0008"
branch_labels = None
depends_on = None

_BOT = "bot-"

_ENDED = """
    SELECT "match".id, "match".ruleset, "match".players, ended.data, issued.data
    FROM "match"
    JOIN event AS ended ON ended.stream = 'match-' || "match".id AND ended.type = 'MatchEnded'
    JOIN event AS issued ON issued.stream = ended.stream AND issued.version = 1
    WHERE "match".status = 'ended'
    ORDER BY "match".id, ended.position
"""


def upgrade() -> None:
    """Count the matches that have ended: between people, and for anybody to look at."""
    op.create_table(
        "standing",
        sa.Column("player", sa.String(), nullable=False),
        sa.Column("game", sa.String(), nullable=False),
        sa.Column("played", sa.Integer(), nullable=False),
        sa.Column("won", sa.Integer(), nullable=False),
        sa.PrimaryKeyConstraint("player", "game", name="pk_standing"),
        sqlite_with_rowid=False,
    )
    op.create_index("ix_standing_best", "standing", ["game", "won", "played"])
    conn = op.get_bind()
    counts: defaultdict[tuple[str, str], list[int]] = defaultdict(lambda: [0, 0])
    ends = conn.execute(sa.text(_ENDED), execution_options={"yield_per": 1_000})
    for _, several in groupby(ends, key=itemgetter(0)):
        # One that was taken back and ended again counts as it ended last.
        *_, (_, ruleset, seated, ended, issued) = several
        players, placings = json.loads(seated), json.loads(ended)["placings"]
        people = [one for one in players if not one.startswith(_BOT)]
        if json.loads(issued).get("private") or len(people) < 2 or len(players) != len(placings):
            continue
        for player, place in zip(players, placings, strict=True):
            if player in people:
                count = counts[player, ruleset.rpartition("-")[0]]
                count[0] += 1
                count[1] += place == 1 and set(placings) != {1}
    rows = [
        {"player": player, "game": game, "played": played, "won": won}
        for (player, game), (played, won) in counts.items()
    ]
    if rows:
        table = sa.table("standing", *map(sa.column, ("player", "game", "played", "won")))
        op.bulk_insert(table, rows)
