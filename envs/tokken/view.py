"""What one may see of a position of Tokken at the table, and the words for it.

Others' cards have become backs before the first line is drawn, extra cards among them [R5.1].
"""

import re

from ..engine.dtypes import Json
from ..engine.errors import NotationError
from ..engine.picture import LastMove, View
from .board import HOLOGRAM, MOST_PARTS, PAWNS, RANK_NAMES, SEGMENT, STEPS_BY_RANK, TokkenOptions
from .notation import MOVE, SAMPLE, SEGMENT_NAMES

COLORS = ("Red", "Green", "Yellow", "Blue", "White", "Black")
BACK = "?"
"""A card that the viewer does not see."""

DOOR = HOLOGRAM - 1
PHASE_WORDS = {"exchange": "Exchange", "play": "Play", "split": "Seven", "over": "Game over"}
CARD_WORDS = {"A": "an ace", "8": "an 8", "T": "a ten", "J": "a jack", "Q": "a queen"}
CARD_WORDS |= {"K": "a king", "X": "a joker"}
MOVE_WORDS = {
    "give": "gave {card}, face down",
    "enter": "entered a pawn with {card}",
    "from": "walked {steps} from {from}",
    "steps": "part of a seven: {steps} from {part}",
    "push": "pushed the pawn on {push} 5 forward",
    "target": "swapped the pawns on {own} and {target}",
}
"""A move in words, by the last group of its notation."""


class TokkenView(View):
    """A position as one seat sees it."""

    title = "Tokken"
    model = TokkenOptions
    phases = PHASE_WORDS
    options: TokkenOptions

    def prepare(self) -> None:
        """Group the parts of the position."""
        self.pieces: list[list[str]] = self.position["pieces"]
        self.segments = SEGMENT_NAMES[: self.options.ring // SEGMENT]
        step = len(self.segments) // self.options.players
        self.starts = {f"{self.segments[k * step]}0": k for k in range(self.options.players)}
        """the seat that a start belongs to, by the field's name"""
        self.doors = {f"{self.segments[k * step - 1]}{DOOR}": k for k in self.starts.values()}
        self.pawns = {
            place: (seat, pawn)
            for seat, row in enumerate(self.pieces)
            for pawn, place in enumerate(row)
            if place[0] not in "YH"
        }
        """seat and number of the pawn on a field of the ring, by the field's name"""
        split = self.position["split"] or {"moved": []}
        self.moved = {(seat, pawn) for seat, pawn in split["moved"]}
        """the pawns that have had their part of a seven"""

    @property
    def named(self) -> set[str]:
        """The fields that the last move names: there the pawns stood before it."""
        return set(re.findall(r"\b[a-f]\d+", self.last_move.move if self.last_move else ""))

    def hide(self, position: Json, viewer: int | None) -> Json:
        """Turn others' cards, those given face down too, and the draw pile [R5.2, R5.3]."""
        hands, extras, given = list(position["hands"]), list(position["extras"]), position["given"]
        for seat in range(len(hands)):
            if viewer not in (None, seat):
                hands[seat], extras[seat] = BACK * (len(hands[seat]) + len(extras[seat])), ""
        given = [
            rank if viewer in (None, seat) or not rank else BACK for seat, rank in enumerate(given)
        ]
        pile = len(position["draw_pile"])
        return {**position, "hands": hands, "extras": extras, "given": given, "draw_pile": pile}

    def describe(self, move: str) -> LastMove:
        """What was given face down is named to the giver only."""
        given = self.position["given"]
        giver = (self.position["dealer"] + sum(map(bool, given))) % len(given)
        if move.startswith("give ") and self.viewer not in (None, giver):
            return LastMove(f"give {BACK}", "gave a card, face down")
        return LastMove(move, move_words(move))

    # Where things are -----------------------------------------------------------------------------

    @property
    def seats(self) -> list[int]:
        """All seats, the viewer's first."""
        first, count = self.viewer or 0, self.options.players
        return [(first + k) % count for k in range(count)]

    @property
    def sides(self) -> list[list[int]]:
        """The seats of each side [R1.6]."""
        sides = self.options.sides
        return [[s for s in range(len(sides)) if sides[s] == side] for side in sorted({*sides})]

    def partners(self, seat: int) -> list[int]:
        """The other seats of the same side."""
        return [s for side in self.sides if seat in side for s in side if s != seat]

    def count(self, seat: int, place: str) -> int:
        """How many pawns of a seat are in its yard, Y, or at home, H."""
        return sum(name[0] == place for name in self.pieces[seat])

    def sign(self, field: str) -> str:
        """What a field is [R2.4]: S a start, o a door, * a black dot, # a hologram, or a dot."""
        if field in self.starts or field in self.doors:
            return "S" if field in self.starts else "o"
        offset = int(field[1:])
        is_dot = offset in self.options.black_dots
        return "*" if is_dot else "#" if offset == HOLOGRAM else "."

    # Words ----------------------------------------------------------------------------------------

    def called(self, seat: int) -> str:
        """The colour of a seat."""
        return COLORS[seat]

    @property
    def standing(self) -> str:
        """The deal, who dealt and what is left to draw."""
        deal, dealer = self.position["deal"], COLORS[self.position["dealer"]]
        return f"deal {deal} of 3 by {dealer} · draw pile {self.position['draw_pile']}"

    @property
    def clock(self) -> str:
        """The moves made and allowed [R8.2]."""
        cap = self.options.cap
        return f"move {self.position['decisions']}" + (f" of {cap}" if cap else "")

    @property
    def task(self) -> str:
        """What there is to do in the phase, and with whose pawns [R4.8]."""
        seat = self.to_move or 0
        if self.position["phase"] == "exchange":
            return (
                "give your partner a card" if seat == self.viewer else "give their partner a card"
            )
        helped = self.partners(seat) if self.count(seat, "H") == PAWNS else []
        whose = "".join(f", with the {COLORS[s].lower()} pawns" for s in helped)
        if self.position["phase"] == "play":
            is_extra = not self.position["hands"][seat] and self.position["extras"][seat]
            what = (
                "an extra card, or keep it" if is_extra and self.position["deal"] < 3 else "a card"
            )
            return f"play {what}{whose}"
        left, pawns = self.position["split"]["left"], MOST_PARTS - len(self.moved)
        return f"{left} steps of the 7 left, for up to {pawns} more pawn{'s' * (pawns > 1)}{whose}"

    @property
    def ending(self) -> str:
        """Which side is home, or who is ahead when time is up [R8.1, R8.2]."""
        home = [sum(self.count(seat, "H") for seat in side) for side in self.sides]
        best = [side for side, pawns in zip(self.sides, home, strict=True) if pawns == max(home)]
        names = " and ".join(self.name(seat) for seat in best[0])
        is_plural = len(best[0]) > 1 or self.viewer in best[0]
        if max(home) == PAWNS * len(best[0]):
            return f"{names} win{'' if is_plural else 's'}"
        ahead = f"{names} {'are' if is_plural else 'is'}" if len(best) == 1 else "nobody is"
        return f"time is up, {ahead} ahead"

    def facts(self, seat: int) -> list[str]:
        """What there is to say of a seat besides its cards."""
        given = self.position["given"][seat] if self.position["phase"] == "exchange" else ""
        return [
            *(["dealer"] if seat == self.position["dealer"] else []),
            *(f"partner of {COLORS[partner]}" for partner in self.partners(seat)),
            *(["out of this deal"] if self.position["out"][seat] else []),
            *([f"gave {given}"] if given else []),
        ]


def move_words(move: str) -> str:
    """Describe a move of the notation [R6.3] in words."""
    if move == "fold":
        return "could not play, and laid down all cards"
    if move == "keep":
        return "kept the extra cards for the next deal"
    match = MOVE.fullmatch(move)
    if match is None or match["number"]:
        raise NotationError(f"expected a move such as {SAMPLE}, got {move!r} as the last move")
    card = match["give"] or match["enter"] or match["walk"] or "7"
    number = match["steps"] or STEPS_BY_RANK[RANK_NAMES.index(card)]
    steps = "4 back" if card == "4" else f"{number} forward"
    kind = match.lastgroup or ""
    words = MOVE_WORDS[kind].format(
        **{**match.groupdict(), "steps": steps, "card": CARD_WORDS.get(card, f"a {card}")}
    )
    return words + ", hitting all it passed" * (kind == "from" and card == "K")
