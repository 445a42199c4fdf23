"""`pbem keys`: which keys the reply addresses are made with, a new one, an old one that goes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Final

import typer

from pbem.cli.opening import console, counted, reading, say, settings_of

if TYPE_CHECKING:
    from pbem.config import AddressKeys, Settings
    from pbem.store.people.personal import KeyUse

SECRET_BYTES: Final = 32
_RESTART: Final = "Start `pbem serve` again: the one that runs still has the old keys."

keys = typer.Typer(
    name="keys",
    help="The keys that reply addresses are made with.",
    no_args_is_help=True,
    rich_markup_mode=None,
)


def register(app: typer.Typer) -> None:
    """Add the commands of this file."""
    app.add_typer(keys)


@keys.command("list")
def list_keys(ctx: typer.Context) -> None:
    """List the keys by their ids, and what was made with each; no secret is shown."""
    from rich.table import Table

    _, stored = _stored(ctx)
    uses = _uses(ctx)
    table = Table("Key", "", "Mails", "Of them the newest of a match that runs", box=None)
    for key in stored.secrets:
        use = uses.get(key)
        table.add_row(
            key,
            "new addresses" if key == stored.current else "only read",
            str(use.mails if use else 0),
            str(use.live if use else 0),
        )
    console().print(table)


@keys.command()
def rotate(ctx: typer.Context) -> None:
    """Make new addresses with a new key from now on.

    The old keys stay, so that every mail that was sent can still be answered.
    """
    from pbem.config import AddressKeys, replace_keys
    from pbem.errors import ConfigError
    from pbem.mail.addresses import DIGITS
    from pbem.wiring.process import entropy

    settings, stored = _stored(ctx)
    later = DIGITS[DIGITS.index(stored.current) + 1 :] + DIGITS
    new = next((key for key in later if key not in stored.secrets), None)
    if new is None:
        raise ConfigError(f"there are {len(DIGITS)} keys already: `pbem keys retire` one")
    secrets = {**stored.secrets, new: entropy(SECRET_BYTES)}
    replace_keys(settings.keys.file, AddressKeys(new, secrets))
    say(f"new addresses are made with key {new}; {counted(len(secrets), 'key')} are read")
    say(_RESTART)
    say("Then `pbem backup`: an older backup does not have the new key.")


@keys.command()
def retire(
    ctx: typer.Context,
    key: Annotated[str, typer.Argument(metavar="ID", help="Its id, as `pbem keys list` has it.")],
    *,
    yes: Annotated[bool, typer.Option("--yes", "-y", help="Do not ask.")] = False,
) -> None:
    """Let everything count no more that was made with an old key.

    Mails made with it cannot be answered any more, so it asks first.
    """
    from pbem.config import AddressKeys, replace_keys
    from pbem.errors import ConfigError

    settings, stored = _stored(ctx)
    if key not in stored.secrets:
        raise ConfigError(f"there is no key {key!r}; `pbem keys list` has them")
    if key == stored.current:
        raise ConfigError(f"new addresses are made with key {key!r}: `pbem keys rotate` first")
    use = _uses(ctx).get(key)
    say(_warning(key, use))
    if not yes and not typer.confirm("Retire it?"):
        raise typer.Exit(1)
    rest = {ident: secret for ident, secret in stored.secrets.items() if ident != key}
    replace_keys(settings.keys.file, AddressKeys(stored.current, rest))
    say(f"key {key} is gone from {settings.keys.file}; older backups still have it")
    say(_RESTART)


def _warning(key: str, use: KeyUse | None) -> str:
    if use is None:
        return f"No mail that we still know was made with key {key}."
    mails = f"{counted(use.mails, 'mail')} made with key {key} could not be answered any more"
    if not use.live:
        return f"{mails}; none is the newest mail of a match that runs."
    return (
        f"{mails}. For {counted(use.live, 'seat')} in matches that run it is the newest mail: "
        "these players could not go on until they get another."
    )


def _stored(ctx: typer.Context) -> tuple[Settings, AddressKeys]:
    from pbem.config import load_keys

    settings = settings_of(ctx)
    return settings, load_keys(settings.keys.file)


def _uses(ctx: typer.Context) -> dict[str, KeyUse]:
    from pbem.store.people.personal import key_uses

    return reading(ctx, key_uses)
