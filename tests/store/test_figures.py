"""Figures for health checks, on both databases."""

from __future__ import annotations

from sqlalchemy import Connection, update

from pbem.store.figures import read_figures
from pbem.store.tables import SeatRow
from tests.match.test_match import ANN, BOB, NOON
from tests.store.samples import add_match, add_players
from tests.store.test_mail_queues import queue


def test_a_refused_turn_email_counts_until_another_one_is_sent(conn: Connection) -> None:
    add_players(conn)
    add_match(conn, "M1", (ANN, BOB), status="running")
    conn.execute(update(SeatRow).filter_by(player=ANN).values(is_to_move=True))
    refused = queue(conn, 1, player=ANN, match="M1", kind="turn", state="failed")
    queue(conn, 2, player=BOB, match="M1", kind="turn", state="failed")  # it is not his turn
    assert read_figures(conn, NOON).refused_prompts == ((refused.id, "M1"),)
    queue(conn, 3, player=ANN, match="M1", kind="receipt", state="sent")
    assert read_figures(conn, NOON).refused_prompts == ()
