"""A position of ToedeLoe as one sits before it, and the words for it.

Nothing is hidden in this game [R5.1]: a view only turns the board and says "You" where that fits.
"""

from ..engine.errors import NotationError
from ..engine.picture import LastMove, View
from .board import BOARD, CARDS, LAST_PENALTY, SIDES, ToedeloeOptions
from .board_file import SIDE
from .fields import FIELDS
from .notation import score_parts

SIDE_NAMES = ("White", "Grey")
PIECE_NAMES = {"w": "white pawn", "g": "grey pawn", "r": "red pawn", "t": "ToedeLoe"}
SUIT_SIGNS = {"C": "♣", "D": "♦", "H": "♥", "S": "♠"}
PHASE_WORDS = {
    "play": "Play",
    "target": "Choose a square",
    "step": "Step",
    "offer": "Offer",
    "over": "Game over",
}
MOVE_WORDS = {"N": "moved north", "E": "moved east", "S": "moved south", "W": "moved west"}
MOVE_WORDS |= {"pass": "declined the offer", "stay": "stayed on the square"}


class ToedeloeView(View):
    """A position as one seat sees it; lists by side are in the order white, grey."""

    title = "ToedeLoe"
    model = ToedeloeOptions
    phases = PHASE_WORDS
    options: ToedeloeOptions

    def prepare(self) -> None:
        """Group the parts of the position."""
        self.near = (self.viewer or 0) % SIDES
        """the side at the lower edge of the picture"""
        squares = dict(zip(BOARD.names, BOARD.places, strict=True))
        last = SIDE - 1
        self.places = {
            name: (last - row, last - column) if self.near else (row, column)
            for name, (row, column) in squares.items()
        }
        """row and column of each square as it lies before the viewer"""
        self.pieces = {
            name: self.position["board"][row][col] for name, (row, col) in squares.items()
        }
        """the letter of the piece on each square [R2.8]"""
        states = FIELDS.from_position(self.position)
        self.parts = [score_parts(states, 0, side) for side in range(SIDES)]
        """the count of each side [R8.3]"""

    @property
    def named(self) -> str:
        """The square that the last move named, if it did."""
        return self.last_move.move[1:] if self.last_move else ""

    def describe(self, move: str) -> LastMove:
        """Every move is open; what was placed or picked up still stands there."""
        if move[:1] in ("@", "^") and move[1:] in self.pieces:
            piece = PIECE_NAMES.get(self.pieces[move[1:]], "piece")
            how = "placed a" if move[0] == "@" else "picked up the"
            return LastMove(move, f"{how} {piece} on {move[1:]}")
        cards = move.split("+")
        if move not in MOVE_WORDS and not all(card in CARDS for card in cards):
            raise NotationError(
                f"expected a move such as CA+C7, @wC7, N or pass, got {move!r} as the last move"
            )
        return LastMove(move, MOVE_WORDS.get(move, f"played {' and '.join(cards)}"))

    def card_note(self, card: str) -> str:
        """What becomes of a card of the open hand."""
        if card in self.position["action"] or card in self.position["queue"]:
            return "in play"
        if card in self.position["used"]:
            return "played"
        return "offered" if self.position["phase"] not in ("play", "over") else ""

    # Words ----------------------------------------------------------------------------------------

    def called(self, seat: int) -> str:
        """The colour of a seat, with its number where two seats have it."""
        name = SIDE_NAMES[seat % SIDES]
        return name if self.options.players == SIDES else f"{name} {seat}"

    @property
    def standing(self) -> str:
        """The score."""
        white, grey = (parts["net"] for parts in self.parts)
        return f"White {white}, Grey {grey}"

    @property
    def clock(self) -> str:
        """How far the game is: turns are counted from 1."""
        last = self.options.max_turns
        return f"turn {min(self.position['turn_no'] + 1, last)} of {last}"

    @property
    def task(self) -> str:
        """What there is to do in the phase."""
        square = self.position["square"]
        piece = PIECE_NAMES.get(self.pieces.get(square, ""), "piece")
        return {
            "play": "play a card, or several together",
            "target": f"choose a square for {'+'.join(self.position['action'])}",
            "step": f"move the {piece} on {square}",
            "offer": "take an offered card, or pass",
        }[self.position["phase"]]

    @property
    def ending(self) -> str:
        """Who has won, by how much, and what ended the game [R8.1, R8.2]."""
        is_full = LAST_PENALTY in self.position["penalty"]
        by = "after nine penalties" if is_full else "at the turn limit"
        white, grey = (parts["net"] for parts in self.parts)
        if white == grey:
            return f"drawn {by}"
        winner, points = int(grey > white), abs(white - grey)
        is_own = self.viewer is not None and self.viewer % SIDES == winner
        who = "You win" if is_own else f"{SIDE_NAMES[winner]} wins"
        return f"{who} by {points} point{'s' * (points != 1)}, {by}"

    @property
    def hand_words(self) -> str:
        """Whose hand lies open."""
        if not self.position["table"]:
            return "No hand on the table"
        seat = self.position["turn"]
        return f"{self.whose(seat)} hand, open to all"

    def facts(self, side: int) -> list[str]:
        """What there is to say of a side: whose it is, which seats, its draw pile."""
        is_own = self.viewer is not None and self.viewer % SIDES == side
        return [
            *(["your side"] if is_own else []),
            *([f"seats {side} and {side + SIDES}"] if self.options.players > SIDES else []),
            f"draw pile {len(self.position['draw_pile'][side])}",
        ]

    def count_words(self, side: int) -> tuple[str, str]:
        """The points of a side, and what is taken off [R8.3]."""
        parts = self.parts[side]
        return (
            "frame {frame} · rows {rows} · bonus {bonus} · longest {longest}".format(**parts),
            f"not placed {-parts['unplaced']} · penalties {-parts['penalty']}",
        )


def square_label(name: str) -> str:
    """What is printed on a square: a suit and a number, or a row and a number."""
    return SUIT_SIGNS.get(name[1], name[1]) + name[2:]
