"""What the players tell the referee beside the table itself: whose turn, the target, answers, house rules."""

from __future__ import annotations

import difflib
from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any

from scoring.edition import ACTIVITIES, CONDITIONS, FAMILIES, FOODS, Edition, Option
from scoring.house import HOUSE_RULES, HouseRuleError, value_of
from scoring.table import Piece

CATEGORIES = (*FOODS, *FAMILIES, *ACTIVITIES, "all", "families")
"""What a research target can ask for."""
KEYS = ("turn", "target", "condition", "children", "placed", "marker", "laid", "setup", "players", "final", "coins",
        "research", "stash", "answer", "option")  # fmt: skip
_ALSO = {"answers": "answer", "options": "option", "house": "option", "stashes": "stash"}
_EVERY_GAME = ("answer", "option")
MAX_POINTS = 1_000_000
"""No count of points, coins or players of a real game comes near it; a larger one is a typing error."""


class OptionError(ValueError):
    """An option that cannot be used; the message is one line: what, why, and what would do."""


@dataclass(frozen=True, slots=True)
class Target:
    """A research target: what category counts, and the points each."""

    category: str
    points: int

    def __str__(self) -> str:
        """Return it as the contract writes it, "carnivore:3"."""
        return f"{self.category}:{self.points}"

    @classmethod
    def parse(cls, text: object) -> Target:
        """Read "carnivore:3"; OptionError where it is no target."""
        category, colon, points = str(text).strip().partition(":")
        if category not in CATEGORIES:
            raise OptionError(f"target {text!r}: {_unknown('category', category, CATEGORIES)}")
        if not colon:
            raise OptionError(f"target {text!r}: say the points each too, as in {category}:2")
        return cls(category, _count(f"target {text!r}: the points each", points))


def _nothing() -> MappingProxyType[str, Any]:
    return MappingProxyType({})


@dataclass(frozen=True, slots=True)
class Options:
    """One call's options, checked.

    `laid`: by the children's rules, the turn's own marker may lie on the animal to be marked, just laid. `players`: in
    turn order, first player first; `player_count`: how many, where only that is known or needed. `stashes`: the coins
    and research tiles that a player's own photograph shows; `animals`: points of marked
    animals that were told; `as_counted`: whether what was read there was said to be all there is; `hidden`: whether
    something was said to lie where nothing can be seen; None: not told. `answers`: a piece's id as text, or a string's
    name, to the choice that settles its question. `house`: the deck's house rules, overlaid with the call's.
    """

    turn: str | None = None
    target: Target | None = None
    condition: str | None = None
    children: bool = False
    placed: str | None = None
    marker: str | None = None
    laid: bool = False
    setup: bool = False
    final: bool = False
    players: tuple[str, ...] = ()
    player_count: int | None = None
    coins: Mapping[str, int] = field(default_factory=_nothing)
    research: Mapping[str, int] = field(default_factory=_nothing)
    stashes: Mapping[str, tuple[Piece, ...]] = field(default_factory=_nothing)
    answers: Mapping[str, str] = field(default_factory=_nothing)
    animals: Mapping[str, int] = field(default_factory=_nothing)
    as_counted: bool | None = None
    hidden: bool | None = None
    house: Mapping[str, Option] = field(default_factory=_nothing)

    def rule(self, game: str, name: str) -> Option:
        """Return the value of a house rule of this game; KeyError where the game has none of that name."""
        return self.house[name] if name in self.house else HOUSE_RULES[game][name].default

    @classmethod
    def parse(cls, mapping: Mapping[str, Any], edition: Edition) -> Options:
        """Read options from plain values; OptionError with one clear line where they cannot be used.

        Pairs ("coins", "research", "answer", "option") may be a mapping, "NAME=VALUE", or a list of such. `stash` maps
        a player to a sequence of pieces. None and False mean: not given.
        """
        given = _renamed(mapping)
        if not given:
            return cls(house=edition.options)
        for key in given:
            if edition.game != "string-safari" and key not in _EVERY_GAME:
                raise OptionError(f"{key} is an option of string-safari; this is {edition.game}")
        players, count = _players(given.get("players"), edition)
        options = cls(
            turn=_one_of("turn", given.get("turn"), edition.markers, "marker"),
            target=Target.parse(given["target"]) if "target" in given else None,
            condition=_one_of("condition", given.get("condition"), CONDITIONS, "condition"),
            children=_flag("children", given),
            placed=_one_of("placed", given.get("placed"), _animals(edition), "animal"),
            marker=_one_of("marker", given.get("marker"), _animals(edition), "animal"),
            laid=_flag("laid", given),
            setup=_flag("setup", given),
            final=_flag("final", given),
            players=players,
            player_count=count,
            coins=_counts("coins", given, edition),
            research=_counts("research", given, edition),
            stashes=_stashes(given.get("stash"), edition),
            answers=MappingProxyType({k: str(v) for k, v in _pairs("answer", given.get("answer"), join=True).items()}),
            house=_house(given, edition),
        )
        _together(options)
        return options


def _renamed(mapping: Mapping[str, Any]) -> dict[str, Any]:
    """Return what is given, under its one name; OptionError for a name that is no option."""
    if not isinstance(mapping, Mapping):
        raise OptionError(f"options: expected names and values, got {type(mapping).__name__}")
    given: dict[str, Any] = {}
    for key, value in mapping.items():
        name = _ALSO.get(key, key)
        if name not in KEYS:
            raise OptionError(_unknown("option", str(key), KEYS))
        nothing = value is None or value is False or (name == "condition" and value == "none")
        if not nothing:
            given[name] = value
    return given


def _unknown(what: str, got: str, known: tuple[str, ...]) -> str:
    near = difflib.get_close_matches(got, known, n=1)
    return f"no {what} is called {got!r}; " + (f"did you mean {near[0]}?" if near else f"there are: {', '.join(known)}")


def _animals(edition: Edition) -> tuple[str, ...]:
    return tuple(label for label, face in edition.faces.items() if face.food is not None)


def _one_of(key: str, value: object, known: tuple[str, ...], what: str) -> str | None:
    if value is None or (isinstance(value, str) and value in known):
        return value
    raise OptionError(f"{key}: {_unknown(what, str(value), known)}")


def _flag(key: str, given: Mapping[str, Any]) -> bool:
    value = given.get(key, False)
    if isinstance(value, bool):
        return value
    raise OptionError(f"{key}: {value!r} is not true or false")


def _count(what: str, value: object) -> int:
    """Return a whole number from 0 on; OptionError where it is none."""
    if isinstance(value, str) and value.strip().isascii() and value.strip().isdigit() and len(value) < 10:
        value = int(value)
    if isinstance(value, int) and not isinstance(value, bool) and 0 <= value <= MAX_POINTS:
        return value
    raise OptionError(f"{what}: {value!r} is not a whole number of 0 or more")


def _players(value: object, edition: Edition) -> tuple[tuple[str, ...], int | None]:
    """Return the players in turn order and how many they are, from a number, "red,blue" or a list."""
    if value is None:
        return (), None
    if isinstance(value, int) or (isinstance(value, str) and value.strip().isdigit()):
        return (), _count("players", value)
    names = value.split(",") if isinstance(value, str) else value
    if not isinstance(names, list | tuple):
        raise OptionError(f"players: {value!r} is neither a number nor a list of markers")
    players = tuple(str(n).strip() for n in names)
    for name in players:
        _one_of("players", name, edition.markers, "marker")
    if len(set(players)) != len(players):
        raise OptionError(f"players: {', '.join(players)} names a player twice")
    return players, len(players)


def _pairs(key: str, value: object, join: bool = False) -> dict[str, Any]:
    """Return NAME → VALUE from a mapping, "NAME=VALUE", or a list of such. `join`: values of one name, by commas."""
    if value is None:
        return {}
    if isinstance(value, Mapping):
        return {str(k): v for k, v in value.items()}
    pairs: dict[str, Any] = {}
    for text in [value] if isinstance(value, str) else value if isinstance(value, list | tuple) else [value]:
        name, equals, given = str(text).partition("=")
        if not equals or not name.strip():
            raise OptionError(f"{key}: {text!r} is not NAME=VALUE")
        earlier = f"{pairs[name.strip()]}," if join and name.strip() in pairs else ""
        pairs[name.strip()] = earlier + given.strip()
    return pairs


def _counts(key: str, given: Mapping[str, Any], edition: Edition) -> Mapping[str, int]:
    pairs = _pairs(key, given.get(key))
    for player in pairs:
        _one_of(key, player, edition.markers, "marker")
    return MappingProxyType({player: _count(f"{key} of {player}", n) for player, n in pairs.items()})


def _stashes(value: object, edition: Edition) -> Mapping[str, tuple[Piece, ...]]:
    stashes: dict[str, tuple[Piece, ...]] = {}
    if value is not None and not isinstance(value, Mapping):
        raise OptionError(f"stash: expected a player's pieces by the player, got {type(value).__name__}")
    for player, pieces in (value or {}).items():
        _one_of("stash", player, edition.markers, "marker")
        if not isinstance(pieces, list | tuple) or not all(isinstance(p, Piece) for p in pieces):
            raise OptionError(f"stash of {player}: expected a list of pieces")
        stashes[player] = tuple(pieces)
    return MappingProxyType(stashes)


def _house(given: Mapping[str, Any], edition: Edition) -> Mapping[str, Option]:
    try:
        own = {k: value_of(edition.game, k, v) for k, v in _pairs("option", given.get("option")).items()}
    except HouseRuleError as error:
        raise OptionError(str(error)) from None
    return MappingProxyType({**edition.options, **own})


def _together(options: Options) -> None:
    """Refuse options that do not go together."""
    modes = [name for name in ("turn", "children", "setup", "final") if getattr(options, name)]
    if "children" in modes and len(modes) == 2 and modes[1] in ("setup", "final"):
        modes = modes[1:]  # the children's game has a set-up and an end of its own
    if "children" in modes and "turn" in modes:
        modes.remove("turn")  # whose turn it is, in the children's game
    if len(modes) > 1:
        raise OptionError(f"{' and '.join(modes)} cannot be asked for together")
    if options.turn and options.target is None and not options.children:
        raise OptionError("turn: needs a target too, as in carnivore:3")
    for name in ("target", "condition"):
        if getattr(options, name) is not None and options.turn is None:
            raise OptionError(f"{name}: say whose turn it is too")
    if options.children and not (options.setup or options.final) and options.placed is None:
        raise OptionError("children: say which animal was placed")
    for name in ("placed", "marker"):
        if getattr(options, name) is not None and not options.children:
            raise OptionError(f"{name} belongs to the children's rules")
    if options.laid and (options.marker is None or options.turn is None):
        raise OptionError("laid: say whose turn it is, and which animal is marked")
    if options.final and not options.players:
        raise OptionError("final: say the players in turn order, first player first, as in red,blue,green")
