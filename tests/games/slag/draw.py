"""Slag in pictures: a line for each seat, with its tricks, its card of this trick and its hand."""

from collections.abc import Iterator

from spelkast.envs.engine.dtypes import Json
from spelkast.envs.engine.picture import Key, LastMove, Picture, View
from spelkast.envs.engine.pieces import card_face
from spelkast.envs.engine.svg import Markup, Size, label

from .board import HANDS, OPEN, SEATS, SlagOptions

SIGNS, CARD = {"C": "♣", "D": "♦", "H": "♥", "S": "♠"}, Size(48, 68)
SIZE, STYLE = Size(560, 330), {".red": "fill:#b3261e"}


class SlagView(View):
    """A position of Slag, in which each card that the viewer cannot know is `?`."""

    title, model, task = "Slag", SlagOptions, "lay a card"

    def hide(self, position: Json, viewer: int | None) -> Json:
        """The pack and the hands of the others are hidden."""
        known = range(HANDS + SEATS) if viewer is None else (OPEN, HANDS + viewer)
        rows = enumerate(position["cards"])
        return {**position, "cards": [r if k in known else ["?"] * len(r) for k, r in rows]}

    def describe(self, move: str) -> LastMove:
        """The last card, which all have seen."""
        return LastMove(move, f"laid {SIGNS[move[0]]}{move[1]}")

    @property
    def standing(self) -> str:
        """What is trump."""
        up = self.position["up"]
        return f"trump {SIGNS[up[0]]} ({up} turned up)" if up else "no trump"

    @property
    def ending(self) -> str:
        """Who has the most tricks."""
        tricks = self.position["tricks"]
        best = [self.name(k) for k, mine in enumerate(tricks) if mine == max(tricks)]
        return f"most tricks: {' and '.join(best)}"


def write(view: SlagView) -> Iterator[str]:
    """A line for each seat."""
    for seat, card in enumerate(view.position["table"]):
        hand = " ".join(view.position["cards"][HANDS + seat])
        yield f"{call(view, seat):9}   in this trick {card or '-':2}   hand {hand}"


def call(view: SlagView, seat: int) -> str:
    """The name of a seat, and its tricks."""
    return f"{view.name(seat)}: {view.position['tricks'][seat]}"


def paint(view: SlagView) -> Iterator[Markup]:
    """The same, with cards."""
    for seat, card in enumerate(view.position["table"]):
        yield label(28, 50 + 78 * seat, call(view, seat), class_="large")
        for k, face in enumerate([card, *view.position["cards"][HANDS + seat]]):
            if face:
                x, suit = 160 + 54 * k + 40 * (k > 0), SIGNS.get(face[0], "")
                yield card_face(x, 10 + 78 * seat, face[-1], size=CARD, suit=suit)


def legend(view: SlagView) -> list[Key]:
    """What the signs mean."""
    laid = card_face(-8, -11, "", size=Size(16, 22))
    return [
        Key("card that you do not see", "?"),
        Key("clubs, diamonds, hearts, spades; 6 is the highest", "C D H S"),
        Key("tricks won, after the name", ": 2"),
        Key("laid in this trick, left of the hand", "", laid),
    ]


PICTURE = Picture(view=SlagView, size=SIZE, paint=paint, write=write, legend=legend, style=STYLE)
