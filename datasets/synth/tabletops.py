"""Table tops: wood, cloth, carpet, tiles, stone, leather, deck boards, prints, play mats."""

from __future__ import annotations

import cv2
import numpy as np

from synth.photos import photo
from synth.pictures import Pictures, paste
from synth.textures import Image, Rng, colour, fractal, gradient, mix, pattern, smooth

SIDE_PX = 384  # a table top is drawn this large, and laid under the pieces by the view's homography


def tabletop(rng: Rng, pictures: Pictures, side: int = SIDE_PX) -> Image:
    """Draw one random table top, square, to be seen in perspective."""
    painters = (plain, wood, boards, carpet, weave, tiles, stone, leather, stripes, printed_cloth, mat)
    weights = np.array([0.17, 0.22, 0.07, 0.12, 0.1, 0.11, 0.05, 0.04, 0.02, 0.07, 0.03])
    return painters[rng.choice(len(painters), p=weights / weights.sum())](rng, pictures, side)


def _speckle(rng: Rng, image: Image, strength: float, blur: float = 0.0) -> Image:
    """Return the picture with fine grain."""
    grain = rng.standard_normal(image.shape[:2], dtype=np.float32)
    if blur > 0:
        grain = np.asarray(cv2.GaussianBlur(grain, (0, 0), blur), np.float32)
        grain /= max(float(grain.std()), 1e-6)
    return np.clip(image + grain[..., None] * strength, 0, 255).astype(np.uint8)


def plain(rng: Rng, pictures: Pictures, side: int) -> Image:
    """Draw a top of one colour: white or dark desk, painted wood, neoprene."""
    base = colour(rng, value=(0.05, 1), saturation=(0, 0.7))
    if rng.random() < 0.35:
        base = np.float32(rng.choice([20, 240])) + rng.uniform(-15, 15, 3).astype(np.float32)
    image = mix(fractal(rng, side, side, rng.uniform(2, 30)), base, base * rng.uniform(0.8, 1.0))
    return _speckle(rng, image, rng.uniform(0, 6), rng.choice([0, 0.7]))


def _wood_colours(rng: Rng) -> tuple[np.ndarray, np.ndarray]:
    hue, saturation, value = rng.uniform(8, 40), rng.uniform(0.1, 0.75), rng.uniform(0.2, 0.95)
    marks = [hue - 4, min(1, saturation * 1.2), value * rng.uniform(0.35, 0.9)]
    hsv = np.array([[[hue, saturation, value], marks]], np.float32)
    light, dark = np.asarray(cv2.cvtColor(hsv, cv2.COLOR_HSV2BGR)[0] * 255, np.float32)
    return light, dark


def wood(rng: Rng, pictures: Pictures, side: int) -> Image:
    """Draw wood: long fibres over slow rings, seldom strongly marked."""
    light, dark = _wood_colours(rng)
    slow = smooth(rng, side, side, rng.uniform(3, 10), stretch=rng.uniform(3, 12))
    rings = 0.5 + 0.5 * np.sin(slow * rng.uniform(5, 50))
    fibre = fractal(rng, side, side, rng.uniform(40, 140), octaves=3, stretch=rng.uniform(8, 40))
    share = rng.uniform(0, 0.7)
    image = mix(np.clip(rings * share + fibre * (1 - share), 0, 1), light, dark)
    return _speckle(rng, image, rng.uniform(0, 7), 0.5)


def boards(rng: Rng, pictures: Pictures, side: int) -> Image:
    """Draw planks with dark gaps between them: a deck, a floor, a bench."""
    image = wood(rng, pictures, side)
    plank = round(side / rng.uniform(2, 9))
    gap, depth = max(1, round(plank * rng.uniform(0.01, 0.07))), rng.uniform(0.15, 0.7)
    for y in range(int(rng.integers(plank)), side, plank):
        shade = rng.uniform(0.75, 1.2)
        image[y : y + plank] = np.clip(image[y : y + plank] * shade, 0, 255).astype(np.uint8)
        image[y : y + gap] = (image[y : y + gap] * depth).astype(np.uint8)
        for x in rng.integers(0, side, int(rng.integers(0, 4))):
            cv2.circle(image, (int(x), y + plank // 4), 1 + plank // 40, (40, 40, 45), -1)
    return image


def carpet(rng: Rng, pictures: Pictures, side: int) -> Image:
    """Draw carpet: coarse strong grain, perhaps flecked or striped."""
    base = colour(rng, value=(0.15, 0.9), saturation=(0.05, 0.5))
    image = mix(fractal(rng, side, side, rng.uniform(60, 190), octaves=2), base * rng.uniform(0.25, 0.7), base * 1.15)
    if rng.random() < 0.3:
        ramp = pattern(rng, side, side)[..., None]
        image = np.clip(image * (1 - ramp * rng.uniform(0.3, 0.9)), 0, 255).astype(np.uint8)
    return _speckle(rng, image, rng.uniform(5, 28), rng.uniform(0.5, 1.6))


def weave(rng: Rng, pictures: Pictures, side: int) -> Image:
    """Draw woven cloth, perhaps checked."""
    base = colour(rng, value=(0.15, 1), saturation=(0, 0.8))
    x = np.arange(side, dtype=np.float32)
    thread = np.sin(x * np.float32(2 * np.pi / rng.uniform(2.5, 6)))
    field = 0.5 + 0.25 * thread[None, :] * thread[:, None] + 0.25 * (fractal(rng, side, side, 60, octaves=2) - 0.5)
    image = mix(np.clip(field, 0, 1), base * rng.uniform(0.6, 0.9), base)
    if rng.random() < 0.45:
        period = side / rng.uniform(4, 20)
        band = ((x % period) < period * rng.uniform(0.2, 0.6)).astype(np.float32)
        other = colour(rng)
        share = ((band[None, :] + band[:, None]) * 0.5)[..., None] * rng.uniform(0.3, 1)
        image = (image + (other - image) * share).astype(np.uint8)
    return image


def tiles(rng: Rng, pictures: Pictures, side: int) -> Image:
    """Draw a tiled floor or worktop, with grout."""
    base, grout = colour(rng, value=(0.3, 1), saturation=(0, 0.4)), colour(rng, value=(0.2, 0.95), saturation=(0, 0.2))
    image = mix(fractal(rng, side, side, rng.uniform(4, 20), octaves=5), base, base * rng.uniform(0.6, 0.95))
    step_x = round(side / rng.uniform(1.5, 7))
    step_y = step_x if rng.random() < 0.7 else max(8, step_x // 2)
    thick = max(1, round(step_x * rng.uniform(0.01, 0.06)))
    for x in range(int(rng.integers(step_x)), side, step_x):
        cv2.line(image, (x, 0), (x, side), grout.tolist(), thick, cv2.LINE_AA)
    for y in range(int(rng.integers(step_y)), side, step_y):
        cv2.line(image, (0, y), (side, y), grout.tolist(), thick, cv2.LINE_AA)
    return _speckle(rng, image, rng.uniform(0, 6), 0.8)


def stone(rng: Rng, pictures: Pictures, side: int) -> Image:
    """Draw granite or marble."""
    field = fractal(rng, side, side, rng.uniform(3, 12), octaves=6)
    if rng.random() < 0.5:
        field = np.abs(field - 0.5) * rng.uniform(1.5, 6)
    base = colour(rng, value=(0.2, 1), saturation=(0, 0.35))
    image = mix(np.clip(field, 0, 1), base, colour(rng, value=(0.1, 1), saturation=(0, 0.3)))
    return _speckle(rng, image, rng.uniform(0, 30), rng.uniform(0.4, 1.2))


def leather(rng: Rng, pictures: Pictures, side: int) -> Image:
    """Draw leather or crumpled cloth: dark, with creases that catch the light."""
    base = colour(rng, value=(0.05, 0.45), saturation=(0, 0.6))
    field = fractal(rng, side, side, rng.uniform(3, 8), octaves=4)
    slope = cv2.Sobel(cv2.GaussianBlur(field, (0, 0), 2), cv2.CV_32F, 1, 0, ksize=5)
    image = np.clip(base * (1 + slope[..., None] * rng.uniform(0.5, 3)), 0, 255).astype(np.uint8)
    return _speckle(rng, image, rng.uniform(0, 6), 0.7)


def stripes(rng: Rng, pictures: Pictures, side: int) -> Image:
    """Draw a rug or cloth of stripes or other regular pattern."""
    image = mix(pattern(rng, side, side), colour(rng), colour(rng))
    return _speckle(rng, image, rng.uniform(2, 25), rng.uniform(0.5, 1.2))


def printed_cloth(rng: Rng, pictures: Pictures, side: int) -> Image:
    """Draw a cloth with pictures printed on it, some of them in boxes: none of these is a piece."""
    base = colour(rng, value=(0.3, 1), saturation=(0, 0.7))
    image = mix(gradient(rng, side, side), base, base * 0.95)
    motifs = [pictures.draw(rng) for _ in range(rng.integers(1, 6))]
    step = side / rng.uniform(3, 9)
    aligned = rng.random() < 0.4
    for row in range(int(side / step) + 1):
        for column in range(int(side / step) + 1):
            loose = 0.0 if aligned else 0.35
            place = (column + rng.uniform(-loose, loose)) * step, (row + rng.uniform(-loose, loose)) * step
            motif = motifs[rng.integers(len(motifs))]
            if not aligned:
                motif = np.ascontiguousarray(np.rot90(motif, int(rng.integers(4))))
            size = step * rng.uniform(0.5, 0.9)
            paste(image, motif, place, (size, size * motif.shape[0] / motif.shape[1]))
    return _speckle(rng, image, rng.uniform(0, 10), 0.6)


def mat(rng: Rng, pictures: Pictures, side: int) -> Image:
    """Draw a play mat: one large picture, lettering."""
    image = photo(rng, pictures, side, side)
    if rng.random() < 0.5:
        words = "".join(chr(c) for c in rng.integers(65, 91, int(rng.integers(4, 12))))
        cv2.putText(
            image,
            words,
            (side // 8, side // 2),
            cv2.FONT_HERSHEY_DUPLEX,
            side / 160,
            colour(rng).tolist(),
            3,
            cv2.LINE_AA,
        )
    return image
