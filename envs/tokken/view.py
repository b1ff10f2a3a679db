"""A position of Tokken as one viewer sees it: what both pictures are drawn from."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from ..engine.picture import LastMove
from .board import MOST_PARTS, SEGMENT, TokkenOptions
from .notation import SEGMENT_NAMES

COLORS = ("red", "green", "yellow", "blue", "white", "black")
PHASE_WORDS = {
    "exchange": "Exchange",
    "play": "Play",
    "split": "Seven",
    "over": "Game over",
}
DEAL_WORDS = ("first", "second", "third")
BACK = "?"
"""A card that the viewer does not see."""


@dataclass(frozen=True, kw_only=True)
class View:
    """What one viewer may know; None sees everything."""

    options: TokkenOptions
    viewer: int | None
    phase: str
    to_move: int | None
    dealer: int
    deal: int
    decisions: int
    pieces: list[list[str]]
    hands: list[str]
    """rank by rank, or as many backs; extra cards of others are among them"""
    extras: list[str]
    """only those that the viewer sees"""
    given: list[str]
    """a rank, a back, or "" where nothing lies face down"""
    out: list[bool]
    discard: str
    draw_pile: int
    moved: list[tuple[int, int]]
    left: int
    last_move: str | None

    @property
    def seats(self) -> list[int]:
        """All seats, the viewer's first."""
        first = self.viewer or 0
        return [(first + k) % self.options.players for k in range(self.options.players)]

    @property
    def pawns(self) -> dict[str, tuple[int, int]]:
        """The pawns on the ring by the name of the field: (seat, pawn)."""
        return {
            place: (seat, pawn)
            for seat, row in enumerate(self.pieces)
            for pawn, place in enumerate(row)
            if place[0] not in "YH"
        }

    def start(self, seat: int) -> str:
        """The name of the start of a seat."""
        segment = seat * (self.options.ring // SEGMENT) // self.options.players
        return f"{SEGMENT_NAMES[segment]}0"

    def home(self, seat: int) -> int:
        """How many pawns of a seat are home."""
        return sum(place.startswith("H") for place in self.pieces[seat])

    def headline(self) -> str:
        """Whose turn it is, or how the game ended."""
        if self.to_move is not None:
            words = f"{self.name(self.to_move)} to move"
            if self.left:
                words += f", {self.left} steps and {MOST_PARTS - len(self.moved)} pawns left"
            return words
        sides = self.options.sides
        for side in sorted(set(sides)):
            seats = [seat for seat in range(self.options.players) if sides[seat] == side]
            if all(self.home(seat) == len(self.pieces[seat]) for seat in seats):
                return " and ".join(map(self.name, seats)) + " won"
        return "Time is up"

    def deal_words(self) -> str:
        """Which deal it is, who dealt, what is left."""
        return (
            f"{DEAL_WORDS[self.deal - 1]} deal by {self.name(self.dealer)} · "
            f"draw pile {self.draw_pile}"
        )

    def clock_words(self) -> str:
        """How much of the time has passed."""
        cap = self.options.cap
        return f"decision {self.decisions}" + (f" of {cap}" if cap else "")

    def last_move_words(self) -> str:
        """The line of the last move; empty before the first."""
        return f"Last move: {self.described}" if self.described else ""

    @property
    def described(self) -> LastMove | None:
        """The last move; the card that was given face down only to the giver."""
        move = self.last_move
        if move is None:
            return None
        if move.startswith("give"):
            giver = (self.dealer + sum(map(bool, self.given))) % self.options.players
            if self.viewer not in (None, giver):
                move = "give ?"
        return LastMove(move, move_words(move))

    def seat_words(self, seat: int) -> str:
        """What is to be said of a seat besides its cards."""
        words = [f"{self.home(seat)} home"]
        if self.out[seat]:
            words.append("out of this deal")
        if self.phase == "exchange" and self.given[seat]:
            words.append(f"gave {self.given[seat]}")
        return " · ".join(words)

    @staticmethod
    def name(seat: int) -> str:
        """The colour of a seat, as a name."""
        return COLORS[seat].capitalize()


def look(position: Mapping[str, Any], *, viewer: int | None, last_move: str | None) -> View:
    """The position as *viewer* sees it."""
    split = position["split"] or {"left": 0, "moved": []}
    hands, extras = list(position["hands"]), list(position["extras"])
    given = list(position["given"])
    for seat in range(len(hands)):
        if viewer not in (None, seat):
            hands[seat] = BACK * (len(hands[seat]) + len(extras[seat]))
            extras[seat] = ""
            given[seat] = BACK if given[seat] else ""
    return View(
        options=TokkenOptions.model_validate({**position["config"], **_dots(position["config"])}),
        viewer=viewer,
        phase=position["phase"],
        to_move=position["to_move"],
        dealer=position["dealer"],
        deal=position["deal"],
        decisions=position["decisions"],
        pieces=position["pieces"],
        hands=hands,
        extras=extras,
        given=given,
        out=position["out"],
        discard=position["discard"],
        draw_pile=len(position["draw_pile"]),
        moved=[(seat, pawn) for seat, pawn in split["moved"]],
        left=split["left"],
        last_move=last_move,
    )


def _dots(config: Mapping[str, Any]) -> dict[str, Any]:
    # A list in JSON, a tuple in the model.
    return {"black_dots": tuple(config["black_dots"])} if "black_dots" in config else {}


def move_words(move: str) -> str:
    """Describe a move of the notation [R6.3] in words."""
    card, _, rest = move.partition(" ")
    if card == "give":
        return "gave a card, face down" if rest == BACK else f"gave the {rank_words(rest)}"
    first, _, second = rest.replace("~", "+").partition("+")
    rank = rank_words(card[0])
    if card.endswith("+"):
        return f"entered a pawn with the {rank}"
    words = {
        "fold": "laid all cards down",
        "keep": "kept an extra card for the next deal",
        "4": f"walked 4 backward from {first}",
        "5": f"pushed the pawn on {first}",
        "7": f"walked {second} steps of the seven from {first}",
        "J": f"swapped the pawns on {first} and {second}",
    }
    return words.get(card, f"walked with the {rank} from {first}")


def rank_words(rank: str) -> str:
    """The name of a rank."""
    names = {"A": "ace", "T": "10", "J": "jack", "Q": "queen", "K": "king", "X": "joker"}
    return names.get(rank, rank)


def describe_last_move(
    position: Mapping[str, Any], *, viewer: int | None, last_move: str
) -> LastMove | None:
    """What *viewer* may know of the move that led to *position*."""
    return look(position, viewer=viewer, last_move=last_move).described
