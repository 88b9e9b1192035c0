"""A deck as pages to print: every piece as often as the box holds it, true to the mm, backs behind, marks to cut by."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from decks import art, card_art, tile_art, tokens
from decks.deck import BUILTIN, Deck
from decks.pdf import Document, Page
from decks.picture import Image
from scoring.edition import Game
from scoring.table import BACK

PAPERS_MM = {"a4": (210.0, 297.0), "letter": (215.9, 279.4)}
EDGE_MM = 6.4  # what printers leave blank at a page's edges
GAP_MM = (0.8, 3.0)  # between pieces: at least so much that both outlines are seen, at most a scissors' breadth
MARK_MM = 4.0  # a cut mark's length
FINE_PX_PER_MM = 10.0  # 254 dpi
RULER_MM = 100
COINS_EACH = 40
VICTORY_CARDS = 12


@dataclass(frozen=True)
class Item:
    """A kind of piece to print: `count` times, with a back where there is one."""

    name: str
    front: Callable[[], Image]
    size_mm: tuple[float, float]
    count: int
    back: str | None = None  # a key of the deck's backs
    disc: bool = False


def print_deck(deck: Deck, path: Path, paper: str = "a4", backs: bool = True) -> int:
    """Write the PDF of a deck; return how many pages it has."""
    document = Document(deck.edition.name)
    width_mm, height_mm = PAPERS_MM[paper]
    all_items = tuple(items(deck))
    _cover(document.page(width_mm, height_mm), deck, all_items, backs)
    pictures: dict[str, int] = {}
    for group in _of_one_size(all_items):
        _sheets(document, group, _backs(deck) if backs else {}, pictures)
    if deck.edition.game == "string-safari":
        tokens.sheet(document.page(width_mm, height_mm), deck.marker_colours)
    document.save(path)
    return len(document.pages)


def items(deck: Deck) -> Iterator[Item]:
    """Yield every kind of piece that the deck's box holds."""
    edition = deck.edition
    for label, face in edition.faces.items():
        yield Item(label, _front(deck, "faces", label), edition.size_mm, face.count, "faces")
    if edition.game == "paper-safari":
        size_mm = edition.size_mm
        yield Item(
            "victory card", lambda: card_art.victory_card(size_mm, FINE_PX_PER_MM), size_mm, VICTORY_CARDS, "victory"
        )
    for name, sequence in edition.photos.items():
        if name in deck.photos or _is_builtin(deck):
            size_mm = card_art.photo_size_mm(sequence)
            yield Item(name, _front(deck, "photos", name), size_mm, 1, f"photo {len(sequence)}")
    for name, tile in edition.research.items():
        if name in deck.research or _is_builtin(deck):
            yield Item(name, _front(deck, "research", name), edition.size_mm, tile.count, "research")
    for name in deck.coins:
        coin_mm = (tile_art.COIN_MM, tile_art.COIN_MM)
        yield Item(f"coin {name}", _front(deck, "coins", name), coin_mm, COINS_EACH, None, disc=True)


def _is_builtin(deck: Deck) -> bool:
    return deck.folder.parent == BUILTIN and deck.folder.name in art.STYLES


def _front(deck: Deck, kind: str, label: str) -> Callable[[], Image]:
    """Return what makes a face's picture: drawn finely where the deck is ours, else its first picture."""
    if _is_builtin(deck):
        return lambda: art.draw(deck.folder.name, deck.edition, kind, label, FINE_PX_PER_MM)
    pictures: dict[str, tuple[Image, ...]] = dict(getattr(deck, kind))
    return lambda: pictures[label][0]


def _backs(deck: Deck) -> dict[str, Callable[[], Image]]:
    """Return what makes each kind of back."""
    size_mm = deck.edition.size_mm
    backs: dict[str, Callable[[], Image]] = {"victory": lambda: card_art.victory_card(size_mm, FINE_PX_PER_MM)}
    if BACK in deck.faces:
        backs["faces"] = _front(deck, "faces", BACK)
    if _is_builtin(deck):
        backs["research"] = lambda: tile_art.research_back(size_mm, FINE_PX_PER_MM)
        for sequence in deck.edition.photos.values():
            backs[f"photo {len(sequence)}"] = partial(card_art.photo_back, sequence, FINE_PX_PER_MM)
    return backs


def _of_one_size(all_items: Sequence[Item]) -> list[list[Item]]:
    """Group the pieces that share sheets: of one size, with one back."""
    groups: dict[object, list[Item]] = {}
    for item in all_items:
        groups.setdefault((item.size_mm, item.back, item.disc), []).append(item)
    return list(groups.values())


def _sheets(
    document: Document, group: list[Item], backs: dict[str, Callable[[], Image]], pictures: dict[str, int]
) -> None:
    """Add the sheets of one group of pieces, a sheet of backs behind each."""
    width_mm, height_mm = document.pages[0].width_mm, document.pages[0].height_mm
    places = grid(group[0].size_mm, (width_mm, height_mm))
    pieces = [item for item in group for _ in range(item.count)]
    for start in range(0, len(pieces), len(places)):
        page = document.page(width_mm, height_mm)
        batch = pieces[start : start + len(places)]
        for item, (x, y) in zip(batch, places, strict=False):
            _lay(document, page, item, _number(document, pictures, f"{item.back}/{item.name}", item.front), x, y)
        _cut_marks(page, places[: len(batch)], group[0])
        back = backs.get(group[0].back or "")
        if back is not None:
            number = _number(document, pictures, f"back of {group[0].back}", back)
            behind = document.page(width_mm, height_mm)
            for item, (x, y) in zip(batch, places, strict=False):
                behind.picture(number, width_mm - x - item.size_mm[0], y, *item.size_mm)


def grid(size_mm: tuple[float, float], page_mm: tuple[float, float]) -> list[tuple[float, float]]:
    """Return the top-left corners of as many pieces as a page holds, centred, so that fronts and backs meet."""
    along = [_spread(size, page) for size, page in zip(size_mm, page_mm, strict=True)]
    if not along[0] or not along[1]:
        raise ValueError(f"a piece of {size_mm[0]:g}×{size_mm[1]:g} mm is larger than the page: choose larger paper")
    return [(x, y) for y in along[1] for x in along[0]]


def _spread(size_mm: float, page_mm: float) -> list[float]:
    """Return where pieces begin along one side of the page."""
    room_mm = page_mm - 2 * EDGE_MM
    count = int((room_mm + GAP_MM[0]) // (size_mm + GAP_MM[0]))
    gap_mm = min(GAP_MM[1], (room_mm - count * size_mm) / (count - 1)) if count > 1 else 0.0
    first_mm = (page_mm - count * size_mm - (count - 1) * gap_mm) / 2
    return [first_mm + k * (size_mm + gap_mm) for k in range(count)]


def _number(document: Document, pictures: dict[str, int], key: str, make: Callable[[], Image]) -> int:
    """Return the number of a picture that is made and stored when first needed."""
    if key not in pictures:
        pictures[key] = document.add_picture(make())
    return pictures[key]


def _lay(document: Document, page: Page, item: Item, number: int, x_mm: float, y_mm: float) -> None:
    """Lay one piece with its outline."""
    width_mm, height_mm = item.size_mm
    page.picture(number, x_mm, y_mm, width_mm, height_mm)
    if item.disc:
        page.ring(x_mm + width_mm / 2, y_mm + height_mm / 2, width_mm / 2)
    else:
        page.frame(x_mm, y_mm, width_mm, height_mm)


def _cut_marks(page: Page, places: Sequence[tuple[float, float]], item: Item) -> None:
    """Draw marks at the page's edges where a straight cut runs; discs have their outline alone."""
    if item.disc:
        return
    width_mm, height_mm = item.size_mm
    left, top = min(x for x, _ in places), min(y for _, y in places)
    right, foot = max(x for x, _ in places) + width_mm, max(y for _, y in places) + height_mm
    for x in sorted({x + d for x, _ in places for d in (0.0, width_mm)}):
        page.line(x, top - 1 - MARK_MM, x, top - 1)
        page.line(x, foot + 1, x, foot + 1 + MARK_MM)
    for y in sorted({y + d for _, y in places for d in (0.0, height_mm)}):
        page.line(left - 1 - MARK_MM, y, left - 1, y)
        page.line(right + 1, y, right + 1 + MARK_MM, y)


def _cover(page: Page, deck: Deck, all_items: Sequence[Item], backs: bool) -> None:
    """Write what to measure, how to print and cut, and what the box holds."""
    page.word(deck.edition.name, 20, 28, 9, bold=True)
    page.word(f"Safari Table: a deck to print for {deck.edition.game}", 20, 36, 4)
    _ruler(page, 20, 50)
    lines = [
        f'1. Print at 100 % ("actual size"), on {page.width_mm:g} × {page.height_mm:g} mm paper.',
        f"2. Measure both rulers, across and down: 0 to {RULER_MM} must be {RULER_MM} mm. If not, turn scaling off.",
        "3. Cards: heavy paper, 200 g/m² or more. Tiles and coins: glue the sheet on 2 mm cardboard.",
        "4. "
        + (
            "Print on both sides, turned over the long edge: each sheet is followed by its backs."
            if backs
            else "Backs are left out."
        ),
        "5. Cut along the marks at the edges; discs along their outline.",
        "6. Matt paper reads better than glossy: a gleam hides what is printed.",
    ]
    for k, line in enumerate(lines):
        page.word(line, 20, 78 + 7 * k, 4)
    page.word("In the box", 20, 130, 5, bold=True)
    for k, line in enumerate((*_contents(all_items, deck.edition.game), *_hints(deck))):
        page.word(line, 20, 138 + 6 * k, 3.6)
    _vertical_ruler(page, page.width_mm - 14, 130)


_KINDS = {"victory": "victory cards", "research": "research tiles"}


def _contents(all_items: Sequence[Item], game: Game) -> Iterator[str]:
    """Yield a line for each kind of piece."""
    kinds = {**_KINDS, "faces": "tiles" if game == "string-safari" else "cards"}
    for group in _of_one_size(all_items):
        total, (width_mm, height_mm) = sum(item.count for item in group), group[0].size_mm
        back = group[0].back or ""
        what = kinds.get(back) or (f"photo cards of {back.removeprefix('photo ')} animals" if back else "coins")
        yield f"{total} {what}, {width_mm:g} × {height_mm:g} mm ({len(group)} different)"


def _hints(deck: Deck) -> Iterator[str]:
    """Yield what the box holds besides paper."""
    if deck.edition.game != "string-safari":
        return
    field, research = (deck.string_colours.get(name, "") for name in ("field", "research"))
    yield f"Field string: {field}, about 3 m of cord, 3 mm thick, its ends joined without a knot that stands up"
    yield f"Research string: {research}, about 1.2 m of the same, its ends joined"
    colours = ", ".join(deck.marker_colours)
    yield f"Markers: {tokens.EACH} cubes of about 9 mm in each of {colours}; or those of the last page"


def _ruler(page: Page, x_mm: float, y_mm: float) -> None:
    """Draw a ruler across."""
    page.line(x_mm, y_mm, x_mm + RULER_MM, y_mm, 0.2)
    for k in range(RULER_MM + 1):
        page.line(x_mm + k, y_mm, x_mm + k, y_mm + (6 if k % 10 == 0 else 4 if k % 5 == 0 else 2.5), 0.12)
        if k % 10 == 0:
            page.word(str(k), x_mm + k - 1, y_mm + 10, 3)
    page.word("mm", x_mm + RULER_MM + 4, y_mm + 10, 3)


def _vertical_ruler(page: Page, x_mm: float, y_mm: float) -> None:
    """Draw a ruler down."""
    page.line(x_mm, y_mm, x_mm, y_mm + RULER_MM, 0.2)
    for k in range(RULER_MM + 1):
        page.line(x_mm - (6 if k % 10 == 0 else 4 if k % 5 == 0 else 2.5), y_mm + k, x_mm, y_mm + k, 0.12)
        if k % 10 == 0:
            page.word(str(k), x_mm - 11.5, y_mm + k + 1, 3)
