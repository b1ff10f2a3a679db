"""Pig in pictures: the points of both seats and of this turn, on the board and in text."""

from collections.abc import Iterator

from spelkast.envs.engine.picture import Key, Picture, View
from spelkast.envs.engine.svg import Markup, Size, circle, label

from .board import PigOptions

WORDS = {"roll": "threw the die again", "hold": "banked the points of the turn"}


class PigView(View):
    """A position of Pig; nothing is hidden."""

    title = "Pig"
    model = PigOptions
    task = "roll or hold"
    moves = WORDS

    @property
    def ending(self) -> str:
        """Who has reached the goal, if anybody."""
        points = self.position["points"]
        winners = [seat for seat in (0, 1) if points[seat] >= self.options.goal]
        return self.wins(winners[0]) if winners else "nobody wins"


def write(view: PigView) -> Iterator[str]:
    """The points of both seats and those at stake."""
    for seat, points in enumerate(view.position["points"]):
        stake = f" + {view.position['turn']}?" if seat == view.to_move else ""
        yield f"{view.name(seat)}: {points}{stake}"


def paint(view: PigView) -> Iterator[Markup]:
    """The same lines, with a disc at the seat to move."""
    for seat, words in enumerate(write(view)):
        y = 40 + 40 * seat
        yield circle(40, y - 6, 8, fill="teal" if seat == view.to_move else "#ccc")
        yield label(64, y, words, class_="large")


def legend(view: PigView) -> list[Key]:
    """What the signs mean."""
    return [
        Key("points of this turn: banked by holding, lost by a 1", "?"),
        Key("is to move", mark=circle(0, 0, 8, fill="teal")),
    ]


PICTURE = Picture(view=PigView, size=Size(640, 100), paint=paint, write=write, legend=legend)
