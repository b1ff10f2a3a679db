"""ToedeLoe: whole games with scripted chance, and how they end."""

import copy
import json
from typing import Any

import numpy as np
import pytest

from spelkast.envs import spec
from spelkast.envs.toedeloe import toedeloe_v0

TOEDELOE = spec("toedeloe")
TRACES = json.loads((TOEDELOE.folder / "cases" / "traces.json").read_text("utf-8"))
BOARD_FILE = TOEDELOE.folder / "board.json"

# Whole games ----------------------------------------------------------------------------------


@pytest.mark.parametrize("trace", TRACES, ids=[trace["name"] for trace in TRACES])
def test_game_with_scripted_chance(trace: dict[str, Any]):
    env = toedeloe_v0.env(**trace["config"])
    env.reset(seed=0, options={"chance": trace["chance"]})
    told = env.chance_log()
    for move in trace["moves"]:
        env.step(env.move_to_action(move))
        told += env.chance_log()

    assert told == trace["chance"]
    assert env.position() == trace["final"]
    assert list(env.rewards.values()) == trace["rewards"]


# Ends -----------------------------------------------------------------------------------------


def random_game(seed: int, **options: Any) -> Any:
    env = toedeloe_v0.env(**options)
    env.reset(seed=seed)
    choose = np.random.default_rng(seed)
    while not all(env.terminations.values()):
        mask = env.observe(env.agent_selection)["action_mask"]
        env.step(choose.choice(np.flatnonzero(mask)))
    return env


@pytest.mark.parametrize("players", [2, 4])
def test_infos_of_the_end_tell_the_count(players: int):
    """[R8.3, R8.6] Nine numbers for each side, from which the scores and the winner follow."""
    ways = set()
    for seed, max_turns in ((1, 300), (2, 30)):
        env = random_game(seed, players=players, max_turns=max_turns)
        info = env.infos["player_1"]
        for parts in info["score_parts"]:
            plus = parts["frame"] + parts["rows"] + parts["bonus"] + parts["longest"]
            assert parts["plus"] == plus
            assert parts["minus"] == parts["unplaced"] + parts["penalty"]
            assert parts["net"] == plus - parts["minus"]
        nets = [parts["net"] for parts in info["score_parts"]]
        assert info["scores"] == [nets[seat % 2] for seat in range(players)]
        sign = int(np.sign(nets[0] - nets[1]))
        assert list(env.rewards.values()) == [sign, -sign] * (players // 2)
        assert not any(env.truncations.values())
        assert (info["ended_by"] == "penalty") == (9 in env.position()["penalty"])
        ways.add(info["ended_by"])
    assert ways == {"penalty", "turns"}


def test_a_move_with_the_wrong_mark_is_refused():
    """`@` places and `^` picks up: one is never taken for the other."""
    env = random_game(3, max_turns=20)
    position = copy.deepcopy(env.position())
    board = "".join(position["board"]).replace(" ", "")
    names = " ".join(json.loads(BOARD_FILE.read_text("utf-8"))["grid"]).split()
    empty, taken = names[board.index(".")], names[board.index("w")]

    for text in (f"^{empty}", f"@{taken}"):
        with pytest.raises(ValueError, match=r"expected .* as that square is"):
            env.move_to_action(text)
