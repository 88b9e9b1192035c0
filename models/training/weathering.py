"""What light, lens, hands and time do to a printed face before it is read."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

from vision.crop import disc_only

Image = npt.NDArray[np.uint8]
Floats = npt.NDArray[np.float32]
Rng = np.random.Generator

LARGEST_PX = 84  # of the side in the photograph; the network sees 64


@dataclass(frozen=True)
class Weather:
    """How harsh it gets; every figure is a spread (standard deviation or largest value) of its own draw."""

    corner: float = 0.018  # of the side: error of each cut corner
    zoom: float = 0.03  # log: the cut is larger or smaller than the face
    rough_share: float = 0.22  # of crops: cut four times as carelessly
    smallest_px: int = 22  # of the side in the photograph
    cast: float = 0.18  # log gain of each channel
    exposure: float = 0.35  # log gain
    gamma: float = 0.22  # log
    slope: float = 0.35  # log gain across the face
    glare_share: float = 0.25
    cover_share: float = 0.3
    noise: float = 7.0  # grey levels
    blur: float = 0.9  # of a pixel in the photograph
    haze: float = 0.25  # largest share of contrast lost


HARSH = Weather()  # what it learns in
# what it is used in: pieces on a table under a webcam, faces scanned, faces enrolled with the same camera
TABLE = Weather(
    corner=0.01, zoom=0.01, rough_share=0.08, smallest_px=34, cast=0.14, exposure=0.3, gamma=0.15, slope=0.2,
    glare_share=0.15, cover_share=0.4, noise=5.0, blur=0.7, haze=0.15,
)  # fmt: skip
SCANNED = Weather(
    corner=0.004, zoom=0.004, rough_share=0.0, smallest_px=60, cast=0.03, exposure=0.06, gamma=0.05, slope=0.03,
    glare_share=0.0, cover_share=0.0, noise=2.0, blur=0.4, haze=0.02,
)  # fmt: skip
ENROLLED = Weather(
    corner=0.012, zoom=0.03, rough_share=0.1, smallest_px=45, cast=0.15, exposure=0.2, gamma=0.12, slope=0.15,
    glare_share=0.05, cover_share=0.0, noise=5.0, blur=0.8, haze=0.12,
)  # fmt: skip


def weathered(face: Image, weather: Weather, rng: Rng, side_px: int, disc: bool = False) -> Image:
    """Photograph a face (s, s, 3) and cut it out again, (side_px, side_px, 3)."""
    small = int(np.exp(rng.uniform(np.log(weather.smallest_px), np.log(LARGEST_PX))))
    tone = (np.arange(256) / 255) ** np.exp(rng.normal(0, weather.gamma))
    toned = cv2.LUT(face, (tone * 255).astype(np.uint8)).astype(np.uint8, copy=False)
    picture = _cut(toned, weather, rng, small)
    if rng.random() < weather.cover_share:
        picture = _covered(picture, rng)
    picture = _lit(picture, weather, rng)
    if rng.random() < weather.glare_share:
        picture = _glare(picture, rng)
    picture = _sensed(picture, weather, rng)
    how = cv2.INTER_AREA if small > side_px else cv2.INTER_LINEAR
    crop = cv2.resize(picture, (side_px, side_px), interpolation=how).clip(0, 255).astype(np.uint8)
    if rng.random() < 0.3 and weather.noise > 3:
        coded = cv2.imencode(".jpg", crop, [cv2.IMWRITE_JPEG_QUALITY, int(rng.integers(35, 90))])[1]
        crop = np.asarray(cv2.imdecode(coded, cv2.IMREAD_COLOR), dtype=np.uint8)
    return disc_only(crop) if disc else crop


def _cut(face: Image, weather: Weather, rng: Rng, small: int) -> Floats:
    """Warp the face by corner errors, show the table where the cut goes past the edge, and shrink."""
    side = face.shape[0]
    corner = weather.corner * (4 if rng.random() < weather.rough_share else 1)
    zoom = np.exp(rng.normal(0, weather.zoom * (3 if rng.random() < weather.rough_share else 1)))
    unit = np.array([[0, 0], [1, 0], [1, 1], [0, 1]], dtype=np.float32)
    seen = (unit - 0.5) * zoom + 0.5 + rng.normal(0, corner, (4, 2)).astype(np.float32)
    seen = seen + rng.normal(0, corner * 0.7, (1, 2)).astype(np.float32)
    warp = cv2.getPerspectiveTransform((unit * side - 0.5).astype(np.float32), (seen * small - 0.5).astype(np.float32))
    softened = cv2.GaussianBlur(face, (0, 0), 0.45 * side / small) if side > 1.3 * small else face
    table = tuple(float(v) for v in rng.integers(0, 256, 3))
    if rng.random() < 0.4:
        return cv2.warpPerspective(softened, warp, (small, small), borderMode=cv2.BORDER_REPLICATE).astype(np.float32)
    return cv2.warpPerspective(softened, warp, (small, small), borderValue=table).astype(np.float32)


def _covered(picture: Floats, rng: Rng) -> Floats:
    """Lay something on the face: a cube or counter, another card's edge, a string, a finger."""
    size = picture.shape[0]
    strength = rng.choice([rng.integers(150, 256), rng.integers(0, 60)])
    hsv = np.array([[[rng.integers(180), strength, rng.integers(30, 256)]]], dtype=np.uint8)
    ink = cv2.cvtColor(hsv, cv2.COLOR_HSV2BGR)[0, 0].astype(np.float32)
    canvas = picture.copy()
    kind = int(rng.integers(6))
    centre = rng.uniform(0.15, 0.85, 2) * size
    if kind <= 2:
        _cube(canvas, centre, ink, rng)
    elif kind == 3:
        radius = int(rng.uniform(0.08, 0.18) * size)
        cv2.circle(canvas, centre.astype(int).tolist(), radius, ink.tolist(), -1, cv2.LINE_AA)
    elif kind == 4:
        _edge(canvas, ink, rng)
    else:
        ends = (rng.uniform(-0.2, 1.2, (2, 2)) * size).astype(int).tolist()
        thick = max(1, int(rng.uniform(0.03, 0.14) * size))
        cv2.line(canvas, ends[0], ends[1], ink.tolist(), thick, cv2.LINE_AA)
    return canvas


def _cube(canvas: Floats, centre: npt.NDArray[np.float64], ink: Floats, rng: Rng) -> None:
    """Draw a cube with a darker side into a picture of our own."""
    size = canvas.shape[0]
    half, turn = rng.uniform(0.1, 0.2) * size, rng.uniform(0, np.pi / 2)
    angles = turn + np.arange(4) * np.pi / 2
    square = centre + half * np.stack([np.cos(angles), np.sin(angles)], 1)
    drop = rng.uniform(-0.12, 0.12, 2) * size
    hull = cv2.convexHull(np.concatenate([square, square + drop]).astype(np.float32)).astype(np.int32)
    cv2.fillConvexPoly(canvas, hull, (ink * 0.6).tolist(), cv2.LINE_AA)
    cv2.fillConvexPoly(canvas, square.astype(np.int32), ink.tolist(), cv2.LINE_AA)


def _edge(canvas: Floats, ink: Floats, rng: Rng) -> None:
    """Draw another card's edge into a picture of our own."""
    size = canvas.shape[0]
    angle, reach = rng.uniform(0, 2 * np.pi), rng.uniform(0.25, 0.48) * size
    out = np.array([np.cos(angle), np.sin(angle)])
    along = 2 * size * np.array([-out[1], out[0]])
    near = np.full(2, size / 2) + out * reach
    edge = np.stack([near - along, near + along, near + along + out * size, near - along + out * size])
    cv2.fillConvexPoly(canvas, edge.astype(np.int32), ink.tolist(), cv2.LINE_AA)


def _lit(picture: Floats, weather: Weather, rng: Rng) -> Floats:
    """Light the face: a cast, an exposure, a slope across it, haze, and now and then a shadow's edge."""
    size = picture.shape[0]
    gain = np.exp(rng.normal(0, weather.cast, 3) + rng.normal(0, weather.exposure)).astype(np.float32)
    ramp = np.linspace(-0.5, 0.5, size, dtype=np.float32)
    slope = rng.normal(0, weather.slope, 2).astype(np.float32)
    log = slope[0] * ramp[None, :] + slope[1] * ramp[:, None]
    if rng.random() < weather.slope:
        angle, where = rng.uniform(0, 2 * np.pi), rng.uniform(-0.4, 0.4)
        side = np.cos(angle) * ramp[None, :] + np.sin(angle) * ramp[:, None] - where
        log = log - rng.uniform(0.1, 0.9) / (1 + np.exp(-side * rng.uniform(8, 60)))
    lit = picture * (np.exp(log)[..., None] * (gain / 255))
    grey = lit.mean(axis=2, keepdims=True)
    lit = grey + (lit - grey) * np.float32(np.exp(rng.normal(-0.1, weather.cast)))
    haze = np.float32(rng.uniform(0, weather.haze))
    return np.asarray((lit * (1 - haze) + haze * rng.uniform(0.2, 0.9)) * 255, dtype=np.float32)


def _glare(picture: Floats, rng: Rng) -> Floats:
    """Add a soft reflection of a lamp or window."""
    size = picture.shape[0]
    ramp = np.linspace(0, 1, size, dtype=np.float32)
    x, y = rng.uniform(-0.1, 1.1, 2)
    wide, tall = rng.uniform(0.05, 0.45, 2)
    spot = np.exp(-((((ramp[None, :] - x) / wide) ** 2 + ((ramp[:, None] - y) / tall) ** 2) ** rng.uniform(0.7, 2.5)))
    tint = rng.uniform(0.85, 1.0, 3) * rng.uniform(40, 260)
    return np.asarray(picture + spot[..., None] * tint, dtype=np.float32)


def _sensed(picture: Floats, weather: Weather, rng: Rng) -> Floats:
    """Blur (soft or by motion), clip, add noise of pixels and of colour patches."""
    size = picture.shape[0]
    blur = abs(rng.normal(0, weather.blur)) * max(1.0, size / 64) + 0.2
    seen = cv2.GaussianBlur(picture, (0, 0), blur)
    if rng.random() < 0.1 and weather.blur > 0.8:
        length = int(rng.integers(2, max(3, size // 10)))
        kernel = np.zeros((length, length), dtype=np.float32)
        cv2.line(kernel, (0, int(rng.integers(length))), (length - 1, int(rng.integers(length))), 1.0)
        seen = cv2.filter2D(seen, -1, kernel / kernel.sum())
    level = abs(rng.normal(0, weather.noise))
    grain = rng.standard_normal((size, size, 3), dtype=np.float32) * level
    patches = rng.standard_normal((max(2, size // 4), max(2, size // 4), 3), dtype=np.float32) * level * 0.4
    patchy = cv2.resize(patches, (size, size), interpolation=cv2.INTER_LINEAR)
    return np.asarray(seen.clip(0, 255) + grain + patchy, dtype=np.float32)
