"""Raw replies of every client of MAIL 1 to real mails of ours, from their bytes to the move."""

from __future__ import annotations

import sys
from collections import defaultdict
from functools import cache

from tests.mail.corpus.samples import Sample, read_samples, read_sent
from tests.mail.corpus.understood import Sent, Understood, understand

SAMPLES = {sample.name: sample for sample in read_samples()}
MAILS = read_sent()


@cache
def read(name: str) -> Understood:
    sample = SAMPLES[name]
    return understand(sample.raw, MAILS[sample.sent])


def answered(sample: Sample) -> Sent:
    return MAILS[sample.sent]


def test_the_samples_are_understood(figures: list[str]) -> None:
    # MAIL 9: 98 % exact or better.
    rows: dict[str, list[str]] = defaultdict(list)
    for name, sample in SAMPLES.items():
        rows[sample.client].append("" if read(name).meets(sample.wanted) else name)
    right = sum(not wrong for row in rows.values() for wrong in row)
    total = len(SAMPLES)
    table = [f"{right} of {total} raw replies of {len(rows)} clients exact ({right / total:.1%})"]
    figures.append(table[0])
    for client, row in rows.items():
        table.append(f"  {client:20} {row.count('')}/{len(row)}  {' '.join(row).strip()}")
    sys.stdout.write("\n".join(table) + "\n")  # seen with -s, or where it fails
    assert right / total >= 0.98


def test_no_line_of_ours_is_taken_and_no_wrong_move_played() -> None:
    # MAIL 9: 0 and 0.
    own = [name for name in SAMPLES if read(name).own_lines]
    wrong = [
        name
        for name, sample in SAMPLES.items()
        if read(name).plays not in {sample.wanted.plays, None}
        or not set(read(name).orders) <= set(sample.wanted.orders)
    ]
    assert (own, wrong) == ([], [])


def test_the_corpus_is_as_wide_as_it_has_to_be() -> None:
    clients = {sample.client for sample in SAMPLES.values()}
    assert len(SAMPLES) >= 150
    assert len({client for client in clients if client.startswith("Gmail ")}) >= 25
    assert len({client for client in clients if client.startswith("Outlook ")}) >= 10
    assert len({answered(sample).ruleset for sample in SAMPLES.values()}) == 4
