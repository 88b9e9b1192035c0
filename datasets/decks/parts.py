"""The parts that animal heads are composed of. Each returns its shapes; a head looks at us, y down, about (0, 0)."""

from __future__ import annotations

from decks.paper import Drawing, Shape, fringe, mirrored, moved, oval, ribbon, sharp, smooth

FLAT = 0.0  # printed on the paper below: no shadow
Row = tuple[str, tuple[Drawing, ...]]
"""A figure: the colour of its own paper, and its parts in the order they are laid."""

Points = tuple[tuple[float, float], ...]


def head(
    width: float, height: float, colour: str, y: float = 0.0, *, power: float = 2.3, taper: float = 0.1
) -> Drawing:
    """Return the skull: `taper` > 0 has a narrow chin."""
    return (Shape(oval(0, y, width, height, power=power, taper=taper), colour),)


def blot(
    x: float, y: float, width: float, height: float, colour: str, turn: float = 0.0, lift: float = FLAT
) -> Drawing:
    """Return a pair of ovals, left and right, the right one turned clockwise."""
    return mirrored(moved([Shape(oval(0, 0, width, height), colour, lift)], x, y, 1, turn))


def spot(
    x: float, y: float, width: float, height: float, colour: str, lift: float = FLAT, power: float = 2.0
) -> Drawing:
    """Return one oval."""
    return (Shape(oval(x, y, width, height, power=power), colour, lift),)


def cut(colour: str, *points: tuple[float, float], lift: float = FLAT, pair: bool = False) -> Drawing:
    """Return a cornered piece; as a `pair`, with its mirror image."""
    shapes = (Shape(sharp(points), colour, lift),)
    return mirrored(shapes) if pair else shapes


def curve(colour: str, *points: tuple[float, float], lift: float = FLAT, pair: bool = False) -> Drawing:
    """Return a rounded piece through these points; as a `pair`, with its mirror image."""
    shapes = (Shape(smooth(points), colour, lift),)
    return mirrored(shapes) if pair else shapes


def band(
    colour: str, widths: tuple[float, ...], *points: tuple[float, float], lift: float = FLAT, pair: bool = False
) -> Drawing:
    """Return a band along a curve with these half widths; as a `pair`, with its mirror image."""
    shapes = (Shape(ribbon(points, widths), colour, lift),)
    return mirrored(shapes) if pair else shapes


def ring(colour: str, radius: float, depth: float, count: int, y: float = 0.0, *, wide: float = 1.0) -> Drawing:
    """Return a mane, ruff or fleece round the head."""
    return (Shape(fringe(0, radius, depth, count) * (wide, 1) + (0, y), colour),)


EARS: dict[str, tuple[Points, Points]] = {
    # from the root (0, 0) upwards, one unit long: the ear, and what is inside it
    "round": (
        ((-0.5, 0.1), (-0.62, -0.5), (0, -1.0), (0.62, -0.5), (0.5, 0.1)),
        ((-0.3, 0.05), (-0.36, -0.4), (0, -0.7), (0.36, -0.4), (0.3, 0.05)),
    ),
    "leaf": (
        ((-0.16, 0.1), (-0.34, -0.4), (-0.22, -0.8), (0.02, -1.05), (0.26, -0.75), (0.34, -0.35), (0.16, 0.1)),
        ((-0.08, -0.1), (-0.2, -0.42), (0.0, -0.86), (0.2, -0.4), (0.08, -0.1)),
    ),
    "long": (
        ((-0.16, 0.1), (-0.26, -0.5), (-0.18, -0.92), (0.0, -1.04), (0.18, -0.92), (0.26, -0.5), (0.16, 0.1)),
        ((-0.09, -0.05), (-0.15, -0.5), (0.0, -0.88), (0.15, -0.5), (0.09, -0.05)),
    ),
    "fan": (
        (
            (-0.15, 0.35),
            (-0.5, 0.0),
            (-0.62, -0.5),
            (-0.3, -0.95),
            (0.25, -0.98),
            (0.55, -0.6),
            (0.5, 0.0),
            (0.3, 0.45),
        ),
        ((-0.1, 0.2), (-0.34, -0.05), (-0.42, -0.45), (-0.15, -0.75), (0.2, -0.75), (0.36, -0.45), (0.3, 0.0)),
    ),
}
POINTED: tuple[Points, Points] = (
    ((-0.46, 0.15), (-0.06, -1.0), (0.06, -1.0), (0.46, 0.15)),
    ((-0.26, 0.05), (0.0, -0.7), (0.26, 0.05)),
)


def ears(
    kind: str, x: float, y: float, size: float, turn: float, colour: str, inner: str, *, wide: float = 1.0
) -> Drawing:
    """Return both ears, the right one's root at (x, y), `size` long, turned clockwise by `turn` degrees."""
    outer, inside = POINTED if kind == "point" else EARS[kind]
    make = sharp if kind == "point" else smooth
    pieces = [Shape(make(outer) * (wide, 1), colour), Shape(make(inside) * (wide, 1), inner, FLAT)]
    return mirrored(moved(pieces, x, y, size, turn))


def eyes(x: float, y: float, size: float, kind: str = "dot", colour: str = "snow") -> Drawing:
    """Return both eyes: "dot", "wide" (a white round it) or "slit" (a coloured one with a slit)."""
    glint = blot(x - size * 0.3, y - size * 0.35, size * 0.28, size * 0.28, "snow")
    if kind == "dot":
        return blot(x, y, size * 0.85, size, "ink") + glint
    if kind == "slit":
        return blot(x, y, size * 1.15, size * 1.15, colour) + blot(x, y, size * 0.3, size * 0.95, "ink")
    return blot(x, y, size * 1.3, size * 1.35, colour) + blot(x, y + size * 0.1, size * 0.8, size * 0.85, "ink") + glint


def muzzle(width: float, height: float, y: float, colour: str, *, power: float = 2.3, taper: float = 0.0) -> Drawing:
    """Return the snout, on top of the head."""
    return (Shape(oval(0, y, width, height, power=power, taper=taper), colour, 0.8),)


def nose(y: float, width: float, colour: str = "ink", *, smile: float = 0.0) -> Drawing:
    """Return a rounded triangle, point down, with a mouth below it where `smile` > 0 (half its breadth)."""
    w = width
    tip = curve(
        colour,
        (-w, y - w * 0.5),
        (0, y - w * 0.62),
        (w, y - w * 0.5),
        (w * 0.45, y + w * 0.45),
        (0, y + w * 0.75),
        (-w * 0.45, y + w * 0.45),
        lift=0.3,
    )
    if not smile:
        return tip
    line, low = 0.028, y + w * 0.7
    stem = band("ink", (line, line), (0, low), (0, low + smile * 0.45))
    return (
        stem
        + band(
            "ink",
            (line * 0.6, line, line * 0.6),
            (0, low + smile * 0.42),
            (smile * 0.5, low + smile * 0.72),
            (smile, low + smile * 0.35),
            pair=True,
        )
        + tip
    )


def nostrils(x: float, y: float, size: float, colour: str = "ink", turn: float = 20.0) -> Drawing:
    """Return a pair of nostrils."""
    return blot(x, y, size * 0.6, size, colour, turn)


def whiskers(y: float, colour: str = "ink") -> Drawing:
    """Return three whiskers a side."""
    hair = (0.012, 0.018, 0.006)
    return tuple(
        shape
        for tilt in (-0.16, 0.0, 0.16)
        for shape in band(
            colour, hair, (0.22, y + tilt * 0.4), (0.5, y + tilt * 0.8), (0.78, y + tilt * 1.6), pair=True
        )
    )


def bars(colour: str, *rows: tuple[float, float, float, float], pair: bool = True) -> Drawing:
    """Return stripes that taper inwards, one a row: (x outside, y outside, x inside, y inside)."""
    return tuple(
        shape
        for x0, y0, x1, y1 in rows
        for shape in band(
            colour, (0.06, 0.05, 0.0), (x0, y0), ((x0 + x1) / 2, (y0 + y1) / 2 + 0.02), (x1, y1), pair=pair
        )
    )


def dots(colour: str, size: float, *places: tuple[float, float], pair: bool = True) -> Drawing:
    """Return round spots at these places."""
    return tuple(
        s
        for x, y in places
        for s in (blot(x, y, size, size * 0.86, colour) if pair else spot(x, y, size, size, colour))
    )


def horns(colour: str, widths: tuple[float, ...], *points: tuple[float, float], rings: str | None = None) -> Drawing:
    """Return both horns along this curve, root first; `rings`: the colour of the rings round them."""
    both = band(colour, widths, *points, lift=1.0, pair=True)
    if rings is None:
        return both
    marks: list[Shape] = []
    for (x0, y0), (x1, y1), w in list(zip(points, points[1:], widths, strict=False))[:-1]:
        for k in (0.3, 0.75):
            x, y, n = x0 + (x1 - x0) * k, y0 + (y1 - y0) * k, max(abs(x1 - x0) + abs(y1 - y0), 1e-6)
            dx, dy = (y1 - y0) / n * w * 1.25, -(x1 - x0) / n * w * 1.25
            marks += band(rings, (0.022, 0.022), (x - dx, y - dy), (x + dx, y + dy))
    return both + mirrored(marks)


def tusks(x: float, y: float, length: float) -> Drawing:
    """Return a pair of tusks that curve up and out."""
    return band(
        "snow",
        (0.09, 0.075, 0.0),
        (x, y),
        (x + length * 0.25, y + length * 0.45),
        (x + length * 0.75, y + length * 0.1),
        lift=0.6,
        pair=True,
    )


def beak(width: float, length: float, y: float, colour: str, *, tip: str | None = None, hook: float = 0.0) -> Drawing:
    """Return a beak that points down from y - 0.1, its `tip` of another colour; `hook` > 0 rounds it to a hook."""
    w, low = width, y + length
    top = curve(
        colour,
        (-w, y),
        (0, y - w * 0.7),
        (w, y),
        (w * 0.55, y + length * 0.6),
        (hook, low),
        (-hook, low),
        (-w * 0.55, y + length * 0.6),
        lift=0.9,
    )
    if tip is None:
        return top
    k = 0.62
    return top + curve(
        tip,
        (-w * 0.56, y + length * k),
        (0, y + length * (k - 0.08)),
        (w * 0.56, y + length * k),
        (w * 0.3, low - length * 0.08),
        (0, low),
        (-w * 0.3, low - length * 0.08),
    )
