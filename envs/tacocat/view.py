"""What one may see of a position at the table, and the words for it.

Every picture is drawn from a `View` and from nothing else, so what a seat may not know [R5] is
gone before the first line is drawn: hidden cards have become backs, and the opponent's set-aside
cards lie among his hand, so that not even their number shows [R5.3].
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sized
from dataclasses import dataclass
from typing import Any

from ..engine.errors import NotationError
from .board import CENTRE, GOALS, TRACK, TacocatOptions

BACK = 0
"""A card of which only the back is seen."""

PAIR = (0, 1)
GOAL_NAMES = ("YAY", "WOW")
TRACK_LETTERS = "TACOCAT"
SHOWN_AS_THEY_ARE = (
    *("phase", "to_move", "round", "tacocat", "covered"),
    *("discard", "attack", "trick_lost"),
)
"""The parts of a position that are public at any time [R5.1]."""
PHASE_WORDS = {
    "replace": "Replace",
    "duel": "Duel",
    "attack": "Attack",
    "defend": "Defend",
    "over": "Game over",
}


@dataclass(frozen=True, kw_only=True)
class View:
    """A position as one seat sees it; everything by seat stands in the order of the seats."""

    viewer: int | None
    """The seat that looks; None sees everything."""
    phase: str
    to_move: int | None
    round: int
    tacocat: int
    covered: list[int]
    options: TacocatOptions
    hands: tuple[list[int], list[int]]
    aside: tuple[list[int], list[int]]
    discard: Mapping[str, list[list[int]]]
    draw_pile: int
    attack: list[int]
    trick_lost: bool
    decisions: int
    """Moves so far, as this seat may count them [R7.3]."""
    last_move: str | None

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
    def wins(self) -> tuple[int, int]:
        """Rounds won by each seat [R4.16]."""
        used = (*self.covered, self.tacocat)
        return sum(i < CENTRE for i in used), sum(i > CENTRE for i in used)

    @property
    def winner(self) -> int | None:
        """The seat that has pulled Tacocat into its goal [R8.1]."""
        return GOALS.index(self.tacocat) if self.tacocat in GOALS else None

    @property
    def attacker(self) -> int:
        """The seat whose attack is being answered: its hand is the smaller one by then [R9.3]."""
        return 0 if len(self.hands[0]) < len(self.hands[1]) else 1

    def points_to(self, space: int) -> tuple[int, ...]:
        """The seats to which the arrows of a space of the track point: one or both [R2.3]."""
        arrow = self.options.arrows[space - 1]
        return PAIR if arrow == "*" else (int(arrow),)

    def name(self, seat: int) -> str:
        """What a seat is called in this picture."""
        if self.viewer is None:
            return GOAL_NAMES[seat]
        return "You" if seat == self.viewer else "Opponent"

    def headline(self) -> str:
        """Who is to move and what there is to do; at the end, how it ended."""
        if self.phase == "over" or self.to_move is None:
            return self._ending()
        name = self.name(self.to_move)
        whose = "Your move" if name == "You" else f"{name}'s move"
        return f"{whose}: {self._task(self.to_move)}"

    def seat_words(self, seat: int) -> str:
        """Which goal and seat belong to a player's name."""
        goal = GOAL_NAMES[seat]
        return f"seat {seat}" if self.name(seat) == goal else f"{goal}, seat {seat}"

    def aside_words(self, seat: int) -> str:
        """What the cards are that a player has laid face down."""
        if self.phase == "replace":
            return f"{count_cards(self.aside[seat])} set aside, face down"
        return "duel card, face down"

    def attack_words(self) -> str:
        """Whose attack is to be answered, and how much of it is left."""
        rest = len(self.attack) - 1
        more = f", then {rest} more" if rest else ""
        return f"{self.name(self.attacker)}: attack, first the {self.attack[0]}{more}"

    def last_move_words(self) -> str:
        """The last move in notation and in words; empty if there is none to tell."""
        if self.last_move is None:
            return ""
        return f"Last move: {self.last_move} ({move_words(self.last_move)})"

    def clock_words(self) -> str:
        """The moves made and allowed; and who wins a round of equal last cards, if anybody."""
        tie = "ties: arrow · " if self.options.tie_rule == "arrow" else ""
        return f"{tie}move {self.decisions} of {self.options.max_decisions}"

    def _ending(self) -> str:
        if self.winner is None:
            return f"stopped after {self.decisions} moves, nobody wins"
        name, won = self.name(self.winner), self.wins
        score = f"{won[self.winner]} : {won[1 - self.winner]}"
        return f"{name} {'win' if name == 'You' else 'wins'} {score}"

    def _task(self, seat: int) -> str:
        if self.phase == "replace":
            return self._replace_task(seat)
        if self.phase == "duel":
            return "lay a duel card face down"
        if self.phase == "attack":
            return "attack with a card, a set or a run"
        lost = " (trick lost)" if self.trick_lost else ""
        return f"answer the {self.attack[0]} or sacrifice{lost}"

    def _replace_task(self, seat: int) -> str:
        """How many cards may be replaced, in words [R4.2, R4.5]."""
        if self.round == 1 or seat in self.points_to(self.tacocat):
            return "replace any number of cards"
        limit = len(self.discard["replaced"][1 - seat])
        return f"replace up to {limit} card{'s' * (limit != 1)}" if limit else "replace nothing"


def look(position: Mapping[str, Any], *, viewer: int | None, last_move: str | None = None) -> View:
    """Take from a position [R9] what *viewer* may see; None, or a game that is over, shows all."""
    sees_all = viewer is None or position["phase"] == "over"
    hidden = None if sees_all or viewer is None else 1 - viewer
    hands = [sorted(cards) for cards in position["hands"]]
    aside = [sorted(cards) for cards in position["aside"]]
    decisions = position["decisions"]
    if hidden is not None:
        in_hand, down = len(hands[hidden]), len(aside[hidden])
        if position["phase"] == "replace":
            in_hand, down, decisions = in_hand + down, 0, decisions - down
        hands[hidden], aside[hidden] = [BACK] * in_hand, [BACK] * down
    options = TacocatOptions.model_validate_json(json.dumps(position["config"]))
    return View(
        viewer=viewer,
        hands=(hands[0], hands[1]),
        aside=(aside[0], aside[1]),
        draw_pile=len(position["draw_pile"]),
        decisions=decisions,
        last_move=_visible_move(position, hidden, last_move),
        options=options,
        **{key: position[key] for key in SHOWN_AS_THEY_ARE},
    )


def _visible_move(
    position: Mapping[str, Any], hidden: int | None, last_move: str | None
) -> str | None:
    """The last move as far as it may be told while the other seat chooses in secret."""
    phase, to_move = position["phase"], position["to_move"]
    if last_move is None or hidden is None:
        return last_move
    if phase == "replace" and to_move == hidden:
        return None
    if phase == "duel" and to_move == 1 - hidden and position["aside"][hidden]:
        return "d?"
    return last_move


def count_cards(cards: Sized) -> str:
    """Count cards in words: "1 card", "7 cards"."""
    return "1 card" if len(cards) == 1 else f"{len(cards)} cards"


def move_words(move: str) -> str:
    """Tell a move of the notation [R6.3] in words."""
    kind, rest = move[:1], move[1:]
    if move == "xx":
        return "done replacing"
    if move == "s":
        return "sacrificed the lowest card"
    if kind == "a" and "x" in rest:
        rank, count = rest.split("x")
        return f"attacked with {count} cards of rank {rank}"
    words = {
        "x": "set a {} aside",
        "d": "laid a duel card",
        "a": "attacked with the run {}" if "-" in rest else "attacked with a {}",
        "b": "defended with a {}",
    }
    if kind not in words:
        msg = f"expected a move such as 'a5x3', got {move!r} as the last move"
        raise NotationError(msg)
    return words[kind].format(rest)
