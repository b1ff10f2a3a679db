"""Slag in pictures: a line for each seat, with its tricks, its card of this trick and its hand."""

from collections.abc import Iterator

from spelkast.envs.engine.dtypes import Json
from spelkast.envs.engine.picture import Key, Picture, View
from spelkast.envs.engine.svg import Markup, Size, card_face, label

from .board import CARDS, SlagOptions

SIGNS = {"C": "♣", "D": "♦", "H": "♥", "S": "♠"}
WORDS = {card: f"laid {SIGNS[card[0]]}{card[1]}" for card in CARDS}


class SlagView(View):
    """A position of Slag, in which each card that the viewer cannot know is `?`."""

    title, model, task, moves = "Slag", SlagOptions, "lay a card", WORDS

    def hide(self, position: Json, viewer: int | None) -> Json:
        """The pack and the hands of the others are hidden."""
        held = list(zip(CARDS, position["at"], strict=True))
        hands = [[card for card, at in held if at == seat] for seat in "0123"]
        seen = [h if viewer in (None, k) else ["?"] * len(h) for k, h in enumerate(hands)]
        return {**position, "at": [], "hands": seen}

    @property
    def standing(self) -> str:
        """What is trump."""
        up = self.position["up"]
        return f"trump {SIGNS[up[0]]} ({up} turned up)" if up else "no trump"

    @property
    def ending(self) -> str:
        """Who has the most tricks."""
        tricks = self.position["tricks"]
        return self.wins(*(seat for seat, mine in enumerate(tricks) if mine == max(tricks)))


def lines(view: SlagView) -> Iterator[tuple[str, str | None, list[str]]]:
    """By seat: its name and tricks, its card of this trick, its hand."""
    rows = zip(*(view.position[key] for key in ("tricks", "table", "hands")), strict=False)
    return ((f"{view.name(k)}: {won}", card, hand) for k, (won, card, hand) in enumerate(rows))


def write(view: SlagView) -> Iterator[str]:
    """A line for each seat."""
    for name, card, hand in lines(view):
        yield f"{name:9}   in this trick {card or '-':2}   hand {' '.join(hand)}"


def paint(view: SlagView) -> Iterator[Markup]:
    """The same, with cards."""
    for seat, (name, laid, hand) in enumerate(lines(view)):
        yield label(28, 50 + 78 * seat, name, class_="large")
        for x, card in [(160, laid), *((254 + 54 * k, card) for k, card in enumerate(hand))]:
            if card:
                suit = SIGNS.get(card[0], "")
                yield card_face(x, 10 + 78 * seat, card[-1], size=Size(48, 68), suit=suit)


def legend(view: SlagView) -> list[Key]:
    """What the signs mean."""
    return [
        Key("card that you do not see", "?"),
        Key("is the highest rank; C D H S are ♣ ♦ ♥ ♠", "6"),
        Key("tricks won, after the name; then the card in this trick", ": 2"),
    ]


PICTURE = Picture(view=SlagView, size=Size(560, 330), paint=paint, write=write, legend=legend)
