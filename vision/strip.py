"""A photo card without a face of its own: three, four or five animals side by side, read left to right."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import product

import cv2
import numpy as np

from decks.deck import Image
from vision import figurefit, uncovered
from vision.crop import Floats, turned
from vision.figurefit import Figure, Stencil
from vision.threads import each

COUNTS = (3, 4, 5)  # animals on a photo card
PITCH = (0.5, 1.5)  # of the card's height: from animal to animal, as far as it can be
COARSE_PX, FINE_PX = 28, 48  # the card's height in the search and in the comparison
SIZES = tuple(0.42 * 1.12**i for i in range(8))  # of the card's height: the largest animal's longer side
ALIKE = 0.12  # two sizes (log) that may be one
FINE_SIZES = (0.94, 1.0, 1.06)
RIM = 0.06  # of the card's height: frame and cutting errors; the ground beside it stands in for it
COMPARED = 4  # ways to read a strip that are compared at full detail
REACH = 0.17  # of the pitch: an animal stands that near its slot's middle
COARSE_STEP_PX = 2
FINE_REACH_PX = 2
FIT_GAIN = 15.0  # log-odds a factor e of unexplained rest
NONE_REST = 1.5  # a figure that leaves so much more unexplained than even ground does is as likely not there
MISSED_GAIN = 60.0  # log-odds against all that stands off the ground lying beside the figures
BESIDE, DOUBT_GAIN = 0.1, 12.0  # a share that may well do so; log odds for more, that the strip shows something else
FRAME = 0.33  # of the card's height: half a printed frame's side
WAY_GAIN = 8.0  # log-odds a factor e, for how many animals and which way up
LIGHT_ROUNDS = 2
KEPT = 3  # labels a slot that take part in the sequences
SEQUENCES = 8  # sequences told


@dataclass(frozen=True, slots=True)
class StripReading:
    """What a photo card shows.

    candidates: sequences of labels, left to right, and probabilities, best first; they sum to at most 1, the rest
    being sequences not listed or animals that are not of this deck.
    quarter_turns: 0 or 2, how often the crop must be turned clockwise by 90° to be upright.
    size: the largest figure's longer side, of the card's height; style: which of the deck's kinds of figures it shows;
    rests: what the best figure of each animal's place leaves unexplained of it, left to right.
    """

    candidates: tuple[tuple[tuple[str, ...], float], ...]
    quarter_turns: int
    turn_probability: float
    size: float = 0.0
    style: int = 0
    rests: tuple[float, ...] = ()


UNREAD = StripReading(candidates=(), quarter_turns=0, turn_probability=0.5)


@dataclass(frozen=True, slots=True)
class Way:
    """One way to read the strip. rest: (slots, figures) unexplained; where_px: their centres, at COARSE_PX.

    uncovered: what share of all that stands off the ground lies beside its figures.
    """

    quarter_turns: int
    style: int
    size: float
    rest: Floats
    where_px: Floats  # (slots, figures, 2)
    uncovered: float = 0.0

    @property
    def score(self) -> float:
        """Log-odds of the whole: every slot must hold some figure."""
        best = np.log(self.rest.min(axis=1))
        return float(-best.mean() - 0.5 * best.max())


def read(crop: Image, styles: Sequence[Sequence[Figure]], part: StripReading | None = None) -> StripReading:
    """Read a photo card (h, w, 3), edge to edge, its long side level, upright or upside down.

    `styles`: kinds of figures that it may show, each with the same labels in the same order; a card shows one kind.
    `part`: how all but one animal at an end were read; then the crop is upright, and its figures are as large.
    """
    counts = [n for n in COUNTS if PITCH[0] < crop.shape[1] / crop.shape[0] / n < PITCH[1]]
    turns: tuple[int, ...] = (0, 2)
    sizes = SIZES
    shown: Sequence[int] = range(len(styles))
    if part is not None:
        counts = [n for n in counts if n == len(part.rests) + 1]
        shown, turns, sizes = (part.style,), (0,), tuple(s for s in SIZES if abs(np.log(s / part.size)) < ALIKE)
    if not any(styles) or not counts or not sizes:
        return UNREAD
    strips = {turn: _resized(turned(crop, turn), COARSE_PX) for turn in turns}
    kinds = [(turn, style) for style in shown for turn in turns]

    def tried(one: tuple[tuple[int, int], float]) -> list[Way]:
        (turn, style), size = one
        return _ways(strips[turn], _stencils(styles[style], COARSE_PX, size), counts, size, turn, style)

    tries = [(kind, size) for size in sizes for kind in kinds]
    told = each(tried, tries)
    sized = [[ways for (k, _), ways in zip(tries, told, strict=True) if k == kind] for kind in kinds]
    best = [max(alike, key=lambda way: way.score) for ways in sized for alike in zip(*ways, strict=True)]
    compared = each(lambda way: _compared(crop, styles[way.style], way), likely(best))
    return reading(compared, [figure.label for figure in styles[0]])


def likely(ways: Sequence[Way]) -> list[Way]:
    """Return the ways worth comparing: those that fit best, and of as many animals and each way up the best one.

    At first sight a symmetrical figure fits either way up.
    """
    ranked = sorted(ways, key=lambda way: -way.score)
    firsts = {(len(way.rest), way.quarter_turns): k for k, way in reversed(list(enumerate(ranked)))}
    return [way for k, way in enumerate(ranked) if k < COMPARED or k in firsts.values()]


def reading(ways: Sequence[Way], labels: Sequence[str]) -> StripReading:
    """Weigh ways to read a strip against one another; labels: of their figures."""
    scores = np.array([WAY_GAIN * way.score * len(way.rest) ** 0.5 - MISSED_GAIN * way.uncovered for way in ways])
    chances = np.exp(scores - scores.max()) / np.exp(scores - scores.max()).sum()
    best = ways[int(chances.argmax())]
    chances = chances * np.exp(-DOUBT_GAIN * max(best.uncovered - BESIDE, 0.0))
    turn = best.quarter_turns
    told: dict[tuple[str, ...], float] = {}
    for way, chance in zip(ways, chances, strict=True):
        for sequence, probability in _sequences(way.rest, labels):
            told[sequence] = told.get(sequence, 0.0) + float(chance) * probability
    order = sorted(told.items(), key=lambda item: -item[1])[:SEQUENCES]
    upright = float(sum(chance for way, chance in zip(ways, chances, strict=True) if way.quarter_turns == turn))
    rests = tuple(float(r) for r in best.rest.min(axis=1))
    return StripReading(tuple(order), turn, upright, best.size, best.style, rests)


def _resized(crop: Image, height_px: int) -> Floats:
    width_px = round(crop.shape[1] * height_px / crop.shape[0])
    how = cv2.INTER_AREA if crop.shape[0] > height_px else cv2.INTER_LINEAR
    small = cv2.resize(crop, (width_px, height_px), interpolation=how).astype(np.float32)
    rim = max(1, round(RIM * height_px))
    return cv2.copyMakeBorder(small[rim:-rim, rim:-rim], rim, rim, rim, rim, cv2.BORDER_REPLICATE).astype(np.float32)


def _stencils(figures: Sequence[Figure], height_px: int, size: float) -> list[Stencil]:
    """Scale figures alike for a strip of that height, the largest to be `size` of it."""
    largest = max(max(figure.cover.shape) for figure in figures)
    return [figurefit.stencil(figure, size * height_px / largest) for figure in figures]


def _ways(
    strip: Floats, stencils: Sequence[Stencil], counts: Sequence[int], size: float, turn: int, style: int
) -> list[Way]:
    """Fit every figure everywhere at one size, then take each slot's best place; one way a count."""
    height, width = strip.shape[:2]
    rows = np.arange(round(height * (0.5 - REACH)), round(height * (0.5 + REACH)) + 1, COARSE_STEP_PX)
    places = np.stack(np.meshgrid(np.arange(0, width, COARSE_STEP_PX), rows), axis=-1).reshape(-1, 2).astype(np.float32)
    shares = np.stack([figurefit.rest(figurefit.windows(strip, stencil, places), stencil) for stencil in stencils])
    ways = []
    for n in counts:
        middles = (np.arange(n, dtype=np.float32) + 0.5) * width / n
        near = np.abs(places[None, :, 0] - middles[:, None]) <= max(REACH * width / n, COARSE_STEP_PX)  # (n, places)
        at = np.where(near[:, None, :], shares[None], np.inf).argmin(axis=2)  # (n, figures)
        ways.append(Way(turn, style, size, np.take_along_axis(shares, at.T, axis=1).T, places[at]))
    return ways


def _compared(crop: Image, figures: Sequence[Figure], way: Way) -> Way:
    """Compare at full detail, in the one light that all slots have in common."""
    strip = _resized(turned(crop, way.quarter_turns), FINE_PX)
    sized = [_stencils(figures, FINE_PX, way.size * finer) for finer in FINE_SIZES]
    alike = list(zip(*sized, strict=True))  # each figure's stencils
    slots = [
        [_fine(strip, stencils, place) for stencils, place in zip(alike, slot, strict=True)] for slot in way.where_px
    ]
    rest = np.array([[share for share, _, _ in slot] for slot in slots], dtype=np.float32)
    along = np.linspace(-1, 1, len(rest), dtype=np.float32)
    for _ in range(LIGHT_ROUNDS):
        chosen = [slot[int(best)] for slot, best in zip(slots, rest.argmin(axis=1), strict=True)]
        gains, offsets = figurefit.common_light([(part, stencil) for _, part, stencil in chosen], along)
        rest = np.array(
            [
                [float(figurefit.rest_in_light(part[None], stencil, gain, offset)[0]) for _, part, stencil in slot]
                for slot, gain, offset in zip(slots, gains, offsets, strict=True)
            ],
            dtype=np.float32,
        )
    boxes = [_box(slots[k][int(best)][2], way.where_px[k, int(best)]) for k, best in enumerate(rest.argmin(axis=1))]
    return replace(way, rest=rest, uncovered=uncovered.share(strip, boxes))


def _box(stencil: Stencil, coarse_px: Floats) -> uncovered.Box:
    """Return where a figure lies, as finely as it was found at first, with a frame that may be printed round it."""
    x, y = (coarse_px + 0.5) * (FINE_PX / COARSE_PX) - 0.5
    high, wide = (max(side / 2 + FINE_REACH_PX, FRAME * FINE_PX) for side in (stencil.high, stencil.wide))
    return round(y - high), round(x - wide), round(y + high), round(x + wide)


def _fine(strip: Floats, stencils: Sequence[Stencil], coarse_px: Floats) -> tuple[float, Floats, Stencil]:
    """Return a figure's best fit near where it was found: unexplained share, window (3, px), stencil."""
    steps = np.arange(-FINE_REACH_PX, FINE_REACH_PX + 1, dtype=np.float32)
    middle = (coarse_px + 0.5) * (FINE_PX / COARSE_PX) - 0.5
    places = np.stack(np.meshgrid(middle[0] + steps, middle[1] + steps), axis=-1).reshape(-1, 2)
    fits = []
    for stencil in stencils:
        parts = figurefit.windows(strip, stencil, places)
        shares = figurefit.rest(parts, stencil)
        best = int(shares.argmin())
        fits.append((float(shares[best]), parts[best], stencil))
    return min(fits, key=lambda fit: fit[0])


def _sequences(rest: Floats, labels: Sequence[str]) -> list[tuple[tuple[str, ...], float]]:
    slots = []
    for shares in rest:
        by_label: dict[str, float] = {}
        for label, share in zip(labels, shares, strict=True):
            by_label[label] = min(by_label.get(label, 2.0), float(share))
        odds = {label: share**-FIT_GAIN for label, share in by_label.items()}
        total = sum(odds.values()) + NONE_REST**-FIT_GAIN
        slots.append(sorted(((label, odd / total) for label, odd in odds.items()), key=lambda pair: -pair[1])[:KEPT])
    return [
        (tuple(label for label, _ in choice), float(np.prod([chance for _, chance in choice])))
        for choice in product(*slots)
    ]
