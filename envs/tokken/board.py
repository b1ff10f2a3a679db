"""The words of Tokken: the pack, the ring, the actions, the observation; `fields` follows.

A *side* is a team, or a single player where there are no teams. Places on the ring are counted
for each colour from its own start: `progress` is -1 in the yard, 0..L-1 on the ring (0 the own
start, L-2 the door, L-1 the own hologram) and L+h in slot Hh of the home lane [R2.6].
"""

from typing import Literal, Self, TypeAlias, get_args

import numpy as np
from pydantic import Field, model_validator

from ..engine.options import Options
from ..engine.segments import Segment, Windows, starts

# Words -----------------------------------------------------------------------------------------

RANK_NAMES = "A23456789TJQKX"
"""The ranks in their order; T is the ten, X the joker [R1.2]."""

RANKS = len(RANK_NAMES)
ACE, FOUR, FIVE, SEVEN, JACK, KING, JOKER = (RANK_NAMES.index(name) for name in "A457JKX")

PAWNS = 4
MOST_SEATS = 6
SEGMENT = 16
"""Fields of the ring per segment."""

MOST_FIELDS = MOST_SEATS * SEGMENT
MOST_DOTS = 13
HOLOGRAM = SEGMENT - 1
"""Offset of the hologram in every segment [R2.4]."""

YARD = -1
NOBODY = -1

EXCHANGE, PLAY, SPLIT, FINISHED = range(4)
PHASES = ("exchange", "play", "split", "over")

NOTHING_DUE, DEALER_DUE, DEAL_DUE, EXTRA_DUE = range(4)
"""What chance is due [R3.4]."""

STAY, ILLEGAL, FLY = range(3)
DotBlocked: TypeAlias = Literal["stay", "illegal", "fly"]
CONNECT, FREE = range(2)
HomeEntry: TypeAlias = Literal["connect", "free"]

Players: TypeAlias = Literal[2, 3, 4, 6]
PLAYERS: tuple[Players, ...] = get_args(Players)

DECISIONS_PER_SEAT = 150
"""The default cap per seat [R1.3]: 600 decisions of four stand for 75 minutes [R8.2]."""

SEVEN_STEPS = 7
MOST_PARTS = 4

# Facts of the box ------------------------------------------------------------------------------

SEGMENTS_BY_SEATS = (0, 0, 4, 3, 4, 0, 6)
"""Segments of the board by number of players [R1.5]."""

HAND_SIZES = (0, 5, 4, 4)
"""Cards per seat by number of the deal [R3.5]."""

BLACK_DOTS = (8,)
"""Offsets of the black dots in every segment: *reconstructed* [R10.2]."""


class TokkenOptions(Options):
    """The options of Tokken [R1.3]."""

    players: Players = 4
    """number of players"""
    teams: bool | None = None
    """whether partners sit opposite each other; null: with 4 and 6 players; never with 2 and 3"""
    first_dealer: int | None = Field(default=None, ge=0)
    """the seat that deals first; null to draw it by lot"""
    max_decisions: int | None = Field(default=None, ge=0, le=2**31 - 1)
    """decisions until time is up; 0 for no limit, null for 150 per player"""
    black_dots: tuple[int, ...] = BLACK_DOTS
    """offsets of the black dots in every segment: different, ascending, each 1..13"""
    dot_blocked: DotBlocked = "stay"
    """if a protected pawn bars the way to the next dot: stay, play illegal, or fly over it"""
    dot_on_swap: bool = False
    """whether a swap onto a black dot carries the pawn on"""
    home_entry: HomeEntry = "connect"
    """whether a pawn at home must close up, or may stop on any slot that it reaches"""
    five_on_start: bool = False
    """whether a 5 may move an opponent's pawn that stands on its own start"""

    @model_validator(mode="after")
    def _check(self) -> Self:
        if self.teams and self.players not in (4, 6):
            raise ValueError(f"expected teams only with 4 or 6 players, not with {self.players}")
        if self.first_dealer is not None and self.first_dealer >= self.players:
            raise ValueError(
                f"expected first_dealer as a seat 0..{self.players - 1}, not {self.first_dealer}"
            )
        dots = self.black_dots
        if list(dots) != sorted(set(dots)) or not all(1 <= dot <= MOST_DOTS for dot in dots):
            raise ValueError(f"expected black_dots as ascending different numbers 1..{MOST_DOTS}")
        return self

    @property
    def has_teams(self) -> bool:
        """Whether partners play together under these options."""
        return self.players in (4, 6) if self.teams is None else self.teams

    @property
    def cap(self) -> int:
        """The number of decisions after which time is up; 0 for never."""
        limit = self.max_decisions
        return DECISIONS_PER_SEAT * self.players if limit is None else limit

    @property
    def ring(self) -> int:
        """The number of fields of the ring."""
        return SEGMENT * SEGMENTS_BY_SEATS[self.players]

    @property
    def jokers(self) -> int:
        """Jokers in the pack: as many cards as are left after three deals [R1.5]."""
        return (self.players + 1) // 2

    @property
    def sides(self) -> tuple[int, ...]:
        """The side of each seat [R1.6]."""
        sides = self.players // 2 if self.has_teams else self.players
        return tuple(seat % sides for seat in range(self.players))


# Actions [R6.3] --------------------------------------------------------------------------------

GIVE = 0
FOLD = 14
KEEP = 15
ENTER = 16
WALK = 19
BACK = 59
PART = 63
PUSH = 91
"""A 5 on a target pawn; swaps follow, and where they begin depends on the number of seats."""

ENTRY_CARDS = np.array([ACE, KING, JOKER], np.int16)
WALK_CARDS = np.array([RANK_NAMES.index(name) for name in "A23689TQKX"], np.int16)
WALK_STEPS = np.array([1, 2, 3, 6, 8, 9, 10, 12, 13, 18], np.int16)

STEPS_BY_RANK = np.zeros(RANKS, np.int16)
"""Steps that a card walks, by rank; 0 for 4, 5, 7 and J [R12.2]."""
STEPS_BY_RANK[WALK_CARDS] = WALK_STEPS


def num_actions(players: int) -> int:
    """How many actions there are with so many players."""
    return PUSH + 20 * (players - 1)


# The observation [R7.2] ------------------------------------------------------------------------


def segments(options: TokkenOptions) -> tuple[Segment, ...]:
    """The observation under *options*, segment by segment."""
    seats, ring = options.players, options.ring
    listed = (
        ("ring", "ring: pawns by seat from me and field from my start", seats * ring),
        ("home", "home: slots H1..H4 by seat", 4 * seats),
        ("yard", "yard: pawns / 4 by seat", seats),
        ("progress", "progress of each pawn, most advanced first, by seat", 4 * seats),
        ("stuck", "pawns that are stuck on a hologram, by seat", 4 * seats),
        ("guarded", "seats with a protected pawn", seats),
        ("mine", "mine: place of each pawn of the colour I play, one-hot", 4 * (ring + 5)),
        ("hand", "my hand / players", RANKS),
        ("extras", "my extra cards / players", RANKS),
        ("discard", "discard / players", RANKS),
        ("gave", "the rank I gave", RANKS),
        ("got", "the rank I got", RANKS),
        ("cards", "cards by seat / 8", seats),
        ("out", "seats that are out of this deal", seats),
        ("drawn", "extra cards drawn by seat / jokers", seats),
        ("pile", "draw pile / (8 players + jokers)", 1),
        ("deal", "deal: first, second, third", 3),
        ("dealer", "dealer", seats),
        ("mover", "seat to move", seats),
        ("phase", "phase: exchange, play, split", 3),
        ("left", "steps of a seven left: 1..6", 6),
        ("moved", "pawns of the colour I play that have had their part", 4),
        ("parts", "parts of the seven used / 4", 1),
        ("helping", "I help my partner", 1),
        ("clock", "clock", 1),
    )
    return tuple(Segment(name, size, key) for key, name, size in listed)


SEGMENTS = segments


def windows(options: TokkenOptions) -> Windows:
    """Around each pawn that I play: a king's way before and behind it, and a joker's before it."""
    ring, mine, helping = starts(segments(options), "ring", "mine", "helping")
    return Windows(
        ring=ring,
        lanes=options.players,
        fields=options.ring,
        pieces=mine,
        count=4,
        places=options.ring + 5,
        first=1,
        offsets=(*range(-13, 0), *range(1, 14), int(WALK_STEPS[-1])),
        turned=helping,
    )
