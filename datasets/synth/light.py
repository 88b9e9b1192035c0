"""What light, lens and sensor do to a picture."""

from __future__ import annotations

import cv2
import numpy as np

from synth.textures import Field, Image, Rng, gradient, smooth

SHOULDER = 170.0
"""Grey levels from which a camera with a mirrored lamp in view bends its curve, so as not to lose what is bright."""


def develop(rng: Rng, image: Image, *, harsh: float = 1.0, gloss: float = 0.0) -> Image:
    """Return the picture as a camera in some room would give it; `harsh` 0…1 scales how bad the room is.

    `gloss`: how likely, 0…1, what lies there mirrors a lamp so broadly that its faces fade.
    """
    size = image.shape[1], image.shape[0]
    lit = image.astype(np.float32) * _room(rng, *size, harsh)
    if rng.random() < 0.25 * harsh:
        lit *= _shade(rng, *size)[..., None]
    if rng.random() < 0.3 * harsh:
        lit += _glare(rng, *size)[..., None]
    if gloss and rng.random() < gloss:
        lit = _shouldered(lit + _sheen(rng, *size))
    lit *= _white_balance(rng, harsh)
    lit = _expose(rng, lit, harsh)
    lit = _blur(rng, lit, harsh)
    lit = _grain(rng, lit, harsh)
    return _compress(rng, np.clip(lit, 0, 255).astype(np.uint8), harsh)


def _room(rng: Rng, width: int, height: int, harsh: float) -> Field:
    """Draw uneven light, (height, width, 3): a ramp or lamps, each with its own colour."""
    depth = rng.uniform(0, 0.6) * harsh
    field = gradient(rng, width, height) if rng.random() < 0.5 else smooth(rng, width, height, 3)
    low = 1 - depth
    light = low + (1 - low) * field
    tint = 1 + rng.uniform(-0.25, 0.25, 3).astype(np.float32) * harsh * (rng.random() < 0.3)
    return np.asarray(light[..., None] * (1 + (tint - 1) * field[..., None]), np.float32)


def _shade(rng: Rng, width: int, height: int) -> Field:
    """Draw the shadow of something outside the picture: a person, a window's bars, low sun."""
    mask = np.ones((height, width), np.float32)
    side = max(width, height)
    for _ in range(rng.integers(1, 4)):
        middle, turn = rng.uniform(0, 1, 2) * (width, height), rng.uniform(0, np.pi)
        if rng.random() < 0.6:
            along = np.array([np.cos(turn), np.sin(turn)]) * side * 2
            across = np.array([-np.sin(turn), np.cos(turn)]) * side * rng.uniform(0.05, 0.4)
            points = np.array(
                [middle - along - across, middle + along - across, middle + along + across, middle - along + across]
            )
        else:
            points = middle + rng.normal(0, 0.35, (6, 2)) * side
        cv2.fillPoly(mask, [cv2.convexHull(points.round().astype(np.int32))], rng.uniform(0.3, 0.8))
    soft = side * rng.choice([0.003, 0.02, 0.06])
    return np.asarray(cv2.GaussianBlur(mask, (0, 0), max(0.5, float(soft))), np.float32)


def _glare(rng: Rng, width: int, height: int) -> Field:
    """Draw reflections of lamps: soft bright spots, one or two."""
    x, y = np.arange(width, dtype=np.float32)[None, :], np.arange(height, dtype=np.float32)[:, None]
    total = np.zeros((height, width), np.float32)
    for _ in range(rng.integers(1, 3)):
        cx, cy = rng.uniform(0, width), rng.uniform(0, height)
        r = rng.uniform(0.03, 0.25) * max(width, height)
        squeeze = rng.uniform(0.5, 2)
        total += np.float32(rng.uniform(40, 330)) * np.exp(
            -(((x - cx) / r) ** 2 + ((y - cy) / r * squeeze) ** 2), dtype=np.float32
        )
    return total


def _sheen(rng: Rng, width: int, height: int) -> Field:
    """Draw a lamp as coated cards mirror it, (height, width, 3): a long soft streak, not far from the middle."""
    x, y = np.arange(width, dtype=np.float32)[None, :], np.arange(height, dtype=np.float32)[:, None]
    cx, cy = rng.uniform(0.2, 0.8) * width, rng.uniform(0.2, 0.8) * height
    turn, long = rng.uniform(0, np.pi), rng.uniform(0.08, 0.25) * max(width, height)
    along = ((x - cx) * np.float32(np.cos(turn)) + (y - cy) * np.float32(np.sin(turn))) / np.float32(long)
    across = ((y - cy) * np.float32(np.cos(turn)) - (x - cx) * np.float32(np.sin(turn))) / np.float32(long)
    far = along**2 + (across * np.float32(rng.uniform(1, 3))) ** 2
    lamp = np.exp(-(far ** np.float32(rng.uniform(0.5, 1)))) * np.float32(rng.uniform(60, 220))
    return np.asarray(lamp[..., None] * (1 + rng.uniform(-0.12, 0.12, 3)), np.float32)


def _shouldered(lit: Field) -> Field:
    """Bend what is brighter than the shoulder towards white."""
    room = np.float32(255 - SHOULDER)
    over = np.maximum(lit - np.float32(SHOULDER), 0)
    return np.asarray(np.minimum(lit, SHOULDER) + room * (1 - np.exp(-over / room)), np.float32)


def _white_balance(rng: Rng, harsh: float) -> Field:
    """Draw the gains of a wrong white balance or a coloured bulb, (3,)."""
    spread = 0.06 if rng.random() < 0.75 else 0.25
    gains = np.exp(rng.normal(0, spread * harsh, 3)).astype(np.float32)
    return np.asarray(gains / gains.mean(), np.float32)


def _expose(rng: Rng, lit: Field, harsh: float) -> Field:
    """Set exposure, contrast and haze: dark rooms, blown-out tables."""
    kind = rng.random()
    gain = rng.uniform(0.7, 1.25) if kind < 0.6 else rng.uniform(0.15, 0.7) if kind < 0.85 else rng.uniform(1.2, 1.8)
    gain = gain**harsh
    gamma = np.exp(rng.normal(0, 0.2 * harsh))
    out = 255 * np.power(np.clip(lit * np.float32(gain), 0, 255) / 255, np.float32(gamma))
    if rng.random() < 0.3 * harsh:
        haze = rng.uniform(0, 70)
        out = haze + out * np.float32(1 - haze / 255 * rng.uniform(0.8, 1.5))
    return np.asarray(out, np.float32)


def _blur(rng: Rng, lit: Field, harsh: float) -> Field:
    kind = rng.random()
    if kind < 0.45:
        sigma = rng.uniform(0.3, 0.8)
    elif kind < 0.65 * (0.4 + 0.6 * harsh):
        sigma = rng.uniform(0.8, 1.8)
    elif kind > 1 - 0.1 * harsh:
        length = int(rng.integers(2, 6))
        kernel = np.zeros((length * 2 + 1, length * 2 + 1), np.float32)
        turn = rng.uniform(0, np.pi)
        tip = np.array([np.cos(turn), np.sin(turn)]) * length
        start, end = (length - tip).round().astype(int), (length + tip).round().astype(int)
        cv2.line(kernel, tuple(map(int, start)), tuple(map(int, end)), 1.0, 1)
        return np.asarray(cv2.filter2D(lit, -1, kernel / kernel.sum()), np.float32)
    else:
        return lit
    soft = np.asarray(cv2.GaussianBlur(lit, (0, 0), sigma), np.float32)
    sharpened = np.asarray(lit + (lit - soft) * 0.8, np.float32)
    return sharpened if rng.random() < 0.15 else soft  # some cameras sharpen too much


def _grain(rng: Rng, lit: Field, harsh: float) -> Field:
    sigma = rng.uniform(0, 4) if rng.random() < 0.75 else rng.uniform(4, 14) * harsh
    if sigma < 0.5:
        return lit
    noise = rng.standard_normal(lit.shape[:2], dtype=np.float32)[..., None] * np.float32(sigma)
    chroma = cv2.resize(
        rng.standard_normal((lit.shape[0] // 2, lit.shape[1] // 2, 3), dtype=np.float32), lit.shape[1::-1]
    )
    return np.asarray(lit + noise + chroma * np.float32(sigma * 0.5), np.float32)


def _compress(rng: Rng, image: Image, harsh: float) -> Image:
    if rng.random() < 0.3:
        return image
    quality = int(rng.integers(95 - round(60 * harsh), 96))
    _, data = cv2.imencode(".jpg", image, [cv2.IMWRITE_JPEG_QUALITY, quality])
    return np.asarray(cv2.imdecode(data, cv2.IMREAD_COLOR), np.uint8)
