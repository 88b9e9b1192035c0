"""The referee of String Safari: a turn, a set-up or the end, judged with its doubts."""

from __future__ import annotations

from scoring.answers import Answered
from scoring.edition import Edition
from scoring.final_readings import FinalReadings
from scoring.readings import weighed
from scoring.sheet import Answer, Question
from scoring.string_field import RESEARCH
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
    said = answered.strings.get(RESEARCH, frozenset())
    if not placed.laid and not readings.options.setup and "open" not in said:
        text = "No research string was seen. Show all of it from above, or answer open where none is laid."
        questions = (*questions, Question(RESEARCH, ("closed", "open"), "what is enclosed", text))
    return Answer(edition.game, sheet, found, questions)


def judge_end(answered: Answered, edition: Edition) -> Answer:
    """Judge the final scoring."""
    readings = FinalReadings(answered, edition)
    verdict, questions = weighed(readings)
    sheet = readings.sheet(verdict)
    named = readings.named(verdict.best)
    found = problems_of(readings.read(verdict.best), None, named, edition, readings.options)
    return Answer(edition.game, sheet, found, (*questions, *part_questions(sheet, readings.options)))
