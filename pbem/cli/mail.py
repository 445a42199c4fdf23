"""The command `pbem mail` for received emails that were set aside, and for outgoing emails."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer

from pbem.cli.opening import NotFoundError, open_service
from pbem.cli.output import (
    JsonOption,
    LimitOption,
    YesOption,
    confirm,
    make_group,
    print_facts,
    print_line,
    print_rows,
)
from pbem.names import PlayerId

if TYPE_CHECKING:
    from pbem.store.tables import InboxRow

app = make_group("Retry received emails that failed, and resend outgoing ones.")

NumberArgument = Annotated[
    int, typer.Argument(metavar="NUMBER", help="The number of the email in `pbem mail list`.")
]


@app.command("list")
def list_emails(
    ctx: typer.Context,
    *,
    state: Annotated[
        Literal["set-aside", "new", "done"],
        typer.Option(metavar="STATE", help="set-aside (failed three times), new or done."),
    ] = "set-aside",
    limit: LimitOption = 50,
    as_json: JsonOption = False,
) -> None:
    """List received emails, by default those that were set aside.

    An email is set aside after three failed attempts to process it.
    """
    with open_service(ctx) as service, service.database.snapshot() as conn:
        from pbem.store import inbox

        rows = [
            _describe(row) | ({"key": row.key} if as_json else {})
            for row in inbox.list_messages(conn, state, limit=limit)
        ]
    print_rows(rows, as_json=as_json, empty="There are none.")


def _describe(row: InboxRow) -> dict[str, Any]:
    from pbem.mail.headers import decode_words, read_headers, read_sender
    from pbem.mail.mime import UnreadableEmailError, parse

    sender = subject = ""
    try:
        headers = read_headers(parse(row.raw or b""))
        address, name = read_sender(headers.first.get("from", ""))
        sender, subject = address or name, decode_words(headers.first.get("subject", ""))
    except UnreadableEmailError as error:
        subject = str(error)
    return {
        "number": row.number,
        "received": row.received_at,
        "sender": sender,
        "subject": subject,
        "result": row.outcome if row.state == "done" else row.error,
    }


@app.command("show")
def show_email(ctx: typer.Context, number: NumberArgument, *, as_json: JsonOption = False) -> None:
    """Show a received email, and why it failed."""
    with open_service(ctx) as service, service.database.snapshot() as conn:
        from pbem.store import inbox

        row = inbox.find_message(conn, number)
        if row is None:
            raise NotFoundError(f"There is no email {number}. See `pbem mail list`.")
    raw = row.raw or b""
    facts = _describe(row) | {"key": row.key, "state": row.state, "attempts": row.attempts}
    facts["size"], source = len(raw), raw.decode("utf-8", "replace")
    if as_json:
        print_facts({**facts, "source": source}, as_json=True)
        return
    print_facts(facts, as_json=False)
    print_line("")
    for line in source.splitlines():
        print_line("".join(char if char.isprintable() or char == "\t" else "?" for char in line))


@app.command()
def retry(
    ctx: typer.Context,
    number: Annotated[
        int | None, typer.Argument(metavar="[NUMBER]", help="An email's number; if left out, all.")
    ] = None,
) -> None:
    """Process received emails again that were set aside."""
    with open_service(ctx) as service:
        from pbem.store import inbox

        count = service.database.run(lambda conn: inbox.retry_set_aside(conn, number))
    if number is not None and not count:
        raise NotFoundError(f"No email {number} is set aside. See `pbem mail list`.")
    emails = "email is" if count == 1 else "emails are"
    print_line(f"{count} {emails} processed again by `pbem serve`.")


@app.command()
def drop(ctx: typer.Context, number: NumberArgument, *, yes: YesOption = False) -> None:
    """Drop a received email that was set aside. Its sender gets no answer."""
    with open_service(ctx) as service:
        from pbem.store import inbox

        confirm(f"Give up email {number}?", yes=yes)
        if not service.database.run(lambda conn: inbox.drop_set_aside(conn, number)):
            raise NotFoundError(f"No email {number} is set aside. See `pbem mail list`.")
    print_line(f"Email {number} is given up.")


@app.command("outbox")
def list_outbox(
    ctx: typer.Context,
    *,
    state: Annotated[
        Literal["queued", "sending", "sent", "failed", "dropped"],
        typer.Option(metavar="STATE", help="queued, sending, sent, failed or dropped."),
    ] = "queued",
    limit: LimitOption = 50,
    as_json: JsonOption = False,
) -> None:
    """List outgoing emails, by default those waiting to be sent."""
    with open_service(ctx) as service, service.database.snapshot() as conn:
        from pbem.store import outbox, players

        rows = outbox.list_emails(conn, state, limit=limit)
        readers = players.list_players(conn, {PlayerId(row.player or "") for row in rows})
        emails = [
            {
                "id": row.id,
                "queued": row.queued_at,
                "kind": row.kind,
                "match": row.match,
                "reader": row.address or readers[PlayerId(row.player or "")].name,
                "attempts": row.attempts,
                "next": row.next_attempt_at,
                "reply": row.smtp_reply,
            }
            for row in rows
        ]
    print_rows(emails, as_json=as_json, empty="There are none.")


@app.command()
def resend(
    ctx: typer.Context,
    numbers: Annotated[
        list[int], typer.Argument(metavar="ID...", help="The ids of emails in `pbem mail outbox`.")
    ],
) -> None:
    """Resend outgoing emails that have failed."""
    with open_service(ctx) as service:
        from pbem.store import outbox

        for number in numbers:
            if not service.database.run(
                lambda conn, number=number: outbox.resend_failed(conn, number, service.now())  # type: ignore[misc]
            ):
                raise NotFoundError(f"No email {number} of ours was given up.")
            print_line(f"Email {number} is sent by `pbem serve`.")
