"""Static files: style sheet, script and icons, with a hash of their content in their URL.

    /static/site.3f2a91c07b.css

A changed file has a new URL, so browsers keep each file for a year. If an operator's
template folder has a subfolder `static`, its files replace ours.
"""

from __future__ import annotations

import mimetypes
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Final

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from pbem.games.drawing.palette import list_dark_rules

HASH_DIGITS: Final = 10  # hex digits of the hash in a name: 40 bits, enough against mistakes
CACHE_CONTROL: Final = "public, max-age=31536000, immutable"
DARK_BOARDS: Final = "dark-boards.css"  # style sheet of boards, which only dark pages include
_TYPES: Final = {".webmanifest": "application/manifest+json", ".js": "text/javascript"}


@dataclass(frozen=True, slots=True)
class Asset:
    """A static file: its name in the URL, its content and its media type."""

    name: str  # file name with the hash of the content
    content: bytes
    media_type: str


class Assets:
    """The static files, which can be found by their plain name or by their name in the URL."""

    def __init__(self, folders: Sequence[Path]) -> None:
        """Read the subfolder `static` of each folder; files of earlier folders take precedence."""
        files: dict[str, bytes] = {}
        for folder in reversed(folders):
            for path in sorted((folder / "static").glob("*.*")):
                files[path.name] = path.read_bytes()
        files[DARK_BOARDS] = "".join(f"{rule}\n" for rule in list_dark_rules()).encode()
        self._by_name: Mapping[str, Asset] = {
            name: _name_asset(name, content) for name, content in files.items()
        }
        self._by_address = {asset.name: asset for asset in self._by_name.values()}

    def address(self, name: str) -> str:
        """Return the URL path of a file, such as `/static/site.3f2a91c07b.css` for `site.css`.

        Raises:
            KeyError: There is no such file.
        """
        return f"/static/{self._by_name[name].name}"

    def find(self, name: str) -> Asset | None:
        """Return the file whose name in the URL is `name`, or None."""
        return self._by_address.get(name)


def _name_asset(name: str, content: bytes) -> Asset:
    path = Path(name)
    digits = sha256(content).hexdigest()[:HASH_DIGITS]
    media_type = _TYPES.get(path.suffix) or mimetypes.guess_type(name)[0] or "text/plain"
    return Asset(f"{path.stem}.{digits}{path.suffix}", content, media_type)


async def _serve(request: Request) -> Response:
    assets: Assets = request.app.state.web.assets
    asset = assets.find(request.path_params["name"])
    if asset is None:
        return Response(status_code=404)
    return Response(
        asset.content, media_type=asset.media_type, headers={"Cache-Control": CACHE_CONTROL}
    )


routes = [Route("/static/{name}", _serve)]
