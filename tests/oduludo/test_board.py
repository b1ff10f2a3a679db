"""The physical board is one file: another board plays, a broken one is reported."""

import copy
import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from edits import put

from spelkast.envs import spec
from spelkast.envs.engine.errors import BoardError
from spelkast.envs.engine.facts import read_facts
from spelkast.envs.oduludo.board_file import BOARD_FILE, BoardData

CHECKOUT = Path(__file__).parents[2]
TABLE: dict[str, Any] = json.loads(BOARD_FILE.read_text("utf-8"))

LARGER: dict[str, Any] = {
    **TABLE,
    "ring_size": 56,
    "path_length": 4,
    "globes": 3,
    "moon": {"G": 0, "R": 14, "B": 28, "P": 42},
    "entry": {"G": 55, "R": 13, "B": 27, "P": 41},
    "ufo": {"G": 53, "R": 11, "B": 25, "P": 39},
    "suns": [5, 13, 19, 27, 33, 41, 47, 55, 50],
    "lightnings": [8, 22],
    "stars": [2, 16],
    "circles": [3, 6, 9, 12, 15, 18],
    "safe": [0, 14, 28, 42],
    "oduludo_die": ["moon", "sunB", "plus3", "earth", "sunA", "lightning"],
    "removal_order": ["Q", "S1", "S2", "S3", "K"],
    "scoring": {
        **TABLE["scoring"],
        "place": {"2": [7, 1], "3": [7, 1, 0], "4": [7, 2, 1, 0]},
        "piece_on_earth": 3,
        "winner_per_captive": 0,
        "eliminated_piece_in_ship": -1,
    },
}
EARLY_ENTRY: dict[str, Any] = {
    **TABLE,
    "moon": {"G": 1, "R": 14, "B": 27, "P": 40},
    "safe": [],
}
"""The top Sun two squares before the Moon: the square between is on no route of that colour."""

PLAY = """
import sys
from spelkast.envs import make, spec
from spelkast.envs.engine.contract import check_game
from spelkast.envs.engine.errors import OptionsError
game = spec("oduludo")
for options in ({}, {"mode": "last_piece", "players": 3, "target_wins": 2, "reward": "score"}):
    print(check_game(game, options=options, games=1))
size = game.shape(game.parse_options({})).observation
env = make("oduludo", render_mode="ansi")
env.reset(seed=1)
print(size, "EARTH" in env.render())
"""


def run_with(board: dict[str, Any], folder: Path, code: str) -> subprocess.CompletedProcess[str]:
    """Run *code* with a copy of the package whose board is *board*."""
    package = folder / "spelkast"
    shutil.copytree(CHECKOUT / "envs", package / "envs", ignore=shutil.ignore_patterns("__pyc*"))
    shutil.copy(CHECKOUT / "__init__.py", package)
    (package / "envs" / "oduludo" / "board.json").write_text(json.dumps(board), "utf-8")
    return subprocess.run(
        [sys.executable, "-c", code],
        env={**os.environ, "PYTHONPATH": str(folder), "NUMBA_DISABLE_JIT": "1"},
        capture_output=True,
        text=True,
        check=False,
        timeout=590,
    )


@pytest.mark.slow
@pytest.mark.parametrize(
    ("board", "size", "is_cross"), [(LARGER, 729, False), (EARLY_ENTRY, 696, True)]
)
def test_another_board_plays(
    board: dict[str, Any],
    size: int,
    is_cross: bool,  # noqa: FBT001
    tmp_path: Path,
):
    """Other ring, squares, path, die, removal order and scores: the whole contract is kept.

    The larger board has 3 places more for each of 5 pieces, 1 Sun, 3 places for the stacks of each
    of 3 other sides, and 4 squares each for Kings and Queens: 696 + 33 numbers.
    """
    ran = run_with(board, tmp_path, PLAY)

    assert ran.stderr == ""
    assert ran.stdout.count("oduludo keeps") == 2
    assert ran.stdout.splitlines()[-1] == f"{size} {is_cross}"


def test_other_points_count(tmp_path: Path):
    """[R8.4] The winner's and the loser's points come from the file."""
    case = next(
        case
        for case in json.loads(
            (spec("oduludo").folder / "cases" / "positions.json").read_text("utf-8")
        )
        if case["name"] == "king_last_wins_round"
    )
    board = {**TABLE, "scoring": {**TABLE["scoring"], **LARGER["scoring"]}}
    code = f"""
from spelkast.envs import make
env = make("oduludo")
env.reset(options={{"position": {case["position"]!r}}})
env.step(env.move_to_action("mK"))
print(env.position()["points"])
"""

    ran = run_with(board, tmp_path, code)

    assert ran.stdout == f"[{7 + 5 * 3}, {1 + 2 * 3}]\n"


def test_broken_board_is_told(tmp_path: Path):
    ran = run_with({**TABLE, "suns": [6, 60]}, tmp_path, "from spelkast.envs.oduludo import game")

    assert ran.returncode == 1
    assert "BoardError: expected suns as different ring squares 0..51, got (6, 60)" in ran.stderr


BROKEN: list[tuple[Callable[[dict[str, Any]], Any], str]] = [
    (lambda table: table.pop("suns"), "expected key 'suns' in board.json, got none"),
    (
        put("ring_size", "52"),
        r"'ring_size' in board.json: Input should be a valid integer, got '52'",
    ),
    (put("ring_size", 50), r"expected entry as different ring squares 0..49"),
    (put("colors", "GRB"), "expected colors as 4 different letters"),
    (put("moon", {"G": 0}), "expected moon for each of the colours GRBP"),
    (put("moon", "R", 12), "expected one kind of square at 12, got moon and suns"),
    (put("moon", "R", 14), "expected routes from Moon to entry of one length above 12"),
    (put("entry", "G", 49), "expected the entry of G to be a Sun, got 49"),
    (put("stars", [2, 2]), "expected stars as different ring squares"),
    (put("circles", [7]), "one kind of square at 7, got lightnings and circles"),
    (put("pieces", ["K", "Q"]), "expected pieces"),
    (put("removal_order", ["K"]), "expected removal_order as an order of"),
    (put("oduludo_die", ["earth"] * 6), "expected oduludo_die as an order of"),
    (put("default_colors", "2", "BG"), "expected default_colors of 2 as 2 letters of GRBP"),
    (
        put("path_length", 0),
        r"'path_length' in board.json: Input should be .* equal to 1, got 0",
    ),
    (put("globes", 2.0), r"'globes' in board.json: Input should be a valid integer, got 2.0"),
    (
        put("scoring", "place", "3", [1, 2, 3]),
        "expected 3 numbers, none above the one before, got",
    ),
    (put("scoring", "place", "2", [0, 0]), "expected points above 0 for the first of 2"),
    (
        put("scoring", "piece_on_earth", 2.5),
        r"'scoring.piece_on_earth' in board.json: .* integer, got 2.5",
    ),
    (
        put("scoring", "eliminated_piece_in_ship", 5),
        r"'scoring.eliminated_piece_in_ship' in board.json: .* equal to 0, got 5",
    ),
    (put("scoring", None), r"'scoring' in board.json: .*, got None"),
]


@pytest.mark.parametrize(("edit", "message"), BROKEN, ids=[case[1][:50] for case in BROKEN])
def test_broken_board_is_refused(edit: Callable[[Any], Any], message: str, tmp_path: Path):
    table = copy.deepcopy(TABLE)
    edit(table)
    file = tmp_path / "board.json"
    file.write_text(json.dumps(table), "utf-8")

    with pytest.raises(BoardError, match=message):
        read_facts(file, BoardData)


def test_file_that_is_no_json_is_told(tmp_path: Path):
    file = tmp_path / "board.json"
    file.write_text("{", "utf-8")

    with pytest.raises(BoardError, match=r"expected the board as JSON in board\.json"):
        read_facts(file, BoardData)


def test_team_needs_routes_around_the_whole_ring(tmp_path: Path):
    code = "from spelkast.envs import make; make('oduludo', mode='team')"

    ran = run_with(EARLY_ENTRY, tmp_path, code)

    assert "OptionsError" in ran.stderr
    assert "routes pass every ring square in mode team" in ran.stderr
