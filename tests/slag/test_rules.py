"""What the worked examples of Slag, in its `cases/`, do not show."""

import json

import numpy as np
import pytest

from games.slag.game import SPEC
from games.slag.heuristics import BASELINES
from spelkast.agents.agent import RecordAgent
from spelkast.agents.registry import make_agent
from spelkast.envs.engine.errors import PositionError
from spelkast.envs.engine.streams import new_streams
from spelkast.eval.match import play_match

CASES = {
    case["name"]: case["position"]
    for case in json.loads((SPEC.folder / "cases" / "positions.json").read_text("utf-8"))
}


def test_redrawn_hands_have_no_suit_that_was_not_followed():
    """[R5] All other cards that a seat has not seen may be anywhere, also in the pack."""
    before = SPEC.from_position({**CASES["follow-suit"], "voids": [[], [], ["C"]]})
    streams, held = new_streams(0, 1, "determinize"), np.zeros(24, int)
    for _ in range(300):
        states = before.copy()
        SPEC.verbs.determinize(states, 0, 0, streams, 0)
        held += states[0]["cards"][4]

    seen = before[0]["cards"][1] + before[0]["cards"][2]
    may_be_held = (np.arange(24) >= 6) & (seen == 0)
    assert (held > 0).tolist() == may_be_held.tolist()
    # 13 cards are as likely as one another to be among the five of this hand.
    np.testing.assert_allclose(held[may_be_held], 300 * 5 / may_be_held.sum(), rtol=0.3)


@pytest.mark.parametrize(
    ("change", "expected"),
    [
        ({"voids": [[], ["D"], []]}, "no card of a suit that was not followed"),
        ({"to_move": 2}, "cards of the seats before the next"),
        ({"best": 1}, "the seat with the best card"),
        ({"led": "D"}, "the suit that was led"),
        ({"up": None}, "a card turned up if there is trump"),
        ({"tricks": [1, 0, 0]}, "the cards of the tricks"),
    ],
)
def test_what_cannot_be_is_refused(change, expected):
    with pytest.raises(PositionError, match=f"expected {expected}, got "):
        SPEC.from_position({**CASES["follow-suit"], **change})


@pytest.mark.compiled
def test_taker_is_better_than_random():
    taker = RecordAgent("taker", BASELINES["taker"].choice)

    match = play_match(SPEC, None, taker, make_agent("random", "tacocat"), games=600, seed=0)

    assert match.rank_high < match.even_rank


def test_other_hands_are_not_drawn():
    """A seat sees its own hand and the cards of the trick; who looks from outside sees all."""
    position = CASES["follow-suit"]

    mine = SPEC.draw_text(position, viewer=1, last_move="C5")

    assert "You: 0      in this trick -    hand C2 C6 D1 H1 H2" in mine
    assert "Seat 0: 0   in this trick C5   hand ? ? ? ?" in mine
    assert "Last move: C5 (laid ♣5)" in mine
    assert "move " not in mine.splitlines()[0]
    assert "hand C1 D2 H6 S3" in SPEC.draw_text(position, viewer=None)
