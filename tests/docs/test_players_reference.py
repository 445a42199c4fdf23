"""The commands of docs/players-reference.md are those of the registry."""

from __future__ import annotations

from tests.docs.accept import REFERENCE, write_reference


def test_the_reference_has_every_command_as_it_is_registered() -> None:
    page = REFERENCE.read_text(encoding="utf-8")
    assert page == write_reference(), "./run accept writes it"
