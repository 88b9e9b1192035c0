"""The deck's faces laid onto quads of one picture: named, registered, snapped to their known size."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
import numpy.typing as npt

from vision import plane as planes
from vision import quads
from vision.crop import rectify
from vision.plane import Plane
from vision.recogniser import Group, Naming, Recogniser, Turns
from vision.registration import Face, Registration, Way, grid, lay

Floats = npt.NDArray[np.float64]
Image = npt.NDArray[np.uint8]
Laid = list[Registration | None]

CROP_PX = 96
"""The shorter side of the crops that are named."""
RELIABLE = 0.75
"""A correlation with its reference from which a piece tells where the plane is."""
CONFIRMED = 0.6
"""A correlation that will do for a piece that is named where it was laid, and for what was searched for with cubes on
it and is named for sure: a cube takes some away. Without cubes, what is no piece of the deck comes up to 0.66."""
SNAP_SHARE = 0.09
"""How far a rectangle of known size slides to its edges, as a share of its side, where its face was not laid on."""
SURE = 0.998
"""A name this sure, of a face that was laid on as that, is the face's: of 393 none was named otherwise in its place."""
NAMED = 0.8
"""A face that is searched for must be named this surely to be there."""
SEARCH_ROUNDS = 2
"""A face that a rectangle was laid onto may not be its own, and yet bring it to where its own is told."""
PICTURES_TRIED = 2


@dataclass(frozen=True)
class Matcher:
    """One picture, and the deck whose pieces of `size_mm` lie `height_mm` above the table in it.

    `references`: the faces of one `group`. `marked`: cubes may lie on them.
    """

    image: Image
    size_mm: tuple[float, float]
    height_mm: float
    recogniser: Recogniser
    references: Mapping[str, Sequence[Image]]
    group: Group = "faces"
    marked: bool = False

    @property
    def frame_px(self) -> tuple[int, int]:
        """Return the picture's width and height."""
        return self.image.shape[1], self.image.shape[0]

    @cached_property
    def square(self) -> bool:
        """Whether the pieces are square, so that any turn is possible."""
        return abs(self.size_mm[0] - self.size_mm[1]) < 0.02 * max(self.size_mm)

    @property
    def turns(self) -> Turns:
        """Return in how many ways a piece's picture may lie in its quad."""
        return 4 if self.square else 2

    def sizes(self, n: int) -> Floats:
        """Return the size of n pieces, (n, 2) mm."""
        return np.tile(np.asarray(self.size_mm, float), (n, 1))

    def heights(self, n: int) -> Floats:
        """Return the height of n pieces' faces, (n,) mm."""
        return np.full(n, self.height_mm)

    def named(
        self, quads_px: Floats, *, thorough: bool = True, known: Mapping[int, Naming] | None = None
    ) -> tuple[list[Naming], Floats]:
        """Name each quad (n, 4, 2) px and roll its corners so that the printed top-left comes first.

        `thorough`: as the recogniser takes it. `known`: quads that are named already, and lie upright.
        """
        known = known or {}
        new = [k for k in range(len(quads_px)) if k not in known]
        if not new:
            return [known[k] for k in range(len(quads_px))], quads_px
        scale = CROP_PX / min(self.size_mm)
        width, height = round(self.size_mm[0] * scale), round(self.size_mm[1] * scale)
        order = [*new, *known]
        told = self.recogniser.name(
            [rectify(self.image, quads_px[k], width, height) for k in order],
            group=self.group,
            turns=self.turns,
            centres_px=quads_px[order].mean(1),
            thorough=thorough,
            known=[str(naming.label) for naming in known.values()],
        )
        rolled = quads_px.copy()
        for k, naming in zip(new, told, strict=True):
            rolled[k] = np.roll(quads_px[k], naming.quarter_turns, axis=0)
        named = {**known, **dict(zip(new, told, strict=True))}
        return [named[k] for k in range(len(quads_px))], rolled

    def laid(self, quads_px: Floats, namings: Sequence[Naming], way: Way = "rough") -> Laid:
        """Lay each quad (n, 4, 2) px onto the reference of its likeliest label; of several pictures, the best one."""
        labels = [_likeliest(naming) for naming in namings]
        size = grid(self.size_mm)
        tries = [(k, face) for k, label in enumerate(labels) if label for face in self._faces(label, size)]
        found = lay(self.image, quads_px[[k for k, _ in tries]], [face for _, face in tries], way)
        laid: Laid = [None] * len(labels)
        for (k, _), one in zip(tries, found, strict=True):
            if one is not None and one.correlation > (r.correlation if (r := laid[k]) else -1.0):
                laid[k] = one
        return laid

    def _faces(self, label: str, size_px: tuple[int, int]) -> list[Face]:
        """Return a label's first pictures, of the size at which they are laid on."""
        count = len(self.references.get(label, ())[:PICTURES_TRIED])
        return [self.recogniser.face(self.group, label, size_px, k) for k in range(count)]

    def rigid(self, plane: Plane, quads_px: Floats) -> Floats:
        """Return the rectangles (n, 4, 2) px of the known size nearest to the quads, on the plane."""
        n = len(quads_px)
        mm = plane.to_mm(quads_px, self.height_mm)
        return quads.project(plane, planes.rectangles(mm, self.sizes(n)), self.heights(n))

    def snapped(self, plane: Plane, quads_px: Floats) -> Floats:
        """Slide rectangles of the known size near quads (n, 4, 2) px onto the picture's edges."""
        n = len(quads_px)
        return quads.snap(self.image, plane, quads_px, self.sizes(n), self.heights(n), SNAP_SHARE)

    def searched(self, plane: Plane, quads_px: Floats, *, there: bool = False) -> tuple[Laid, list[Naming]]:
        """Look for the deck's faces near quads (n, 4, 2) px of any size; None where none is there beyond doubt.

        `there`: a piece lies there for certain, and only which one is sought.
        """
        namings, rects = self.named(self.snapped(plane, quads_px), thorough=False)
        found: Laid = [None] * len(namings)
        waiting = list(range(len(namings)))
        for _ in range(SEARCH_ROUNDS):
            laid = self.laid(rects[waiting], [namings[k] for k in waiting], "rigid")
            placed = [(k, r) for k, r in zip(waiting, laid, strict=True) if r is not None]
            if not placed:
                break
            again, corners = self.named(np.stack([r.corners_px for _, r in placed]))
            waiting = []
            for (k, registration), naming, quad in zip(placed, again, corners, strict=True):
                if known(naming) and naming.label != _likeliest(namings[k]):
                    waiting.append(k)  # it lay on another face: that had only brought it nearer
                    rects[k], namings[k] = quad, naming
                elif known(naming) and (sure(registration) or self._confirmed(registration, naming, there)):
                    found[k], namings[k] = Registration(quad, registration.correlation), naming
        return found, namings

    def _confirmed(self, registration: Registration, naming: Naming, there: bool) -> bool:
        """Tell whether a face that was laid on less well is there all the same."""
        return registration.correlation > CONFIRMED and (there or (self.marked and naming.probability >= SURE))


def _likeliest(naming: Naming) -> str | None:
    """Return the likeliest label of the deck, however unlikely."""
    return next((name for name, _ in naming.candidates if name is not None), None)


def sure(registration: Registration | None) -> bool:
    """Tell whether a face was laid on beyond doubt."""
    return registration is not None and registration.correlation > RELIABLE


def told(naming: Naming, registration: Registration | None) -> bool:
    """Tell whether a face need not be named again: its name and turn are sure, and it was laid on as that."""
    return sure(registration) and naming.label is not None and min(naming.probability, naming.turn_probability) >= SURE


def known(naming: Naming) -> bool:
    """Tell whether a face was named surely enough to be searched for."""
    return naming.label is not None and naming.probability > NAMED


def unproven(naming: Naming) -> Naming:
    """Return the naming of a face that could not be laid on: as likely as not, it is none of the deck's."""
    chances = {None: 0.0, **dict(naming.candidates)}
    halved = [(label, p / 2 + (0.5 if label is None else 0.0)) for label, p in chances.items()]
    return replace(naming, candidates=tuple(sorted(halved, key=lambda one: -one[1])))


def corners_of(laid: Laid, otherwise: Floats) -> Floats:
    """Return where the faces were laid (n, 4, 2) px, and the given quads where none was."""
    return np.stack([r.corners_px if r else q for r, q in zip(laid, otherwise, strict=True)])
