"""A position of Oduludo in the words and groups that pictures need; nothing in it is hidden."""

from typing import NamedTuple

from ..engine.picture import View
from .board import BOARD, OduludoOptions
from .board_file import PIECES
from .fields import FIELDS
from .rules_scoring import final_rank

PHASE_WORDS = {
    "move": "Move",
    "capture": "Capture",
    "oduludo": "ODULUDO die",
    "sun": "Sun",
    "over": "Game over",
}
TASKS = {
    "move": "move a stack by {die}",
    "capture": "send enemies home, or abduct them ({mover})",
    "oduludo": "roll the ODULUDO die, or decline ({mover})",
    "sun": "jump on to the next Sun, or back to the one before ({mover})",
}
LETTERS = {"K": "K", "Q": "Q", "S1": "1", "S2": "2", "S3": "3"}
PIECE_WORDS = {
    "K": "King",
    "Q": "Queen",
    "S": "Soldier",
    **{f"S{k}": f"Soldier {k}" for k in (1, 2, 3)},
}
MOVE_WORDS = {
    "send": "sent the captured pieces home",
    "abduct": "abducted the captured pieces",
    "oduludo": "rolled the ODULUDO die",
    "decline": "did not roll the ODULUDO die",
    "sun+": "jumped on to the next Sun",
    "sun-": "jumped back to the Sun before",
    **{f"m{piece}": f"{PIECE_WORDS[piece]} moved forward" for piece in PIECES},
    "mQ-": "Queen moved backward",
    **{f"d{piece}": f"{PIECE_WORDS[piece]} came to the Moon" for piece in "KQS"},
}
KINDS = (
    ("moon", "M", BOARD.moon),
    ("ufo", "U", BOARD.ufo),
    ("sun", "S", BOARD.suns),
    ("lightning", "L", BOARD.lightnings),
    ("star", "*", BOARD.stars),
    ("circle", "o", BOARD.circles),
)
"""The kinds of squares of the ring: the name, the sign in text, and which they are."""


class Stack(NamedTuple):
    """Pieces of one seat on one square, with the captives that they carry."""

    seat: int
    color: int
    pieces: tuple[str, ...]
    """in the order K Q S1 S2 S3; the first is the lead"""
    captives: tuple[tuple[int, str], ...]
    """colour and piece"""


class OduludoView(View):
    """A position, grouped."""

    title = "Oduludo"
    model = OduludoOptions
    phases, moves = PHASE_WORDS, MOVE_WORDS
    options: OduludoOptions

    def prepare(self) -> None:
        """Group the parts of the position."""
        self.colors = tuple(BOARD.colors.index(letter) for letter in self.options.colors)
        """by seat"""
        self.pieces: list[dict[str, str]] = self.position["pieces"]
        """where the pieces of each seat are"""

    # Stacks -------------------------------------------------------------------------------------

    def stack_on(self, seat: int, place: str) -> list[Stack]:
        """The stack of *seat* on a place such as r12 or p3, if there is one."""
        pieces = self.waiting(seat, place)
        if not pieces:
            return []
        return [Stack(seat, self.colors[seat], pieces, self.held(f"held:{seat}:{pieces[0]}"))]

    def held(self, where: str) -> tuple[tuple[int, str], ...]:
        """The captives of a captor, such as held:0:K or held:0:earth."""
        return tuple(
            (color, name)
            for seat, color in enumerate(self.colors)
            for name in self.waiting(seat, where)
        )

    def on_square(self, square: int) -> list[Stack]:
        """The stacks on a ring square, by seat."""
        return [s for seat in range(len(self.colors)) for s in self.stack_on(seat, f"r{square}")]

    def on_path(self, color: int, step: int) -> list[Stack]:
        """The stack on a square of a colour's path, if there is one."""
        return self.stack_on(self.colors.index(color), f"p{step}") if color in self.colors else []

    def waiting(self, seat: int, place: str) -> tuple[str, ...]:
        """The pieces of a seat in a place: the ship, Earth, a square."""
        return tuple(name for name in PIECES if self.pieces[seat][name] == place)

    def kind(self, square: int) -> tuple[str, str, int]:
        """A ring square's kind, its sign in text and its number among its kind."""
        for name, sign, squares in KINDS:
            if square in squares:
                number = squares.index(square)
                if name == "ufo" and not self._has_ufo(number):
                    return "parking", "u", number
                return name, sign, number
        return "", ".", 0

    def _has_ufo(self, color: int) -> bool:
        return color in self.colors and bool(self.position["ufos"][self.colors.index(color)])

    # Words --------------------------------------------------------------------------------------

    @property
    def standing(self) -> str:
        """What was rolled, and whether a Star gives another roll."""
        star = " · Star: one more roll" if self.position["star"] else ""
        return f"rolled {self.position['die']}{star}" if self.position["die"] else ""

    @property
    def task(self) -> str:
        """What there is to do in the phase, and for whom."""
        mover = PIECE_WORDS.get(self.position["mover"], "")
        return TASKS[self.position["phase"]].format(die=self.position["die"], mover=mover)

    @property
    def ending(self) -> str:
        """Who has won [R8.7], and the points of all."""
        states = FIELDS.from_position(self.position)
        num_winners = 2 if self.options.mode == "team" else 1
        ranks = [int(final_rank(states, 0, seat)) for seat in range(len(self.colors))]
        winners = [seat for seat, rank in enumerate(ranks) if rank < num_winners]
        points = enumerate(self.position["points"])
        counts = ", ".join(f"{self.name(seat)} {count}" for seat, count in points)
        return f"{self.wins(*winners)}; points: {counts}"

    def called(self, seat: int) -> str:
        """The colour of a seat, as a word."""
        return BOARD.color_names[self.colors[seat]]

    def seat_words(self, seat: int) -> str:
        """The number of a seat and its partner."""
        partner = f", with {self.called((seat + 2) % 4)}" if self.options.mode == "team" else ""
        return f"seat {seat}{partner}"

    def status_words(self, seat: int) -> str:
        """Whether a player still plays, or how they left the round."""
        return str(self.position["status"][seat]).replace(":", " as number ")

    def score_words(self, seat: int) -> str:
        """Points and rounds won."""
        won = f"{self.position['wins'][seat]} won, " if self.options.mode == "last_piece" else ""
        return f"{won}{self.position['points'][seat]} points"

    def captive_words(self, seat: int) -> str:
        """How many captives a player holds, and how many of their own are held or removed."""
        places = list(self.pieces[seat].values())
        lost = sum(place.startswith("held") for place in places)
        held = sum(p.startswith(f"held:{seat}:") for row in self.pieces for p in row.values())
        off = f"  ·  {places.count('off')} removed" if "off" in places else ""
        return f"captives: {held} held, {lost} of {len(places)} lost{off}"
