"""The referee: one table in; the sheet, all that is wrong, and the questions that could change it, out."""

from __future__ import annotations

from scoring import grids, layout_doubts, paper_problems, paper_safari
from scoring.answers import LAYOUTS, Answered, apply
from scoring.edition import Edition
from scoring.layout import TOWARDS_VIEWER
from scoring.options import OptionError, Options
from scoring.paper_readings import PaperReadings
from scoring.readings import weighed
from scoring.sheet import Answer, Question
from scoring.table import Point, Table

UNSURE_LAYOUT = {
    "grid-unclear": "These cards can be read as rows of three in more than one way. Move the grids apart, or confirm.",
    "seventh-card": "A player has six cards, and here lies another. Are the grids read rightly?",
    "card-in-no-grid": "Cards lie in no grid. Is no player's grid hidden in part?",
}
"""Problems of a layout that may just as well be misread, and what is asked then."""


def judge(table: Table, edition: Edition, options: Options, near: Point = TOWARDS_VIEWER) -> Answer:
    """Score a table by its deck's game, list its problems, and ask what could change the score.

    `near`: the direction on the table to the picture's bottom edge, where seat 0 sits. OptionError for an answer to
    nothing, or one that cannot be, and for a deck that is of no game.
    """
    table, options = layout_doubts.settled(table, options, near)
    answered = apply(table, edition, options)
    if edition.game == "paper-safari":
        return _paper(answered, edition, near)
    if edition.game == "kleine-fotosafari":
        from scoring import foto_referee  # each game's rules are imported where it is played: a start is quicker so

        return foto_referee.judge(answered, edition, near)
    if edition.game == "string-safari":
        from scoring import string_referee

        return (string_referee.judge_end if options.final else string_referee.judge_turn)(answered, edition)
    raise OptionError(f"the deck {edition.name} is of no game, so there is nothing to score")


def _paper(answered: Answered, edition: Edition, near: Point) -> Answer:
    table, questions = answered.table, tuple[Question, ...]()
    if any(p.label is None or p.candidates or p.probability < 1.0 for p in table.pieces):
        readings = PaperReadings(answered, edition, near)
        verdict, questions = weighed(readings)
        table = readings.read(verdict.best)
    found = paper_problems.problems(table, edition, answered.options, near)
    unclear = next((p for p in found if p.rule in UNSURE_LAYOUT), None)
    if unclear is not None and not answered.layout:
        text = UNSURE_LAYOUT[unclear.rule]
        questions = (*questions, Question(unclear.pieces[0], LAYOUTS, "which cards are whose", text))
    if any(p.rule == "missing-card" for p in found):
        laid = grids.find(table.pieces, near)
        questions = (*questions, *layout_doubts.missing_card_questions(laid, tuple(edition.faces)))
    sheet = paper_safari.score(table, edition, answered.options, near)
    return Answer(edition.game, sheet, found, questions)
