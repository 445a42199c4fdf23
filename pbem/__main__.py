"""`python -m pbem` and the script `pbem`."""

from pbem.cli.app import app


def main() -> None:
    """Run the command that the arguments name."""
    app()


if __name__ == "__main__":
    main()
