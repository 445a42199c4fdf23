"""Lets `python -m pbem.cli` be `pbem`."""

from __future__ import annotations

from pbem.cli.main import app

if __name__ == "__main__":
    app(prog_name="pbem")
