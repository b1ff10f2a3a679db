"""A position of Oduludo in the words and groups that pictures need; nothing in it is hidden."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from ..engine.picture import LastMove
from .board import BOARD, OduludoOptions
from .data import PIECES

PHASE_WORDS = {
    "move": "Move",
    "capture": "Capture",
    "oduludo": "ODULUDO die",
    "sun": "Sun",
    "over": "Game over",
}
SIGNS = {"K": "K", "Q": "Q", "S1": "1", "S2": "2", "S3": "3"}
PIECE_WORDS = {
    "K": "King",
    "Q": "Queen",
    "S": "Soldier",
    **{f"S{k}": f"Soldier {k}" for k in (1, 2, 3)},
}
OTHER_MOVES = {
    "send": "sent the captured pieces home",
    "abduct": "abducted the captured pieces",
    "oduludo": "rolled the ODULUDO die",
    "decline": "did not roll the ODULUDO die",
    "sun+": "jumped on to the next Sun",
    "sun-": "jumped back to the Sun before",
}


@dataclass(frozen=True, kw_only=True)
class Stack:
    """Pieces of one seat on one square, with the captives that they carry."""

    seat: int
    color: int
    pieces: tuple[str, ...]
    """in the order K Q S1 S2 S3; the first is the lead"""
    captives: tuple[tuple[int, str], ...]
    """colour and piece"""


@dataclass(frozen=True, kw_only=True)
class View:
    """A position, grouped."""

    position: Mapping[str, Any]
    options: OduludoOptions
    colors: tuple[int, ...]
    """by seat"""
    last_move: str | None

    @property
    def num_seats(self) -> int:
        """How many play."""
        return len(self.colors)

    @property
    def pieces(self) -> list[dict[str, str]]:
        """Where the pieces of each seat are."""
        seats: list[dict[str, str]] = self.position["pieces"]
        return seats

    @property
    def to_move(self) -> int | None:
        """The seat to move; None at the end."""
        seat: int | None = self.position["to_move"]
        return seat

    def letter(self, color: int) -> str:
        """The letter of a colour."""
        return BOARD.colors[color]

    def name(self, seat: int) -> str:
        """The colour of a seat, as a word."""
        return BOARD.color_names[self.colors[seat]]

    # Stacks -------------------------------------------------------------------------------------

    def stack_on(self, seat: int, place: str) -> Stack | None:
        """The stack of *seat* on a place such as r12 or p3."""
        pieces = tuple(name for name in PIECES if self.pieces[seat][name] == place)
        if not pieces:
            return None
        captives = self.held(f"held:{seat}:{pieces[0]}")
        return Stack(seat=seat, color=self.colors[seat], pieces=pieces, captives=captives)

    def held(self, where: str) -> tuple[tuple[int, str], ...]:
        """The captives of a captor, such as held:0:K or held:0:earth."""
        return tuple(
            (self.colors[seat], name)
            for seat in range(self.num_seats)
            for name in PIECES
            if self.pieces[seat][name] == where
        )

    def on_square(self, square: int) -> list[Stack]:
        """The stacks on a ring square, by seat."""
        stacks = (self.stack_on(seat, f"r{square}") for seat in range(self.num_seats))
        return [stack for stack in stacks if stack]

    def on_path(self, color: int, step: int) -> Stack | None:
        """The stack on a square of a colour's path."""
        if color not in self.colors:
            return None
        return self.stack_on(self.colors.index(color), f"p{step}")

    def waiting(self, seat: int, place: str) -> tuple[str, ...]:
        """The pieces of a seat in the ship, on Earth or off."""
        return tuple(name for name in PIECES if self.pieces[seat][name] == place)

    def has_ufo(self, color: int) -> bool:
        """Whether the UFO of a colour is on its parking."""
        return color in self.colors and bool(self.position["ufos"][self.colors.index(color)])

    # Words --------------------------------------------------------------------------------------

    def kind(self, square: int) -> str:
        """A sign for an empty ring square."""
        if square in BOARD.ufo:
            return "U" if self.has_ufo(BOARD.ufo.index(square)) else "u"
        marks = (
            ("M", BOARD.moon),
            ("S", BOARD.suns),
            ("L", BOARD.lightnings),
            ("*", BOARD.stars),
            ("o", BOARD.circles),
        )
        return next((mark for mark, squares in marks if square in squares), ".")

    def stack_mark(self, stack: Stack) -> str:
        """Colour, lead, size and captives in at most four letters."""
        size = str(len(stack.pieces)) if len(stack.pieces) > 1 else ""
        captives = "+" if stack.captives else ""
        return f"{self.letter(stack.color)}{SIGNS[stack.pieces[0]]}{size}{captives}"

    def path_mark(self, color: int, step: int) -> str:
        """The stack on a path square; nothing if it is empty."""
        stack = self.on_path(color, step)
        return self.stack_mark(stack) if stack else ""

    def phase_words(self) -> str:
        """The phase as words."""
        return PHASE_WORDS[self.position["phase"]]

    def headline(self) -> str:
        """Who is to do what."""
        if self.to_move is None:
            points = zip(range(self.num_seats), self.position["points"], strict=True)
            return "points: " + ", ".join(f"{self.name(seat)} {count}" for seat, count in points)
        who, mover = self.name(self.to_move), self.position["mover"]
        task = {
            "move": f"{who} moves with a {self.position['die']}",
            "capture": f"{who} ({mover}) sends home or abducts",
            "oduludo": f"{who} ({mover}) may roll the ODULUDO die",
            "sun": f"{who} ({mover}) jumps on or back from {self.position['at']}",
        }
        return task[self.position["phase"]]

    def clock_words(self) -> str:
        """How far the game is."""
        return f"move {self.position['decisions'] + (self.to_move is not None)}"

    def last_move_words(self) -> str:
        """The line of the last move; empty before the first."""
        return f"Last move: {self.described}" if self.described else ""

    @property
    def described(self) -> LastMove | None:
        """The last move in notation and in words."""
        move = self.last_move
        return LastMove(move, move_words(move)) if move else None

    def seat_words(self, seat: int) -> str:
        """A player and whether he still plays."""
        status = self.position["status"][seat].replace(":", " as number ")
        return f"{self.name(seat)} (player_{seat}), {status}"

    def score_words(self, seat: int) -> str:
        """Points and rounds won."""
        won = f"{self.position['wins'][seat]} won, " if self.options.mode == "last_piece" else ""
        return f"{won}{self.position['points'][seat]} points"


def look(position: Mapping[str, Any], *, last_move: str | None) -> View:
    """Group a position for a picture."""
    options = OduludoOptions(**position["config"])
    colors = tuple(BOARD.colors.index(letter) for letter in options.colors)
    return View(position=position, options=options, colors=colors, last_move=last_move)


def move_words(move: str) -> str:
    """Describe a move of the notation [R6] in words."""
    if move[0] in "md" and move != "decline":
        piece = PIECE_WORDS[move[1:].removesuffix("-")]
        way = "backward" if move.endswith("-") else "forward"
        return f"{piece} moved {way}" if move[0] == "m" else f"{piece} came to the Moon"
    return OTHER_MOVES[move]


def describe_last_move(
    position: Mapping[str, Any], *, viewer: int | None, last_move: str
) -> LastMove | None:
    """What *viewer* may know of the move that led to *position*."""
    return look(position, last_move=last_move).described
