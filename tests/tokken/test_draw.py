"""The pictures of Tokken show all that a seat may see, and nothing else."""

import json
from collections import Counter
from random import Random
from typing import Any
from xml.etree import ElementTree

import pytest

from spelkast.envs import spec
from spelkast.envs.engine.aec import GameEnv
from spelkast.envs.engine.errors import NotationError
from spelkast.envs.tokken.draw import SEAT_COLORS
from spelkast.envs.tokken.view import TokkenView, move_words

TOKKEN = spec("tokken")
PICTURES = (TOKKEN.draw_svg, TOKKEN.draw_text)
CASES = {
    case["name"]: case["position"]
    for case in json.loads((TOKKEN.folder / "cases" / "positions.json").read_text("utf-8"))
}


def start(**options: Any) -> dict[str, Any]:
    env = GameEnv(TOKKEN, **options)
    env.reset(seed=3)
    return env.position()


def texts(picture: str) -> list[str]:
    return [e.text or "" for e in ElementTree.fromstring(picture).iterfind(".//{*}text")]


# What is shown ----------------------------------------------------------------------------------


@pytest.mark.parametrize(("players", "segments"), [(2, 4), (3, 3), (4, 4), (6, 6)])
def test_every_field_has_its_name_in_the_picture(players: int, segments: int):
    """One can type a move from the picture; no name leaves the frame."""
    root = ElementTree.fromstring(TOKKEN.draw_svg(start(players=players), viewer=1))
    named = [e for e in root.iterfind(".//{*}text[@class='middle tiny']")]
    fields = [f"{letter}{k}" for letter in "abcdef"[:segments] for k in range(16)]

    assert sorted(e.text or "" for e in named) == sorted(
        fields + ["H1", "H2", "H3", "H4"] * players
    )
    assert all(10 < float(e.attrib["x"]) < 735 for e in named)
    assert all(0 < float(e.attrib["y"]) < 670 for e in named)


@pytest.mark.parametrize("players", [2, 3, 4, 6])
def test_text_fits_80_columns_and_has_a_legend(players: int):
    text = TOKKEN.draw_text(start(players=players), viewer=1)

    assert max(map(len, text.splitlines())) <= 80
    assert text.count("home 0, yard 4") == players
    assert "Green (you)" in text
    assert "# hologram: only a 4 or a swap frees" in text


def test_text_shows_ring_lanes_and_cards():
    """The board of the rules' diagram [R2.5], with the names of the fields around it."""
    lines = TOKKEN.draw_text(CASES["observe_swap_targets"], viewer=0).splitlines()

    assert lines[3].split() == [f"a{k}" for k in range(16)]
    assert lines[4].split() == [*"0......1*.....o31", "b0"]
    assert lines[6].split() == ["d14", "o", "-", "-", "-", "-", "1", ".", "b2"]
    assert lines[20].split() == ["d0", *"S#o.....*....0..S"]
    assert lines[21].split() == [f"c{k}" for k in reversed(range(16))]
    assert lines[23].startswith("> 0 Red (you): J ")
    assert lines[24].startswith("  1 Green: ? ? ")


def test_home_of_every_seat_is_in_its_own_colour():
    """Blue's home lane looked grey: a pale blue on wood."""
    root = ElementTree.fromstring(TOKKEN.draw_svg(start(), viewer=0))
    rings = [e for e in root.iterfind(".//{*}use") if e.get("color") == SEAT_COLORS[3]]
    found = Counter(e.get("href") for e in rings)

    assert found == {"#start": 1, "#ring": 1 + 4, "#pawn": 4 + 1}  # door, home; yard, name
    assert not any("fill-opacity" in e.attrib for e in root.iter())


def test_words_of_a_seat():
    """Dealer, partner, who is out, what was given; your own cards and extra cards."""
    seen = {**CASES["observe_giver"], "out": [False, True, False, False]}
    words = texts(TOKKEN.draw_svg(seen, viewer=2))

    assert "partner of Blue · out of this deal · gave ?" in words
    assert "partner of Red · gave K" in words
    assert "dealer · partner of Green" in words
    extra = TOKKEN.draw_text(CASES["observe_extra_card"], viewer=0)
    assert " extra " in extra
    assert " extra " not in TOKKEN.draw_text(CASES["observe_extra_card"], viewer=1)
    kept = CASES["extra_card_may_be_kept"]
    assert TokkenView(kept, viewer=0).headline == "Your move: play an extra card, or keep it"
    assert TokkenView(kept, viewer=1).headline == "Red's move: play a card"


def test_seven_under_way():
    """What is left of it, and which pawns have had their part [R4.23]."""
    shown = CASES["seven_two_into_the_lane_2"]

    assert "SEVEN · Your move: 4 steps of the 7 left, for up to 3 more pawns\n" in (
        TOKKEN.draw_text(shown, viewer=0)
    )
    for draw in PICTURES:
        assert "has had its part of the seven" in draw(shown, viewer=0)
    helping = TokkenView(CASES["observe_split_for_partner"], viewer=None)
    assert helping.headline.endswith("with the yellow pawns")


def test_winner_is_named():
    env = GameEnv(TOKKEN)
    env.reset(options={"position": CASES["win_by_closing_up"]})
    env.step(env.move_to_action("2 d13"))
    endings = [TokkenView(env.position(), viewer=viewer).headline for viewer in (None, 0, 1)]

    assert endings == ["Red and Yellow win", "You and Yellow win", "Red and Yellow win"]


def test_time_is_up():
    """Nobody is home: the side with more pawns at home is ahead [R8.2]."""
    over = {**CASES["win_with_rest_of_seven"], "phase": "over", "to_move": None}

    assert TokkenView(over, viewer=1).headline == "time is up, Red and Yellow are ahead"
    level = {**over, "pieces": [["Y"] * 4] * 4}
    assert TokkenView(level, viewer=1).headline == "time is up, nobody is ahead"


# What is hidden ---------------------------------------------------------------------------------


@pytest.mark.parametrize("players", [2, 6])
def test_pictures_are_the_same_whatever_is_hidden(players: int):
    """[R5.3] Others' cards, the draw pile and what lies face down, dealt again."""
    rng = Random(players)
    env = GameEnv(TOKKEN, players=players)
    env.reset(seed=5)
    move, changed = None, 0
    for _ in range(60):
        shown, viewer = env.position(), rng.randrange(players)
        other = redrawn(shown, viewer, rng)
        changed += other != shown
        for draw in PICTURES:
            assert draw(other, viewer=viewer, last_move=move) == draw(
                shown, viewer=viewer, last_move=move
            )
        mask = env.observe(env.agent_selection)["action_mask"]
        action = rng.choice(mask.nonzero()[0].tolist())
        move = env.action_to_move(action)
        env.step(action)
    assert changed > 30


def redrawn(position: dict[str, Any], viewer: int, rng: Random) -> dict[str, Any]:
    """Deal again what *viewer* may not know [R5.5]."""
    other = json.loads(json.dumps(position))
    others = [seat for seat in range(len(position["hands"])) if seat != viewer]
    places = [(key, seat) for key in ("hands", "extras", "given") for seat in others]
    pool = list(position["draw_pile"] + "".join(position[key][seat] for key, seat in places))
    rng.shuffle(pool)
    for key, seat in places:
        count = len(position[key][seat])
        other[key][seat], pool = "".join(sorted(pool[:count])), pool[count:]
    return {**other, "draw_pile": "".join(sorted(pool))}


def test_others_cards_are_backs():
    shown = {**CASES["enter_only"], "given": ["2"] * 4}
    for draw in PICTURES:
        other = {**shown, "hands": ["A5", "JJ", "KK", "33"]}

        assert draw(shown, viewer=0) == draw(other, viewer=0)
        assert draw(shown, viewer=None) != draw(other, viewer=None)


@pytest.mark.parametrize(("viewer", "seen"), [(2, True), (None, True), (0, False), (3, False)])
def test_gift_is_seen_by_its_giver_alone(viewer: int | None, seen: bool):  # noqa: FBT001
    """Seat 2 gave a king last [R4.2]."""
    for draw in PICTURES:
        picture = draw(CASES["observe_giver"], viewer=viewer, last_move="give K")

        assert ("give K (gave a king, face down)" in picture) is seen
        assert ("give ? (gave a card, face down)" in picture) is not seen


# Moves in words ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("move", "words"),
    [
        ("give 8", "gave an 8, face down"),
        ("fold", "could not play, and laid down all cards"),
        ("keep", "kept the extra cards for the next deal"),
        ("A+", "entered a pawn with an ace"),
        ("A b3", "walked 1 forward from b3"),
        ("X H1", "walked 18 forward from H1"),
        ("K a2", "walked 13 forward from a2, hitting all it passed"),
        ("4 b3", "walked 4 back from b3"),
        ("7 b3+4", "part of a seven: 4 forward from b3"),
        ("5 c9", "pushed the pawn on c9 5 forward"),
        ("J b3~c9", "swapped the pawns on b3 and c9"),
    ],
)
def test_moves_in_words(move: str, words: str):
    """[R6.3] Every kind of move."""
    assert move_words(move) == words


@pytest.mark.parametrize("move", ["!7", "#12", "b3", ""])
def test_what_is_no_move_is_no_last_move(move: str):
    """An outcome would betray what was drawn; the error says what is expected."""
    with pytest.raises(NotationError, match=r"expected a move such as give A"):
        move_words(move)


def test_fields_of_the_last_move_are_marked():
    view = TokkenView(CASES["enter_only"], viewer=0, last_move="J b3~c9")

    assert view.named == {"b3", "c9"}
    assert "named by the last move" in TOKKEN.draw_svg(
        CASES["enter_only"], viewer=0, last_move="5 d2"
    )
