"""Coins with another one below: what lies there is broader than one coin, and longer one way."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

from vision.rims import Floats, Rim
from vision.silhouettes import LEVELS

REACH = 2.0  # radii: how far round a coin it is looked
OWN = 0.9  # of a radius: what lies there is the coin itself
TOUCHING = 2.15  # radii between two middles: nearer, nobody can say which of two coins a place belongs to
OPENED_PX = 5  # threads and crumbs thinner than this are taken off
ROUND = (0.93, 1.07)  # of an ellipse's area: what fills it so is a disc's outline
BROAD = (0.7, 1.7)  # of the coin's own area: what is broader is no coin's outline
FEWEST_LEVELS = 2  # outlines of one coin that must tell of another one below: one alone may be a shadow's, or a print's
USUAL = 0.3  # quantile over all coins of how broad and long they are: their walls and shadows are alike
LONGER = 2.0  # what the length counts against the area
STACKED = 0.1  # more than usual by this much, both together: a coin of 22 mm, 2 mm thick, that lies 1 mm off has it


@dataclass(frozen=True)
class Outlines:
    """What lies where a coin is, level by level: its area, its length over its breadth; NaN where it has no outline."""

    area: Floats
    length: Floats


def count(unlike: Floats, coins: Sequence[Rim]) -> int:
    """Return how many coins, compared with the others, have one below: `unlike` (h, w) as the view shows it."""
    if len(coins) < 2:
        return 0
    each = [_outlines(unlike, coins, k) for k in range(len(coins))]
    area, length = (np.stack([getattr(one, name) for one in each]) for name in ("area", "length"))  # (coins, levels)
    more = _more(area) + LONGER * _more(length)
    ranked = np.sort(np.where(np.isfinite(more), more, -np.inf), axis=1)[:, ::-1]  # (coins, levels), the most first
    stacked = ranked[:, FEWEST_LEVELS - 1] > STACKED
    return int((ranked[:, 0] > STACKED).sum()) if stacked.any() else 0  # who stacks one coin stacks others


def _more(values: Floats) -> Floats:
    """Return how much more than usual each is (coins, levels); NaN where fewer than two tell what is usual."""
    several = np.isfinite(values).sum(axis=0) > 1
    usual = np.full(values.shape[1], np.nan)
    usual[several] = np.nanquantile(values[:, several], USUAL, axis=0)
    return np.asarray(values / usual - 1)


def _outlines(unlike: Floats, coins: Sequence[Rim], which: int) -> Outlines:
    """Return one coin's outlines at all levels: of what is nearer to it than to any other coin."""
    coin = coins[which]
    nothing = np.full(len(LEVELS), np.nan)
    others = [o.middle_px for k, o in enumerate(coins) if k != which]
    if any(np.linalg.norm(o - coin.middle_px) < TOUCHING * coin.radius_px for o in others):
        return Outlines(nothing, nothing)
    low = np.maximum(np.rint(coin.middle_px - REACH * coin.radius_px).astype(int), 0)
    high = np.rint(coin.middle_px + REACH * coin.radius_px).astype(int) + 1
    part = unlike[low[1] : high[1], low[0] : high[0]]
    y, x = np.indices(part.shape)
    places = np.stack([x, y], axis=-1) + low
    away = np.linalg.norm(places - coin.middle_px, axis=-1)
    mine = np.all([np.linalg.norm(places - o, axis=-1) >= away for o in others], axis=0)
    told = [_outline((part > level) & mine, away < OWN * coin.radius_px, coin.radius_px) for level in LEVELS]
    return Outlines(np.array([area for area, _ in told]), np.array([length for _, length in told]))


def _outline(lies: npt.NDArray[np.bool_], own: npt.NDArray[np.bool_], radius_px: float) -> tuple[float, float]:
    """Return the area and the length over the breadth of what lies where the coin is (h, w); NaN, NaN: no disc."""
    opened = cv2.morphologyEx(lies.astype(np.uint8), cv2.MORPH_OPEN, np.ones((OPENED_PX, OPENED_PX), np.uint8))
    count, parts = cv2.connectedComponents(opened)
    shares = np.bincount(parts[own], minlength=count)
    shares[0] = 0
    if shares.max(initial=0) == 0:
        return np.nan, np.nan
    contours, _ = cv2.findContours(
        (parts == shares.argmax()).astype(np.uint8), cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE
    )
    contour = max(contours, key=cv2.contourArea)
    if len(contour) < 20:
        return np.nan, np.nan
    area = cv2.contourArea(contour) + len(contour) / 2
    _, axes, _ = cv2.fitEllipse(contour)
    fill, share = area / (np.pi / 4 * axes[0] * axes[1]), area / (np.pi * radius_px**2)
    if not (ROUND[0] < fill < ROUND[1] and BROAD[0] < share < BROAD[1]):
        return np.nan, np.nan
    return area, max(axes) / min(axes)
