"""Pictures of Oduludo: nothing on the board is left out, and every sign is explained."""

import json
import xml.etree.ElementTree as ET

import pytest

from spelkast.envs import spec
from spelkast.envs.oduludo.board import RING
from spelkast.envs.oduludo.draw import PICTURE, legend
from spelkast.envs.oduludo.view import OduludoView

EXAMPLE = json.loads((spec("oduludo").folder / "cases" / "picture.json").read_text("utf-8"))[
    "position"
]


def board(**keywords) -> ET.Element:
    """The picture of the example without its legend."""
    root = ET.fromstring(PICTURE.svg(EXAMPLE, **keywords))
    for part in root.findall("{*}g[@class='legend']"):
        root.remove(part)
    return root


def test_svg_is_well_formed_and_shows_every_piece():
    """A letter per piece that is anywhere: 20 of four seats."""
    letters = [
        node.text or ""
        for node in board(viewer=None).iterfind(".//{*}text")
        if "sign" in str(node.get("class"))
    ]

    assert sorted(letters) == sorted("KQ123" * 4)


def test_text_shows_stacks_captives_and_ufos():
    lines = PICTURE.text(EXAMPLE, viewer=None, last_move="mQ")

    assert "GK2+/BQ" in lines
    assert "RQ3" in lines
    assert "S3 held:3:S1" in lines
    assert "CAPTURE · Blue's move: send enemies home, or abduct them (Queen)" in lines
    assert "\nLast move: mQ (Queen moved forward)\n" in lines
    assert max(len(line) for line in lines.splitlines()) <= 80


def test_all_see_the_same_board():
    """Nothing is hidden; only what the viewer is called differs."""

    def drawn(viewer: int) -> list[str]:
        words = PICTURE.svg(EXAMPLE, viewer=viewer) + PICTURE.text(EXAMPLE, viewer=viewer)
        return sorted(words.replace(" (you)", "").replace("Your move", "Blue's move").split())

    assert drawn(0) == drawn(2)
    assert "Blue (you)" in PICTURE.text(EXAMPLE, viewer=2)


def test_every_sign_is_explained():
    """Sun, Lightning, die and Star had no legend in SVG."""
    marks = "".join(str(key.mark) for key in legend(OduludoView(EXAMPLE, viewer=None)))
    used = {str(node.get("href")) for node in board(viewer=None).iterfind(".//{*}use")}

    assert len(used) == 8
    assert [name for name in used - {"#earth"} if f'href="{name}"' not in marks] == []


@pytest.mark.parametrize("sign", ["M", "S", "L", "*", "o", "U", "u", "."])
def test_text_legend_has_words_for_every_square(sign):
    """It ended in a dangling "."."""
    view = OduludoView(EXAMPLE, viewer=None)
    signs = {view.kind(square)[1] for square in range(RING)}
    words = {key.sign: key.words for key in legend(view)}

    assert signs <= set(words)
    assert words[sign]
    assert f"{sign} {words[sign]}" in PICTURE.text(EXAMPLE, viewer=None)


def test_words_about_players_fit_their_boxes():
    """A sentence that is too long ran out of the box of a player who was out."""
    lost = {piece: "off" for piece in EXAMPLE["pieces"][0]}
    view = OduludoView({**EXAMPLE, "pieces": [lost, *EXAMPLE["pieces"][1:]]}, viewer=0)

    assert view.captive_words(0) == "captives: 1 held, 0 of 5 lost  ·  5 removed"
    assert view.captive_words(2) == "captives: 1 held, 1 of 5 lost"


def test_ending_names_the_winner():
    ended = {"phase": "over", "to_move": None, "die": None, "mover": None}
    over = {**EXAMPLE, **ended, "status": ["out:1", "finished:2", "finished:1", "out:2"]}
    points = "Green 10, Red 4, You 6, Purple 0"

    view = OduludoView({**over, "points": [10, 4, 6, 0]}, viewer=2)

    assert view.headline == f"You win; points: {points}"
