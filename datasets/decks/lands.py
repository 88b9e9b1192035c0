"""The lands of String Safari, a row each: their paper's colour, and what grows there."""

from __future__ import annotations

from decks.paper import Drawing, Shape, fringe, moved
from decks.parts import band, curve, cut, dots, spot
from decks.signs import footprint


def _bush(x: float, y: float, size: float, colour: str) -> Drawing:
    return moved((Shape(fringe(0, 1.0, 0.2, 9, soft=True), colour),), x, y, size)


def _fir(x: float, y: float, size: float, colour: str = "pine") -> Drawing:
    trunk = cut("bark", (-0.12, 0.5), (0.12, 0.5), (0.12, 1.0), (-0.12, 1.0))
    crowns = [
        cut(colour, (-w, top + 0.75), (0, top), (w, top + 0.75), lift=0.7)
        for w, top in ((0.62, -0.1), (0.52, -0.5), (0.4, -0.9))
    ]
    return moved([*trunk, *(s for crown in crowns for s in crown)], x, y, size)


def _grass(colour: str, x: float, y: float, size: float) -> Drawing:
    blades = [
        band(colour, (0.09, 0.07, 0.0), (0, 0.9), (lean * 0.3, 0.1), (lean, -0.8), lift=0.5)
        for lean in (-0.7, 0.65, -0.3, 0.3, 0.0)
    ]
    return moved([s for blade in blades for s in blade], x, y, size)


LAND_GROUNDS = {
    "bushes": "mint",
    "grasslands": "sun",
    "forest": "fog",
    "water-hole": "sand",
    "footprints": "cream",
    "rocky-area": "dusk",
}
# fmt: off
LANDS: dict[str, Drawing] = {
    "bushes": (*_bush(-.5, .2, .56, "pine"), *_bush(.52, .24, .52, "pine"), *_bush(.02, .0, .62, "leaf"),
        *dots("coral", .08, (.14, -.2), (.3, .14), (.56, .1), (.62, .42)), *spot(0, .3, .08, .08, "coral")),
    "grasslands": (*_grass("moss", -.6, .05, .7), *_grass("moss", .6, .0, .74), *_grass("leaf", .0, -.1, .86),
        *_grass("pine", -.3, .3, .5), *_grass("pine", .34, .32, .48)),
    "forest": (*_fir(-.6, -.1, .6, "leaf"), *_fir(.6, -.14, .62, "leaf"), *_fir(.0, -.06, .88),
        *_fir(-.4, .34, .42, "moss"), *_fir(.42, .36, .4, "moss")),
    "water-hole": (*curve("tan", (-.96, .1), (-.5, -.5), (.3, -.56), (.96, -.1), (.8, .5), (.0, .72), (-.76, .56),
        lift=.7), *curve("sea", (-.8, .1), (-.4, -.36), (.3, -.42), (.8, -.06), (.64, .38), (.0, .56), (-.6, .42)),
        *band("sky", (.0, .06, .0), (-.5, .06), (-.1, -.02), (.3, .08)),
        *band("sky", (.0, .06, .0), (-.1, .3), (.2, .24), (.5, .32)), *_grass("leaf", .7, -.34, .4)),
    "footprints": (*moved(footprint("bark"), -.42, .44, .42, -14), *moved(footprint("bark"), .4, -.4, .42, 14),
        *moved(footprint("tan"), -.36, -.5, .3, -8), *moved(footprint("tan"), .5, .46, .3, 16)),
    "rocky-area": (*cut("slate", (-1.0, .62), (-.8, -.1), (-.44, -.5), (-.1, -.2), (.1, .62), lift=.8),
        *cut("coal", (-.2, .62), (.0, -.5), (.4, -.86), (.76, -.36), (1.0, .62), lift=.8),
        *cut("fog", (.0, -.5), (.4, -.86), (.36, -.3)), *cut("fog", (-.8, -.1), (-.44, -.5), (-.5, .06)),
        *cut("fog", (-.5, .62), (-.34, .24), (.1, .16), (.34, .62), lift=.7)),
}
# fmt: on
