"""The referee of Kleine Fotosafari: the ring and its photos with their doubts weighed, what is wrong, what is asked."""

from __future__ import annotations

from scoring import foto_problems, layout_doubts, unseen
from scoring.answers import Answered
from scoring.edition import Edition
from scoring.foto_readings import FotoReadings
from scoring.readings import weighed
from scoring.rings import Ring, lies_beside
from scoring.sheet import Answer, Question
from scoring.table import Point


def judge(answered: Answered, edition: Edition, near: Point) -> Answer:
    """Judge the ring and its photo claims. `near`: the direction on the table to the picture's bottom edge."""
    readings = FotoReadings(answered, edition, near)
    verdict, questions = weighed(readings)
    sheet = readings.sheet(verdict.best)
    if not questions:
        questions = tuple(readings.unanswered(sheet))
    found = foto_problems.problems(readings.read(verdict.best), edition, answered.options, near)
    which = layout_doubts.claim_questions(readings.ring, answered.claimed)
    return Answer(edition.game, sheet, found, (*which, *questions, *_not_seen(answered, readings.ring)))


def _not_seen(answered: Answered, ring: Ring) -> tuple[Question, ...]:
    """Ask, where no photo card is seen, whether one lies beside the ring where nothing can be seen."""
    places = [place for place in answered.table.unseen_mm if not ring.claims and lies_beside(place, ring.cards)]
    return unseen.questions(places, ("whether a photo is right",), "a photo card", answered.options)
