"""The board of ToedeLoe is one file: another board plays, a broken one is refused."""

import json
from pathlib import Path
from typing import Any

import pytest

from spelkast.envs import spec
from spelkast.envs.engine.errors import BoardError
from spelkast.envs.engine.facts import read_facts
from spelkast.envs.toedeloe.board_file import BoardFile

TOEDELOE = spec("toedeloe")
TRACES = json.loads((TOEDELOE.folder / "cases" / "traces.json").read_text("utf-8"))
BOARD_FILE = TOEDELOE.folder / "board.json"


def board_with(tmp_path: Path, edit: Any) -> Path:
    content = json.loads(BOARD_FILE.read_text("utf-8"))
    edit(content)
    path = tmp_path / "board.json"
    path.write_text(json.dumps(content), "utf-8")
    return path


def correct(content: dict[str, Any]) -> None:
    """Other bonus squares and two labels swapped, on both sides alike."""
    content["bonus"] = content["bonus"].replace("D7", "D8")
    content["grid"][10] = content["grid"][10].replace("wD6 wD7", "wD7 wD6")
    content["grid"][1] = content["grid"][1].replace("gD7 gD6", "gD6 gD7")


def make_oblong(content: dict[str, Any]) -> None:
    """The same squares in twelve rows of ten, with frames in which they hang together."""
    names = " ".join(content["grid"]).split()
    content["grid"] = [" ".join(names[k : k + 10]) for k in range(0, 120, 10)]
    content["first_column"] = [1] * 12
    content["frames"] = ["wC9 wC10 wC11 wH7 wH8 wH9", "gC9 gC10 gC11 gH7 gH8 gH9"]


def test_the_board_is_a_file_that_can_be_corrected(tmp_path: Path):
    before = read_facts(BOARD_FILE, BoardFile)
    after = read_facts(board_with(tmp_path, correct), BoardFile)

    assert [n for n, name in enumerate(before.names) if name != after.names[n]] == [
        12,
        13,
        106,
        107,
    ]
    assert {after.names[n] for n in after.bonus} - {before.names[n] for n in before.bonus} == {
        "wD8",
        "gD8",
    }
    assert after.places == before.places


PLAY_BOTH = """
from random import Random
from toedeloe import oracle
from toedeloe.oracle_checks import compare
from spelkast.envs import make
from spelkast.envs.toedeloe.board import BOARD

options = {"max_turns": 24, "longest": "group", "forced": "off"}
rng, env = Random(5), make("toedeloe", **options)
env.reset(seed=5)
script = env.chance_log()
position = oracle.initial(options, lambda _: script.pop(0))
while moves := oracle.legal_moves(position):
    compare(env, position)
    move = rng.choice([move for move in moves if move != "pass"] or moves)
    env.step(env.move_to_action(move))
    script = env.chance_log()
    position = oracle.apply(position, move, lambda _: script.pop(0))
compare(env, position)
env.reset(options={"position": position})
print(*(BOARD.names[square] for square in (*BOARD.frames[0], *BOARD.bonus)))
"""


@pytest.mark.parametrize(
    ("edit", "squares"),
    [
        (correct, "wC6 wC7 wC8 wH6 wH7 wH8 gS8 gD8 gH10 gC3 wC3 wH10 wD8 wS8"),
        (make_oblong, "wC9 wC10 wC11 wH7 wH8 wH9 gS8 gD7 gH10 gC3 wC3 wH10 wD7 wS8"),
    ],
    ids=["corrected", "oblong"],
)
def test_game_on_another_board_works(
    edit: Any, squares: str, copied_checkout: Path, tmp_path: Path, run_python: Any
):
    """It is the game of an oracle that reads the same file."""
    file = copied_checkout / "envs" / "toedeloe" / "board.json"
    (tmp_path / "spelkast").symlink_to(copied_checkout)
    try:
        file.write_bytes(board_with(tmp_path, edit).read_bytes())
        done = run_python(PLAY_BOTH, tmp_path, copied_checkout / "tests", NUMBA_DISABLE_JIT="1")
    finally:
        file.write_bytes(BOARD_FILE.read_bytes())

    assert done.stderr == ""
    assert done.stdout.split() == squares.split()


def put(*path: Any) -> Any:
    *keys, last, value = path

    def edit(content: Any) -> None:
        for key in keys:
            content = content[key]
        content[last] = value

    return edit


def swap(row: int, one: str, other: str) -> Any:
    def edit(content: Any) -> None:
        content["grid"][row] = content["grid"][row].replace(one, other)

    return edit


@pytest.mark.parametrize(
    ("edit", "message"),
    [
        (lambda c: c.pop("bonus"), "expected key 'bonus' in board.json, got none"),
        (put("grid", 3), "key 'grid' in board.json: Input should be a valid tuple, got 3"),
        (
            lambda c: c["grid"].pop(),
            "key 'grid' in board.json: .* 12 items after validation, not 11",
        ),
        (put("grid", 0, "gS12"), "120 squares, got 115"),
        (put("grid", 0, "gS12 " * 13), "at most 12 columns in row 0"),
        (put("first_column", [3] * 12), "at most 12 columns"),
        (put("first_column", 0, 4), "point-symmetric grid"),
        (put("first_column", 0, "3"), "key 'first_column.0' in board.json: .* integer, got '3'"),
        (put("first_column", 0, 12), "'first_column.0' in board.json: .* less than 12, got 12"),
        (swap(0, "gS12", "gS11"), "every label once in the half of zone g"),
        (swap(7, "wC1 wC2", "wC2 wC1"), "opposite"),
        (put("frames", 0, "wC6 wC7 wC8 wH6 wH7"), "6 different squares as frame of zone w"),
        (put("frames", 0, "wC6 wC7 wC8 wH6 wH7 gH8"), "squares w.. as frame of zone w"),
        (put("frames", 0, "wC6 wC7 wC8 wH6 wH7 wH9"), "frames opposite one another"),
        (put("rows", "wE", "wE2 wE4 wE6 wE8 wE10 wC1"), "squares wE.. as row wE"),
        (put("rows", {}), "rows wE, wO, gE, gO, got"),
        (put("bonus", "gS8 gD7 gH10 gC3 wC3 wH10 wD7 wS9"), "point-symmetric bonus"),
        (put("bonus", "gS8"), "8 different squares as bonus"),
    ],
)
def test_broken_board_is_refused(edit: Any, message: str, tmp_path: Path):
    with pytest.raises(BoardError, match=message) as error:
        read_facts(board_with(tmp_path, edit), BoardFile)

    assert "board.json" in str(error.value)


def test_board_that_is_no_json_is_refused(tmp_path: Path):
    path = tmp_path / "board.json"
    path.write_text("grid", "utf-8")

    with pytest.raises(BoardError, match=r"expected the board as JSON in board\.json"):
        read_facts(path, BoardFile)
