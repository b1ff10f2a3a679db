"""What one may see of a position of Tacocat at the table, and the words for it.

What a seat may not know [R5] is gone before the first line is drawn: hidden cards have become
backs, and the opponent's set-aside cards lie among their hand, so that not even their number
shows [R5.3].
"""

from collections.abc import Sized

from ..engine.dtypes import Json
from ..engine.errors import NotationError
from ..engine.picture import LastMove, View
from .board import CENTRE, GOALS, TRACK, TacocatOptions

BACK = 0
"""A card of which only the back is seen."""

PAIR = (0, 1)
GOAL_NAMES = ("YAY", "WOW")
TRACK_LETTERS = "TACOCAT"
PHASE_WORDS = {
    "replace": "Replace",
    "duel": "Duel",
    "attack": "Attack",
    "defend": "Defend",
    "over": "Game over",
}
MOVE_WORDS = {
    "x": "set a {} aside",
    "d": "laid a duel card",
    "a": "attacked with a {}",
    "b": "defended with a {}",
}


class TacocatView(View):
    """A position as one seat sees it; everything by seat stands in the order of the seats."""

    title = "Tacocat Spelled Backwards"
    model = TacocatOptions
    phases = PHASE_WORDS
    options: TacocatOptions

    def prepare(self) -> None:
        """Group the parts of the position."""
        self.hands: list[list[int]] = self.position["hands"]
        self.aside: list[list[int]] = self.position["aside"]
        self.attack: list[int] = self.position["attack"]
        self.tacocat: int = self.position["tacocat"]
        self.draw_pile: int = self.position["draw_pile"]
        """how many cards are left in it"""

    def hide(self, position: Json, viewer: int | None) -> Json:
        """Turn hidden cards, and add the number of those set aside to the hand [R5.2, R5.3]."""
        hands, aside = ([sorted(cards) for cards in position[key]] for key in ("hands", "aside"))
        decisions = position["decisions"]
        if viewer is not None and position["phase"] != "over":
            hidden = 1 - viewer
            in_hand, down = len(hands[hidden]), len(aside[hidden])
            if position["phase"] == "replace":
                in_hand, down, decisions = in_hand + down, 0, decisions - down
            hands[hidden], aside[hidden] = [BACK] * in_hand, [BACK] * down
        pile = len(position["draw_pile"])
        seen = {"hands": hands, "aside": aside, "decisions": decisions, "draw_pile": pile}
        return {**position, **seen}

    def describe(self, move: str) -> LastMove | None:
        """A card that the other seat has set aside is not mentioned, its duel card not named."""
        if self._is_choosing_in_secret and move[:1] == "x" and move != "xx":
            return None
        if self.position["phase"] == "duel" and any(
            BACK in cards for cards in self.position["aside"]
        ):
            return LastMove("d?", MOVE_WORDS["d"])
        return LastMove(move, move_words(move))

    @property
    def _is_choosing_in_secret(self) -> bool:
        """Whether the other seat sets cards aside, whose number may not show [R5.3]."""
        is_replacing = self.position["phase"] == "replace"
        return is_replacing and self.viewer is not None and self.to_move == 1 - self.viewer

    @property
    def shown_move(self) -> LastMove | None:
        """Nothing while the other seat sets cards aside: a change would show that it has begun."""
        return None if self._is_choosing_in_secret else self.last_move

    # Where things are -----------------------------------------------------------------------------

    @property
    def near(self) -> int:
        """The seat at the lower edge of the picture."""
        return self.viewer or 0

    @property
    def far(self) -> int:
        """The seat at the upper edge of the picture."""
        return 1 - self.near

    @property
    def track(self) -> list[int]:
        """The track from left to right: the goal of the near seat comes first [R2.4]."""
        return list(range(TRACK)) if self.near == 0 else list(reversed(range(TRACK)))

    @property
    def rounds_won(self) -> tuple[int, int]:
        """Rounds won by each seat [R4.16]."""
        used = (*self.position["covered"], self.tacocat)
        return sum(i < CENTRE for i in used), sum(i > CENTRE for i in used)

    @property
    def attacker(self) -> int:
        """The seat whose attack is being answered: its hand is the smaller one by then [R9.3]."""
        return 0 if len(self.hands[0]) < len(self.hands[1]) else 1

    def points_to(self, space: int) -> tuple[int, ...]:
        """The seats to which the arrows of a space of the track point: one or both [R2.3]."""
        arrow = self.options.arrows[space - 1]
        return PAIR if arrow == "*" else (int(arrow),)

    # Words ----------------------------------------------------------------------------------------

    @property
    def standing(self) -> str:
        """The round and what is left to draw."""
        return f"round {self.position['round']} · draw pile {self.draw_pile}"

    @property
    def task(self) -> str:
        """What there is to do in the phase."""
        lost = " (trick lost)" if self.position["trick_lost"] else ""
        return {
            "replace": self._replace_task,
            "duel": "lay a duel card face down",
            "attack": "attack with a card, a set or a run",
            "defend": f"answer the {self.attack[0] if self.attack else ''} or sacrifice{lost}",
        }[self.position["phase"]]

    @property
    def _replace_task(self) -> str:
        """How many cards may be replaced [R4.2, R4.5]."""
        seat = self.to_move or 0
        if self.position["round"] == 1 or seat in self.points_to(self.tacocat):
            return "replace any number of cards"
        limit = len(self.position["discard"]["replaced"][1 - seat])
        return f"replace up to {limit} card{'s' * (limit != 1)}" if limit else "replace nothing"

    @property
    def ending(self) -> str:
        """Who has pulled Tacocat into their goal, if anybody [R8.1, R8.2]."""
        if self.tacocat not in GOALS:
            return f"stopped after {self.position['decisions']} moves, nobody wins"
        winner = GOALS.index(self.tacocat)
        won = self.rounds_won
        return f"{self.wins(winner)} {won[winner]} : {won[1 - winner]}"

    def called(self, seat: int) -> str:
        """The other seat is the opponent; seen by all, both are called by their goals."""
        return GOAL_NAMES[seat] if self.viewer is None else "Opponent"

    def seat_words(self, seat: int) -> str:
        """Which goal and seat belong to a player's name."""
        goal = GOAL_NAMES[seat]
        return f"seat {seat}" if self.name(seat) == goal else f"{goal}, seat {seat}"

    def aside_words(self, seat: int) -> str:
        """What the cards are that a player has laid face down."""
        if self.position["phase"] == "replace":
            return f"{count_cards(self.aside[seat])} set aside, face down"
        return "duel card, face down"

    def attack_words(self) -> str:
        """Whose attack is to be answered, and how much of it is left."""
        rest = len(self.attack) - 1
        more = f", then {rest} more" if rest else ""
        return f"{self.name(self.attacker)}: attack, first the {self.attack[0]}{more}"


def count_cards(cards: Sized) -> str:
    """Count cards in words: "1 card", "7 cards"."""
    return "1 card" if len(cards) == 1 else f"{len(cards)} cards"


def move_words(move: str) -> str:
    """Describe a move of the notation [R6.3] in words."""
    kind, rest = move[:1], move[1:]
    if move == "xx":
        return "done replacing"
    if move == "s":
        return "sacrificed the lowest card"
    if kind == "a" and "x" in rest:
        rank, count = rest.split("x")
        return f"attacked with {count} cards of rank {rank}"
    if kind == "a" and "-" in rest:
        return f"attacked with the run {rest}"
    if kind not in MOVE_WORDS:
        raise NotationError(f"expected a move such as 'a5x3', got {move!r} as the last move")
    return MOVE_WORDS[kind].format(rest)
