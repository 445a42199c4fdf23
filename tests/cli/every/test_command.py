"""What commands print: nothing that a terminal obeys, a row in a line, JSON for programs."""

from __future__ import annotations

import ast
import json
from pathlib import Path

import pytest
from typer.main import get_command
from typer.testing import CliRunner

import pbem.cli
from pbem.cli import opening
from pbem.cli.app import app
from pbem.cli.opening import safe_json
from tests.cli.service import Service
from tests.cli.test_matches import damage

CLI = Path(pbem.cli.__file__).parent
HARMLESS = {"safe", "safe_json", "_shown"}
OUR_OWN = {
    "serve.py": {"_show"},
    "demo.py": {"app"},
    "play.py": {"_step_through"},
    "record.py": {"write_new"},
}
"""Where the text has been made harmless before, or is a picture with colours of ours."""


def printed() -> list[tuple[str, str, ast.Call]]:
    """Each call of the commands that writes to a terminal, with its file and function."""
    found = []
    for file in sorted(CLI.rglob("*.py")):
        for function in ast.walk(ast.parse(file.read_text())):
            if isinstance(function, ast.FunctionDef):
                found += [
                    (file.name, function.name, call)
                    for call in ast.walk(function)
                    if isinstance(call, ast.Call)
                    and ast.unparse(call.func)
                    in ("print", "typer.echo", "typer.secho", "sys.stdout.write")
                ]
    return found


def is_harmless(text: ast.expr) -> bool:
    match text:
        case ast.Constant():
            return True
        case ast.Call(func=ast.Name(id=name)):
            return name in HARMLESS
        case ast.IfExp(body=body, orelse=orelse):
            return is_harmless(body) and is_harmless(orelse)
        case ast.JoinedStr(values=values):
            inner = [one.value for one in values if isinstance(one, ast.FormattedValue)]
            return all(
                ast.unparse(one) in ("seat", "__version__") or is_harmless(one) for one in inner
            )
        case _:
            return False


def test_all_that_is_printed_was_made_harmless() -> None:
    calls = printed()
    assert len(calls) > 15
    assert [
        f"{file}: {ast.unparse(call)}"
        for file, function, call in calls
        if call.args and not is_harmless(call.args[0]) and function not in OUR_OWN.get(file, ())
    ] == []


ESCAPES = "\x1b]0;title\x07\x1b[31mred\x9b2J\u202edesrever"


@pytest.mark.parametrize(
    "words",
    [
        ("matches", "--all"),
        ("matches", "--all", "--json"),
        ("show", "K7QX2"),
        ("history", "K7QX2"),
        ("history", "K7QX2", "--json"),
        ("replay", "K7QX2"),
        ("export", "K7QX2"),
        ("export", "K7QX2", "--record"),
        ("mails",),
        ("mails", "--outbox"),
        ("mails", "--outbox", "--json"),
        ("status",),
        ("status", "--json"),
        ("status", "--check"),
        ("check", "--offline"),
        ("verify", "K7QX2"),
        ("ban", "Ann", "--reason", ESCAPES),
        ("ban", ESCAPES, "--reason", "x"),
    ],
)
def test_no_command_prints_what_a_terminal_obeys(service: Service, words: tuple[str, ...]) -> None:
    """A player's name and the title of the site are as bad as they can be."""
    damage(service, f"UPDATE player SET name = '{ESCAPES}'")  # noqa: S608 - ours
    text = service.config.read_text()
    service.write(text.replace("[site]", f"[site]\ntitle = {json.dumps(ESCAPES)}"))
    said = CliRunner().invoke(app, ["--config", str(service.config), *words], input="n\n").output
    assert [char for char in said if not char.isprintable() and char not in "\n\t"] == []


def test_json_stays_json() -> None:
    assert json.loads(safe_json({"a": ESCAPES, "b": ["ä", "\U000e0001"]}, indent=2)) == {
        "a": ESCAPES,
        "b": ["ä", "\U000e0001"],
    }


@pytest.mark.parametrize("command", ["matches --all", "mails", "mails --outbox", "status"])
def test_lists_are_for_programs_too(service: Service, command: str) -> None:
    assert isinstance(json.loads(service.run(*command.split(), "--json")), list | dict)


def test_a_match_in_json_is_what_the_table_has(service: Service) -> None:
    [match] = json.loads(service.run("matches", "--all", "--json"))
    assert (match["match"], match["players"], match["status"]) == ("K7QX2", ["Ann", "Bob"], "ended")
    [row] = [line for line in service.run("matches", "--all").splitlines() if "K7QX2" in line]
    assert "Ann - Bob" in row


def test_the_status_in_json_has_its_checks(service: Service) -> None:
    checks = json.loads(service.run("status", "--check", "--json", code=1))
    assert {check["check"] for check in checks} >= {"writer", "disk"}
    told = json.loads(service.run("status", "--json"))
    assert told["letters"] == {"waiting": 0, "set_aside": 0, "so_far": 0}
    assert told["wrong"] == []


def test_a_row_in_a_pipe_is_a_line(service: Service, monkeypatch: pytest.MonkeyPatch) -> None:
    """However long its cells are, and whatever lines a server's answer had."""
    monkeypatch.delenv("COLUMNS", raising=False)
    long = "A" * 60
    damage(service, f"UPDATE player SET name = '{long}' || id")  # noqa: S608 - ours
    said = CliRunner().invoke(app, ["--config", str(service.config), "matches", "--all"]).output
    assert len(said.splitlines()) == 2
    assert said.count(long) == 2


# --- who acts, and on whom ------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("uid", "sudo", "name"),
    [
        ("0", "anna", "root"),
        (str(opening.NO_LOGIN), "anna", "anna"),
        ("", "anna", "anna"),
        ("3999999999", "", "user-3999999999"),
        ("", "an@na\\domain", "an-na-domain"),
        (str(opening.NO_LOGIN), "", "carl"),
    ],
)
def test_the_operator_is_the_login_that_acted(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, uid: str, sudo: str, name: str
) -> None:
    """By sudo, runuser and the script of the documents as well."""
    (tmp_path / "loginuid").write_text(uid)
    monkeypatch.setattr(opening, "LOGIN_UID", tmp_path / "loginuid")
    monkeypatch.setenv("LOGNAME", "carl")
    monkeypatch.setenv("SUDO_USER", sudo)
    assert opening.author_named("") == name


def commands_with_words() -> list[str]:
    """Each command that takes a name or a text."""
    found = []

    def walk(command: object, path: str) -> None:
        for name, inner in getattr(command, "commands", {}).items():
            walk(inner, f"{path} {name}")
        if any(one.param_type_name == "argument" for one in getattr(command, "params", ())):
            found.append(path.strip())

    walk(get_command(app), "")
    return found


@pytest.mark.parametrize("command", commands_with_words())
def test_a_word_that_begins_with_a_dash_is_told_where_it_goes(
    service: Service, command: str
) -> None:
    said = service.run(*command.split(), "-Qbob", code=2)
    assert "begins with - goes last, behind --" in " ".join(said.replace("│", " ").split())


def test_a_player_whose_name_begins_with_a_dash_is_found(service: Service) -> None:
    damage(service, "UPDATE player SET name = '-Ann' WHERE name = 'Ann'")
    said = service.run("ban", "--reason", "x", "--", "-Ann", typed="n\n", code=1)
    assert "-Ann <ann@example.net>" in said
