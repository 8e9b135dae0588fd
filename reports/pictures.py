"""A figure as a PNG that explains itself: its title and grey line as a strip above the drawing, in light colours."""

from __future__ import annotations

import io
from collections.abc import Iterator
from typing import Any

import matplotlib as mpl
import numpy as np
import numpy.typing as npt
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure
from PIL import Image

from reports.blocks import FigureBlock, any_letters
from reports.canvas import UNITS_PER_INCH, WIDE, Size, sheet, text_width, write
from reports.style import BG, INK, MUTE, RC, TEXT
from reports.words import Words

Pixels = npt.NDArray[np.uint8]
RESOLUTION = 2
"""Pixels a unit."""
PALETTE = 128
"""Colours of a picture."""
TITLE = 16.0
LEADING = 1.35
"""From line to line, in sizes of the letters."""
GAP, MARGIN = 8, 16
"""Units between title, grey line and drawing, and around all of it."""


def picture(figure: FigureBlock) -> bytes:
    """Return the wide drawing of a figure with its title above, as PNG; the same figure gives the same bytes."""
    with any_letters(), mpl.rc_context({**RC, "figure.facecolor": BG, "savefig.facecolor": BG}):
        pixels = np.vstack([_pixels(_strip(figure.words, WIDE)), _pixels(figure.draw(WIDE))])
    margin = MARGIN * RESOLUTION
    ground = pixels[0, 0]
    framed = np.full((pixels.shape[0] + 2 * margin, pixels.shape[1] + 2 * margin, 4), ground, np.uint8)
    framed[margin:-margin, margin:-margin] = pixels
    file = io.BytesIO()
    # A palette takes a third of the room: these pictures are of few colours, shaded at the edges of letters.
    palette = Image.fromarray(framed[..., :3]).quantize(PALETTE, dither=Image.Dither.NONE)
    palette.save(file, format="PNG", optimize=True, dpi=(UNITS_PER_INCH * RESOLUTION,) * 2)
    return file.getvalue()


def _strip(words: Words, size: Size) -> Figure:
    """Return title and grey line as a drawing of their own, wrapped to the width of the sheet."""
    lines = [
        *((line, {"fontsize": TITLE, "weight": "bold", "color": INK}) for line in wrapped(words.title, size, TITLE)),
        *((line, {"fontsize": TEXT, "color": MUTE}) for line in wrapped(words.grey, size, TEXT)),
    ]
    steps = [LEADING * float(str(style["fontsize"])) for _, style in lines]
    result = sheet(size, sum(steps) + GAP)
    top = 0.0
    for (line, style), step in zip(lines, steps, strict=True):
        write(result, 0, top + step / 2, line, ha="left", **style)
        top += step
    return result


def wrapped(text: str, size: Size, letters: float) -> Iterator[str]:
    """Yield the lines of a text set in letters of a size, none wider than the sheet.

    Lines break between words; a word that is wider than the sheet breaks where it must.
    """
    bold = letters == TITLE
    line = ""
    for word in text.split(" "):
        longer = f"{line} {word}".strip()
        if text_width(longer, letters, bold) <= size.width:
            line = longer
            continue
        if line:
            yield line
        line = word
        while text_width(line, letters, bold) > size.width:
            fits = next(
                end for end in range(len(line) - 1, 0, -1) if text_width(line[:end], letters, bold) <= size.width
            )
            yield line[:fits]
            line = line[fits:]
    if line:
        yield line


def _pixels(figure: Figure) -> Pixels:
    """Return a drawing as pixels, shape (height, width, 4)."""
    figure.set_dpi(UNITS_PER_INCH * RESOLUTION)
    figure.set_facecolor(BG)
    canvas: Any = FigureCanvasAgg(figure)
    canvas.draw()
    return np.asarray(canvas.buffer_rgba(), dtype=np.uint8)
