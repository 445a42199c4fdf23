"""Reading of small HTML forms that browsers send."""

from __future__ import annotations

import asyncio
from typing import Final
from urllib.parse import parse_qsl

from starlette.exceptions import HTTPException
from starlette.requests import Request

MAX_BYTES: Final = 32_768  # bytes of a form: a message has 2000 characters, each up to 4 times %XX
MAX_FIELDS: Final = 20
SECONDS: Final = 10.0  # time limit for receiving a form


async def read_form(request: Request) -> dict[str, str]:
    """Return the values of the form in a request by field name.

    If a field has several values, the last one is returned.

    Raises:
        HTTPException: The form is not URL-encoded (415), is too large (413), takes too long to
            arrive (408), or is malformed (400).
    """
    media_type = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    if media_type != "application/x-www-form-urlencoded":
        raise HTTPException(415)
    body = bytearray()
    try:
        async with asyncio.timeout(SECONDS):
            async for chunk in request.stream():
                body += chunk
                if len(body) > MAX_BYTES:
                    raise HTTPException(413)
    except TimeoutError:
        raise HTTPException(408) from None
    try:
        text = body.decode("ascii")
        fields = parse_qsl(text, keep_blank_values=True, max_num_fields=MAX_FIELDS, errors="strict")
    except ValueError:  # UnicodeDecodeError is one, too
        raise HTTPException(400) from None
    # Browsers send CRLF. People do not type NUL, and PostgreSQL cannot store it.
    return {name: text.replace("\r\n", "\n").replace("\0", "") for name, text in fields}
