"""Pictures as pixels: PNG of a board, GIF of a replay. It needs the extra `pictures`."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from importlib.util import find_spec
from io import BytesIO
from typing import TYPE_CHECKING, Final, Literal, TypeAlias

from pbem.errors import PbemError
from pbem.games.drawing.palette import PAPER

if TYPE_CHECKING:
    from PIL.Image import Image

PNG_WIDTH: Final = 600
GIF_WIDTH: Final = 480
COLOURS: Final = 32
"""Of a PNG: with fewer, or taken by octree, the pale grounds of boards fade into the paper."""

MOST_BOARDS: Final = 120
"""Plies of a match that is sent as a moving picture: each takes 50 ms to draw, and up to 10 KB."""

PAUSE: Final = 1_200
LAST: Final = 3_000
"""Milliseconds that a frame of a GIF stands, and the last one."""

_SAMPLES: Final = 8
"""Frames from which the colours of a GIF are taken."""


HOW: Final = "pip install 'pbem[pictures]' (a checkout's ./run has it)"
"""How what draws pictures is installed."""


@cache
def draws() -> bool:
    """Whether what draws pictures is installed."""
    return all(find_spec(name) is not None for name in ("resvg_py", "PIL"))


Edges: TypeAlias = Literal["geometric_precision", "crisp_edges"]


class NoPictures(PbemError):  # noqa: N818 - what is missing
    """What draws pixels is not installed; the message says how it is."""


def png(svg: str, width: int = PNG_WIDTH) -> bytes:
    """A picture with so many columns and few colours. Raises NoPictures."""
    return _png(_drawn(svg, width))


def mail_png(svg: str) -> bytes:
    """The same for a mail that shows it at half its size: hard edges, and so half the bytes.

    It has no colours but those of the picture. Raises NoPictures.
    """
    return _png(_drawn(svg, PNG_WIDTH, edges="crisp_edges"))


def _png(image: Image) -> bytes:
    from PIL.Image import Dither, Quantize

    few = image.quantize(COLOURS, method=Quantize.MEDIANCUT, dither=Dither.NONE)
    data = BytesIO()
    few.save(data, "PNG", optimize=True)
    return data.getvalue()


def gif(svgs: Sequence[str], width: int = GIF_WIDTH) -> bytes:
    """Pictures one after the other, in one palette; the last stands longest. Raises NoPictures."""
    frames = [_drawn(svg, width) for svg in svgs]
    from PIL.Image import Dither

    high = max(frame.height for frame in frames)
    frames = [_padded(frame, high) for frame in frames]
    palette = _palette(frames[:: max(1, len(frames) // _SAMPLES)])
    few = [frame.quantize(palette=palette, dither=Dither.NONE) for frame in frames]
    data = BytesIO()
    pauses = [*[PAUSE] * (len(few) - 1), LAST]
    few[0].save(
        data, "GIF", save_all=True, append_images=few[1:], duration=pauses, loop=0, optimize=False
    )
    return data.getvalue()


def _drawn(svg: str, width: int, *, edges: Edges = "geometric_precision") -> Image:
    try:
        import resvg_py
        from PIL import Image
    except ImportError:
        raise NoPictures(f"what draws pictures is not installed: {HOW}") from None

    # No fonts of the system: what a server has none of would vanish from its pictures.
    data = resvg_py.svg_to_bytes(
        svg_string=svg, width=width, skip_system_fonts=True, shape_rendering=edges
    )
    return Image.open(BytesIO(bytes(data))).convert("RGB")


def _padded(frame: Image, high: int) -> Image:
    """On paper of the height of the highest frame: boards may come to lie farther apart."""
    from PIL import Image

    page = Image.new("RGB", (frame.width, high), PAPER)
    page.paste(frame, (0, 0))
    return page


def _palette(frames: Sequence[Image]) -> Image:
    """Colours that all frames have room in."""
    from PIL import Image

    high = sum(frame.height for frame in frames)
    montage = Image.new("RGB", (frames[0].width, high))
    top = 0
    for frame in frames:
        montage.paste(frame, (0, top))
        top += frame.height
    return montage.quantize(128, method=Image.Quantize.MEDIANCUT, dither=Image.Dither.NONE)
