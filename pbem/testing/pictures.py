"""The SVG elements that a board picture may have: shapes and texts, but no scripts and links."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final
from xml.etree import ElementTree as ET

_PAINT: Final = (  # attributes allowed on any element; tests and pages use `class`
    "id class transform fill fill-opacity fill-rule opacity stroke stroke-dasharray"
    " stroke-linecap stroke-linejoin stroke-opacity stroke-width"
)

ALLOWED: Final[Mapping[str, frozenset[str]]] = {  # the allowed attributes of each allowed element
    name: frozenset(f"{_PAINT} {own}".split())
    for name, own in {
        "svg": "viewBox width height",
        "defs": "",
        "g": "",
        "symbol": "viewBox",
        "use": "href x y width height",
        "path": "d",
        "rect": "x y width height rx ry",
        "circle": "cx cy r",
        "ellipse": "cx cy rx ry",
        "line": "x1 y1 x2 y2",
        "polygon": "points",
        "polyline": "points",
        "text": "x y font-size font-family font-weight text-anchor",
        "title": "",
    }.items()
}

_SVG: Final = "{http://www.w3.org/2000/svg}"

# Finds a reference from the value of an attribute to something outside of the picture.
_OUTSIDE: Final = re.compile(r"url\(\s*[^#\s]|[a-z]:|//|\\|^\s*javascript", re.IGNORECASE)


def find_picture_fault(svg: str) -> str:
    """Return a description of the first forbidden part of an SVG picture, or an empty string."""
    if "<!" in svg or "<?" in svg:
        return "declarations and comments are not drawing"
    try:
        root = ET.fromstring(svg)  # noqa: S314 - without declarations there are no entities
    except ET.ParseError as error:
        return f"it is no well-formed SVG: {error}"
    if root.tag != f"{_SVG}svg":
        return "it is no SVG document"
    for element in root.iter():
        name = str(element.tag).removeprefix(_SVG)
        allowed = ALLOWED.get(name)
        if allowed is None:
            return f"<{name}> is not allowed"
        for attribute, value in element.attrib.items():
            if attribute not in allowed:
                return f"{attribute}= on <{name}> is not allowed"
            inside = value.startswith("#") if attribute == "href" else not _OUTSIDE.search(value)
            if not inside:
                return f"{attribute}={value[:40]!r} on <{name}> leads outside"
    return ""
