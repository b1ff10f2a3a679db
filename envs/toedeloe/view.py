"""A position of ToedeLoe as one sits before it, and the words for it.

Nothing is hidden in this game, so a `View` only turns the board and says "You" where that fits.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from ..engine.picture import LastMove
from .board import (
    BOARD,
    FINISHED,
    LAST_PENALTY,
    PHASES,
    PIECES,
    SIDES,
    ToedeloeOptions,
)
from .board_file import SIDE, SQUARES
from .fields import FIELDS
from .notation import score_parts

SIDE_NAMES = ("White", "Grey")
PIECE_NAMES = ("", "white pawn", "grey pawn", "red pawn", "ToedeLoe")
SUIT_SIGNS = {"C": "♣", "D": "♦", "H": "♥", "S": "♠"}
PHASE_WORDS = {
    "play": "Play",
    "target": "Choose a square",
    "step": "Step",
    "offer": "Offer",
    "over": "Game over",
}
DIRECTIONS = {"N": "north", "E": "east", "S": "south", "W": "west"}


@dataclass(frozen=True, kw_only=True)
class Square:
    """A square of the board, as it lies before the viewer."""

    name: str
    row: int
    column: int
    piece: int
    in_frame: bool
    is_bonus: bool
    is_moving: bool
    """the piece of phase step stands here"""
    is_last: bool
    """the last move named this square"""

    @property
    def label(self) -> str:
        """What is printed on the square: a suit and a number, or a number of a row."""
        return SUIT_SIGNS.get(self.name[1], "") + self.name[2:]


@dataclass(frozen=True, kw_only=True)
class Card:
    """A card of the open hand."""

    name: str
    is_used: bool
    is_active: bool
    is_offered: bool

    @property
    def is_joker(self) -> bool:
        """Whether it is X1 or X2."""
        return self.name[0] == "X"

    @property
    def is_red(self) -> bool:
        """Whether it is a heart or a diamond."""
        return self.name[0] in "DH"

    @property
    def sign(self) -> str:
        """Suit sign and rank, or the joker's star."""
        return "★" if self.is_joker else SUIT_SIGNS[self.name[0]]

    @property
    def rank(self) -> str:
        """A, 2 to 10, J, Q, K; a joker's name."""
        return self.name if self.is_joker else self.name[1:]

    @property
    def note(self) -> str:
        """What becomes of it."""
        if self.is_active:
            return "in play"
        return "played" if self.is_used else "offered" if self.is_offered else ""


@dataclass(frozen=True, kw_only=True)
class View:
    """A position as one seat sees it; lists by side are in the order white, grey."""

    viewer: int | None
    options: ToedeloeOptions
    phase: str
    to_move: int | None
    turn: int
    turn_no: int
    squares: tuple[Square, ...]
    cards: tuple[Card, ...]
    action: str
    """the cards that are being resolved"""
    moving: Square | None
    pawns: list[int]
    red: list[int]
    toedeloe: list[int]
    penalty: list[int]
    piles: list[int]
    """cards left in the draw pile, by side"""
    parts: list[dict[str, int]]
    """the count of each side [R8.3]"""
    last_move: str | None

    @property
    def near(self) -> int:
        """The side at the lower edge of the picture."""
        return (self.viewer or 0) % SIDES

    @property
    def lead(self) -> int:
        """By how many points white leads."""
        return self.parts[0]["net"] - self.parts[1]["net"]

    def name(self, seat: int) -> str:
        """What a seat is called in this picture."""
        if seat == self.viewer:
            return "You"
        side = SIDE_NAMES[seat % SIDES]
        return side if self.options.players == SIDES else f"{side} (seat {seat})"

    def side_title(self, side: int) -> str:
        """White or grey, and what there is to say of it."""
        note = self.side_note(side)
        return SIDE_NAMES[side] + (f" ({note})" if note else "")

    def side_note(self, side: int) -> str:
        """Which seats play for a side, if there are four; whether it is the viewer's."""
        mine = self.viewer is not None and self.viewer % SIDES == side
        if self.options.players == SIDES:
            return "your side" if mine else ""
        return f"seats {side}, {side + SIDES}" + (" · yours" if mine else "")

    def headline(self) -> str:
        """Who is to move and what there is to do; at the end, how it ended."""
        if self.to_move is None:
            return self._ending()
        name = self.name(self.to_move)
        return f"{'Your move' if name == 'You' else name}: {self._task()}"

    def _task(self) -> str:
        if self.phase == "play":
            return "declare the cards you play"
        if self.phase == "target":
            return f"choose a square for {self.action}"
        if self.phase == "step" and self.moving is not None:
            return f"move the {PIECE_NAMES[self.moving.piece]} on {self.moving.name}"
        return "take an offered card, or pass"

    def _ending(self) -> str:
        by = "by nine penalties" if LAST_PENALTY in self.penalty else "at the turn limit"
        if self.lead == 0:
            return f"Drawn {by}"
        winner = SIDE_NAMES[0 if self.lead > 0 else 1]
        points = "point" if abs(self.lead) == 1 else "points"
        return f"{winner} wins by {abs(self.lead)} {points}, {by}"

    def turn_words(self) -> str:
        """How far the game is: turns are told from 1."""
        last = self.options.max_turns
        return f"turn {min(self.turn_no + 1, last)} of {last}"

    def owner_words(self) -> str:
        """Whose hand lies open."""
        if not self.cards:
            return "no hand"
        name = self.name(self.turn)
        return "Your hand" if name == "You" else f"Hand of {name}"

    def last_move_words(self) -> str:
        """The line of the last move; empty before the first."""
        return f"Last move: {self.described}" if self.described else ""

    @property
    def described(self) -> LastMove | None:
        """The last move in notation and in words."""
        move = self.last_move
        return LastMove(move, move_words(move)) if move else None


def look(position: Mapping[str, Any], *, viewer: int | None, last_move: str | None) -> View:
    """The view of *viewer*; None sits on white's side."""
    states = FIELDS.from_position(dict(position))
    options = FIELDS.read_options(states, 0)
    squares = _squares(position, viewer, last_move)
    return View(
        viewer=viewer,
        options=options,
        phase=position["phase"],
        to_move=position["to_move"],
        turn=position["turn"],
        turn_no=position["turn_no"],
        squares=squares,
        cards=_cards(position),
        action="+".join(position["action"]),
        moving=next((square for square in squares if square.is_moving), None),
        pawns=list(position["pawns"]),
        red=list(position["red"]),
        toedeloe=list(position["toedeloe"]),
        penalty=list(position["penalty"]),
        piles=[len(pile) for pile in position["draw_pile"]],
        parts=[score_parts(states, 0, side) for side in range(SIDES)],
        last_move=last_move,
    )


def _squares(
    position: Mapping[str, Any], viewer: int | None, last_move: str | None
) -> tuple[Square, ...]:
    is_turned = (viewer or 0) % SIDES == 1
    found = []
    for number in range(SQUARES):
        name, (row, column) = BOARD.names[number], BOARD.places[number]
        found.append(
            Square(
                name=name,
                row=SIDE - 1 - row if is_turned else row,
                column=SIDE - 1 - column if is_turned else column,
                piece=PIECES.index(position["board"][row][column]),
                in_frame=any(number in frame for frame in BOARD.frames),
                is_bonus=number in BOARD.bonus,
                is_moving=position["square"] == name,
                is_last=last_move is not None and last_move[1:] == name,
            )
        )
    return tuple(found)


def _cards(position: Mapping[str, Any]) -> tuple[Card, ...]:
    active = {*position["action"], *position["queue"]}
    is_over = position["phase"] == PHASES[FINISHED]
    is_declared = position["phase"] != PHASES[0] and not is_over
    return tuple(
        Card(
            name=name,
            is_used=name in position["used"],
            is_active=name in active,
            is_offered=is_declared and name not in position["used"],
        )
        for name in position["table"]
    )


def move_words(move: str) -> str:
    """Describe a move of the notation [R6] in words."""
    if move[0] in "@^":
        return f"{'placed on' if move[0] == '@' else 'picked up from'} {move[1:]}"
    if move in DIRECTIONS:
        return f"moved {DIRECTIONS[move]}"
    words = {"pass": "declined the offer", "stay": "stayed on the square"}
    return words.get(move, f"played {' and '.join(move.split('+'))}")


def describe_last_move(
    position: Mapping[str, Any], *, viewer: int | None, last_move: str
) -> LastMove | None:
    """What *viewer* may know of the move that led to *position*."""
    return look(position, viewer=viewer, last_move=last_move).described
