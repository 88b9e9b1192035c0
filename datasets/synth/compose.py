"""From things on a table to a picture and its exact labels, patch by patch."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

from synth.masks import SHIFT, Box, Mask, blend, coverage, darken, fill, frame, rounded, soften, stroke
from synth.textures import Image
from synth.things import Cord, Layout, Outline, Thing
from synth.view import Array, View

_BARE = -1  # in the owner map: nothing but table top


@dataclass(frozen=True)
class Sun:
    """The light that casts shadows: a point `h` mm high throws its shadow `h`·offset away.

    `strength`: 0…1, how dark a shadow is; `soft_mm`: how far its edge blurs, for each mm of height.
    """

    offset: tuple[float, float] = (0.4, -0.3)
    strength: float = 0.4
    soft_mm: float = 0.6


@dataclass(frozen=True)
class Label:
    """One thing in the picture.

    `corners_px`: (4, 2) of the printed face at its height, from its printed top-left on, clockwise; a disc's
    circumscribed square; they may lie outside the picture. `visible`: the share of the face that is in view.
    """

    index: int
    kind: str | None
    corners_px: Array
    visible: float
    key: object


@dataclass(frozen=True)
class Drawn:
    """A picture before light and lens blemishes, with its labels.

    `paths_px`: the centreline of each cord, (n, 2), at half its width above the table. `owner`: which thing (by its
    place in the layout) is seen at each pixel, -1 for the table top; (height, width) int32.
    """

    image: Image
    labels: tuple[Label, ...]
    paths_px: tuple[Array, ...]
    owner: npt.NDArray[np.int32]


def compose(layout: Layout, view: View, sun: Sun) -> Drawn:
    """Draw a layout: table top, then each thing with shadow, sides and face."""
    image = _table(layout, view)
    owner = np.full(image.shape[:2], _BARE, np.int32)
    for index, thing in enumerate(layout.things):
        if isinstance(thing, Cord):
            _cord(image, owner, index, thing, view, sun)
        else:
            _thing(image, owner, index, thing, view, sun)
    bent = view.through_lens(image)
    counts = np.bincount(owner.ravel() + 1, minlength=len(layout.things) + 1)[1:]
    labels = tuple(
        _label(i, thing, view, int(counts[i])) for i, thing in enumerate(layout.things) if isinstance(thing, Thing)
    )
    paths = tuple(view.project(t.path_mm, t.width_mm / 2) for t in layout.things if isinstance(t, Cord))
    return Drawn(bent, labels, paths, owner)


def _table(layout: Layout, view: View) -> Image:
    if layout.tabletop is None:
        return np.full((view.height, view.width, 3), 128, np.uint8)
    half = np.array(layout.tabletop.shape[1::-1]) / 2 * layout.texel_mm
    mm_from_texel = np.array([[layout.texel_mm, 0, -half[0]], [0, -layout.texel_mm, half[1]], [0, 0, 1]])
    size = view.width, view.height
    matrix = view.plane() @ mm_from_texel
    return np.asarray(
        cv2.warpPerspective(layout.tabletop, matrix, size, flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REFLECT),
        np.uint8,
    )


def _thing(image: Image, owner: npt.NDArray[np.int32], index: int, thing: Thing, view: View, sun: Sun) -> None:
    outline = rounded(thing.outline_mm, thing.radius)
    top = view.straight(outline, thing.z_mm + thing.thickness_mm)
    bottom = view.straight(outline, thing.z_mm)
    centre = thing.outline_mm.mean(0)
    scale = view.px_per_mm((float(centre[0]), float(centre[1])))
    _shadow(image, outline, thing.z_mm, thing.thickness_mm, scale, view, sun)
    box = frame(np.concatenate([top, bottom]), 2 + thing.sleeve_mm * scale, view)
    if box is None:
        return
    if thing.sleeve_mm > 0:
        _sleeve(image, box, thing, view)
    if np.abs(top - bottom).max() > 0.7:
        _sides(image, owner, index, box, thing, top, bottom)
    patch, alpha = _face(thing, box, view)
    mask = coverage(box, top)
    if alpha is not None:
        mask = (mask.astype(np.uint16) * alpha // 255).astype(np.uint8)
    if thing.gloss > 0:
        patch = _glossy(patch, thing)
    blend(image, box, mask, patch)
    x0, y0, x1, y1 = box
    owner[y0:y1, x0:x1][mask > 127] = index


def _shadow(image: Image, outline: Outline, z: float, thickness: float, scale: float, view: View, sun: Sun) -> None:
    """Darken what lies under a thing: a tight dark rim where it touches, and the shadow that its height casts."""
    height = z + thickness
    shift = np.array(sun.offset) * height
    points = view.straight(np.concatenate([outline, outline + shift]))
    soft = max(0.6, (0.4 + sun.soft_mm * height) * scale)
    box = frame(points, 2.5 * soft, view)
    if box is None:
        return
    hull = cv2.convexHull(points.astype(np.float32))[:, 0].astype(float)
    mask = fill(box, [hull])
    darken(image, box, soften(mask, soft), sun.strength)


def _sleeve(image: Image, box: Box, thing: Thing, view: View) -> None:
    centre = thing.outline_mm.mean(0)
    reach = np.hypot(*(thing.outline_mm[0] - centre))
    grown = view.straight(
        centre + (thing.outline_mm - centre) * (1 + thing.sleeve_mm * 1.4 / reach), thing.z_mm + thing.thickness_mm
    )
    blend(image, box, fill(box, [grown]), (225, 225, 225), 0.12 + 0.2 * thing.gloss)
    edge = (grown * (1 << SHIFT)).round().astype(np.int32)
    cv2.polylines(image, [edge], True, (235, 235, 235) if thing.gloss > 0.3 else (150, 150, 150), 1, cv2.LINE_AA, SHIFT)


def _sides(
    image: Image,
    owner: npt.NDArray[np.int32],
    index: int,
    box: Box,
    thing: Thing,
    top: Array,
    bottom: Array,
) -> None:
    """Draw the visible side walls, each shaded by where it faces."""
    hull = cv2.convexHull(np.concatenate([top, bottom]).astype(np.float32))[:, 0].astype(float)
    colour = np.array(thing.side)
    mask = fill(box, [hull])
    blend(image, box, mask, colour * 0.62)
    if len(top) == 4:
        for k in range(4):
            n = (k + 1) % 4
            edge, rise = top[n] - top[k], bottom[k] - top[k]
            if edge[0] * rise[1] - edge[1] * rise[0] > 0:
                continue  # faces away
            shade = 0.62 + 0.28 * np.sin(np.arctan2(edge[1], edge[0]) + 0.7)
            blend(image, box, fill(box, [np.array([top[k], top[n], bottom[n], bottom[k]])]), colour * shade)
    x0, y0, x1, y1 = box
    owner[y0:y1, x0:x1][mask > 127] = _BARE  # a wall hides what lies behind, and is no face


def _face(thing: Thing, box: Box, view: View) -> tuple[npt.NDArray[np.float32], Mask | None]:
    """Warp a face into its patch; its alpha too, where it has one."""
    x0, y0, x1, y1 = box
    plane = view.plane(thing.z_mm + thing.thickness_mm)
    corners = view.straight(thing.outline_mm, thing.z_mm + thing.thickness_mm)
    face = _shrunk(thing.face, corners)
    height, width = face.shape[:2]
    right = (thing.outline_mm[1] - thing.outline_mm[0]) / width
    down = (thing.outline_mm[3] - thing.outline_mm[0]) / height
    origin = thing.outline_mm[0] + (right + down) / 2  # texel (0, 0) has its middle here
    mm_from_texel = np.array([[right[0], down[0], origin[0]], [right[1], down[1], origin[1]], [0, 0, 1]])
    matrix = np.array([[1, 0, -x0], [0, 1, -y0], [0, 0, 1.0]]) @ plane @ mm_from_texel
    size = x1 - x0, y1 - y0
    warped = cv2.warpPerspective(face, matrix, size, flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    alpha = np.asarray(warped[..., 3], np.uint8) if warped.shape[2] == 4 else None
    return warped[..., :3].astype(np.float32), alpha


def _shrunk(face: npt.NDArray[np.uint8], corners: Array) -> npt.NDArray[np.uint8]:
    """Shrink a face to about its size in the picture, so that sampling it does not alias."""
    wide = max(np.hypot(*(corners[1] - corners[0])), np.hypot(*(corners[2] - corners[3])), 2.0)
    tall = max(np.hypot(*(corners[3] - corners[0])), np.hypot(*(corners[2] - corners[1])), 2.0)
    height, width = face.shape[:2]
    if width < 1.3 * wide and height < 1.3 * tall:
        return face
    size = max(2, min(width, round(wide))), max(2, min(height, round(tall)))
    return np.asarray(cv2.resize(face, size, interpolation=cv2.INTER_AREA), np.uint8)


def _glossy(patch: npt.NDArray[np.float32], thing: Thing) -> npt.NDArray[np.float32]:
    """Return the patch with a soft band of reflected light across it."""
    height, width = patch.shape[:2]
    turn = float(np.arctan2(*(thing.outline_mm[1] - thing.outline_mm[0]))) + float(thing.outline_mm[0].sum())
    x, y = np.linspace(-1, 1, width, dtype=np.float32), np.linspace(-1, 1, height, dtype=np.float32)
    along = x[None, :] * np.float32(np.cos(turn)) + y[:, None] * np.float32(np.sin(turn))
    band = np.exp(-(((along - np.float32(np.sin(turn * 7) * 0.6)) / 0.35) ** 2)) * np.float32(thing.gloss)
    return np.asarray(patch + (250 - patch) * band[..., None], np.float32)


def _cord(image: Image, owner: npt.NDArray[np.int32], index: int, cord: Cord, view: View, sun: Sun) -> None:
    """Draw a round cord: shadow, body, a lit ridge, twisted strands."""
    path = np.concatenate([cord.path_mm, cord.path_mm[:1]]) if cord.closed else cord.path_mm
    centre = view.straight(path, cord.width_mm / 2)
    scale = view.px_per_mm((float(path[:, 0].mean()), float(path[:, 1].mean())))
    width = cord.width_mm * scale
    box = frame(centre, 3 + 2 * width, view)
    if box is None or len(centre) < 2:
        return
    shade = view.straight(path + np.array(sun.offset) * cord.width_mm / 2)
    shadow = soften(stroke(box, shade, width), max(0.6, width * 0.35))
    darken(image, box, shadow, sun.strength)
    body = stroke(box, centre, width)
    blend(image, box, body, np.array(cord.bgr) * 0.85)
    ridge = stroke(box, centre + np.array([-0.12, -0.18]) * width, width * 0.4)
    blend(image, box, ridge, np.minimum(np.array(cord.bgr) * 1.25 + 12, 255), 0.6)
    if cord.twist > 0 and width > 1.5:
        strands = stroke(box, centre, width * 0.8, every=2)
        blend(image, box, strands, np.array(cord.bgr) * 0.6, cord.twist)
    x0, y0, x1, y1 = box
    owner[y0:y1, x0:x1][body > 127] = index


def _label(index: int, thing: Thing, view: View, seen_px: int) -> Label:
    z = thing.z_mm + thing.thickness_mm
    polygon = view.straight(rounded(thing.outline_mm, thing.radius), z).astype(np.float32)
    area = max(float(abs(cv2.contourArea(polygon))), 1.0)
    return Label(index, thing.kind, view.project(thing.outline_mm, z), min(1.0, seen_px / area), thing.key)
