"""The commands `pbem backup` and `pbem restore`."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Annotated, Final

import typer

from pbem.cli.opening import find_settings, open_service
from pbem.cli.output import print_line

BACKUP_PATTERN: Final = "[0-9]*-[0-9]*-[0-9]*T[0-9]*Z/manifest.json"  # of backups in a folder


def backup(
    ctx: typer.Context,
    folder: Annotated[
        Path | None,
        typer.Argument(
            metavar="[FOLDER]", help="The folder; if left out, `backups` beside the settings."
        ),
    ] = None,
    *,
    keep: Annotated[
        int, typer.Option(min=0, metavar="N", help="Keep only the newest N backups; 0 for all.")
    ] = 0,
) -> None:
    """Write a backup, and check it. The service can keep running.

    Each backup is a new folder with the database, the keys and the settings. Passwords in other
    files are not included.
    """
    config: Path = ctx.obj
    settings = find_settings(ctx)
    folder = folder or config.absolute().parent / "backups"
    folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    with open_service(ctx) as service:
        from pbem.store.backup import write_backup

        now = service.now()
        target = folder / f"{now:%Y-%m-%dT%H%M%SZ}"
        manifest = write_backup(
            service.database, target, keys_file=settings.keys.file, config_file=config, now=now
        )
    print_line(f"{target} has {manifest.matches} matches and {manifest.events} events.")
    if keep:
        backups = sorted(path.parent for path in folder.glob(BACKUP_PATTERN))
        for old in backups[:-keep]:
            shutil.rmtree(old)


def restore(
    ctx: typer.Context,
    folder: Annotated[Path, typer.Argument(metavar="FOLDER", help="A backup by `pbem backup`.")],
    *,
    check: Annotated[bool, typer.Option("--check", help="Only check the backup.")] = False,
) -> None:
    """Restore a backup. Existing files and data are never overwritten."""
    from pbem.store.backup import check_backup, restore_backup, restore_settings

    manifest = check_backup(folder)
    about = f"{folder} of {manifest.made_at:%Y-%m-%d %H:%M} UTC has {manifest.matches} matches"
    if check:
        print_line(f"{about} and is sound.")
        return
    config: Path = ctx.obj
    if not config.exists():
        restore_settings(folder, config)
    settings = find_settings(ctx)
    unsent = restore_backup(
        folder, database_url=settings.database.url, keys_file=settings.keys.file
    )
    print_line(f"{about}. They are restored.")
    if unsent:
        print_line(
            f"{unsent} emails waited to be sent, and have probably been sent since. "
            "`pbem mail outbox --state failed` lists them, `pbem mail resend` sends them."
        )
    print_line("Next: `pbem check`, then `pbem serve`.")
