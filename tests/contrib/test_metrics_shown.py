"""The dashboard and the alarms for Prometheus: every metric in them is one that pbem shows."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, Final

import pytest
from prometheus_client.parser import text_string_to_metric_families

from pbem.health import CHECKS, CapUsed, Facts, MailboxSeen, checks
from pbem.runners.metrics import Metrics
from pbem.runners.watch import Report
from pbem.transaction.installation import Tally

CONTRIB: Final = Path(__file__).parents[2] / "contrib"
DASHBOARD: Final = CONTRIB / "grafana" / "pbem.json"
RULES: Final = CONTRIB / "prometheus" / "pbem.rules.yml"
NAME: Final = re.compile(r"\bpbem_\w+")


def shown() -> dict[str, set[str]]:
    """Every metric there is, with its labels."""
    tally = Tally()
    tally.letters["done"] = 1
    facts = Facts(
        at=datetime(2026, 11, 21, tzinfo=UTC),
        mailboxes=(MailboxSeen(account="a", ago=timedelta(0), reached=True),),
        caps=(CapUsed(name="day", most=2, used=1),),
        free=0.5,
    )
    metrics = Metrics(tally)
    metrics.take(Report(at=facts.at, checks=checks(facts), facts=facts))
    return {
        sample.name: set(sample.labels)
        for family in text_string_to_metric_families(metrics.text().decode())
        for sample in family.samples
    }


def dashboard() -> dict[str, Any]:
    found: dict[str, Any] = json.loads(DASHBOARD.read_text())
    return found


def expressions() -> list[str]:
    return [target["expr"] for panel in dashboard()["panels"] for target in panel["targets"]]


@pytest.mark.parametrize("text", [*expressions(), RULES.read_text()], ids=lambda _: "")
def test_every_metric_that_is_asked_for_exists(text: str) -> None:
    assert NAME.findall(text)
    assert set(NAME.findall(text)) <= shown().keys()


def test_every_metric_is_on_the_dashboard() -> None:
    asked = set(NAME.findall(DASHBOARD.read_text()))
    assert shown().keys() - asked == {"pbem_turn_seconds_sum"}


def test_every_label_that_is_asked_for_exists() -> None:
    for panel in dashboard()["panels"]:
        for target in panel["targets"]:
            [name] = set(NAME.findall(target["expr"]))
            asked = set(re.findall(r"\{\{(\w+)\}\}", target["legendFormat"])) - {"instance"}
            asked |= set(re.findall(r"sum by \((\w+)\)", target["expr"]))
            assert asked <= shown()[name]


def test_panels_have_their_own_places_and_numbers() -> None:
    panels = dashboard()["panels"]
    assert len({panel["id"] for panel in panels}) == len(panels)
    places = [
        (x, y)
        for place in (panel["gridPos"] for panel in panels)
        for x in range(place["x"], place["x"] + place["w"])
        for y in range(place["y"], place["y"] + place["h"])
    ]
    assert len(set(places)) == len(places)
    assert max(x for x, _ in places) < 24


def test_every_metric_is_told_to_operators() -> None:
    page = (CONTRIB.parent / "docs" / "operators.md").read_text()
    names = {re.sub(r"_(bucket|count|sum)$", "", name) for name in shown()}
    assert {name for name in names if f"`{name}" not in page} == set()


def test_every_check_can_be_told_from_the_others() -> None:
    bad = Facts(at=datetime(2026, 11, 21, tzinfo=UTC), free=0.0, letter=timedelta(days=1))
    assert [check.name for check in checks(bad)] == list(CHECKS)
    assert [check.name for check in checks(replace(bad, unfit="is old"))] == ["schema", "disk"]
