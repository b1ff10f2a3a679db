"""Pictures: the frame and the legend that all games share, and the pictures of the docs."""

import json
import re
from dataclasses import replace
from pathlib import Path
from xml.etree import ElementTree

import pytest

from games.pig.draw import PICTURE, PigView
from games.pig.game import SPEC as PIG
from spelkast.envs import spec
from spelkast.envs.engine import svg as markup
from spelkast.envs.engine.picture import Key, LastMove, columns, draw_keys, ends
from spelkast.envs.engine.svg import card_face, spread

IMAGES = Path(__file__).parents[2] / "docs" / "images"
START = {"to_move": 0, "points": [0, 14], "turn": 10, "decisions": 2, "game": "pig", "config": {}}


def texts(picture: str) -> list[str]:
    return [e.text or "" for e in ElementTree.fromstring(picture).iterfind(".//{*}text")]


# The frame --------------------------------------------------------------------------------------


def test_text_has_the_same_frame_in_every_game():
    assert PIG.draw_text(START, viewer=0, last_move="roll").splitlines() == [
        "PIG" + "move 2 of 500".rjust(77),
        "PLAY · Your move: roll or hold",
        "",
        "You: 0 + 10?",
        "Seat 1: 14",
        "",
        "Last move: roll (threw the die again)",
        "? points of this turn: banked by holding, lost by a 1",
    ]


def test_svg_says_the_same_words():
    written = texts(PIG.draw_svg(START, viewer=1, last_move="roll"))

    assert written[:2] == ["Play", "Seat 0's move: roll or hold"]
    assert "Last move: roll (threw the die again)" in written
    assert written[-3:] == [
        "?",
        "points of this turn: banked by holding, lost by a 1",
        "is to move",
    ]


@pytest.mark.parametrize(
    ("viewer", "points", "words"),
    [
        (0, [30, 2], "You win"),
        (1, [30, 2], "Seat 0 wins"),
        (None, [2, 31], "Seat 1 wins"),
        (0, [3, 4], "nobody wins"),
    ],
)
def test_end_is_in_words(viewer, points, words):
    over = {**START, "to_move": None, "points": points}

    assert f"GAME OVER · {words}\n" in PIG.draw_text(over, viewer=viewer)
    assert words in texts(PIG.draw_svg(over, viewer=viewer))


def test_long_headline_leaves_room_for_what_stands_beside_it():
    """It ran into the words at the right edge."""

    class LongView(PigView):
        task, standing = "roll the die once more, " * 2, "the die shows a six"

    drawn = replace(PICTURE, view=LongView).svg(START, viewer=0)
    size = re.search(r'style="font-size:([\d.]+)px">Your move', drawn)

    assert size
    assert 7 < float(size[1]) < 12


def test_drawings_come_from_a_file(tmp_path):
    """What an SVG file holds stands in the `defs`, and the picture stands by itself."""
    file = tmp_path / "pieces.svg"
    file.write_text('<!-- A dot. --><svg xmlns="x">\n<symbol id="dot"/>\n</svg>\n', "utf-8")

    assert '<defs>\n<symbol id="dot"/>\n</defs>' in replace(PICTURE, drawings=file).svg(
        START, viewer=0
    )


def test_legend_has_columns_that_fit():
    """Signs without a mark are written, and an empty mark leaves a line out."""
    short = [Key(f"words {k}", "o", None if k else markup.Markup("")) for k in range(6)]
    drawn, height = draw_keys(short, 900)

    assert draw_keys([], 900) == ("", 0)
    assert drawn.count(">o<") == 5
    assert height < draw_keys(short, 200)[1]


def test_lines_of_text_fit_80_columns():
    assert ends("left", "right") == "left" + "right".rjust(76)
    assert ends("l" * 50, "r" * 40).splitlines() == ["l" * 50, ("r" * 40).rjust(80)]
    assert columns(["a b"] * 3, 3) == ["a b   a b   a b"]
    assert [len(line) for line in columns(["word and word"] * 8, 3)] == [77, 45]
    assert columns([]) == []


def test_last_move_in_notation_and_words():
    assert str(LastMove("d?", "laid a duel card")) == "d? (laid a duel card)"


@pytest.mark.parametrize(
    ("name", "move", "words"),
    [
        ("oduludo", "mS1", "Soldier 1 moved forward"),
        ("oduludo", "mQ-", "Queen moved backward"),
        ("oduludo", "dS", "Soldier came to the Moon"),
        ("oduludo", "decline", "did not roll the ODULUDO die"),
        ("toedeloe", "CA+C7", "played CA and C7"),
        ("toedeloe", "^wC7", "picked up the white pawn on wC7"),
        ("toedeloe", "E", "moved east"),
        ("toedeloe", "pass", "declined the offer"),
        ("tokken", "K+", "entered a pawn with a king"),
        ("tokken", "8 b3", "walked 8 forward from b3"),
        ("tokken", "4 H1", "walked 4 back from H1"),
        ("tokken", "7 b3+4", "part of a seven: 4 forward from b3"),
        ("tokken", "J b3~c9", "swapped the pawns on b3 and c9"),
        ("tokken", "give K", "gave a king, face down"),
    ],
)
def test_last_move_is_in_words_in_both_pictures(name, move, words):
    game = spec(name)
    shown = json.loads((game.folder / "cases" / "picture.json").read_text("utf-8"))
    position, line = shown["position"], f"Last move: {move} ({words})"

    known = game.describe_last_move(position, viewer=None, last_move=move)

    assert known == LastMove(move, words)
    assert line in game.draw_text(position, viewer=None, last_move=move).splitlines()
    assert line in texts(game.draw_svg(position, viewer=None, last_move=move))


# Pieces -----------------------------------------------------------------------------------------


def test_cards_overlap_only_where_they_must():
    assert spread(3, 10, width=100, card=20, gap=5) == [10, 35, 60]
    assert spread(3, 10, width=100, card=20, gap=5, centered=True) == [25, 50, 75]
    assert spread(5, 0, width=100, card=60) == [0, 10, 20, 30, 40]
    assert spread(0, 0, width=100, card=60, centered=True) == []


def test_card_faces_are_red_for_red_suits():
    size = markup.Size(40, 60)

    assert "red" in card_face(0, 0, "A", size=size, suit="♥")
    assert "red" not in card_face(0, 0, "A", size=size, suit="♠")
    assert ">A<" in card_face(0, 0, "A", size=size)


# The pictures of the docs -----------------------------------------------------------------------


@pytest.mark.parametrize("name", sorted(image.stem for image in IMAGES.glob("*.svg")))
def test_picture_of_the_docs(name, golden):
    """docs/images/NAME.svg is drawn from `cases/picture.json`, which is a position of the game."""
    game = spec(name)
    shown = json.loads((game.folder / "cases" / "picture.json").read_text("utf-8"))
    position = shown.pop("position")

    assert game.position(game.from_position(position), 0) == position
    golden(IMAGES / f"{name}.svg", game.draw_svg(position, **shown))


# SVG --------------------------------------------------------------------------------------------


def test_text_and_attributes_are_escaped():
    """No name can break a picture."""
    picture = markup.document(
        markup.Size(10, 10), [markup.label(0, 0, "<&>", id='"<')], title="a<b", description="&"
    )

    root = ElementTree.fromstring(picture)
    (label,) = root.findall("{*}text")

    assert (label.text, label.get("id")) == ("<&>", '"<')
    assert (root.findtext("{*}title"), root.findtext("{*}desc")) == ("a<b", "&")


def test_markup_is_put_together_unescaped():
    """Groups hold elements, None is left out, names are written as in SVG."""
    circle = markup.circle(1, 2.005, 3.0, class_="dot", stroke_width=None)

    assert circle == '<circle cx="1" cy="2" r="3" class="dot"/>'
    assert markup.group(circle, None, "a", font_size=2) == f'<g font-size="2">{circle}a</g>'


@pytest.mark.parametrize(
    ("value", "written"),
    [(3.0, "3"), (3.5, "3.5"), (3.14159, "3.14"), (-0.001, "0"), (100, "100"), (-2.5, "-2.5")],
)
def test_numbers_are_short(value, written):
    """Two decimals at most, no trailing zeros."""
    assert markup.number(value) == written
