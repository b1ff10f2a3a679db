"""The words of ToedeLoe: the board, the cards, the actions, the observation; `fields` follows.

The board itself stands in `board.json`, which an owner of the game can correct [R10.1].
"""

from pathlib import Path
from typing import Literal, TypeAlias, get_args

import numpy as np
from numpy.typing import NDArray
from pydantic import Field

from ..engine.facts import read_facts
from ..engine.options import Options
from ..engine.segments import Segment
from .board_file import RED_SUITS, SIDE, SQUARES, SUITS, BoardFile

# Words -----------------------------------------------------------------------------------------

SIDES = 2

EMPTY, WHITE, GREY, RED, TOEDELOE, WALL = range(6)
PIECES = ".wgrt"
"""Letters of a position [R2.8]; a side's own pawn is WHITE + side. WALL stands off the board."""

PLAY, TARGET, STEP, OFFER, FINISHED = range(5)
PHASES = ("play", "target", "step", "offer", "over")

Forced: TypeAlias = Literal["first", "every", "off"]
FORCED: tuple[Forced, ...] = get_args(Forced)
REDS = 4
"""Red pawns of a side [R1.2]."""

LAST_PENALTY = 9
HAND = 3
SLOTS = (1 << HAND) - 1
"""Cards of the hand are bits: slot k is 1 << k."""

START = -1
"""`due` while the starting seat is to be drawn; else the number of cards to be drawn."""

NONE = -1
"""No card in a slot, no marked square."""


class ToedeloeOptions(Options):
    """The options of ToedeLoe [R1.5]."""

    players: Literal[2, 4] = 2
    """seats; four are two teams, seats 0 and 2 against 1 and 3"""
    pawns: Literal[30, 40] = 30
    """white and grey pawns of each side"""
    forced: Forced = "first"
    """duty to play a king or joker: in the first hand of every seat, in every own hand, or never"""
    king_moves_red: bool = False
    """whether a lone king moves a red pawn on the board when the side has none waiting"""
    longest: Literal["straight", "group"] = "straight"
    """the longest row that scores: a straight run, or the largest group of neighbours"""
    max_turns: int = Field(default=300, ge=1, le=10000)
    """turns until the game ends and is scored; a guard against games in which nobody passes"""
    reward: Literal["win", "margin"] = "win"
    """+1, 0 or -1, or the difference in points / 30, at most 1"""


# The board [R2] --------------------------------------------------------------------------------

BOARD = read_facts(Path(__file__).with_name("board.json"), BoardFile)
OFF = SQUARES
"""The square that stands for "off the board"; a WALL stands there."""

LANE = 13
"""Bits of a line of pawns: twelve squares and a gap, so that runs do not join."""

LANES = 4
"""Lines in one word of pawns."""

ORTHOGONAL = ((-1, 0), (0, 1), (1, 0), (0, -1))
"""North, east, south, west: row and column."""

COMPASS = "NESW"


def _next_square() -> NDArray[np.int16]:
    number = {place: square for square, place in enumerate(BOARD.places)}
    table = np.full((SQUARES + 1, 4), OFF, np.int16)
    for square, (row, column) in enumerate(BOARD.places):
        for direction, (down, right) in enumerate(ORTHOGONAL):
            table[square, direction] = number.get((row + down, column + right), OFF)
    return table


def _marks(*squares: int) -> NDArray[np.int16]:
    marks = np.zeros(SQUARES + 1, np.int16)
    marks[list(squares)] = 1
    return marks


def _number_squares() -> NDArray[np.int16]:
    number = {name: square for square, name in enumerate(BOARD.names)}
    table = np.full((len(SUITS), 13, 4), OFF, np.int16)
    for suit, letter in enumerate(SUITS):
        row = "E" if letter in RED_SUITS else "O"
        for n in range(1, 13):
            labels = [f"{zone}{kind}{n}" for kind in (letter, row) for zone in "wg"]
            table[suit, n] = [number.get(label, OFF) for label in labels]
    return table


def _line_bits() -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """By square and for its grid row and its grid column: which word, and which bit of it."""
    words = np.zeros((SQUARES, 2), np.int64)
    bits = np.zeros((SQUARES, 2), np.int64)
    for square, place in enumerate(BOARD.places):
        for k in range(2):
            line, along = place[k], place[1 - k]
            words[square, k] = SIDE // LANES * k + line // LANES
            bits[square, k] = 1 << (LANE * (line % LANES) + along)
    return words, bits


NEXT_SQUARE = _next_square()
"""Neighbour by square and direction (N, E, S, W), OFF where there is none: [121, 4] [R2.4]."""

IN_FRAME = _marks(*BOARD.frames[0], *BOARD.frames[1])
"""1 for the squares of the two frames: [121] [R2.5]."""

NUMBER_SQUARES = _number_squares()
"""By suit and number: the suit's two squares, then the two of the row or OFF: [4, 13, 4] [R4.7]."""

WORD, BIT = _line_bits()
ROW_WORDS = SIDE // LANES
LINE_WORDS = 2 * ROW_WORDS
"""Words of a side's pawns: the grid rows, four to a word, then the grid columns [R2.7]."""


def _bits(*squares: int) -> NDArray[np.int64]:
    """The words of the grid rows in which *squares* are set."""
    words = np.zeros(ROW_WORDS, np.int64)
    for square in squares:
        words[WORD[square, 0]] |= BIT[square, 0]
    return words


FRAME_BITS = np.array([_bits(*frame) for frame in BOARD.frames])
"""[2, 3]: white's frame and grey's."""

FRAMES_BITS = FRAME_BITS[0] | FRAME_BITS[1]
ROW_BITS = _bits(*BOARD.rows)
BONUS_BITS = _bits(*BOARD.bonus)
ALL_BITS = _bits(*range(SQUARES))

# The cards [R1.4] ------------------------------------------------------------------------------

RANKS = ("A", *map(str, range(2, 11)), "J", "Q", "K")
SUIT_SIZE = len(RANKS)
JOKERS = ("X1", "X2")
CARDS = (*(suit + rank for suit in SUITS for rank in RANKS), *JOKERS)
DECK = len(CARDS)
JOKER_SUIT = len(SUITS)
ACE, THREE, KING = 1, 3, 13

SUIT_OF = np.array([min(card // SUIT_SIZE, JOKER_SUIT) for card in range(DECK)], np.int16)
RANK_OF = np.array([card % SUIT_SIZE + 1 for card in range(DECK - 2)] + [0, 0], np.int16)
"""1..13; 0 for a joker."""

IS_RED = np.array([suit in RED_SUITS for suit in SUITS] + [False], np.int16)

# Actions [R6.1] --------------------------------------------------------------------------------

FIRST_SQUARE = SLOTS
FIRST_STEP = FIRST_SQUARE + SQUARES
STAY = FIRST_STEP + 4
PASS = STAY + 1
NUM_ACTIONS = PASS + 1

FIRST_SEAT = DECK
"""Outcomes are the cards by id, then the seats that may start [R3.5]."""

# The observation [R7.1] ------------------------------------------------------------------------

SEGMENTS = (
    Segment("my pawns, by square", SQUARES, key="mine"),
    Segment("the opponent's pawns, by square", SQUARES),
    Segment("red pawns, by square", SQUARES),
    Segment("ToedeLoes, by square", SQUARES),
    Segment("the square of the moving piece", SQUARES, key="moving"),
    Segment("phase: play, target, step, offer", 4, key="phase"),
    Segment("seat to move: I, the next, ...", 4, key="mover"),
    Segment("the seat to move is the responder", 1, key="flags"),
    Segment("the piece was placed in this action, it may stay", 1),
    Segment("queued cards / 2", 1),
    Segment("open hand: 3 x (suit 5, rank 13, used, active)", 60, key="hand"),
    Segment("cards left in my draw pile", DECK, key="piles"),
    Segment("cards left in the opponent's draw pile", DECK),
    Segment("pawns in supply / 40: mine, the opponent's", 2, key="supplies"),
    Segment("waiting red pawns / 4: mine, the opponent's", 2),
    Segment("ToedeLoe in stock: mine, the opponent's", 2),
    Segment("penalty / 9: mine, the opponent's", 2),
    Segment("longest row / 12: mine, the opponent's", 2, key="rows"),
    Segment("lead in points / 60", 1, low=-1.0),
    Segment("clock", 1, key="clock"),
)
