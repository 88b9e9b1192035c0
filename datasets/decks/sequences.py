"""The photo cards' sequences: which rows of animals a box of photo cards should show."""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Mapping, Sequence

HOW_MANY = {3: 21, 4: 15, 5: 12}
"""Animals on a photo → photos of that kind, as the rulebook counts them."""

LONGEST_RUN = 2  # of one animal: longer ones are luck rather than play

Photo = tuple[str, ...]


def well_chosen(counts: Mapping[str, int], how_many: Mapping[int, int] = HOW_MANY) -> tuple[Photo, ...]:
    """Choose photos for a box that holds `counts` of each animal.

    Each can be laid with those animals; none is another or its mirror image. Of the rest, one by one, that one is
    taken which keeps animals, places and neighbours nearest to the shares of the box: the same box, the same photos.
    """
    chosen: list[Photo] = []
    for length, wanted in sorted(how_many.items()):
        own: list[Photo] = []
        free = [photo for photo in itertools.product(counts, repeat=length) if possible(photo, counts)]
        while len(own) < wanted:
            free = [photo for photo in free if photo not in own and photo[::-1] not in own]
            if not free:
                raise ValueError(f"only {len(own)} photos of {length} animals differ, {wanted} are wanted")
            own.append(min(free, key=lambda photo: (round(_unevenness([*own, photo], counts), 9), photo)))
        chosen += own
    return tuple(chosen)


def possible(photo: Photo, counts: Mapping[str, int]) -> bool:
    """Return whether the box has the animals for it, and no animal stands too often in a row."""
    enough = all(number <= counts.get(label, 0) for label, number in Counter(photo).items())
    runs = [len(list(run)) for _, run in itertools.groupby(photo)]
    return bool(photo) and enough and max(runs) <= LONGEST_RUN


def _unevenness(photos: Sequence[Photo], counts: Mapping[str, int]) -> float:
    """Return how far the photos are from the shares of the box, over animals, places and neighbours."""
    box = sum(counts.values())
    share = {label: number / box for label, number in counts.items()}
    pairs: Counter[tuple[str, str]] = Counter()
    places: Counter[tuple[int, str]] = Counter()
    for photo in photos:
        pairs.update(tuple(sorted(pair)) for pair in itertools.pairwise(photo))  # type: ignore[misc]  # pairs stay pairs
        places.update((min(place, len(photo) - 1 - place), label) for place, label in enumerate(photo))
    length, many = len(photos[0]), len(photos)
    total = sum(
        (n - many * _times(place, length) * share[a]) ** 2 for (place, a), n in _all(places, length, share).items()
    )
    for a, b in itertools.combinations_with_replacement(sorted(counts), 2):
        expected = many * (length - 1) * share[a] * share[b] * (2 if a != b else 1)
        total += (pairs[a, b] - expected) ** 2
    return total


def _times(place: int, length: int) -> int:
    """Return how many places of a photo are as far from its nearer end as `place`."""
    return 1 if 2 * place == length - 1 else 2


def _all(places: Counter[tuple[int, str]], length: int, share: Mapping[str, float]) -> dict[tuple[int, str], int]:
    return {(place, label): places[place, label] for place in range((length + 1) // 2) for label in share}
