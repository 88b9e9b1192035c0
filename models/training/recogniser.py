"""Train the recogniser's embedding network: faces that look alike land far apart, one face in any light together.

    python -m training.recogniser --art /usr/share/openclipart/png --minutes 35 --out runs/recogniser

Each step is a new table: one random deck, every face in two of its turns as a reference and once more as harsh light,
blur, glare, a hand or a bad cut leave it. The network must name the second by the first, among all faces and turns of
that deck, or say that it is none of them where its reference was taken away. A reference counts by its direction
alone; a query's length is free, and is how sure the network is of it.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt
import torch
from torch import nn

from measuring.calibration import Reliability
from training import calibration, embedding, facedecks
from training.embedding import INPUT_PX, Embedding, Naming, export, load, save
from training.weathering import ENROLLED, HARSH, SCANNED, TABLE, Weather, weathered
from vision.embedding import Embedder, directions, embedder
from vision.naming import Calibration

Image = npt.NDArray[np.uint8]
Floats = npt.NDArray[np.float32]
Rng = np.random.Generator

FACES = 44  # of a step's deck; each in two turns
TURNS = 2
POOL = 500  # drawn decks kept, to be shown again in another light
FRESH_SHARE = 0.3  # of steps: a new deck
FAIR_SHARE = 0.4  # of tables: no harsher than a webcam's
ALIEN_SHARE = 0.12  # of queries: their reference is taken away
TWIN_RMS = 2.5  # grey levels: faces closer than this are the same face
LEARNING_RATE = 2e-3
WARM_UP_SHARE = 0.05  # of the time
WEIGHT_DECAY = 0.02
VALIDATION_EVERY_S = 180
VALIDATION_DECKS = 8
JUDGED_DECKS = 200  # 9,000 readings leave the error half a percent of chance
CALIBRATION_DECKS = 100  # half to fit, half to judge: 50 decks are 2,500 readings, which leave the error 0.01 of chance
CALIBRATION_ALIENS = 0.03  # of the pieces on a table: not of the deck
HELD_BACK = 12  # every 12th picture is drawn in validation only


@dataclass(frozen=True)
class Table:
    """One step's crops: reference i and query i show the same face in the same turn."""

    references: Floats  # (n, 3, 64, 64)
    queries: Floats  # (n, 3, 64, 64)
    same: npt.NDArray[np.bool_]  # (n, n): classes that cannot be told apart
    alien: npt.NDArray[np.bool_]  # (n,): the query's reference is taken away


def lay(faces: Sequence[Image], rng: Rng, weather: Weather = HARSH, aliens: float = ALIEN_SHARE) -> Table:
    """Photograph a deck: references as scanned or enrolled, queries in that weather."""
    disc = bool(rng.random() < 0.06)
    enrolled = ENROLLED if rng.random() < 0.4 else SCANNED
    square = rng.random() < 0.65
    clean, references, queries = [], [], []
    for face in faces:
        turns = rng.permutation(4)[:TURNS] if square else (0, 2)
        for turn in turns:
            seen = np.ascontiguousarray(np.rot90(face, int(turn)))
            clean.append(seen)
            references.append(weathered(seen, enrolled, rng, INPUT_PX, disc))
            queries.append(weathered(seen, weather, rng, INPUT_PX, disc))
    return Table(_planes(references), _planes(queries), _same(clean), rng.random(len(clean)) < aliens)


def _planes(crops: Sequence[Image]) -> Floats:
    return np.ascontiguousarray(np.stack(crops).transpose(0, 3, 1, 2), dtype=np.float32)


def _same(clean: Sequence[Image]) -> npt.NDArray[np.bool_]:
    flat = np.stack(clean)[:, ::2, ::2].reshape(len(clean), -1).astype(np.float32)
    squares = (flat * flat).sum(axis=1)
    distance = squares[:, None] + squares[None, :] - 2 * flat @ flat.T
    return np.asarray(distance / flat.shape[1] < TWIN_RMS**2)


def tables(art: Sequence[Image], rng: Rng) -> Iterator[Table]:
    """Yield tables without end; decks are drawn now and then and shown again in other light."""
    pool: list[list[Image]] = []
    while True:
        if len(pool) < 20 or rng.random() < FRESH_SHARE:
            pool.append(facedecks.deck(rng, art, FACES))
            del pool[: max(0, len(pool) - POOL)]
            faces = pool[-1]
        else:
            faces = pool[int(rng.integers(len(pool)))]
        yield lay(faces, rng, TABLE if rng.random() < FAIR_SHARE else HARSH)


def loss_of(log_odds: torch.Tensor, table: Table) -> torch.Tensor:
    """Return the mean cross-entropy: each query's own reference or a twin of it; an alien's: none."""
    same, alien = torch.from_numpy(table.same), torch.from_numpy(table.alien)
    none = torch.zeros(len(same), 1, dtype=torch.bool)
    right = torch.cat([same & ~alien[:, None], none | alien[:, None]], dim=1)
    gone = torch.cat([same & alien[:, None], none], dim=1)
    log_odds = log_odds.masked_fill(gone, -1e4)
    wanted = log_odds.masked_fill(~right, -1e4).logsumexp(dim=1)
    return (log_odds.logsumexp(dim=1) - wanted).mean()


@torch.no_grad()  # type: ignore[untyped-decorator]  # torch is untyped here
def validate(network: Embedding, naming: Naming, checks: Sequence[Table]) -> dict[str, float]:
    """Return top-1 of queries with a reference, loss, and how many of the sure readings are right."""
    network.eval()
    right = total = sure = sure_right = 0
    losses = []
    for table in checks:
        queries, references = network(torch.from_numpy(table.queries)), network(torch.from_numpy(table.references))
        log_odds = naming(queries, references)
        losses.append(float(loss_of(log_odds, table)))
        best = log_odds.softmax(dim=1).max(dim=1)
        same = np.concatenate([table.same, np.zeros((len(table.same), 1), dtype=bool)], axis=1)
        good = same[np.arange(len(same)), best.indices.numpy()]
        known = ~table.alien
        confident = (best.values.numpy() >= 0.99) & known
        right, total = right + int(good[known].sum()), total + int(known.sum())
        sure, sure_right = sure + int(confident.sum()), sure_right + int(good[confident].sum())
    network.train()
    return {
        "top1": right / total,
        "loss": float(np.mean(losses)),
        "sure": sure / total,
        "sure_right": sure_right / max(sure, 1),
    }


def train(
    art: Sequence[Image],
    unseen: Sequence[Image],
    minutes: float,
    out: Path,
    seed: int,
    resume: Path | None = None,
    highest_rate: float = LEARNING_RATE,
) -> None:
    """Train for a set time; the rate falls to zero at its end. Writes last.pt and log.txt under `out`."""
    torch.manual_seed(seed)
    checks = validation(unseen)
    network, naming = load(resume) if resume else (Embedding(), Naming())
    network.train().to(memory_format=torch.channels_last)
    parameters = [*network.parameters(), *naming.parameters()]
    optimiser = torch.optim.AdamW(parameters, lr=highest_rate, weight_decay=WEIGHT_DECAY)
    stream, start, shown = tables(art, np.random.default_rng(seed)), time.monotonic(), 0.0
    with (out / "log.txt").open("a", encoding="utf-8", buffering=1) as log:
        print(f"{len(art)} pictures, {len(unseen)} held back", file=log)
        for step, table in enumerate(stream):
            done = (time.monotonic() - start) / (60 * minutes)
            if done >= 1:
                break
            rate = highest_rate * min(done / WARM_UP_SHARE, (1 - done) / (1 - WARM_UP_SHARE)) + 1e-6
            for group in optimiser.param_groups:
                group["lr"] = rate
            value = _step(network, naming, optimiser, parameters, table)
            if step == 0 or time.monotonic() - shown > VALIDATION_EVERY_S:
                shown = time.monotonic()
                print(f"{done:.3f} step {step} loss {value:.3f} {validate(network, naming, checks)}", file=log)
                save(network, naming, out / "last.pt")
        print(f"end step {step} {validate(network, naming, checks)}", file=log)
    save(network, naming, out / "last.pt")


def _step(
    network: Embedding, naming: Naming, optimiser: torch.optim.Optimizer, parameters: list[nn.Parameter], table: Table
) -> float:
    crops = torch.from_numpy(np.concatenate([table.queries, table.references])).contiguous(
        memory_format=torch.channels_last
    )
    queries, references = network(crops).chunk(2)
    loss = loss_of(naming(queries, references), table)
    optimiser.zero_grad(set_to_none=True)
    loss.backward()
    nn.utils.clip_grad_norm_(parameters, 1.0)
    optimiser.step()
    return float(loss.detach())


def split(art: Sequence[Image]) -> tuple[list[Image], list[Image]]:
    """Part the pictures: those trained on, and those held back for validation and calibration."""
    return (
        [picture for i, picture in enumerate(art) if i % HELD_BACK],
        [picture for i, picture in enumerate(art) if i % HELD_BACK == 0],
    )


def validation(unseen: Sequence[Image]) -> list[Table]:
    """Lay the same tables every time, with pictures that training does not see."""
    rng = np.random.default_rng(1)
    return [lay(facedecks.deck(rng, unseen, FACES), rng) for _ in range(VALIDATION_DECKS)]


def trial(embed: Callable[[Floats], Floats], table: Table) -> calibration.Trial:
    """Look at a table as run time does: embeddings, aligned correlations, the second look."""
    queries, references = embed(table.queries), directions(embed(table.references))
    alien = table.alien[:, None]
    return calibration.trial(
        _crops(table.queries),
        _crops(table.references),
        queries @ references.T,
        np.linalg.norm(queries, axis=1),
        np.concatenate([table.same & ~alien, alien], axis=1),
        ~(table.same & alien),
    )


def _crops(planes: Floats) -> list[Image]:
    return list(np.ascontiguousarray(planes.transpose(0, 2, 3, 1)).astype(np.uint8))


def calibrate(
    checkpoint: Path, art: Sequence[Image], decks: int = CALIBRATION_DECKS, faces: int = FACES, seed: int = 2
) -> tuple[Calibration, float, Reliability]:
    """Fit the evidence's weights on half of the decks; return them, and top-1 and reliability on the other half."""
    network, told = load(checkpoint)

    def embed(planes: Floats) -> Floats:
        with torch.no_grad():
            return np.asarray((network(torch.from_numpy(planes)) * told.gain).numpy(), np.float32)

    trials = _trials(embed, art, decks, faces, seed)
    fitted = calibration.fit(trials[::2], told.none_gain.item(), told.none_bias.item())
    return fitted, *calibration.reliability(fitted, trials[1::2])


def judge(
    network: Embedder, art: Sequence[Image], decks: int = JUDGED_DECKS, faces: int = FACES, seed: int = 3
) -> tuple[float, Reliability]:
    """Return top-1 and reliability of a network as run time loads it, on decks on which nothing was fitted."""
    trials = _trials(lambda planes: network.embed(_crops(planes)), art, decks, faces, seed)
    return calibration.reliability(network.calibration, trials)


def _trials(
    embed: Callable[[Floats], Floats], art: Sequence[Image], decks: int, faces: int, seed: int
) -> list[calibration.Trial]:
    rng = np.random.default_rng(seed)
    drawn = [facedecks.deck(rng, art, int(rng.integers(5, faces + 1)), facedecks.USUAL) for _ in range(decks)]
    return [trial(embed, lay(deck, rng, TABLE, CALIBRATION_ALIENS)) for deck in drawn]


def main(arguments: Sequence[str] | None = None) -> None:
    """Train, calibrate, export; print the lines for weights.toml."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--art", type=Path, default=Path("/usr/share/openclipart/png"))
    parser.add_argument("--minutes", type=float, default=35.0, help="0: calibrate and export what --out holds")
    parser.add_argument("--out", type=Path, default=Path("runs/recogniser"))
    parser.add_argument("--resume", type=Path, help="a checkpoint to start from")
    parser.add_argument("--rate", type=float, default=LEARNING_RATE, help="the highest learning rate")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--average", type=Path, nargs="+", help="checkpoints whose mean is calibrated and exported")
    parser.add_argument(
        "--judge", action="store_true", help="only judge the landed weights, and draw their reliability"
    )
    a = parser.parse_args(arguments)
    torch.set_num_threads(a.threads)
    a.out.mkdir(parents=True, exist_ok=True)
    art, unseen = split(facedecks.load_art(a.art))
    if not art:
        parser.error(f"{a.art}: no two pictures with transparency are there; Debian's openclipart-png has many")
    if a.judge:
        calibration.report(a.out, *judge(embedder(), unseen))
        return
    if a.average:
        embedding.averaged(a.average, a.out / "last.pt")
    elif a.minutes > 0:
        train(art, unseen, a.minutes, a.out, a.seed, a.resume, a.rate)
    fitted, top1, reliable = calibrate(a.out / "last.pt", unseen)
    export(a.out / "last.pt", a.out / "recogniser.onnx", fitted.to_mapping())
    print(fitted)
    calibration.report(a.out, top1, reliable)


if __name__ == "__main__":
    main()
