"""What a position of ToedeLoe holds, each field stated once [R9.1]."""

from collections.abc import Sequence
from typing import Any

from ..engine.codecs import (
    At,
    Codec,
    choice,
    counter,
    each,
    flag,
    marks,
    mover,
    nullable,
    number,
    seat,
)
from ..engine.dtypes import States
from ..engine.fields import Fields, Hook, field, option
from ..engine.options import players
from .board import (
    BIT,
    BOARD,
    CARDS,
    GREY,
    HAND,
    LANE,
    LANES,
    LAST_PENALTY,
    LINE_WORDS,
    NONE,
    OFF,
    PHASES,
    PIECES,
    REDS,
    SIDES,
    SLOTS,
    START,
    WALL,
    WHITE,
    WORD,
    ToedeloeOptions,
)
from .board_file import SIDE, SQUARES

CARD = choice(CARDS)
SEAT, MOVER = seat(4, seats=players), mover(4, seats=players)
MOST_TURNS = 10_000
MOST_PAWNS = 40


# The board: twelve lines of text in JSON, with a blank where the round board has no square -------


def board_lines(pieces: Sequence[int]) -> list[str]:
    """The twelve rows of the grid; *pieces* are those of the squares [R2.8]."""
    grid = [[" "] * SIDE for _ in range(SIDE)]
    for piece, (row, column) in zip(pieces[:SQUARES], BOARD.places, strict=True):
        grid[row][column] = PIECES[piece]
    return ["".join(line) for line in grid]


EMPTY_LINES = board_lines([0] * SQUARES)
ROW_FORMS = [line.replace(PIECES[0], f"[{PIECES}]") for line in EMPTY_LINES]


def write_board(states: States, lines: Any, at: At) -> None:
    """Put the pieces on their squares, and each side's pawns into its lines of bits."""
    lines = at.items(lines, SIDE)
    for row, (line, empty) in enumerate(zip(lines, EMPTY_LINES, strict=True)):
        is_row = isinstance(line, str) and len(line) == SIDE
        if not is_row or any(
            mark not in (PIECES if there != " " else " ")
            for mark, there in zip(line, empty, strict=True)
        ):
            raise at.item(row).wrong(f"a row like {empty!r} with pieces {PIECES!r}", line)
    state = states[0]
    state["board"][OFF] = WALL
    for square, (row, column) in enumerate(BOARD.places):
        piece = PIECES.index(lines[row][column])
        state["board"][square] = piece
        if WHITE <= piece <= GREY:
            for word, bit in zip(WORD[square], BIT[square], strict=True):
                state["lines"][piece - WHITE, word] |= bit


# The open hand, and sets of its cards -------------------------------------------------------------


def write_table(states: States, names: Any, at: At) -> None:
    """Three cards lie open, or none once the turns are over."""
    held = marks(CARD).from_json(names, at)
    cards = [card for card, is_there in enumerate(held) if is_there]
    if len(cards) not in (0, HAND):
        raise at.wrong(f"{HAND} cards or none", names)
    states[0]["table"] = cards or [NONE] * HAND


def of_table(key: str, text: str) -> Hook:
    """Cards of the open hand: bits of its slots in the record, names in JSON."""

    def read(state: Any, options: ToedeloeOptions) -> list[str]:
        return [CARDS[state["table"][k]] for k in range(HAND) if int(state[key]) >> k & 1]

    def write(states: States, names: Any, at: At) -> None:
        held = marks(CARD).from_json(names, at)
        slots = {int(card): slot for slot, card in enumerate(states[0]["table"])}
        cards = [card for card, is_there in enumerate(held) if is_there]
        if not set(cards) <= set(slots):
            raise at.wrong("cards that lie on the table", names)
        states[0][key] = sum(1 << slots[card] for card in cards)

    return Hook(key, text, read, write, marks(CARD).schema(None))


SET_OF_SLOTS = number(0, SLOTS)


def by_side(codec: Codec) -> Codec:
    """White's, then grey's."""
    return each(codec, SIDES)


FIELDS = Fields(
    "toedeloe",
    ToedeloeOptions,
    option("pawns", field="max_pawns"),
    option("longest", field="longest_is_group"),
    option("reward", field="reward_is_margin"),
    field("phase", choice(PHASES), "what is to be decided"),
    field("mover", MOVER, "seat to move once nothing is due", key="to_move"),
    field("decisions", counter(), "decisions made so far"),
    field("turn", SEAT, "the seat whose hand lies open"),
    field("turn_no", number(0, MOST_TURNS, most=lambda o: o.max_turns), "turns that are over"),
    field("board", number(0, WALL), "EMPTY .. TOEDELOE, WALL at OFF", key=None, shape=(OFF + 1,)),
    field(
        "lines",
        number(0, (1 << LANE * LANES) - 1),
        "each side's pawns again, as lines of bits; follows from the board",
        key=None,
        shape=(SIDES, LINE_WORDS),
    ),
    Hook(
        "board",
        f"rows of the grid; pieces {PIECES!r}: none, white, grey, red, ToedeLoe",
        lambda state, options: board_lines(state["board"]),
        write_board,
        {"type": "array", "prefixItems": [{"pattern": f"^{row}$"} for row in ROW_FORMS]},
    ),
    field("pawns", by_side(number(0, MOST_PAWNS, most=lambda o: o.pawns)), "in supply"),
    field("red", by_side(number(0, REDS)), "red pawns waiting"),
    field("toedeloe", by_side(number(0, 1)), "ToedeLoes in stock"),
    field("penalty", by_side(number(0, LAST_PENALTY)), "penalties"),
    field("pile", by_side(marks(CARD)), "cards left in the draw piles", key="draw_pile"),
    field("table", number(NONE, len(CARDS) - 1), "the open hand", key=None, shape=(HAND,)),
    Hook(
        "table",
        "the open hand, sorted by card; empty once the turns are over",
        lambda state, options: [CARDS[card] for card in state["table"] if card != NONE],
        write_table,
        marks(CARD).schema(None),
    ),
    *(
        entry
        for key, text in {
            "used": "cards of the hand that the owner declared",
            "action": "cards that are being resolved",
            "queue": "cards of a special that are still to come",
        }.items()
        for entry in (field(key, SET_OF_SLOTS, text, key=None), of_table(key, text))
    ),
    field("square", nullable(choice(BOARD.names), NONE), "of the moving piece, in phase step"),
    field("placed", flag(), "the moving piece was placed in this action"),
    field("due", number(START, HAND), "cards to be drawn, or START", key=None),
)
