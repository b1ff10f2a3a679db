"""What a position of Slag is: words, record and observation, and its text."""

from pydantic import Field

from spelkast.envs.engine.codecs import Codec, choice, each, marks, nullable, number, seat
from spelkast.envs.engine.dtypes import OVER, Json, States
from spelkast.envs.engine.errors import PositionError
from spelkast.envs.engine.fields import Fields, field, option
from spelkast.envs.engine.jit import kernel
from spelkast.envs.engine.options import Options
from spelkast.envs.engine.segments import Segment
from spelkast.envs.engine.spec import table_notation

SUITS, RANKS, SEATS, HAND = "CDHS", 6, 4, 5
CARDS = [f"{suit}{rank}" for suit in SUITS for rank in range(1, RANKS + 1)]
OUTCOMES = [f"!{card}" for card in CARDS]
NONE = -1
"""No card, suit or seat; NONE // RANKS is NONE again."""

PACK, OPEN, HANDS = range(3)
"""Where a card is: in the pack, known to all since it lay face up, or with seat `at - HANDS`."""


class SlagOptions(Options):
    """The options of Slag."""

    players: int = Field(default=3, ge=2, le=SEATS)
    """seats at the table"""
    trump: bool = True
    """whether a card is turned up, whose suit is trump"""


def by_seat(codec: Codec, *, fill: int = 0, more: int = 0) -> Codec:
    """A list with an item for each seat at the table, and *more* before them."""
    return each(codec, more + SEATS, count=lambda options: more + options.players, fill=fill)


CARD, SEAT = choice(CARDS), seat(SEATS, seats=lambda options: options.players)
FIELDS = Fields(
    "slag",
    SlagOptions,
    option("players"),
    option("trump"),
    field("mover", nullable(SEAT, OVER), "seat to move once all is dealt", key="to_move"),
    field("led", nullable(choice(SUITS), NONE), "suit that was led"),
    field("best", nullable(SEAT, NONE), "seat that wins the trick so far"),
    field("up", nullable(CARD, NONE), "the card turned up"),
    field("cards", by_seat(marks(CARD), more=HANDS), "the pack, cards that lay open, each hand"),
    field("table", by_seat(nullable(CARD, NONE), fill=NONE), "cards of this trick, by seat"),
    field("tricks", by_seat(number(0, HAND)), "tricks won, by seat"),
    field("voids", by_seat(marks(choice(SUITS))), "suits that were not followed, by seat"),
    field("due", number(0, 1 + SEATS * HAND), "cards still to be dealt", key=None),
)

SEGMENTS = (
    Segment(key="to_move", name="I am to move", size=1),
    Segment(key="cards", name="cards that lay open; my hand", size=2 * len(CARDS)),
    Segment(key="best", name="the card that wins the trick so far", size=len(CARDS)),
    Segment(key="suits", name="suit that was led; trump", size=2 * len(SUITS)),
    Segment(key="seats", name="has laid a card, tricks / 5, from me on", size=2 * SEATS),
    Segment(key="voids", name="suits not followed, from me on", size=SEATS * len(SUITS)),
)

action_to_move, move_to_action = table_notation(CARDS, "a card, C1 to S6")
outcome_to_text, text_to_outcome = table_notation(OUTCOMES, "a card dealt, !C1 to !S6")


def infos(states: States, i: int) -> Json:
    """What is public about the match."""
    return {"scores": states[i]["tricks"][: int(states[i]["players"])].tolist()}


def report(code: int) -> Json:
    """The seat that took a trick."""
    return {"trick_winner": code - 1}


@kernel
def strength(card: int, led: int, up: int) -> int:
    """Trump is above the suit that was led, and that above the others [R3]."""
    return card % RANKS + RANKS * ((card // RANKS == led) + 2 * (card // RANKS == up // RANKS))


def check_reachable(states: States, position: Json) -> None:
    """Each card is in one place, and cards, tricks and the seat to move fit together."""
    state = states[0]
    players, tricks, best = state["players"], state["tricks"].sum(), state["best"]
    cards, table, led, up = state["cards"], state["table"], state["led"], state["up"]
    laid = [(state["mover"] - k) % players for k in range((table != NONE).sum(), 0, -1)]
    shown = [*table[laid], *([up] if state["trump"] else [])]
    sizes = [HAND - tricks - (k in laid) for k in range(players)]
    held = cards[HANDS : HANDS + players]
    voids = held.reshape(players, len(SUITS), RANKS).any(2) & (state["voids"][:players] > 0)
    strongest = max(laid, key=lambda k: strength(table[k], led, up), default=NONE)
    for holds, expected in (
        ((cards.sum(0) == 1).all(), "each card in one place"),
        ((state["mover"] == OVER) == (tricks == HAND), "the end after the last trick"),
        ((up == NONE) != state["trump"], "a card turned up if there is trump"),
        (len(laid) < players and NONE not in shown, "cards of the seats before the next"),
        (cards[OPEN, shown].all(), "open cards on the table"),
        (cards[OPEN].sum() == len({*shown}) + players * tricks, "the cards of the tricks"),
        (led == (shown[0] // RANKS if laid else NONE), "the suit that was led"),
        (best == strongest, "the seat with the best card"),
        (held.sum(1).tolist() == sizes, "full hands"),
        (not voids.any(), "no card of a suit that was not followed"),
    ):
        if not holds:
            raise PositionError(f"expected {expected}, got {position}")
