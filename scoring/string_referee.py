"""The referee of String Safari: a turn, a set-up or the end, judged with its doubts."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from scoring.answers import LOOPS, Answered
from scoring.edition import Edition
from scoring.final_readings import FinalReadings
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
    return Answer(edition.game, sheet, found, (*questions, *_unseen(answered, survey, questions)))


def _unseen(answered: Answered, survey: Survey, asked: Sequence[Question]) -> Iterator[Question]:
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


def judge_end(answered: Answered, edition: Edition) -> Answer:
    """Judge the final scoring."""
    readings = FinalReadings(answered, edition)
    verdict, questions = weighed(readings)
    sheet = readings.sheet(verdict)
    named = readings.named(verdict.best)
    found = problems_of(readings.read(verdict.best), None, named, edition, readings.options)
    asked = (*in_one(readings, verdict, questions), *part_questions(sheet, readings.options))
    return Answer(edition.game, sheet, found, (*asked, *confirmation(readings, verdict, asked)))
