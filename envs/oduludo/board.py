"""What a position of Oduludo is: the words, tables of the board, the actions, the record.

All facts of the physical board stand in `board.json` (see `data`); here they become tables. A
piece's *progress* counts the steps from its Moon along its own route [R2.3].
"""

from collections.abc import Callable, Sequence
from typing import Any, Literal, Self, TypeAlias

import numpy as np
from numpy.typing import NDArray
from pydantic import Field, model_validator

from ..engine.dtypes import Json
from ..engine.facts import read_facts
from ..engine.names import Names
from ..engine.options import Options
from ..engine.segments import Segment
from .board_file import BOARD_FILE, NUM_COLORS, PIECES, SEAT_COUNTS, BoardData, is_choice

Table: TypeAlias = NDArray[np.int64]

BOARD = read_facts(BOARD_FILE, BoardData)

# Words -----------------------------------------------------------------------------------------

SEATS = 4
NUM_PIECES = len(PIECES)
KING, QUEEN, SOLDIER = 0, 1, 2

MOVE, CAPTURE, ODULUDO, SUN, FINISHED = range(5)
PHASES = ("move", "capture", "oduludo", "sun", "over")

NOTHING, START, DIE, FACE = range(4)
"""What chance event is due [R3.3]."""

STANDARD, LAST_PIECE, TEAM = range(3)
Mode: TypeAlias = Literal["standard", "last_piece", "team"]

RING = BOARD.ring_size
ROUTE_LENGTH = BOARD.route_length
"""L: progress 0..L-1 is on the ring, the own path follows [R2.3]."""
EARTH = ROUTE_LENGTH + BOARD.path_length
"""Where a piece is: its progress 0..EARTH-1 on ring and path, or one of these four."""
SHIP, HELD, OFF = EARTH + 1, EARTH + 2, EARTH + 3
LAST = EARTH + BOARD.globes - 1
"""Progress of the last globe, at which a move bounces [R4.7]."""

ON_EARTH = NUM_PIECES
"""Stands for the lead of the carrying stack once a captive has reached Earth with it."""
CARRIERS = NUM_PIECES + 1

COUNT_BITS = 8
"""`occupied` packs the pieces on a square, so many bits per seat."""

DEFAULT_CAPS = {"standard": 3000, "last_piece": 20000, "team": 4000}


class OduludoOptions(Options):
    """The options of Oduludo [R1.3]."""

    mode: Mode = "standard"
    """one round; rounds until a seat has won target_wins of them; two against two"""
    players: int = Field(default=2, ge=min(SEAT_COUNTS), le=max(SEAT_COUNTS))
    """number of seats; mode team has 4"""
    colors: str = BOARD.default_colors[2]
    """colours in play, one letter per seat, in board order; the default depends on `players`"""
    queen_carries_stack: bool = True
    """whether a stack with its Queen may go backward as a whole, or only a Queen alone"""
    stack_protection: Literal["none", "size"] = "none"
    """"size": only a stack with at least as many pieces may come to rest on enemies"""
    six_limit: int = Field(default=0, ge=0, le=100)
    """the n-th six within a turn ends the turn without a move; 0: no limit"""
    target_wins: int = Field(default=5, ge=1, le=NUM_PIECES)
    """rounds that win the match in mode last_piece"""
    reward: Literal["rank", "score"] = "rank"
    """whether final rewards depend on place or on points"""
    max_decisions: int = Field(default=DEFAULT_CAPS["standard"], ge=1, le=1_000_000)
    """decisions until the game is cut off (truncated); 4000 in mode team, 20000 in last_piece"""

    @model_validator(mode="before")
    @classmethod
    def _fill(cls, values: Any) -> Any:
        """Defaults that depend on other options."""
        if not isinstance(values, dict):
            return values
        filled = _dependent_defaults(values.get("mode", "standard"), values.get("players"))
        return {**filled, **values}

    @model_validator(mode="after")
    def _check(self) -> Self:
        if self.mode == "team" and self.players != SEATS:
            raise ValueError(f"expected {SEATS} players in mode team")
        if not is_choice(self.colors, self.players, BOARD.colors):
            raise ValueError(
                f"expected colors as {self.players} letters of {BOARD.colors}, in that order"
            )
        if self.mode == "team" and ROUTE_LENGTH < RING:
            raise ValueError("expected a board whose routes pass every ring square in mode team")
        return self

    def changed(self) -> Json:
        """The options that differ from their default, as plain JSON."""
        defaults = OduludoOptions(**_dependent_defaults(self.mode, self.players)).model_dump()
        defaults["mode"] = "standard"
        defaults["players"] = _default_players(self.mode)
        values = self.model_dump(mode="json")
        return {name: value for name, value in values.items() if value != defaults[name]}


def _default_players(mode: object) -> int:
    return SEATS if mode == "team" else 2


def _dependent_defaults(mode: object, players: object) -> Json:
    """The defaults that depend on mode and players; invalid values are left to the validator."""
    if players is None:
        players = _default_players(mode)
    filled: Json = {"mode": mode, "players": players}
    if isinstance(players, int) and players in BOARD.default_colors:
        filled["colors"] = BOARD.default_colors[players]
    if isinstance(mode, str) and mode in DEFAULT_CAPS:
        filled["max_decisions"] = DEFAULT_CAPS[mode]
    return filled


# Actions and outcomes [R6, R3.3] ---------------------------------------------------------------

BACKWARD = 5  # forward: 0..4
ENTER_KING, ENTER_QUEEN, ENTER_SOLDIER = 6, 7, 8
SEND, ABDUCT = 9, 10
ROLL_FACE, DECLINE = 11, 12
SUN_FORWARD, SUN_BACKWARD = 13, 14
MOVES = Names(
    [
        *(f"m{piece}" for piece in PIECES),
        "mQ-", "dK", "dQ", "dS", "send", "abduct", "oduludo", "decline", "sun+", "sun-",
    ],
    "a move of Oduludo such as mK, mS1, mQ-, dS, send, abduct, oduludo, decline or sun+",
)  # fmt: skip
NUM_ACTIONS = len(MOVES)

FIRST_SEAT, FIRST_PIP, FIRST_FACE = 0, SEATS, SEATS + 6
OUTCOMES = Names(
    [
        *(f"!seat{seat}" for seat in range(SEATS)),
        *(f"!{pips}" for pips in range(1, 7)),
        *(f"!{face}" for face in BOARD.faces),
    ],
    "an outcome of Oduludo: !seat0 to !seat3, !1 to !6, or a face such as !plus3",
)
NUM_OUTCOMES = len(OUTCOMES)
FACE_EARTH, FACE_PLUS3, FACE_LIGHTNING, FACE_MOON = (
    FIRST_FACE + BOARD.faces.index(face) for face in ("earth", "plus3", "lightning", "moon")
)

# Tables by ring square, 0 or 1, or a colour and -1 for none -------------------------------------


def _marks(squares: Sequence[int]) -> Table:
    marks = np.zeros(RING, np.int64)
    marks[list(squares)] = 1
    return marks


def _colors_at(squares: Sequence[int]) -> Table:
    colors = np.full(RING, -1, np.int64)
    for color, square in enumerate(squares):
        colors[square] = color
    return colors


IS_SAFE = _marks(BOARD.safe)
IS_STAR = _marks(BOARD.stars)
IS_CIRCLE = _marks(BOARD.circles)
MOON_OF = _colors_at(BOARD.moon)
PARKING_OF = _colors_at(BOARD.ufo)
MOON = np.array(BOARD.moon, np.int64)

# Tables by colour and progress ------------------------------------------------------------------

REST, GLOBE, TOP_SUN, OTHER_SUN, LIGHTNING, PARKING = range(6)
"""What a landing at a progress does [R4.15 - R4.21]; `REST` is every square without an effect."""


def _square_at(color: int, progress: int) -> int:
    """The ring square of a progress; -1 on the own path."""
    return (BOARD.moon[color] + progress) % RING if progress < ROUTE_LENGTH else -1


def _landing_kind(color: int, progress: int) -> int:
    square = _square_at(color, progress)
    if progress >= EARTH:
        return GLOBE
    if square in BOARD.suns:
        return TOP_SUN if square == BOARD.entry[color] else OTHER_SUN
    if square in BOARD.lightnings:
        return LIGHTNING
    return PARKING if square in BOARD.ufo else REST


def _by_progress(value: Callable[[int, int], int]) -> Table:
    colors, places = range(NUM_COLORS), range(LAST + 1)
    return np.array([[value(color, t) for t in places] for color in colors], np.int64)


def _next_of(squares: Sequence[int]) -> Callable[[int, int], int]:
    """Progress of the next of *squares* ahead; -1 if there is none."""

    def ahead(color: int, progress: int) -> int:
        found = (t for t in range(progress + 1, ROUTE_LENGTH) if _square_at(color, t) in squares)
        return next(found, -1)

    return ahead


def _previous_of(squares: Sequence[int], otherwise: int) -> Callable[[int, int], int]:
    """Progress of the previous of *squares*; *otherwise* if there is none."""

    def behind(color: int, progress: int) -> int:
        start = min(progress, ROUTE_LENGTH) - 1
        found = (t for t in range(start, -1, -1) if _square_at(color, t) in squares)
        return next(found, otherwise)

    return behind


SQUARE = _by_progress(_square_at)
LANDING_KIND = _by_progress(_landing_kind)
NEXT_SUN = _by_progress(_next_of(BOARD.suns))
PREVIOUS_SUN = _by_progress(_previous_of(BOARD.suns, -1))
PREVIOUS_LIGHTNING = _by_progress(_previous_of(BOARD.lightnings, 0))  # 0: the own Moon [R4.19]

SUN_NUMBER = np.full((NUM_COLORS, RING), -1, np.int64)
"""By colour and ring square: which Sun of the route it is, from 0; -1 off the route or no Sun."""
for _color in range(NUM_COLORS):
    _route = [_square_at(_color, t) for t in range(ROUTE_LENGTH)]
    for _number, _square in enumerate(s for s in _route if s in BOARD.suns):
        SUN_NUMBER[_color, _square] = _number

# Tables by a set of pieces, bit p for piece p ----------------------------------------------------

SETS = 1 << NUM_PIECES
LEAD = np.array([next((p for p in range(NUM_PIECES) if s >> p & 1), -1) for s in range(SETS)])
"""The first piece in the order K Q S1 S2 S3 [R4.5]; -1 for none."""
SIZE = np.array([s.bit_count() for s in range(SETS)])

ENEMIES = np.zeros((2, SEATS), np.int64)
"""By 1 in team mode and seat: the bits of `occupied` that belong to enemies."""
for _team in range(2):
    for _seat in range(SEATS):
        for _other in range(SEATS):
            if _other != _seat and not (_team and (_other - _seat) % 2 == 0):
                ENEMIES[_team, _seat] |= ((1 << COUNT_BITS) - 1) << COUNT_BITS * _other

# Scores [R8.4] -----------------------------------------------------------------------------------

SCORING = BOARD.scoring
PLACE_POINTS = np.zeros((SEATS + 1, SEATS), np.int64)
"""By number of seats and place."""
for _n, _points in SCORING.place.items():
    PLACE_POINTS[_n, :_n] = _points
TEAM_POINTS = np.array(SCORING.team, np.int64)
REMOVAL_ORDER = np.array([PIECES.index(piece) for piece in BOARD.removal_order], np.int64)

# The observation [R7.1] --------------------------------------------------------------------------

PLACES = RING + BOARD.path_length
OWN_SIZE = PLACES + 3
SEGMENTS = (
    Segment("phase: move, capture, oduludo, sun", 4, key="phase"),
    Segment("to move, by side", NUM_COLORS, key="to_move"),
    Segment("die", 6, key="die"),
    Segment("a Star was reached in this move", 1, key="star"),
    Segment("(sixes + 1) / six_limit", 1, key="sixes"),
    Segment("my pieces: ring and path, ship, Earth, held", NUM_PIECES * OWN_SIZE, key="own"),
    Segment("captives of my stacks / 5, by lead", NUM_PIECES, key="cargo"),
    Segment("lead of the moving stack", NUM_PIECES, key="mover"),
    Segment("fresh pieces on a foreign Moon", NUM_PIECES, key="fresh"),
    Segment("the Sun landed on, along my route", len(BOARD.suns), key="at"),
    Segment("pieces of the other sides / 5, by place", 3 * PLACES, key="stacks"),
    Segment("Kings of others, by place", RING, key="kings"),
    Segment("Queens of others, by place", RING, key="queens"),
    Segment("pieces of others: base, held, route", 3 * NUM_PIECES * 3, key="others", low=-1.0),
    Segment("captives / 5, by holder and owner", NUM_COLORS * (NUM_COLORS - 1), key="captives"),
    Segment("sides: playing, UFO, wins, points, place", NUM_COLORS * 5, key="seats", low=-1.0),
    Segment("rules: last_piece, team, queen_carries_stack, size", 4, key="rules"),
    Segment("clock", 1, key="clock"),
)
OBSERVATION_SIZE = sum(segment.size for segment in SEGMENTS)
