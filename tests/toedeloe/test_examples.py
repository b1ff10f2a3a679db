"""Worked examples of ToedeLoe beyond those in `cases/`, for each paragraph that leaves a doubt.

What must come out was worked out by hand from the rules text; the oracle and the compiled game are
both compared with it, and with one another.
"""

import json
from typing import Any

import pytest

from spelkast.envs import make, spec

from . import oracle
from .oracle_checks import compare, table

TOEDELOE = spec("toedeloe")
TRACES = json.loads((TOEDELOE.folder / "cases" / "traces.json").read_text("utf-8"))

GREY_DRAWS = ["!C2", "!C4", "!C6"]
STARTED = {"phase": "play", "turn": 1, "to_move": 1, "turn_no": 11, "table": ["C2", "C4", "C6"]}
"""Grey's turn, which follows on white's with the cards drawn by `GREY_DRAWS`."""

CORNER = {"w": "", "t": "wD7 wD11", "r": "wD10"}
"""A red pawn at the edge between two ToedeLoes: it cannot step."""


def set_up(position: oracle.Position, chance: list[str] | None = None) -> Any:
    env = make("toedeloe", **position["config"])
    env.reset(seed=0, options={"position": position, "chance": chance or []})
    return env


REDS = {"r": "gC1 gC2 gH1 gH2"}
FULL = (
    "wD1 wD2 wD3 wD4 wD5 wS1 wS2 wS3 wS4 wS5 wD6 wD7 wD8 wD9 wS6 wS7 wS8 wS9 "
    "wD10 wD11 wD12 wS10 wS11 wS12 wE2 wE4 wE6 wE8 wE10 wE12"
)
EVERY, OFF = {"forced": "every"}, {"forced": "off"}
KINGS_MOVE = {"king_moves_red": True}
FOUR = {"players": 4}

LEGAL: dict[str, tuple[oracle.Position, str]] = {
    "R4.4 a joker joins no suit": (table("C5 X1 X2"), "C5 X1 X1+X2 X2"),
    "R4.4 one card of another suit": (table("C5 H4 H6"), "C5 H4 H4+H6 H6"),
    "R4.5 two kings are nothing": (table("C5 CK DK"), "C5 C5+CK CK DK"),
    "R4.5 three kings with three reds": (
        table("CK DK HK", {"r": "gC1"}),
        "CK CK+DK+HK DK HK",
    ),
    "R4.5 three kings with two reds": (table("CK DK HK", {"r": "gC1 gC2"}), "CK DK HK"),
    "R4.5 three kings with two reds that kings move": (
        table("CK DK HK", {"r": "gC1 gC2"}, config=KINGS_MOVE),
        "CK CK+DK+HK DK HK",
    ),
    "R4.6 no duty where it is off": (
        table("C9 CK H4", turn_no=0, decisions=0, config=OFF),
        "C9 C9+CK CK H4",
    ),
    "R4.6 a duty in every hand": (table("C9 CK H4", config=EVERY), "C9+CK CK"),
    "R4.6 a dead king may fulfil it in a combination": (
        table("C9 CK H4", REDS, config=EVERY),
        "C9+CK",
    ),
    "R11.13 waived without one that can be played": (
        table("D5 H7 SK", REDS, config=EVERY),
        "D5 H7",
    ),
    "R11.14 a fourth seat's first hand": (
        table("C9 DK H4", turn_no=3, turn=3, to_move=3, config=FOUR),
        "DK",
    ),
    "R11.14 a first seat's second hand": (table("C9 DK H4", turn_no=4, config=FOUR), "C9 DK H4"),
    "R4.7 no pawn for a combination": (table("C5 C7 HK", {"w": FULL}), "HK"),
    "R4.12 ace and king": (table("CA CK D5", action="CA CK"), "@gC12 @wC12"),
    "R4.12 ace and two": (
        table("D5 HA H2", action="HA H2"),
        "@gE2 @gH1 @gH2 @gH3 @wE2 @wH1 @wH2 @wH3",
    ),
    "R4.12 king, nine and ace": (
        table("CA C9 CK", action="CA C9 CK"),
        "@gC3 @gC4 @gC5 @gO3 @gO5 @wC3 @wC4 @wC5 @wO3 @wO5",
    ),
    "R4.12 king, queen and ace": (
        table("CA CQ CK", action="CA CQ CK"),
        "@gC1 @gC2 @gO1 @wC1 @wC2 @wO1",
    ),
    "R4.12 queen and jack, black": (table("D5 SJ SQ", action="SJ SQ"), "@gO1 @gS1 @wO1 @wS1"),
    "R4.12 queen, jack and ten, red": (
        table("D10 DJ DQ", action="D10 DJ DQ"),
        "@gD11 @gD9 @wD11 @wD9",
    ),
    "R4.12 king, queen and ten": (
        table("C10 CQ CK", action="C10 CQ CK"),
        "@gC11 @gO11 @wC11 @wO11",
    ),
    "R4.12 two threes do not meet, a three takes away": (
        table("D5 H3 H5", action="H3 H5"),
        "@gE2 @gE8 @gH2 @gH8 @wE2 @wE8 @wH2 @wH8",
    ),
    "R4.8 a pawn in a frame is not picked up": (
        table("D5 HQ S3", {"w": "wC6 wC1"}, action="S3"),
        "@gO3 @gS3 @wO3 @wS3 ^wC1",
    ),
    "R4.16 frames, ToedeLoes and the edge stop a pawn": (
        table("D5 HQ S3", {"w": "wC4 wC7", "t": "wC2"}, action="S3", square="wC4"),
        "N S",
    ),
    "R4.16 a pawn crosses an empty frame": (
        table("D5 HQ S3", {"w": "wC4", "r": "wH4"}, action="S3", square="wC4"),
        "E N W",
    ),
    "R4.9 a king picks up a red that can step": (
        table(
            "CK D5 HQ", {"r": "wD10 gC1 gC2 gC3", "t": "wD7 wD11"}, action="CK", config=KINGS_MOVE
        ),
        "^gC1 ^gC2 ^gC3",
    ),
    "R4.10 a joker picks up what can step": (
        table("D5 HQ X1", {"t": "wD10 wE2", "r": "wD7 wD11 gC1 gH1"}, action="X1"),
        "^gC1 ^gH1 ^wD11 ^wD7 ^wE2",
    ),
    "R4.10 a ToedeLoe steps where it may throw a red": (
        table("D5 HQ X1", {"t": "wD10 wE2", "r": "wD7 wD11 gC1 gH1 gH12"}, action="X1"),
        "^gC1 ^gH1 ^gH12 ^wD10 ^wD11 ^wD7 ^wE2",
    ),
    "R4.13 a red in a frame is safe from the ToedeLoe": (
        table("D5 HA HQ", {"t": "wC5 gC9", "r": "wC6 wC4 gH1 gH2 gH3"}, action="HA", square="wC5"),
        "N S W",
    ),
    "R4.13 grey and white, in no frame": (
        table(
            "CK D5 HQ", {"r": "wC5", "w": "wC4 wC6", "g": "wE10"}, action="CK", square="wC5",
            placed=True,
        ),
        "N S W stay",
    ),
    "R4.20 only staying is left": (
        table("CK D5 HQ", CORNER, action="CK", square="wD10", placed=True),
        "stay",
    ),
    "R11.17 two jokers in an offer": (
        table("D2 X1 X2", used="D2", phase="offer", to_move=1),
        "X1 X2 pass",
    ),
    "R4.18 neither combination nor duty for the responder": (
        table("C9 CK H4", used="H4", phase="offer", to_move=1, config=EVERY),
        "C9 CK pass",
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", LEGAL)
def test_legal_moves(name: str):
    position, moves = LEGAL[name]

    assert oracle.legal_moves(position) == moves.split()
    compare(set_up(position), position)


# Position, moves, chance outcomes, and what is then true.
MOVES: dict[str, tuple[oracle.Position, str, list[str], dict[str, Any]]] = {
    "R4.14 a thrown pawn of one's own comes back": (
        table("CK D5 HQ", {"r": "wE4", "w": "wE6"}, action="CK", square="wE4", placed=True),
        "E", [], {"pawns": [30, 30], "at": {"wE4": ".", "wE6": "r"}, "phase": "offer"},
    ),
    "R11.2 the responder throws a red: it is the owner's": (
        table(
            "D5 HA HQ", {"t": "wC5 gC9", "r": "wC4 gH1 gH2 gH3 gH4"},
            used="D5", action="HA", square="wC5", to_move=1, red=[3, 0],
        ),
        "W", GREY_DRAWS, {**STARTED, "red": [4, 0], "at": {"wC4": "t", "wC5": "."}},
    ),
    "R11.6 a pawn may end in a frame": (
        table("D5 HQ S3", {"w": "wC3", "g": "wC4"}, action="S3", square="wC3"),
        "E", [], {"at": {"wC3": ".", "wC4": ".", "wC6": "w"}, "pawns": [29, 30]},
    ),
    "R4.17 the second of three kings": (
        table(
            "CK DK HK", {"r": "gC1"}, used="CK DK HK", action="CK", queue="DK HK", square="gC1",
            placed=True,
        ),
        "stay", [], {"phase": "target", "action": ["DK"], "queue": ["HK"], "to_move": 0},
    ),
    "R4.18 no offer after three kings": (
        table(
            "CK DK HK", {"r": "gC1 gC2 gC3"}, used="CK DK HK", action="HK", square="gC3",
            placed=True,
        ),
        "stay", GREY_DRAWS, {**STARTED, "used": [], "red": [1, 4]},
    ),
    "R11.1 the last red pawn, then the ToedeLoe": (
        table("D5 X1 X2", {"r": "gC1 gC2 gC3 gC4"}, red=[1, 3]),
        "X1+X2 @wE2 stay @wC1 N", [],
        {
            "phase": "offer", "to_move": 1, "red": [0, 4], "toedeloe": [0, 1], "decisions": 45,
            "at": {"wE2": "t", "wC1": "."},
        },
    ),
    "R4.18 both aces are offered": (
        table("HA SA X1", {"r": "gC1 gC2 gC3 gC4 gH1 gH2 gH3 gH4", "t": "gC9"}, toedeloe=[1, 0]),
        "X1 @gC5 stay", [], {"phase": "offer", "to_move": 1, "red": [0, 0]},
    ),
    "R11.4 a thrown red kills the aces of the offer": (
        table("HA SA X1", {"r": "gC1 gC2 gC3 gC4 gH1 gH2 gH3 gH4", "t": "gC9"}, toedeloe=[1, 0]),
        "X1 @gC5 E", GREY_DRAWS, {**STARTED, "red": [0, 1], "at": {"gC4": "t"}},
    ),
    "R11.9 the answer to a pashand ends the turn": (
        table(
            "CA DA HA", {"r": "gC1 gC2 gH1 gH2", "t": "wC5"}, action="HA", used="", square="wC5",
            to_move=1, red=[4, 0], toedeloe=[1, 0], penalty=[1, 0],
        ),
        "N", GREY_DRAWS, {**STARTED, "penalty": [1, 0], "at": {"wE10": "t"}},
    ),
    "R11.16 pashands of both, a pile made whole": (
        table("C5 D5 H5", used="H5", phase="offer", to_move=1, draw_pile=[[], ["CA", "DA", "HA"]]),
        "pass", ["!CA", "!DA", "!HA", "!HA", "!SA", "!CA", "!C2", "!CA", "!C4"],
        {
            "turn": 1, "turn_no": 13, "to_move": 1, "phase": "play", "penalty": [1, 1],
            "table": ["CA", "C2", "C4"],
            "draw_pile": [
                [card for card in oracle.CARDS if card not in ("CA", "HA", "SA")],
                [card for card in oracle.CARDS if card not in ("CA", "C2", "C4")],
            ],
        },
    ),
    "R11.16 the ninth pass stops a chain": (
        table(
            "C5 D5 H5", used="H5", phase="offer", to_move=1, penalty=[8, 7],
            draw_pile=[[], ["CA", "DA", "HA"]],
        ),
        "pass", ["!CA", "!DA", "!HA", "!HA", "!SA", "!CA"],
        {
            "phase": "over", "to_move": None, "turn": 0, "turn_no": 12, "penalty": [9, 8],
            "table": ["CA", "HA", "SA"], "used": [],
            "draw_pile": [[card for card in oracle.CARDS if card not in ("CA", "HA", "SA")], []],
            "rewards": [-1, 1],
        },
    ),
    "R8.2 a pashand may be the last turn": (
        table(
            "C5 D5 H5", used="H5", phase="offer", to_move=1, turn_no=298,
            draw_pile=[["D9", "S2", "S4"], ["CA", "DA", "HA"]],
        ),
        "pass", ["!CA", "!DA", "!HA"],
        {
            "phase": "over", "turn": 0, "turn_no": 300, "penalty": [0, 1], "table": [],
            "draw_pile": [["D9", "S2", "S4"], []], "rewards": [1, -1],
        },
    ),
    "R1.1 a team shares its deck": (
        table(
            "C5 D5 H5", used="H5", phase="offer", turn=1, to_move=2, turn_no=9, config=FOUR,
        ),
        "pass", ["!S2", "!D9", "!S4"],
        {"turn": 2, "to_move": 2, "table": ["D9", "S2", "S4"], "draw_pile": [
            ["S6", "S8", "S10"], ["C2", "C4", "C6", "C8", "C10", "H9"],
        ]},
    ),
    "R8.4 a draw": (
        table("C5 D5 H5", used="H5", phase="offer", to_move=1, turn_no=299),
        "pass", [], {"phase": "over", "rewards": [0, 0]},
    ),
    "R8.5 no more than 1 by the margin": (
        # White: frame 12, row 6, run 6, less 18 + 5; grey: less 30 + 5. That is 36 apart.
        table(
            "C5 D5 H5", {"w": "wC6 wC7 wC8 wH6 wH7 wH8 wE2 wE4 wE6 wE8 wE10 wE12"}, used="H5",
            phase="offer", to_move=1, turn_no=299, config={"reward": "margin"},
            red=[4, 4], toedeloe=[1, 1],
        ),
        "pass", [],
        {"phase": "over", "rewards": [1, -1], "white": {"plus": 24, "minus": 23, "net": 1}},
    ),
    "R8.3 both frames, and a run across the middle line": (
        table(
            "C5 D5 H5",
            {"w": "wC6 wC7 wC8 wH6 wH7 wH8 gC6 gC7 gC8 gH6 gH7 gH8 wE12 gO1"}, used="H5",
            phase="offer", to_move=1, turn_no=299,
        ),
        # Column 5 holds gH7, gC7, gO1, wE12, wC6 and wH6.
        "pass", [], {"white": {"frame": 24, "rows": 2, "bonus": 0, "longest": 6, "plus": 32}},
    ),
    "R8.3 a group across the middle line": (
        table(
            "C5 D5 H5", {"w": "gO1 wE12 wO1 wC7 wS12 wS9"}, used="H5", phase="offer", to_move=1,
            turn_no=299, config={"longest": "group"},
        ),
        "pass", [], {"white": {"frame": 1, "rows": 3, "longest": 4, "unplaced": 29}},
    ),
    "R8.3 a group that winds through the board": (
        table(
            "C5 D5 H5", {"w": "gH4 gC4 gC3 gC2 gH2 gE4 wO9 wC11 wH11 wH10 wH9 wC9"}, used="H5",
            phase="offer", to_move=1, turn_no=299, config={"longest": "group"},
        ),
        "pass", [], {"white": {"longest": 12, "rows": 2, "bonus": 4, "plus": 18, "net": -5}},
    ),
    "R8.3 bonus squares of both zones": (
        table(
            "C5 D5 H5", {"g": "wC3 wD7 wH10 wS8 gC3 gD7 gH10 gS8"}, used="H5", phase="offer",
            to_move=1, turn_no=299,
        ),
        "pass", [], {"grey": {"bonus": 16, "longest": 1, "rows": 0, "plus": 17, "net": -10}},
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", MOVES)
def test_move(name: str):
    position, moves, chance, after = MOVES[name]
    left, env = list(chance), set_up(position, chance)
    compare(env, position)

    for move in moves.split():
        position = oracle.apply(position, move, lambda _: left.pop(0))
        env.step(env.move_to_action(move))
        compare(env, position)

    assert left == []
    known: dict[str, Any] = {**position, "rewards": oracle.rewards(position)}
    for side, colour in enumerate(("white", "grey")):
        wanted = after.get(colour, {})
        assert wanted.items() <= oracle.parts(position, side).items()
    for square, piece in after.get("at", {}).items():
        assert oracle.piece(position, square) == piece
    told = {key: value for key, value in after.items() if key in known}
    assert {key: known[key] for key in told} == told


@pytest.mark.parametrize("trace", TRACES, ids=[trace["name"] for trace in TRACES])
def test_oracle_plays_the_traces(trace: dict[str, Any]):
    """From the set-up on; `tests/envs/test_toedeloe.py` plays them with the game itself."""
    chance = list(trace["chance"])
    position = oracle.initial(trace["config"], lambda _: chance.pop(0))
    for move in trace["moves"]:
        assert move in oracle.legal_moves(position)
        position = oracle.apply(position, move, lambda _: chance.pop(0))

    assert (position, chance) == (trace["final"], [])
    assert oracle.rewards(position) == trace["rewards"]


def test_slots_of_an_offer_do_not_close_up():
    """[R11.15] The first card is used; the others keep bits 1 and 2."""
    env = set_up(table("C10 D2 D7", used="C10", phase="offer", to_move=1))

    assert {move: env.move_to_action(move) for move in env.legal_moves()} == {
        "D2": 1, "D7": 3, "pass": 132,
    }  # fmt: skip


def test_queued_card_without_a_target_is_dropped():
    """[R4.17] No position of the game has one, so the red pawns that could step are taken away."""
    reds = {**CORNER, "r": "wD10 gC1 gC2 gC3"}
    position = table(
        "CK DK HK", reds, used="CK DK HK", action="CK", queue="DK HK", square="wD10", placed=True,
        config=KINGS_MOVE,
    )  # fmt: skip
    states = TOEDELOE.from_position(position)
    for square in ("gC1", "gC2", "gC3"):
        oracle.put(position, square, ".")
        states["board"][0, oracle.SQUARES.index(square)] = 0

    def never(_: list[str]) -> str:
        raise RuntimeError("a hand is to be drawn")

    assert oracle.legal_moves(position) == ["stay"]
    with pytest.raises(RuntimeError, match="a hand is to be drawn"):
        oracle.apply(position, "stay", never)
    TOEDELOE.verbs.step(states, 0, TOEDELOE.move_to_action(states, 0, "stay"))
    assert (states["turn"][0], states["queue"][0], states["due"][0]) == (1, 0, 3)
