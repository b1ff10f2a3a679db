"""Pictures of Oduludo: the docs' picture, and that nothing on the board is left out."""

from __future__ import annotations

import xml.etree.ElementTree as ET
from pathlib import Path

from spelkast.envs import spec
from spelkast.envs.oduludo.draw import EXAMPLE, example, svg, text

ODULUDO = spec("oduludo")
PICTURE = Path(__file__).parents[2] / "docs" / "images" / "oduludo.svg"


def test_picture_of_the_docs(golden):
    golden(PICTURE, example())


def test_example_is_a_position():
    states = ODULUDO.from_position(dict(EXAMPLE))

    assert ODULUDO.position(states, 0) == EXAMPLE


def test_svg_is_well_formed_and_shows_every_piece():
    """A letter per piece that is anywhere: 20 of four seats."""
    picture = svg(EXAMPLE, viewer=None)

    letters = [
        node.text or ""
        for node in ET.fromstring(picture).iter("{http://www.w3.org/2000/svg}text")
        if node.get("class") == "sign"
    ]
    assert sorted(letters) == sorted([*"KQ123" * 4, str(EXAMPLE["die"])])


def test_text_shows_stacks_captives_and_ufos():
    lines = text(EXAMPLE, viewer=None, last_move="mQ")

    assert "GK2+/BQ" in lines
    assert "RQ3" in lines
    assert "S3 held:3:S1" in lines
    assert "Capture · Blue (Q) sends home or abducts" in lines
    assert lines.splitlines()[-1] == "Last move: mQ"
    assert max(len(line) for line in lines.splitlines()) <= 80


def test_all_see_the_same():
    assert svg(EXAMPLE, viewer=0) == svg(EXAMPLE, viewer=3)
    assert text(EXAMPLE, viewer=0) == text(EXAMPLE, viewer=3)
