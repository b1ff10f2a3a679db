"""The pictures of Tokken: whole for every board, and silent on what the viewer may not know."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

from spelkast.envs import spec
from spelkast.envs.engine.aec import GameEnv

TOKKEN = spec("tokken")
PICTURE = Path(__file__).parents[2] / "docs" / "images" / "tokken.svg"
CASES = {
    case["name"]: case["position"]
    for case in json.loads((TOKKEN.folder / "cases" / "positions.json").read_text("utf-8"))
}


def position(**options: Any) -> dict[str, Any]:
    env = GameEnv(TOKKEN, **options)
    env.reset(seed=3)
    return env.position()


def test_picture_of_the_docs(golden):
    """docs/images/tokken.svg: the last part of a seven is about to win the game."""
    shown = CASES["win_with_rest_of_seven"]
    golden(PICTURE, TOKKEN.draw_svg(shown, viewer=shown["to_move"], last_move=None))


@pytest.mark.parametrize("players", [2, 3, 4, 6])
def test_every_board_is_drawn(players: int):
    shown = position(players=players)
    root = ElementTree.fromstring(TOKKEN.draw_svg(shown, viewer=1, last_move=None))
    text = TOKKEN.draw_text(shown, viewer=1, last_move=None)

    assert root.attrib["viewBox"] == "0 0 1080 760"
    assert max(map(len, text.splitlines())) <= 80
    assert text.count("yard 4") == players
    assert "Green (you)" in text


def test_text_shows_ring_lanes_and_cards():
    """The board of the rules' diagram [R2.5]."""
    lines = TOKKEN.draw_text(CASES["observe_swap_targets"], viewer=0, last_move=None).splitlines()

    assert lines[3] == "   a 0 . . . . . . 1 * . . . . . o 3 1 b"
    assert lines[5] == "     o - - - -                   1   ."
    assert lines[19] == "   d S # o . . . . . * . . . . 0 . . S c"
    assert lines[21].endswith("[J]")
    assert lines[22].endswith("[? ?]")


def test_others_cards_are_backs():
    shown = {**CASES["enter_only"], "given": ["2"] * 4}
    for draw in (TOKKEN.draw_svg, TOKKEN.draw_text):
        other = {**shown, "hands": ["A5", "JJ", "KK", "33"]}

        assert draw(shown, viewer=0, last_move=None) == draw(other, viewer=0, last_move=None)
        assert draw(shown, viewer=None, last_move=None) != draw(other, viewer=None, last_move=None)


@pytest.mark.parametrize(("viewer", "seen"), [(2, True), (None, True), (0, False), (3, False)])
def test_gift_is_seen_by_its_giver_alone(viewer: int | None, seen: bool):  # noqa: FBT001
    """Seat 2 gave a king last [R4.2]."""
    for draw in (TOKKEN.draw_svg, TOKKEN.draw_text):
        picture = draw(CASES["observe_giver"], viewer=viewer, last_move="give K")

        assert ("give K" in picture) is seen
        assert ("face down" in picture) is not seen


def test_winner_is_named():
    env = GameEnv(TOKKEN)
    env.reset(options={"position": CASES["win_by_closing_up"]})
    env.step(env.move_to_action("2 d13"))

    assert "Red and Yellow won" in TOKKEN.draw_text(env.position(), viewer=None, last_move=None)
