"""What the worked examples of Slag, in its `cases/`, do not show."""

import json
from collections import Counter
from itertools import permutations

import pytest

from games.slag.board import CARDS
from games.slag.game import SPEC
from games.slag.heuristics import BASELINES
from spelkast.agents.agent import KernelAgent
from spelkast.agents.registry import make_agent
from spelkast.envs.engine.errors import PositionError
from spelkast.envs.engine.streams import new_streams
from spelkast.eval.match import play_match

CASES = {
    case["name"]: case["position"]
    for case in json.loads((SPEC.folder / "cases" / "positions.json").read_text("utf-8"))
}


def test_every_deal_is_redrawn_as_often():
    """[R5] Before the last trick of four: six unseen cards, of which three seats hold one each."""
    places = {"C1": "0", "C2": "1", "D5": "2", "D6": "3", **dict.fromkeys(("H1", "S1", "S2"), "-")}
    at = [places.get(card, "*") for card in CARDS]
    empty = {"best": None, "table": [None] * 4, "up": "H3"}
    position = {"game": "slag", "config": {"players": 4}, "to_move": 0, **empty}
    before = SPEC.from_position({**position, "tricks": [1, 1, 1, 1], "at": at})
    streams, found, times = new_streams(0, 1, "determinize"), Counter[tuple[str, ...]](), 40
    for _ in range(120 * times):
        states = before.copy()
        SPEC.verbs.determinize(states, 0, 0, streams, 0)
        at = SPEC.position(states, 0)["at"]
        found[tuple(CARDS[at.index(seat)] for seat in "0123")] += 1

    deals = permutations(("C2", "D5", "D6", "H1", "S1", "S2"), 3)
    assert set(found) == {("C1", *deal) for deal in deals}
    # Of equally likely deals the sum has 119 degrees of freedom: above 173 once in a thousand.
    assert sum((often - times) ** 2 / times for often in found.values()) < 173


@pytest.mark.parametrize(
    ("change", "expected"),
    [
        ({"to_move": 2}, "cards of the seats before the next"),
        ({"to_move": None}, "the end after the last trick"),
        ({"best": 1}, "the seat with the best card"),
        ({"up": None}, "a card turned up if there is trump"),
        ({"up": "H4"}, "open cards shown"),
        ({"tricks": [1, 0, 0]}, "the open cards of the tricks"),
    ],
)
def test_what_cannot_be_is_refused(change, expected):
    with pytest.raises(PositionError, match=f"expected {expected}, got "):
        SPEC.from_position({**CASES["follow-with-any-card"], **change})


def test_two_cards_of_one_kind_on_the_table_are_refused():
    """A second seat that lays the card of the first."""
    position = {**CASES["highest-of-suit-takes"], "table": ["C5", "C5", None], "best": 0}

    with pytest.raises(PositionError, match="expected open cards shown, got "):
        SPEC.from_position(position)


@pytest.mark.compiled
def test_taker_is_better_than_random():
    taker = KernelAgent("taker", BASELINES["taker"])

    match = play_match(SPEC, None, taker, make_agent("random", "tacocat"), games=600, seed=0)

    assert match.rank_high < match.even_rank


def test_other_hands_are_not_drawn():
    """A seat sees its own hand and the cards of the trick; who looks from outside sees all."""
    position = CASES["follow-with-any-card"]

    mine = SPEC.draw_text(position, viewer=1, last_move="C5")

    assert "You: 0      in this trick -    hand C2 C6 D1 H1 H2" in mine
    assert "Seat 0: 0   in this trick C5   hand ? ? ? ?" in mine
    assert "Last move: C5 (laid ♣5)" in mine
    assert "move " not in mine.splitlines()[0]
    assert "hand C1 D2 H6 S3" in SPEC.draw_text(position, viewer=None)
