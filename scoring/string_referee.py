"""The referee of String Safari: a turn, a set-up or the end, judged with its doubts."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from scoring import unseen
from scoring.answers import LOOPS, Answered
from scoring.edition import Edition
from scoring.final_readings import FinalReadings
from scoring.geometry import Band
from scoring.options import Options
from scoring.readings import weighed
from scoring.sheet import Answer, Question
from scoring.stash_questions import confirmation, in_one
from scoring.string_field import RESEARCH, Survey
from scoring.string_final import part_questions
from scoring.string_readings import StringReadings
from scoring.string_safari import problems_of


def judge_turn(answered: Answered, edition: Edition) -> Answer:
    """Judge what the research string encloses, and what a turn or a set-up asks beside it."""
    readings = StringReadings(answered, edition)
    verdict, questions = weighed(readings)
    survey, placed, named = readings.read(verdict.best)
    sheet = readings.sheet(verdict.best)
    found = problems_of(survey, placed, named, edition, readings.options)
    laid = survey.research is not None and not answered.options.setup
    more = _hidden(answered, survey.research, ("what is enclosed",)) if laid else ()
    return Answer(edition.game, sheet, found, (*questions, *_not_seen(answered, survey, questions), *more))


def _not_seen(answered: Answered, survey: Survey, asked: Sequence[Question]) -> Iterator[Question]:
    """Ask for the research string where it was not seen, or so little of it that where it lies is a guess."""
    said = answered.strings.get(RESEARCH, frozenset())
    guessed = survey.research_guessed and not said & {*LOOPS}
    if answered.options.setup or not (guessed or (survey.research is None and "open" not in said)):
        return
    if any(question.piece == RESEARCH and question.choices == LOOPS for question in asked):
        return
    lost = "Too little of the research string was seen to follow it" if guessed else "No research string was seen"
    text = f"{lost}. Show all of it from above, or answer open where none is laid."
    yield Question(RESEARCH, LOOPS, "what is enclosed", text)


def _hidden(answered: Answered, within: Band | None, changes: Sequence[str]) -> tuple[Question, ...]:
    """Ask whether something lies where nothing can be seen, within a string, or anywhere where none was seen."""
    places = [place for place in answered.table.unseen_mm if within is None or any(map(within.holds, place))]
    return unseen.questions(places, changes, "a tile or a marker", answered.options)


def judge_end(answered: Answered, edition: Edition) -> Answer:
    """Judge the final scoring."""
    readings = FinalReadings(answered, edition)
    verdict, questions = weighed(readings)
    sheet = readings.sheet(verdict)
    named = readings.named(verdict.best)
    found = problems_of(readings.read(verdict.best), None, named, edition, readings.options)
    asked = (*in_one(readings, verdict, questions), *part_questions(sheet, readings.options))
    more = () if readings.options.hidden else _hidden(answered, _field(readings.survey), _marked(readings.options))
    return Answer(edition.game, sheet, found, (*asked, *more, *confirmation(readings, verdict, asked)))


def _field(survey: Survey) -> Band | None:
    """Return the field string, where it was followed."""
    return survey.field if survey.field is not None and survey.field.closed and not survey.field_guessed else None


def _marked(options: Options) -> list[str]:
    """Return the totals that markers on the table have a part in."""
    return [f"the total of {p}" for p in options.players if not options.children and p not in options.animals]
