"""The referee of Kleine Fotosafari: the ring and its photos with their doubts weighed, what is wrong, what is asked."""

from __future__ import annotations

from scoring import foto_problems, layout_doubts
from scoring.answers import Answered
from scoring.edition import Edition
from scoring.foto_readings import FotoReadings
from scoring.readings import weighed
from scoring.sheet import Answer
from scoring.table import Point


def judge(answered: Answered, edition: Edition, near: Point) -> Answer:
    """Judge the ring and its photo claims. `near`: the direction on the table to the picture's bottom edge."""
    readings = FotoReadings(answered, edition, near)
    verdict, questions = weighed(readings)
    sheet = readings.sheet(verdict.best)
    if not questions:
        questions = tuple(readings.unanswered(sheet))
    found = foto_problems.problems(readings.read(verdict.best), edition, answered.options, near)
    return Answer(
        edition.game, sheet, found, (*layout_doubts.claim_questions(readings.ring, answered.claimed), *questions)
    )
