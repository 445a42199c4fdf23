"""Rules by number, as emails and refusals cite them."""

from __future__ import annotations

from pbem.service.rulebook import find_rule, summarise


def test_a_rule_is_shown_line_by_line() -> None:
    table, drawing = find_rule("LG-1.4"), find_rule("[ll-1.6]")
    assert table is not None
    assert drawing is not None
    # Each row of a table is a line, without the rule below its head.
    assert table.lines[1:3] == (
        "Seats | Protesters in each hand | Protesters in the game",
        "2 | 2 | 4",
    )
    assert drawing.lines[1] == "NES    ESW    NEW"
    assert find_rule("LL-1.16b") == find_rule("LL-1.16")
    assert find_rule("LG-99.1") is None


def test_rules_lead_from_the_first_to_the_last() -> None:
    chapters = summarise("logger")[1]
    ends = [find_rule(chapters[0].first), find_rule("LG-11.9")]
    assert [rule.following for rule in ends if rule is not None] == ["LG-1.2", ""]
    assert (chapters[0].first, chapters[0].last) == ("LG-1.1", "LG-1.9")
