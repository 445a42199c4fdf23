"""Entry point that makes `python -m pbem` the same as `pbem`."""

from __future__ import annotations

from pbem.cli.main import app

if __name__ == "__main__":
    app(prog_name="pbem")
