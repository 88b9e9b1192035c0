"""One enrolment: photographs and labels in, pictures and entries of a deck folder out."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np

from decks import enrolment, manifest, picture, quality, writing
from decks.deck import DeckError, paths_by_label
from decks.enrolment import Cutting
from decks.learning import marker_colours, misnamed, string_colour
from decks.picture import Image
from decks.tile_art import COIN_MM
from scoring.edition import Game
from scoring.table import BACK
from vision.detector import Kind
from vision.oddones import odd
from vision.spread import found

KINDS = ("faces", "research", "photos", "coins", "markers", "strings")
COLOURS = ("markers", "strings")  # kinds of which the deck keeps a colour, no picture
MARKER_MM = 9.0
PHOTO_MM = (30.0, 6.0, 44.0)  # an animal's width, what the frame adds, the height: of a photo card like ours
NO_OUTLINE = (
    "its outline is not sure, no edge is seen along a side: lay it on a plain ground of another colour, "
    "clear of lines and shadows"
)
NO_PIECE = (
    "it may be no piece, or its outline is wrong: see where its number is drawn, "
    "and lay the pieces apart on a plain ground"
)


class Enrolling:
    """What is asked of one `deck enrol`. DeckError, one line, where it cannot be done; nothing is written then."""

    def __init__(
        self,
        folder: Path,
        kind: str,
        labels: Sequence[str],
        *,
        add: bool = False,
        replace: bool = False,
        size_mm: tuple[float, float] | None = None,
    ) -> None:
        """Check the labels against the deck folder."""
        if kind not in KINDS:
            raise DeckError(f'--kind "{kind}" is none: name one of {", ".join(KINDS)}')
        self.folder, self.kind, self.add, self.replace = folder, kind, add, replace
        self.toml = folder / manifest.FILE_NAME
        self.labels = [manifest.normal(label) for label in labels]
        self.game, self.size_mm, self.height_mm = self._told(size_mm)
        self._check_labels()

    def run(self, images: Sequence[Path]) -> list[str]:
        """Enrol the photographs; return what there is to say of each face, "retake …" where it is poor."""
        pictures = [picture.read(path) for path in images]
        if self.kind == "strings":
            return self._strings(pictures)
        cut = self.cut(pictures)
        total = sum(len(several) for several in cut)
        if total != len(self.labels):
            raise DeckError(self._miscounted(images, pictures, cut, total))
        if self.kind == "markers":
            return self._markers(pictures, cut)
        said = self._judged(pictures, cut)
        self._save([c for several in cut for c in several])
        if len(self.labels) > 1:  # what was missed, and another thing taken for it, would shift all names
            drawn = ", ".join(self._numbered(pictures, cut))
            said.append(f"see {drawn}: what was cut, numbered in the order of the labels; compare")
        return said

    def _told(self, size_mm: tuple[float, float] | None) -> tuple[Game, tuple[float, float], float]:
        """Return the game, the pieces' size and thickness, from a deck.toml that need not be whole yet."""
        if not self.toml.is_file():
            raise DeckError(
                f"{self.folder}: no deck here: start one with `safari-table deck new {self.folder} --game GAME`"
            )
        try:
            head = manifest.outline(self.toml.read_text(encoding="utf-8"))
        except UnicodeDecodeError:
            raise DeckError(f"{self.toml}: not a text in UTF-8: save it so") from None
        if self.kind == "coins":
            return head.game, size_mm or (COIN_MM, COIN_MM), 2.0
        if self.kind == "markers":
            return head.game, size_mm or (MARKER_MM, MARKER_MM), MARKER_MM
        if self.kind == "photos" and size_mm is None:
            animals = {len(label.split()) for label in self.labels}
            if len(animals) > 1:
                raise DeckError(
                    "photo cards of one length at a time: those of 3 animals, then those of 4, then those of 5"
                )
            cell_mm, edge_mm, tall_mm = PHOTO_MM
            size_mm = (cell_mm * animals.pop() + edge_mm, tall_mm)
        return head.game, size_mm or head.size_mm, head.thickness_mm

    def _check_labels(self) -> None:
        """Refuse labels that cannot be, that come twice, or that have a picture already."""
        for label in self.labels:
            if fault := manifest.label_fault(label):
                raise DeckError(f'--labels: "{label}" {fault}')
        twice = next((label for label in self.labels if self.labels.count(label) > 1), None)
        if twice:
            raise DeckError(f'--labels: "{twice}" comes twice: one piece of each; more pictures of it come with --add')
        if self.kind in COLOURS or self.add or self.replace:
            return
        there = paths_by_label(self.folder / self.kind, [self.name(label) for label in self.labels])
        if there:
            raise DeckError(
                f'{self.folder}: "{next(iter(there))}" has a picture already: use --add for a further one, or --replace'
            )

    def name(self, label: str) -> str:
        """Return a face's file name: a photo card's animals are joined."""
        return "-".join(label.split()) if self.kind == "photos" else label

    def cut(self, pictures: Sequence[Image]) -> list[tuple[Cutting, ...]]:
        """Find and cut the pieces of each photograph."""
        what: Kind = "disc" if self.kind == "coins" else "marker" if self.kind == "markers" else "card"
        corners = found(pictures, self.size_mm, self.height_mm, what, len(self.labels))
        return [enrolment.cuttings(image, quads, self.size_mm) for image, quads in zip(pictures, corners, strict=True)]

    def _miscounted(
        self, paths: Sequence[Path], pictures: Sequence[Image], cut: Sequence[tuple[Cutting, ...]], total: int
    ) -> str:
        """Say how what was found differs from the labels, and where it is drawn."""
        return (
            f"{', '.join(str(p) for p in paths)}: found {total} pieces, {len(self.labels)} labels: "
            f"see {', '.join(self._numbered(pictures, cut))}; "
            "lay the pieces apart on a plain table, all in view, and give their labels row by row"
        )

    def _numbered(self, pictures: Sequence[Image], cut: Sequence[tuple[Cutting, ...]]) -> list[str]:
        """Draw what was found, numbered, into the deck's folder; return the pictures' paths."""
        drawn = []
        for number, (image, several) in enumerate(zip(pictures, cut, strict=True), 1):
            target = self.folder / f"found-{number}.png"
            picture.write(target, enrolment.numbered(image, several))
            drawn.append(str(target))
        return drawn

    def _judged(self, pictures: Sequence[Image], cut: Sequence[tuple[Cutting, ...]]) -> list[str]:
        """Say what is wrong with each face; refuse those that are not whole or lie on their side."""
        said, labels = [], iter(self.labels)
        for image, several in zip(pictures, cut, strict=True):
            size_px = (image.shape[1], image.shape[0])
            for cutting, outline in zip(several, self._outlines(image, several), strict=True):
                label = next(labels)
                if quality.cut_off(cutting.corners_px, size_px):
                    raise DeckError(f'"{label}": {quality.faults(cutting.image, cutting.corners_px, size_px)[0]}')
                if enrolment.sideways(cutting) and self.kind != "coins":
                    turned = f"{cutting.turned_deg:.0f}°"
                    raise DeckError(f'"{label}" lies on its side ({turned}): lay every piece upright as you look at it')
                faults = (*quality.faults(cutting.image, cutting.corners_px, size_px), *outline)
                said += [f'retake "{label}": {fault}' for fault in faults]
        return said

    def _outlines(self, image: Image, several: Sequence[Cutting]) -> list[tuple[str, ...]]:
        """Say of each piece whether it is not like its fellows: cut at another outline, or no piece at all."""
        if self.kind == "coins":
            return [() for _ in several]
        corners = np.array([cutting.corners_px for cutting in several]).reshape(-1, 4, 2)
        told = odd(image, corners, self.size_mm, self.height_mm)
        return [(NO_PIECE,) if one.none else (NO_OUTLINE,) if one.unseen else () for one in told]

    def _save(self, cut: Sequence[Cutting]) -> None:
        """Write the pictures, and an entry for each label that is new."""
        (self.folder / self.kind).mkdir(exist_ok=True)
        text = self.toml.read_text(encoding="utf-8")
        for label, cutting in zip(self.labels, cut, strict=True):
            name = self.name(label)
            known = paths_by_label(self.folder / self.kind, [name]).get(name, ())
            if self.replace:
                for path in known:
                    path.unlink()
                known = ()
            suffix = f"-{_next(known, name)}" if known else ""
            picture.write(self.folder / self.kind / f"{name}{suffix}.png", cutting.image)
            if self.kind == "photos":
                text = writing.with_photo(text, name, tuple(label.split()))
        if self.kind != "photos":
            text = writing.with_entries(
                text, self.game, self.kind, tuple(label for label in self.labels if label != BACK)
            )
        self.toml.write_text(text, encoding="utf-8")

    def _markers(self, pictures: Sequence[Image], cut: Sequence[tuple[Cutting, ...]]) -> list[str]:
        """Learn each marker's colour from its own face; refuse what looks like another of the colours named."""
        pieces = [c for several in cut for c in several]
        learnt = dict(zip(self.labels, marker_colours([c.image for c in pieces], pictures), strict=True))
        wrong = misnamed(learnt)
        if wrong:
            told = ", ".join(f'"{label}" looks {other}' for label, other in wrong)
            raise DeckError(
                f"{told}: see {', '.join(self._numbered(pictures, cut))}; lay the markers alone on a plain table, "
                "in even light, and give their labels in the order in which they lie"
            )
        return self._keep(learnt)

    def _strings(self, pictures: Sequence[Image]) -> list[str]:
        """Learn each string's colour from a photograph of it alone."""
        if len(pictures) != len(self.labels):
            raise DeckError(
                f"{len(pictures)} pictures, {len(self.labels)} strings: one picture of each string, alone on the table"
            )
        return self._keep({label: string_colour(image) for label, image in zip(self.labels, pictures, strict=True)})

    def _keep(self, colours: dict[str, str]) -> list[str]:
        """Write colours into deck.toml."""
        text = self.toml.read_text(encoding="utf-8")
        for label, colour in colours.items():
            text = writing.with_colour(text, self.kind, label, colour)
        self.toml.write_text(text, encoding="utf-8")
        return [f"{label}: {colour}" for label, colour in colours.items()]


def _next(known: Sequence[Path], name: str) -> int:
    """Return the first number that no further picture of `name` has yet."""
    taken = {path.stem for path in known}
    return next(k for k in range(2, len(taken) + 3) if f"{name}-{k}" not in taken)
