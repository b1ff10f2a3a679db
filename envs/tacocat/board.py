"""What a position of Tacocat is: the words, the deck and the track, the actions, the record.

Deck, hand sizes and arrows are facts of the physical game that an owner can correct here (or by an
option); they are marked *reconstructed* where the rules text is silent [R10.1-R10.3].
"""

from typing import Any, Literal, Self

import numpy as np
from pydantic import Field, model_validator

from ..engine.codecs import choice, copies, counter, each, flag, marks, mover, number
from ..engine.fields import Fields, field, option, part
from ..engine.names import Names
from ..engine.options import Options
from ..engine.segments import Segment

# Words -----------------------------------------------------------------------------------------

RANKS = 12
"""Ranks are 1..12; arrays are indexed by rank - 1."""

DECK_SIZE = 38
MAX_COPIES = 6
MAX_HAND = 9
SPACES = 7
TRACK = SPACES + 2
"""Track indices 0..8: seat 0's goal, spaces 1..7, seat 1's goal [R2.1]."""

CENTRE = 4
GOALS = (0, TRACK - 1)
BOTH = -1
"""An arrow that points to both seats."""

WINS_NEEDED = 4

HAND, ASIDE, REPLACED, PLAYED, SACRIFICED = range(0, 5 * RANKS, RANKS)
PLACES = ("hands", "aside", "replaced", "played", "sacrificed")
"""Where a seat's cards lie, and where each place begins in the 60 counts of a seat.

Aside is face down: cards to be replaced, or the duel card. The last three are face up, and played
is what was laid in duels, attacks and defences.
"""

KINDS = PLACES[REPLACED // RANKS :]
"""The discards of a seat."""

REPLACE, DUEL, ATTACK, DEFEND, FINISHED = range(5)
PHASES = ("replace", "duel", "attack", "defend", "over")

# Facts of the box ------------------------------------------------------------------------------

DECK_COUNTS = (2, 3, 5, 5, 5, 5, 4, 3, 2, 2, 1, 1)
"""Copies of rank 1..12: *reconstructed* [R10.1]."""

HAND_SIZES = (4, 6, 9, 7, 9, 6, 4)
"""Number on spaces 1..7: the 7 is known, the rest *reconstructed* [R10.2]."""

ARROWS = "111*000"
"""The seat that the arrow of spaces 1..7 points to, `*` for two arrows: *reconstructed* [R10.3]."""


class TacocatOptions(Options):
    """The options of Tacocat [R1.2]."""

    deck_counts: tuple[int, ...] = DECK_COUNTS
    """copies of rank 1, 2, ..., 12: each 0..6, 38 in all"""
    hand_sizes: tuple[int, ...] = HAND_SIZES
    """cards dealt to each seat on spaces 1..7: each 2..9"""
    arrows: str = ARROWS
    """for spaces 1..7, the seat that the arrow points to, 0 or 1, or * for two arrows"""
    tie_rule: Literal["draw", "arrow"] = "draw"
    """with equal last cards nobody wins the round, or the seat that the arrow points to"""
    max_decisions: int = Field(default=1000, ge=1, le=2**31 - 1)
    """decisions until the game is cut off (truncated)"""

    @model_validator(mode="after")
    def _check(self) -> Self:
        _check_numbers("deck_counts", self.deck_counts, RANKS, 0, MAX_COPIES)
        if sum(self.deck_counts) != DECK_SIZE:
            raise ValueError(
                f"expected deck_counts to sum to {DECK_SIZE}, which is not {sum(self.deck_counts)}"
            )
        _check_numbers("hand_sizes", self.hand_sizes, SPACES, 2, MAX_HAND)
        if len(self.arrows) != SPACES or set(self.arrows) - set("01*"):
            raise ValueError(f"expected arrows to be {SPACES} characters of 0, 1 and *")
        return self


def _check_numbers(name: str, values: tuple[int, ...], count: int, low: int, high: int) -> None:
    if len(values) != count or not all(low <= value <= high for value in values):
        raise ValueError(f"expected {name} to be {count} whole numbers in {low}..{high}")


# Actions [R6.1] --------------------------------------------------------------------------------

RUN_LENGTHS = range(3, 8)
SET_SIZES = range(2, 7)

SET_ASIDE = 0
DONE = 12
DUEL_CARD = 13
SINGLE = 25
SET = 37
RUN = 97
DEFENCE = 137
SACRIFICE = 149
NUM_ACTIONS = 150


def _attacks() -> list[tuple[str, list[int]]]:
    """Notation and ranks of the actions from SINGLE to the last run, in order."""
    singles = [(f"a{r}", [r]) for r in range(1, RANKS + 1)]
    sets = [(f"a{r}x{k}", [r] * k) for r in range(1, RANKS + 1) for k in SET_SIZES]
    runs = [
        (f"a{low}-{low + k - 1}", list(range(low, low + k)))
        for k in RUN_LENGTHS
        for low in range(1, RANKS - k + 2)
    ]
    return singles + sets + runs


def _attack_cards() -> np.ndarray[tuple[int, int], np.dtype[np.int16]]:
    cards = np.zeros((NUM_ACTIONS, RANKS), np.int16)
    for action, (_, ranks) in enumerate(_attacks(), SINGLE):
        for rank in ranks:
            cards[action, rank - 1] += 1
    return cards


def _run_first() -> np.ndarray[tuple[int], np.dtype[np.int16]]:
    """The action of the run of k cards from rank 1, by k; runs from higher ranks follow it."""
    first = np.zeros(RUN_LENGTHS.stop, np.int16)
    action = RUN
    for k in RUN_LENGTHS:
        first[k] = action
        action += RANKS - k + 1
    return first


MOVES = Names(
    [
        *(f"x{r}" for r in range(1, RANKS + 1)),
        "xx",
        *(f"d{r}" for r in range(1, RANKS + 1)),
        *(text for text, _ in _attacks()),
        *(f"b{r}" for r in range(1, RANKS + 1)),
        "s",
    ],
    "a move of Tacocat such as x5, xx, d12, a9, a5x3, a4-7, b10 or s",
)
"""Notation by action [R6.3]."""

OUTCOMES = Names([f"!{r}" for r in range(1, RANKS + 1)], "a card drawn, !1 to !12")
"""Notation of chance by outcome: the rank that is drawn [R3.5]."""

ATTACK_CARDS = _attack_cards()
"""Copies of each rank that an attack lays down, by action: int16[150, 12]."""

RUN_FIRST = _run_first()

# The record ------------------------------------------------------------------------------------

HAND_OF_RANKS = copies(number(1, RANKS), most=MAX_COPIES)
"""A sorted list of ranks in JSON, copies by rank in the record."""

BY_SEAT = each(HAND_OF_RANKS, 2)


def _arrows(arrows: str) -> list[int]:
    return [BOTH, *(BOTH if arrow == "*" else int(arrow) for arrow in arrows), BOTH]


FIELDS = Fields(
    "tacocat",
    TacocatOptions,
    option("deck_counts", number(0, MAX_COPIES), shape=(RANKS,)),
    option(
        "hand_sizes",
        number(0, MAX_HAND),  # 0 at the goals
        shape=(TRACK,),
        write=lambda sizes: (0, *sizes, 0),
        read=lambda sizes: sizes[1:-1],
    ),
    option(
        "arrows",
        number(BOTH, 1),
        shape=(TRACK,),
        write=_arrows,
        read=lambda arrows: "".join("*" if a == BOTH else str(a) for a in arrows[1:-1]),
    ),
    option("tie_rule", field="arrow_breaks_ties"),
    field("phase", choice(PHASES), "what is to be decided"),
    field("mover", mover(2), "seat to move once nothing is due", key="to_move"),
    field("decisions", counter(), "decisions made so far"),
    field("round", counter(1), "from 1 on"),
    field("tacocat", number(0, TRACK - 1), "track index of Tacocat"),
    field("covered", marks(number(1, SPACES), TRACK), "spaces under a tile"),
    part("hands", BY_SEAT, "ranks in hand, by seat", of="cards", at=HAND),
    field("pile", HAND_OF_RANKS, "ranks in the draw pile", key="draw_pile"),
    part("aside", BY_SEAT, "ranks face down, by seat", of="cards", at=ASIDE),
    *(
        part(f"discard.{kind}", BY_SEAT, f"ranks {kind}, by seat", of="cards", at=at)
        for kind, at in zip(KINDS, (REPLACED, PLAYED, SACRIFICED), strict=True)
    ),
    field(
        "attack",
        copies(number(1, RANKS), most=MAX_COPIES, descending=True),
        "ranks of the attack not yet answered",
    ),
    field("trick_lost", flag(), "the defender has lost the trick already"),
    field(
        "cards",
        number(0, MAX_COPIES),
        "copies by seat, then place + rank",
        shape=(2, len(PLACES) * RANKS),
        key=None,
    ),
    field("due", number(0, MAX_HAND), "cards still to be drawn, by seat", shape=(2,), key=None),
)


def lying(state: Any, place: int) -> Any:
    """The counts of both seats in *place*, int16 `[2, 12]`, a view of the record."""
    return state["cards"][:, place : place + RANKS]


# The observation [R7.1] ------------------------------------------------------------------------

SEGMENTS = (
    Segment("phase: replace, duel, attack, defend", 4, key="phase"),
    Segment("I am to move", 1, key="flags"),
    Segment("replacing, both at once", 1),
    Segment("replacing in turn, and I am first", 1),
    Segment("cards I may still set aside / 9", 1),
    Segment("the trick is already lost by the defender", 1, key="lost"),
    Segment("ties go to the arrow", 1),
    Segment("my hand / 6", RANKS, key="own"),
    Segment("my cards face down / 6", RANKS, key="down"),
    Segment("attack cards not yet answered / 6", RANKS, key="attack"),
    Segment("the attack card to answer now", RANKS, key="answer"),
    Segment("face up: I replaced / 6", RANKS, key="face_up"),
    Segment("face up: I played / 6", RANKS),
    Segment("face up: I sacrificed / 6", RANKS),
    Segment("face up: the opponent replaced / 6", RANKS, key="theirs"),
    Segment("face up: the opponent played / 6", RANKS),
    Segment("face up: the opponent sacrificed / 6", RANKS),
    Segment("cards I have not seen / 6", RANKS, key="unseen"),
    Segment("my number of cards / 9", 1, key="numbers"),
    Segment("the opponent's number of cards / 9", 1, key="their_cards"),
    Segment("draw pile / 38", 1),
    Segment("my floor / 12", 1),
    Segment("the opponent's floor / 12", 1, key="their_floor"),
    Segment("rounds I won / 4", 1),
    Segment("rounds the opponent won / 4", 1),
    Segment("clock", 1),
    Segment("Tacocat, from my goal", TRACK, key="track"),
    Segment("covered spaces, from my goal", SPACES, key="covered"),
    Segment("hand size of the spaces / 9, from my goal", SPACES, key="sizes"),
    Segment("arrow of the spaces: to me, to both, to the opponent", SPACES, key="arrows", low=-1.0),
)
OBSERVATION_SIZE = sum(segment.size for segment in SEGMENTS)
STATE_SIZE = OBSERVATION_SIZE + 2 + 3 * RANKS
"""Seat 0's observation, who is to move, seat 1's hand and face-down cards, the pile [R7.4]."""
