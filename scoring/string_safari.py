"""String Safari's score: which of its sheets is asked for, and what is wrong with the table."""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from dataclasses import dataclass
from typing import Any

from scoring.edition import Edition
from scoring.geometry import Margin
from scoring.options import Options, Target
from scoring.sheet import Line, Problem
from scoring.string_children import ChildrenRules, children_lines, placed_tile
from scoring.string_field import Named, Placement, Survey, name, place
from scoring.string_final import FinalSheet, final_sheet, marker_owner_problems, stash_problems
from scoring.string_problems import (
    GAME,
    children_problems,
    field_problems,
    marker_problems,
    nothing_laid,
    piece_problems,
    spacing_problems,
    string_problems,
)
from scoring.string_setup import setup_json, setup_problems
from scoring.string_turn import TurnRules, markable, turn_lines, turn_points
from scoring.table import Table

__all__ = ["GAME", "StringSheet", "Turn", "problems", "score"]
MM_DIGITS = 3


@dataclass(frozen=True, slots=True)
class Turn:
    """A turn's score. `lines` is None where the placement is illegal; `markable`: tiles that may take the marker."""

    player: str | None
    lines: tuple[Line, ...] | None
    markable: tuple[int, ...] = ()

    @property
    def points(self) -> int | None:
        """The sum of its lines; None where the placement is illegal."""
        return None if self.lines is None else sum(line.points for line in self.lines)

    def to_json(self) -> dict[str, Any]:
        """Return it as the contract writes it; `markable`: the tiles on which the player's marker may go."""
        lines = [line.to_json() for line in self.lines or ()]
        return {"player": self.player, "points": self.points, "lines": lines, "markable": list(self.markable)}


@dataclass(frozen=True, slots=True)
class StringSheet:
    """What the research string encloses and, where a turn was asked for, what it earns."""

    placed: Placement
    legal: bool
    turn: Turn | None
    margins: Mapping[int, Margin]
    edge: Margin | None
    setup: Mapping[str, Any] | None = None

    def to_json(self) -> dict[str, Any]:
        """Return it as the contract writes it; the edge's own margin and the set-up's numbers beside."""
        mm = {str(i): round(m.mm, MM_DIGITS) for i, m in self.margins.items()}
        sigma = {str(i): round(m.sigma_mm, MM_DIGITS) for i, m in self.margins.items()}
        return {
            "enclosed": list(self.placed.enclosed),
            "touching": list(self.placed.touching),
            "margins_mm": mm,
            "margins_sigma_mm": sigma,
            "touches_field": self.placed.touches_field,
            "field_margin_mm": None if self.edge is None else round(self.edge.mm, MM_DIGITS),
            "field_margin_sigma_mm": None if self.edge is None else round(self.edge.sigma_mm, MM_DIGITS),
            "legal": self.legal,
            "turn": None if self.turn is None else self.turn.to_json(),
            **({} if self.setup is None else {"setup": dict(self.setup)}),
        }

    def outcome(self) -> Hashable:
        """Return what counts: legality and, of a legal placement, what is enclosed and the turn's points."""
        if self.setup is not None:
            return None
        if not self.legal:
            return False, None, None
        return True, self.placed.enclosed, None if self.turn is None else self.turn.points


def sheet_of(survey: Survey, placed: Placement, named: Named, options: Options) -> StringSheet:
    """Return the sheet of one definite reading."""
    legal = is_legal(placed, named, options)
    turn = None
    if options.placed is not None or options.target is not None:
        lines = lines_of(placed, named, options) if legal else None
        turn = Turn(options.turn, lines, markable(placed, named) if legal else ())
    setup = setup_json(options) if options.setup else None
    return StringSheet(placed, legal, turn, survey.margins, survey.edge, setup)


def is_legal(placed: Placement, named: Named, options: Options) -> bool:
    """Say whether a placement is legal; by the children's rules it must enclose the animal just placed."""
    return placed.legal and (options.placed is None or placed_tile(placed, named, options.placed) is not None)


def lines_of(placed: Placement, named: Named, options: Options) -> tuple[Line, ...] | None:
    """Return a legal placement's lines; None where no turn was asked for."""
    if options.placed is not None:
        laid_by = options.turn if options.laid else None
        return children_lines(placed, named, ChildrenRules(options.placed, options.marker, laid_by))
    if options.target is None:
        return None
    return turn_lines(placed, named, turn_rules(options, options.target))


def turn_rules(options: Options, target: Target) -> TurnRules:
    """Return what a turn is scored by."""
    counts = bool(options.rule(GAME, "marked_animals_count_for_land"))
    return TurnRules(options.turn, target, options.condition, counts)


def outcome_of(placed: Placement, named: Named, options: Options) -> Hashable:
    """Return what counts of one definite reading: its sheet's outcome, without the sheet.

    An illegal placement scores nothing whatever it encloses, and of a set-up nothing counts.
    """
    if options.setup:
        return None
    if not is_legal(placed, named, options):
        return False, None, None
    if options.placed is None and options.target is not None:
        return True, placed.enclosed, turn_points(placed, named, turn_rules(options, options.target))
    lines = lines_of(placed, named, options)
    return True, placed.enclosed, None if lines is None else sum([line.points for line in lines])


def score(table: Table, edition: Edition, options: Options) -> StringSheet | FinalSheet:
    """Score a table of String Safari as it is read: the turn, the set-up or the end, as the options ask."""
    survey = Survey(table)
    named = name(survey, edition)
    if options.final:
        return final_sheet(named, edition, options)
    return sheet_of(survey, place(survey), named, options)


def problems(table: Table, edition: Edition, options: Options) -> tuple[Problem, ...]:
    """List everything that is wrong with a table; never raises for a bad one."""
    survey = Survey(table)
    return problems_of(survey, place(survey), name(survey, edition), edition, options)


def problems_of(
    survey: Survey, placed: Placement | None, named: Named, edition: Edition, options: Options
) -> tuple[Problem, ...]:
    """List everything that is wrong with one definite reading; without a placement only the end can be judged."""
    always = (*piece_problems(survey, edition), *marker_problems(survey, named, options))
    if options.final or placed is None:
        return (*always, *stash_problems(edition, options), *marker_owner_problems(named, options))
    laid_out = (*nothing_laid(survey), *always, *field_problems(survey), *spacing_problems(survey, options))
    if options.setup:
        setup = setup_problems(survey, named, edition, options)
        return (*laid_out, *setup, *(children_problems(survey, placed, named, options) if options.children else ()))
    children = children_problems(survey, placed, named, options) if options.children else ()
    return (*string_problems(survey, placed), *children, *laid_out)
