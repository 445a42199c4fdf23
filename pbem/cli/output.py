"""Output of commands: lines and tables for people, JSON for programs."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Annotated, Any

import typer

JsonOption = Annotated[bool, typer.Option("--json", help="Print JSON, for programs.")]


YesOption = Annotated[bool, typer.Option("--yes", "-y", help="Do not ask for confirmation.")]
LimitOption = Annotated[int, typer.Option(min=1, metavar="N", help="The most rows to show.")]


def confirm(question: str, *, yes: bool) -> None:
    """Ask the operator a question, and exit with code 1 unless they agree.

    If `yes` is True, nothing is asked.
    """
    if not yes and not typer.confirm(question):
        print_line("Nothing was changed.")
        raise typer.Exit(1)


def make_group(help_text: str) -> typer.Typer:
    """Return a new command group with a help text."""
    return typer.Typer(help=help_text, no_args_is_help=True, rich_markup_mode=None)


def print_line(text: str) -> None:
    """Print a line."""
    typer.echo(text)


def print_error(text: str) -> None:
    """Print an error message to stderr."""
    typer.echo(f"pbem: {text}", err=True)


def print_json(value: Any) -> None:
    """Print a value as JSON."""
    typer.echo(json.dumps(value, indent=2, ensure_ascii=False, default=_to_json))


def print_table(rows: Sequence[Mapping[str, Any]], *, empty: str) -> None:
    """Print rows as a table with their keys as headings, or `empty` if there are no rows."""
    if not rows:
        print_line(empty)
        return
    cells = [{name: format_cell(value) for name, value in row.items()} for row in rows]
    widths = {name: max(len(name), *(len(row[name]) for row in cells)) for name in cells[0]}
    header = {name: name.replace("_", " ").upper() for name in cells[0]}
    for row in (header, *cells):
        print_line("  ".join(row[name].ljust(width) for name, width in widths.items()).rstrip())


def print_rows(rows: Sequence[Mapping[str, Any]], *, as_json: bool, empty: str) -> None:
    """Print rows as JSON or as a table. `empty` is printed in place of a table without rows."""
    if as_json:
        print_json(rows)
    else:
        print_table(rows, empty=empty)


def print_facts(facts: Mapping[str, Any], *, as_json: bool) -> None:
    """Print the facts about one object: all as JSON, or those that are not empty, one per line."""
    if as_json:
        print_json(facts)
        return
    width = max(map(len, facts))
    for name, value in facts.items():
        if value not in (None, "", [], {}):
            print_line(f"{name.replace('_', ' ').ljust(width)}  {format_cell(value)}".rstrip())


def format_cell(value: Any) -> str:
    """Return a value as one line of text, for a cell of a table."""
    if value is None:
        return "-"
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, datetime):
        return f"{value:%Y-%m-%d %H:%M}"
    if isinstance(value, dict):
        return ", ".join(f"{key} {format_cell(item)}" for key, item in value.items())
    if isinstance(value, list | tuple):
        return ", ".join(map(format_cell, value))
    # Texts of strangers must not move the cursor or colour the terminal.
    return "".join(char if char.isprintable() else " " for char in str(value))


def _to_json(value: object) -> str:
    return value.isoformat() if isinstance(value, datetime) else str(value)
