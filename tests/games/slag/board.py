"""What a position of Slag is: the words, the record, the observation."""

from pydantic import Field

from spelkast.envs.engine.codecs import choice, each, nullable, number, seat
from spelkast.envs.engine.dtypes import OVER, Json, States
from spelkast.envs.engine.errors import expect
from spelkast.envs.engine.fields import Fields, field
from spelkast.envs.engine.jit import kernel
from spelkast.envs.engine.names import Names
from spelkast.envs.engine.options import Options, players
from spelkast.envs.engine.segments import Segment

SUITS, RANKS, DECK, SEATS, HAND = "CDHS", 6, 24, 4, 5
CARDS = [f"{suit}{rank}" for suit in SUITS for rank in range(1, RANKS + 1)]
MOVES, OUTCOMES = Names(CARDS, "a card"), Names([f"!{card}" for card in CARDS], "a card dealt")
NONE = -1  # no card, suit or seat; NONE // RANKS is NONE again

PACK, OPEN = SEATS, SEATS + 1
"""Where a card is, if no seat holds it: in the pack, or known to all since it lay face up."""


class SlagOptions(Options):
    """The options of Slag."""

    players: int = Field(default=3, ge=2, le=SEATS)
    """seats at the table"""
    trump: bool = True
    """whether a card is turned up, whose suit is trump"""


CARD, SEAT = nullable(choice(CARDS), NONE), seat(SEATS, seats=players)
FIELDS = Fields(
    "slag",
    SlagOptions,
    field("mover", nullable(SEAT, OVER), "seat to move once all is dealt", key="to_move"),
    field("best", nullable(SEAT, NONE), "seat that wins the trick so far"),
    field("up", CARD, "the card turned up"),
    field("table", each(CARD, SEATS, count=players, fill=NONE), "cards of this trick, by seat"),
    field("tricks", each(number(0, HAND), SEATS, count=players), "tricks won, by seat"),
    field("at", choice("0123-*"), "by card: its seat, - pack, * open", shape=(DECK,)),
    field("due", number(0, 1 + SEATS * HAND), "cards still to be dealt", key=None),
)

SEGMENTS = (
    Segment("I am to move", 1, key="to_move"),
    Segment("cards that lay open; my hand", 2 * DECK, key="cards"),
    Segment("cards of this trick, from me on", SEATS * DECK, key="table"),
    Segment("trump", len(SUITS), key="trump"),
    Segment("tricks / 5, from me on", SEATS, key="tricks"),
)


@kernel
def beats(card: int, other: int, up: int) -> bool:
    """A higher card of the same suit takes the trick, and a trump from any other suit [R3]."""
    suit = card // RANKS
    return card > other if suit == other // RANKS else suit == up // RANKS


def infos(states: States, i: int) -> Json:
    """What is public about the match."""
    return {"scores": states[i]["tricks"][: int(states[i]["players"])].tolist()}


def check_reachable(states: States, position: Json) -> None:
    """Cards, tricks and the seat to move fit together."""
    state = states[0]
    players, mover, up = int(state["players"]), int(state["mover"]), int(state["up"])
    table, tricks = state["table"].tolist(), int(state["tricks"].sum())
    laid = [(mover - k) % players for k in range(SEATS - table.count(NONE), 0, -1)]
    shown = [*(table[k] for k in laid), *([up] if state["trump"] else [])]
    best = laid[0] if laid else NONE
    for k in laid:
        best = k if beats(table[k], table[best], up) else best
    sizes = [(HAND - tricks - (k in laid)) * (k < players) for k in range(SEATS)]
    held = [(state["at"] == place).sum() for place in range(OPEN + 1)]
    for holds, expected in (
        ((mover == OVER) == (tricks == HAND), "the end after the last trick"),
        ((up == NONE) != state["trump"], "a card turned up if there is trump"),
        (len(laid) < players and NONE not in shown, "cards of the seats before the next"),
        (len({*shown}) == len(shown) and (state["at"][shown] == OPEN).all(), "open cards shown"),
        (held[OPEN] == len(shown) + players * tricks, "the open cards of the tricks"),
        (int(state["best"]) == best, "the seat with the best card"),
        (held[:SEATS] == sizes, "full hands"),
    ):
        expect(holds, expected, "others")
