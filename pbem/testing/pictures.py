"""What a picture may be made of: elements that draw; nothing runs, styles or leads outside."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final
from xml.etree import ElementTree as ET

_PAINT: Final = frozenset(
    [
        "id",
        "transform",
        "fill",
        "fill-opacity",
        "fill-rule",
        "opacity",
        "stroke",
        "stroke-dasharray",
        "stroke-linecap",
        "stroke-linejoin",
        "stroke-opacity",
        "stroke-width",
        "class",
    ]
)
"""What any element may have; `class` is a name by which tests and pages find a part."""

ALLOWED: Final[Mapping[str, frozenset[str]]] = {
    name: _PAINT | frozenset(own.split())
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
"""The elements of a picture, and the attributes that each may have."""

_SVG: Final = "{http://www.w3.org/2000/svg}"

_OUTSIDE: Final = re.compile(r"url\(\s*[^#\s]|[a-z]:|//|\\|^\s*javascript", re.IGNORECASE)


def find_picture_fault(svg: str) -> str:
    """What is in a picture besides drawing, or why it cannot be read; empty where all is well."""
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
