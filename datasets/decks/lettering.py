"""Words and numbers on a sheet, in the letters that come with Pillow."""

from __future__ import annotations

from functools import lru_cache

import numpy as np
from PIL import Image as PillowImage
from PIL import ImageDraw, ImageFont

from decks.paper import Sheet, bgr

CAP_HEIGHT = 0.7  # of the font's size: the height of a capital letter


@lru_cache(maxsize=64)
def _font(size_px: int) -> ImageFont.FreeTypeFont:
    font = ImageFont.load_default(size=size_px)
    if not isinstance(font, ImageFont.FreeTypeFont):
        raise RuntimeError("this Pillow was built without FreeType: install Pillow from its wheel")
    return font


def write(
    sheet: Sheet,
    text: str,
    x_px: float,
    y_px: float,
    height_px: float,
    colour: str,
    *,
    most_px: float = 1e9,
    bold: float = 0.035,
) -> None:
    """Write `text` centred on (x_px, y_px), its capitals `height_px` high, at most `most_px` wide."""
    if not text:
        return
    size_px = max(round(height_px / CAP_HEIGHT), 4)
    stroke_px = size_px * bold
    left, top, right, bottom = _font(size_px).getbbox(text, stroke_width=stroke_px)
    if right - left > most_px:
        scale = most_px / (right - left)
        write(sheet, text, x_px, y_px, height_px * scale * 0.99, colour, bold=bold)
        return
    width, height = int(np.ceil(right - left)) + 4, int(np.ceil(bottom - top)) + 4
    image = PillowImage.new("L", (width, height), 0)
    ImageDraw.Draw(image).text((2 - left, 2 - top), text, fill=255, font=_font(size_px), stroke_width=stroke_px)
    alpha = np.asarray(image, np.float32) / 255
    _, cap_top, _, cap_bottom = _font(size_px).getbbox("H")
    middle = (cap_top + cap_bottom) / 2 - top + 2
    sheet.blend(alpha, bgr(colour), round(x_px - width / 2), round(y_px - middle))
