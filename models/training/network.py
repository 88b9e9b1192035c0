"""The detector's network: an Ultralytics backbone and neck under a head of our own, and its loss.

A square turned by 90° is the same square, so a head that regresses an angle must jump somewhere, and pieces near the
jump come out wrong. This one regresses seven numbers that never jump: the centre, the symmetric matrix S of the piece's
extent (log size and two numbers of stretch), and the turn of the unit square before S stretches it, as a vector at four
times its angle. The corners are centre + S · R(turn) · (±1, ±1): any parallelogram, which is what a tilted camera makes
of a card.
"""

from __future__ import annotations

import copy
import os
import warnings
from pathlib import Path
from typing import Any

os.environ.update(ULTRALYTICS_SAFE_LOAD="true", YOLO_AUTOINSTALL="false", YOLO_OFFLINE="true")

import torch
import ultralytics
import yaml  # type: ignore[import-untyped]  # comes with ultralytics; its stubs do not
from torch import Tensor, nn
from ultralytics.nn.modules import Conv
from ultralytics.nn.tasks import OBBModel
from ultralytics.utils.tal import RotatedTaskAlignedAssigner, make_anchors

CLASSES = 3
GEOMETRY = 7  # dx, dy, log size, stretch (p, q), turn (cos 4φ, sin 4φ)
STRIDES = (8, 16, 32)
BASE = 3.0  # a piece whose half extent is BASE strides has log size 0
HEAD_WIDTH = 32
SPREAD = 1 / 3  # variance of a uniform parallelogram along its half side, as ProbIoU takes it


class Detector(nn.Module):  # type: ignore[misc]  # torch is Any here: it is no part of the run time
    """The network; `family` is 11 or 26, `width` its channels against Ultralytics' full size."""

    def __init__(self, family: str = "11", width: float = 0.25) -> None:
        super().__init__()
        path = Path(ultralytics.__file__).parent / f"cfg/models/{family}/yolo{family}-obb.yaml"
        plan = yaml.safe_load(path.read_text(encoding="utf-8"))
        plan["scales"], plan["scale"] = {"n": [0.5, width, 1024]}, "n"
        whole = OBBModel(copy.deepcopy(plan), ch=3, nc=CLASSES, verbose=False)
        self.taps: list[int] = list(whole.model[-1].f)
        self.layers = nn.ModuleList(list(whole.model)[:-1])
        self.heads = nn.ModuleList(Head(c) for c in _channels(self))

    def features(self, images: Tensor) -> list[Tensor]:
        """Run backbone and neck: (b, 3, h, w) in 0…1 → maps at strides 8, 16, 32."""
        outputs: list[Tensor] = []
        x = images
        for layer in self.layers:
            sources = [layer.f] if isinstance(layer.f, int) else layer.f
            inputs = [x if s == -1 else outputs[s] for s in sources]
            x = layer(inputs[0] if isinstance(layer.f, int) else inputs)
            outputs.append(x)
        return [outputs[i] for i in self.taps]

    def forward(self, images: Tensor) -> Tensor:
        """Return (b, 10, anchors): class logits, then the geometry, raw; anchors by stride, row by row."""
        maps = [head(x) for head, x in zip(self.heads, self.features(images), strict=True)]
        return torch.cat([m.flatten(2) for m in maps], 2)


class Head(nn.Module):  # type: ignore[misc]  # as above
    """Classes and geometry at each place of one map."""

    def __init__(self, channels: int) -> None:
        super().__init__()
        self.trunk = Conv(channels, HEAD_WIDTH, 3)
        self.kinds = nn.Sequential(Conv(HEAD_WIDTH, HEAD_WIDTH, 3), nn.Conv2d(HEAD_WIDTH, CLASSES, 1))
        self.shape = nn.Sequential(Conv(HEAD_WIDTH, HEAD_WIDTH, 3), nn.Conv2d(HEAD_WIDTH, GEOMETRY, 1))
        nn.init.constant_(self.kinds[-1].bias, -4.6)  # at first, 1% of places hold a piece

    def forward(self, x: Tensor) -> Tensor:
        """(b, c, h, w) → (b, 10, h, w)."""
        x = self.trunk(x)
        return torch.cat([self.kinds(x), self.shape(x)], 1)


def _channels(network: Detector) -> list[int]:
    with torch.no_grad():
        return [int(m.shape[1]) for m in network.eval().features(torch.zeros(1, 3, 64, 64))]


def anchors(height: int, width: int) -> tuple[Tensor, Tensor]:
    """Return the places' middles (a, 2) in px and their strides (a, 1)."""
    sizes = [torch.empty(1, 1, height // s, width // s) for s in STRIDES]
    points, strides = make_anchors(sizes, torch.tensor(STRIDES), 0.5)
    return points * strides, strides


def covariance(geometry: Tensor, points: Tensor, strides: Tensor) -> tuple[Tensor, Tensor]:
    """Decode raw geometry (b, a, 7) to centres (b, a, 2) and extents (b, a, 3): S·Sᵀ as xx, yy, xy, px²."""
    centre = points + geometry[..., :2] * strides
    size = (BASE * strides * geometry[..., 2:3].clamp(-4, 4).exp()) ** 2
    p, q = geometry[..., 3:4], geometry[..., 4:5]
    scale = 1 / (1 + (p * p + q * q)).sqrt()  # keeps the stretch below 1, so the matrix is positive
    p, q = p * scale, q * scale
    return centre, torch.cat([size * (1 + p), size * (1 - p), size * q], -1)


class Loss:
    """Task-aligned assignment, then classes by cross-entropy and geometry by ProbIoU and plain distance."""

    def __init__(self) -> None:
        self.assigner = RotatedTaskAlignedAssigner(
            topk=10, num_classes=CLASSES, alpha=0.5, beta=6.0, stride=list(STRIDES)
        )

    def __call__(self, raw: Tensor, truths: list[Tensor], height: int, width: int) -> tuple[Tensor, dict[str, float]]:
        """Return the loss of raw outputs (b, 10, a) against truths: a list of (n, 9) class and corners in px."""
        points, strides = anchors(height, width)
        raw = raw.transpose(1, 2)
        logits, geometry = raw[..., :CLASSES], raw[..., CLASSES:]
        centre, extent = covariance(geometry, points, strides)
        labels, boxes, corners, mask = _pad(truths)
        with torch.no_grad():
            guess = torch.cat([centre, _as_box(extent)], -1)
            _, _, scores, positive, which = self.assigner(logits.sigmoid(), guess, points, labels, boxes, mask)
        total = scores.sum().clamp(min=1)
        kinds = nn.functional.binary_cross_entropy_with_logits(logits, scores, reduction="sum") / total
        if not positive.any():
            return kinds + raw.sum() * 0, {"kinds": float(kinds.detach())}
        batch, place = positive.nonzero(as_tuple=True)
        target, weight = corners[batch, which[batch, place]], scores[batch, place].sum(-1)
        disc = labels[batch, which[batch, place], 0] == 1
        overlap, plain, turn = _distances(
            geometry[batch, place],
            centre[batch, place],
            extent[batch, place],
            target,
            disc,
            points[place],
            strides[place],
        )
        parts = {"kinds": kinds}
        for name, value, gain in (("overlap", overlap, 5.0), ("plain", plain, 2.0), ("turn", turn, 1.0)):
            parts[name] = gain * (value * weight).sum() / total
        return torch.stack(list(parts.values())).sum(), {k: float(v.detach()) for k, v in parts.items()}


def _pad(truths: list[Tensor]) -> tuple[Tensor, Tensor, Tensor, Tensor]:
    """Stack truths: labels (b, n, 1), boxes xywhr (b, n, 5), corners (b, n, 4, 2), which are real (b, n, 1)."""
    most = max(1, *(len(t) for t in truths))
    labels, boxes = torch.zeros(len(truths), most, 1), torch.zeros(len(truths), most, 5)
    corners, mask = torch.zeros(len(truths), most, 4, 2), torch.zeros(len(truths), most, 1)
    for i, truth in enumerate(truths):
        n = len(truth)
        labels[i, :n, 0], mask[i, :n] = truth[:, 0], 1
        quad = truth[:, 1:].reshape(n, 4, 2)
        corners[i, :n] = quad
        u, v = _half_sides(quad)
        boxes[i, :n, :2] = quad.mean(1)
        boxes[i, :n, 2], boxes[i, :n, 3] = 2 * u.norm(dim=-1), 2 * v.norm(dim=-1)
        boxes[i, :n, 4] = torch.atan2(u[:, 1], u[:, 0])
    return labels, boxes, corners, mask


def _half_sides(quad: Tensor) -> tuple[Tensor, Tensor]:
    """Return the mean half side vectors u, v (n, 2) of corners (n, 4, 2)."""
    return (quad[:, 1] - quad[:, 0] + quad[:, 2] - quad[:, 3]) / 4, (
        quad[:, 3] - quad[:, 0] + quad[:, 2] - quad[:, 1]
    ) / 4


def _as_box(extent: Tensor) -> Tensor:
    """Turn extents (…, 3) into the width, height and angle (…, 3) of the box of the same covariance."""
    xx, yy, xy = extent.unbind(-1)
    middle, half = (xx + yy) / 2, (((xx - yy) / 2) ** 2 + xy**2).sqrt()
    long, short = (middle + half).sqrt(), (middle - half).clamp(min=1e-4).sqrt()
    return torch.stack([2 * long, 2 * short, torch.atan2(2 * xy, xx - yy) / 2], -1)


def _distances(
    geometry: Tensor, centre: Tensor, extent: Tensor, quad: Tensor, disc: Tensor, points: Tensor, strides: Tensor
) -> tuple[Tensor, Tensor, Tensor]:
    """Return three distances (n,) of each prediction from its truth: ProbIoU's, of the raw numbers, of the turn."""
    u, v = _half_sides(quad)
    middle = quad.mean(1)
    xx, yy = u[:, 0] ** 2 + v[:, 0] ** 2, u[:, 1] ** 2 + v[:, 1] ** 2
    xy = u[:, 0] * u[:, 1] + v[:, 0] * v[:, 1]
    true = torch.stack([xx, yy, xy], -1)
    size = ((xx + yy) / 2).sqrt()
    plain = nn.functional.smooth_l1_loss(
        torch.stack(
            [
                (centre[:, 0] - middle[:, 0]) / size * 2,
                (centre[:, 1] - middle[:, 1]) / size * 2,
                ((extent[:, 0] + extent[:, 1]) / 2).sqrt().log() - size.log(),
                (extent[:, 0] - extent[:, 1]) / (extent[:, 0] + extent[:, 1]) - (xx - yy) / (xx + yy),
                2 * extent[:, 2] / (extent[:, 0] + extent[:, 1]) - 2 * xy / (xx + yy),
            ],
            -1,
        ),
        torch.zeros(len(quad), 5),
        reduction="none",
        beta=0.05,
    ).sum(-1)
    turn = 4 * _turn(u, v, true)
    wanted = torch.stack([turn.cos(), turn.sin()], -1)
    apart = nn.functional.smooth_l1_loss(geometry[:, 5:7], wanted, reduction="none", beta=0.2).sum(-1)
    return _hellinger(centre, extent, middle, true), plain, apart * (~disc)


def _turn(u: Tensor, v: Tensor, extent: Tensor) -> Tensor:
    """Return the turn φ (n,) with [u v] = S · R(φ), where S is the symmetric root of the extents."""
    xx, yy, xy = extent.unbind(-1)
    root = (xx * yy - xy**2).clamp(min=1e-6).sqrt()  # det S
    # S = (M + det(S)·I) / t, so S⁻¹ is proportional to adj(S): enough for an angle
    a, b, c = yy + root, xx + root, -xy
    x, y = a * u[:, 0] + c * u[:, 1], c * u[:, 0] + b * u[:, 1]
    return torch.atan2(y, x)


def _hellinger(centre: Tensor, extent: Tensor, middle: Tensor, true: Tensor) -> Tensor:
    """Return 1 - ProbIoU of two Gaussians (Llerena et al., 2021), (n,)."""
    (a1, b1, c1), (a2, b2, c2) = (extent * SPREAD).unbind(-1), (true * SPREAD).unbind(-1)
    a, b, c = a1 + a2, b1 + b2, c1 + c2
    dx, dy = (centre - middle).unbind(-1)
    det = (a * b - c * c).clamp(min=1e-6)
    far = (a * dy * dy + b * dx * dx - 2 * c * dx * dy) / det / 4
    own = ((a1 * b1 - c1 * c1).clamp(min=1e-6) * (a2 * b2 - c2 * c2).clamp(min=1e-6)).sqrt()
    apart = (far + 0.5 * (det / (4 * own)).clamp(min=1e-6).log()).clamp(1e-5, 100)
    return (1 - (-apart).exp() + 1e-6).sqrt()


def export(network: Detector, path: Path) -> None:
    """Write the network as ONNX.

    `images` (1, 3, h, w) in 0…1, BGR, sides multiples of 32 → `raw` (1, 10, anchors), the first three rows 0…1.
    """
    network = copy.deepcopy(network).eval().to(memory_format=torch.contiguous_format)
    for module in network.modules():
        if isinstance(module, Conv):
            fuse(module)
    axes = {"images": {2: "height", 3: "width"}, "raw": {2: "anchors"}}
    example = torch.zeros(1, 3, 320, 416)
    options: dict[str, Any] = {"input_names": ["images"], "output_names": ["raw"], "dynamic_axes": axes}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # the exporter that needs no further package is called legacy
        torch.onnx.export(Exported(network), (example,), str(path), opset_version=17, dynamo=False, **options)


class Exported(nn.Module):  # type: ignore[misc]  # as above
    """The network as the run time wants it: class probabilities in place of logits."""

    def __init__(self, network: Detector) -> None:
        super().__init__()
        self.network = network

    def forward(self, images: Tensor) -> Tensor:
        """(1, 3, h, w) → (1, 10, a)."""
        raw = self.network(images)
        return torch.cat([raw[:, :CLASSES].sigmoid(), raw[:, CLASSES:]], 1)


def fuse(module: Conv) -> None:
    """Fold a convolution's batch norm into it (in place)."""
    from ultralytics.utils.torch_utils import fuse_conv_and_bn

    if hasattr(module, "bn"):
        module.conv = fuse_conv_and_bn(module.conv, module.bn)
        del module.bn
        module.forward = module.forward_fuse
