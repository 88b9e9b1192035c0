"""A line chart as SVG text: nothing to install, sharp at any size, light and dark."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from html import escape

Points = Sequence[tuple[float, float]]

WIDTH, HEIGHT = 460, 320
LEFT, RIGHT, TOP, BOTTOM = 62, 14, 34, 46
COLOURS = ("#0b6e99", "#c4561e", "#4b7f2a", "#7a4fa3", "#8a6d00")
"""Told apart by the colour-blind too; each series also has a mark of its own."""
MARKS = ("circle", "square", "diamond")
TICKS = 5
PAD = 0.04  # of a linear axis, so that no mark lies on the frame


class Axis:
    """One axis: values to px. `log`: by powers of ten; all values must then be above 0."""

    def __init__(self, values: Sequence[float], low_px: float, high_px: float, log: bool) -> None:
        self.log, self._low_px, self._high_px = log, low_px, high_px
        low, high = float(min(values)), float(max(values))
        self._low: float
        self._high: float
        if log:
            self._low, self._high = math.floor(math.log10(low)), math.ceil(math.log10(high))
            self._high = max(self._high, self._low + 1)
        else:
            pad = (high - low or 1.0) * PAD
            self._low, self._high = (low if low == 0 else low - pad), high + pad

    def px(self, value: float) -> float:
        """Return where a value lies."""
        at = math.log10(value) if self.log else value
        return self._low_px + (at - self._low) / (self._high - self._low) * (self._high_px - self._low_px)

    def ticks(self) -> list[float]:
        """Return round values to label."""
        if self.log:
            return [10.0**k for k in range(round(self._low), round(self._high) + 1)]
        rough = (self._high - self._low) / TICKS
        unit = 10 ** math.floor(math.log10(rough))
        step = unit * next(m for m in (1, 2, 5, 10) if m * unit >= rough)
        first = math.ceil(self._low / step)
        return [k * step for k in range(first, math.floor(self._high / step) + 1)]


def chart(
    title: str,
    x_name: str,
    y_name: str,
    series: Mapping[str, Points],
    *,
    log: bool = False,
    shares: bool = False,
) -> str:
    """Draw series of (x, y) as an SVG element. `log`: both axes. `shares`: both go from 0 to 1, with the diagonal."""
    every = [point for points in series.values() for point in points]
    if not every:
        return (
            f'<svg viewBox="0 0 {WIDTH} 40" class="chart"><text x="10" y="24">{escape(title)}: no figures</text></svg>'
        )
    corners = [(0.0, 0.0), (1.0, 1.0)] if shares else []
    xs, ys = [x for x, _ in (*every, *corners)], [y for _, y in (*every, *corners)]
    x_axis = Axis(xs, LEFT, WIDTH - RIGHT, log)
    y_axis = Axis(ys if log else [*ys, 0.0], HEIGHT - BOTTOM, TOP, log)
    parts = [_frame(title, x_name, y_name), _grid(x_axis, y_axis)]
    if shares:
        parts.append(f'<path d="{_path(corners, x_axis, y_axis)}" class="ideal"/>')
    parts += [_line(k, name, points, x_axis, y_axis) for k, (name, points) in enumerate(series.items())]
    head = f'<svg viewBox="0 0 {WIDTH} {HEIGHT}" class="chart" role="img" aria-label="{escape(title)}">'
    return f"{head}{''.join(parts)}</svg>"


def document(drawn: str) -> str:
    """Make an SVG file of a chart: it brings its own style, dark ink on white."""
    style = (
        "text{font:12px system-ui,sans-serif;fill:#222}.title{font-weight:600}.grid{stroke:#ddd}"
        ".ideal{stroke:#222;stroke-dasharray:5 4;fill:none}"
    )
    head, rest = drawn.split(">", 1)
    paper = '<rect width="100%" height="100%" fill="#fff"/>'
    return f'{head} xmlns="http://www.w3.org/2000/svg"><style>{style}</style>{paper}{rest}\n'


def _frame(title: str, x_name: str, y_name: str) -> str:
    middle = round((TOP + HEIGHT - BOTTOM) / 2)
    turned = f'y="{middle}" text-anchor="middle" transform="rotate(-90 14 {middle})"'
    return (
        f'<text x="{LEFT}" y="16" class="title">{escape(title)}</text>'
        f'<text x="{WIDTH - RIGHT}" y="{HEIGHT - 8}" text-anchor="end">{escape(x_name)}</text>'
        f'<text x="14" {turned}>{escape(y_name)}</text>'
    )


def _grid(x_axis: Axis, y_axis: Axis) -> str:
    parts = []
    for value in x_axis.ticks():
        x = x_axis.px(value)
        parts.append(f'<path d="M{x:.1f} {TOP}V{HEIGHT - BOTTOM}" class="grid"/>')
        parts.append(f'<text x="{x:.1f}" y="{HEIGHT - BOTTOM + 15}" text-anchor="middle">{_number(value)}</text>')
    for value in y_axis.ticks():
        y = y_axis.px(value)
        parts.append(f'<path d="M{LEFT} {y:.1f}H{WIDTH - RIGHT}" class="grid"/>')
        parts.append(f'<text x="{LEFT - 6}" y="{y + 4:.1f}" text-anchor="end">{_number(value)}</text>')
    return "".join(parts)


def _line(number: int, name: str, points: Points, x_axis: Axis, y_axis: Axis) -> str:
    colour = COLOURS[number % len(COLOURS)]
    marks = "".join(_mark(MARKS[number % len(MARKS)], x_axis.px(x), y_axis.px(y), colour) for x, y in points)
    x, y = LEFT + 10, TOP + 14 + 15 * number
    key = _mark(MARKS[number % len(MARKS)], x, y - 4, colour) + f'<text x="{x + 9}" y="{y}">{escape(name)}</text>'
    return f'<path d="{_path(points, x_axis, y_axis)}" fill="none" stroke="{colour}" stroke-width="2"/>{marks}{key}'


def _path(points: Points, x_axis: Axis, y_axis: Axis) -> str:
    return "M" + "L".join(f"{x_axis.px(x):.1f} {y_axis.px(y):.1f}" for x, y in points)


def _mark(shape: str, x: float, y: float, colour: str) -> str:
    if shape == "circle":
        return f'<circle cx="{x:.1f}" cy="{y:.1f}" r="3.5" fill="{colour}"/>'
    turn = f' transform="rotate(45 {x:.1f} {y:.1f})"' if shape == "diamond" else ""
    return f'<rect x="{x - 3:.1f}" y="{y - 3:.1f}" width="6" height="6" fill="{colour}"{turn}/>'


def _number(value: float) -> str:
    if value and abs(math.log10(abs(value))) >= 5:
        return f"{value:.0e}".replace("e+0", "e").replace("e-0", "e-")
    return f"{value:,.10g}" if abs(value) >= 1000 else f"{value:.4g}"
