"""The referee: one table in; the sheet, all that is wrong, and the questions that could change it, out."""

from __future__ import annotations

from scoring import foto_problems, grids, layout_doubts, paper_problems, paper_safari
from scoring.answers import LAYOUTS, Answered, apply
from scoring.certainty import Verdict, weigh
from scoring.edition import Edition
from scoring.final_readings import FinalReadings
from scoring.foto_readings import FotoReadings
from scoring.grids import TOWARDS_VIEWER
from scoring.options import OptionError, Options
from scoring.paper_readings import PaperReadings
from scoring.readings import Readings
from scoring.sheet import Answer, Question
from scoring.string_field import RESEARCH
from scoring.string_final import part_questions
from scoring.string_readings import StringReadings
from scoring.string_safari import problems_of
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
        return _foto(answered, edition, near)
    if edition.game == "string-safari":
        return _final(answered, edition) if options.final else _string(answered, edition)
    raise OptionError(f"the deck {edition.name} is of no game, so there is nothing to score")


def _weighed(readings: Readings) -> tuple[Verdict, tuple[Question, ...]]:
    if not readings.doubts:
        return Verdict((), ()), ()
    verdict = weigh(readings.doubts, readings.limits, readings.outcome)
    return verdict, tuple(readings.question(asked) for asked in verdict.asked)


def _paper(answered: Answered, edition: Edition, near: Point) -> Answer:
    table, questions = answered.table, tuple[Question, ...]()
    if any(p.label is None or p.candidates for p in table.pieces):
        readings = PaperReadings(answered, edition, near)
        verdict, questions = _weighed(readings)
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


def _foto(answered: Answered, edition: Edition, near: Point) -> Answer:
    readings = FotoReadings(answered, edition, near)
    verdict, questions = _weighed(readings)
    sheet = readings.sheet(verdict.best)
    if not questions:
        questions = tuple(readings.unanswered(sheet))
    found = foto_problems.problems(readings.read(verdict.best), edition, answered.options, near)
    return Answer(edition.game, sheet, found, (*layout_doubts.claim_questions(readings.ring), *questions))


def _string(answered: Answered, edition: Edition) -> Answer:
    readings = StringReadings(answered, edition)
    verdict, questions = _weighed(readings)
    survey, placed, named = readings.read(verdict.best)
    sheet = readings.sheet(verdict.best)
    found = problems_of(survey, placed, named, edition, readings.options)
    said = answered.strings.get(RESEARCH, frozenset())
    if not placed.laid and not readings.options.setup and "open" not in said:
        text = "No research string was seen. Show all of it from above, or answer open where none is laid."
        questions = (*questions, Question(RESEARCH, ("closed", "open"), "what is enclosed", text))
    return Answer(edition.game, sheet, found, questions)


def _final(answered: Answered, edition: Edition) -> Answer:
    readings = FinalReadings(answered, edition)
    verdict, questions = _weighed(readings)
    sheet = readings.sheet(verdict.best)
    named = readings.named(verdict.best)
    found = problems_of(readings.read(verdict.best), None, named, edition, readings.options)
    return Answer(edition.game, sheet, found, (*questions, *part_questions(sheet, readings.options)))
