"""Colours of pictures, which tests check for contrast and for colour-blind readers."""

from __future__ import annotations

from typing import Final

PAPER: Final = "#fcfaf5"
INK: Final = "#1d2126"
GREY: Final = "#6b7078"  # colour of coordinates, free spaces, and arrows that lead nowhere

LINE: Final = "#7d7667"  # lines between cells, and the outlines of what is missing

CARD: Final = "#fffffe"  # colour of a background that must differ from the paper

WHITE: Final = "#ffffff"
SHADE: Final = "#1d2125"  # letters and lines on pale pieces; not changed in dark mode

FRESH: Final = "#ffe9a8"
GOLD: Final = "#a06900"  # background and edge of changes since the reader's last turn

COLOURS: Final = {  # colours of pieces, by name
    "Red": "#c21f2b",
    "Yellow": "#ffdf3d",
    "Green": "#009e73",
    "Blue": "#1b4fae",
    "Purple": "#b77bd6",
    "Orange": "#f08a00",
    "Black": "#2a2a2e",
}

TINTS: Final = {  # pale colours of boards, by the name of the colour
    "Red": "#fbdcd9",
    "Yellow": "#fff6c4",
    "Green": "#d3f0e4",
    "Blue": "#d9e4f8",
    "Purple": "#efe0f7",
    "Orange": "#fde6c8",
}


_MAX_LINEAR: Final = 0.04045  # greatest channel value of the linear part of luminance (WCAG 2.2)


# Least contrast with the background (WCAG 2.2, 1.4.11). Paler trails get a rim.
MIN_CONTRAST: Final = 3.0


def luminance(colour: str) -> float:
    """Return the relative luminance of a colour such as `#c21f2b` (WCAG 2.2)."""
    linear = []
    for start in (1, 3, 5):
        share = int(colour[start : start + 2], 16) / 255
        linear.append(share / 12.92 if share <= _MAX_LINEAR else ((share + 0.055) / 1.055) ** 2.4)
    red, green, blue = linear
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(first: str, second: str) -> float:
    """Return the contrast ratio of two colours such as `#c21f2b`, from 1 to 21 (WCAG 2.2)."""
    light, dark = sorted((luminance(first), luminance(second)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


LETTERING: Final = {  # colour of letters on pieces, by the name of the piece's colour
    name: max((SHADE, WHITE), key=lambda ink: contrast(ink, fill)) for name, fill in COLOURS.items()
}

STONE: Final = "#dcdfe4"
WOOD: Final = ("#f4efe1", "#e0d6bd")  # colours of boards that have no colour of their own

DARK: Final = {  # replacements in dark mode; pieces keep their colours and get pale edges
    PAPER: "#1b1a18",
    INK: "#ecebe6",
    GREY: "#a8a49b",
    LINE: "#9a9486",
    CARD: "#2c2b28",
    FRESH: "#57430a",
    GOLD: "#e0a21c",
    STONE: "#41454c",
    WOOD[0]: "#26241f",
    WOOD[1]: "#403c32",
    TINTS["Red"]: "#4d2020",
    TINTS["Yellow"]: "#473e12",
    TINTS["Green"]: "#173f31",
    TINTS["Blue"]: "#1f3157",
    TINTS["Purple"]: "#3f2b50",
    TINTS["Orange"]: "#4c3412",
}

DARK_LINES: Final = {  # replacements in lines in dark mode, because lines have no edges
    COLOURS["Red"]: "#f2453d",
    COLOURS["Blue"]: "#86adff",
    COLOURS["Black"]: "#c4c1b8",
}


def list_dark_rules() -> list[str]:
    """Return the CSS rules that adapt a picture to dark mode.

    The rules replace fills and strokes. A rule that is needed inside of symbols has a selector
    without ancestors, because a symbol is not a descendant of the elements around its `<use>`.
    """
    rules = [
        f'[{kind}="{light}"] {{ {kind}: {dark} }}'
        for kind in ("fill", "stroke")
        for light, dark in DARK.items()
    ]
    for light, dark in DARK_LINES.items():
        rules.append(f'[stroke="{light}"] {{ stroke: {dark} }}')
        rules.append(f'.trail [fill="{light}"] {{ fill: {dark} }}')
    return rules
