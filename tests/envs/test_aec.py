"""The AEC environment: what it reports and when."""

import copy
import json
import pickle
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from pettingzoo.utils.wrappers import OrderEnforcingWrapper
from playing import is_over, new_env, play

from spelkast.envs.engine.errors import (
    ChanceError,
    IllegalActionError,
    NotationError,
    OptionsError,
    PositionError,
)
from spelkast.envs.tacocat import tacocat_v0

AGENTS = ["player_0", "player_1"]


# What it is -----------------------------------------------------------------------------------


def test_spaces_and_names():
    env = tacocat_v0.env()

    assert env.possible_agents == AGENTS
    assert env.agents == []
    assert env.metadata["name"] == "tacocat_v0"
    assert env.metadata["is_parallelizable"] is False
    assert env.action_space("player_0").n == 150
    space = env.observation_space("player_1")
    assert space["observation"].shape == (180,)
    assert space["observation"].dtype == np.float32
    assert space["action_mask"].dtype == np.int8
    assert env.state_space.shape == (218,)
    assert env.observation_space("player_1") is space
    assert env.action_space("player_1") is env.action_space("player_1")
    assert env.unwrapped is env
    assert tacocat_v0.raw_env().possible_agents == AGENTS


def test_all_seats_stay_until_the_end_and_end_together():
    env = new_env()
    while not is_over(env):
        assert env.agents == AGENTS
        assert not any({**env.terminations, **env.truncations}.values())
        assert set(env.rewards.values()) == {0.0}
        play(env, 1)

    assert env.agents == AGENTS
    assert all(env.terminations.values())
    assert not any(env.truncations.values())
    assert sorted(env.rewards.values()) == [-1.0, 1.0]


def test_agent_iter_pays_every_seat_once():
    """A reward that comes with another seat's move is not lost."""
    env, choose = new_env(seed=3), np.random.default_rng(0)
    paid = dict.fromkeys(AGENTS, 0.0)
    for agent in env.agent_iter():
        seen, reward, terminated, truncated, _ = env.last()
        paid[agent] += reward
        legal = np.flatnonzero(seen["action_mask"])
        env.step(None if terminated or truncated else choose.choice(legal))

    assert sorted(paid.values()) == [-1.0, 1.0]
    assert env.agents == []


def test_last_without_observation():
    env = new_env()

    seen, reward, terminated, truncated, info = env.last(observe=False)

    assert seen is None
    assert (reward, terminated, truncated) == (0.0, False, False)
    assert info["action_mask"].any()


def test_what_observe_gives_is_a_copy():
    env = new_env()
    before = env.observe("player_0")
    seen = env.observe("player_0")
    seen["observation"][:] = 9
    seen["action_mask"][:] = 1

    assert all((env.observe("player_0")[key] == before[key]).all() for key in before)
    with pytest.raises(IllegalActionError):
        env.step(149)


def test_stock_wrappers_fit():
    env: Any = OrderEnforcingWrapper(tacocat_v0.env())
    env.reset(seed=1)
    play(env, 5)
    twin: Any = copy.deepcopy(env)

    assert twin.unwrapped.position() == env.unwrapped.position()
    assert play(twin)[-1]["scores"] == play(env)[-1]["scores"]


# Infos ----------------------------------------------------------------------------------------


def test_infos_tell_the_match_after_every_step():
    """[R8.3] Scores, round and tacocat for both players, from the first position on."""
    env = new_env(seed=4)
    assert env.infos["player_1"]["scores"] == [0, 0]
    for _ in play(env, 60):
        position = env.position()
        for agent in AGENTS:
            info = env.infos[agent]
            assert {key: info[key] for key in ("round", "tacocat")} == {
                key: position[key] for key in ("round", "tacocat")
            }
            used = [*position["covered"], position["tacocat"]]
            assert info["scores"] == [sum(i < 4 for i in used), sum(i > 4 for i in used)]
            is_mover = agent == env.agent_selection
            assert info["action_mask"].any() == is_mover


def test_infos_name_a_round_when_it_ends_only():
    """Infos report a round in the step that ended it, and only there."""
    env = new_env(seed=4)
    before = env.infos["player_0"]
    ended = 0
    while not is_over(env):
        play(env, 1, seed=ended)
        info = env.infos["player_1"]
        new_round = info["round"] != before["round"] or is_over(env)
        assert ("last_cards" in info) == ("round_winner" in info) == new_round
        if new_round:
            ended += 1
            mine, others = info["last_cards"]
            gained = [
                now - then for now, then in zip(info["scores"], before["scores"], strict=True)
            ]
            winner = None if mine == others else int(mine > others)
            assert info["round_winner"] == winner
            assert gained == [int(winner == 0), int(winner == 1)]
        before = info
    assert ended >= 4


def test_infos_share_no_writable_masks():
    """Infos of one seat do not share masks that can be written."""
    env = new_env()
    env.infos["player_0"]["action_mask"][:] = 0

    assert env.observe("player_0")["action_mask"].any()
    with pytest.raises(ValueError, match="read-only"):
        env.infos["player_1"]["action_mask"][0] = 1


# Seeds and chance -----------------------------------------------------------------------------


@pytest.mark.parametrize("seed", [-1, 1.5, "7", [1]])
def test_seed_is_a_whole_number(seed):
    env = new_env()
    before = env.position()

    with pytest.raises(OptionsError, match="expected seed as a whole number >= 0, got"):
        env.reset(seed=seed)
    assert env.position() == before


@pytest.mark.parametrize("options", [5, [], "position", [("position", {})]])
def test_options_of_reset_that_are_no_mapping(options):
    """`[]` was taken for no options, and 5 was an AttributeError."""
    env = new_env()
    before = env.position()

    with pytest.raises(OptionsError, match="expected the options of reset"):
        env.reset(options=options)
    assert env.position() == before


@pytest.mark.parametrize("seed", [0, 2**40, np.int64(3)])
def test_large_and_numpy_seeds(seed):
    assert new_env(seed).position() == new_env(int(seed)).position()


def test_chance_log_is_of_the_last_decision():
    """The chance log holds what came since the last decision."""
    env = new_env()
    assert len(env.chance_log()) == 14  # the deal of round 1 [R3.6]
    env.step(env.move_to_action("xx"))
    assert env.chance_log() == []
    first = int(env.legal_moves()[0][1:])
    env.step(env.move_to_action(f"x{first}"))
    env.step(env.move_to_action("xx"))
    assert len(env.chance_log()) == 1


def test_scripted_deal_then_the_streams_own_cards():
    """The listed outcomes come first, the rest is drawn by the seed as from the start."""
    script = [f"!{rank}" for rank in (3, 3, 3, 12, 1, 1, 4, 10, 10)]

    env = new_env(seed=7, options={"chance": script})

    hands = env.position()["hands"]
    assert hands[0] == [1, 1, 3, 3, 3, 4, 12]
    assert [card for card in hands[1] if card == 10] == [10, 10]
    assert env.chance_log()[: len(script)] == script
    assert len(env.chance_log()) == 14
    again = new_env(seed=7, options={"chance": script})
    assert again.position() == env.position()
    assert new_env(seed=8, options={"chance": script}).position() != env.position()


def test_script_longer_than_the_deal_goes_on():
    """A script that is longer than the deal goes on in the game."""
    deal = [f"!{rank}" for rank in (1, 2, 3, 4, 5, 6, 7, 1, 2, 3, 4, 5, 6, 7)]
    env = new_env(options={"chance": [*deal, "!11", "!12"]})
    for move in ("x5", "x6", "xx"):
        env.step(env.move_to_action(move))
    env.step(env.move_to_action("xx"))

    assert env.chance_log() == ["!11", "!12"]
    assert env.position()["hands"][0] == [1, 2, 3, 4, 7, 11, 12]


def test_impossible_later_outcome_changes_nothing():
    """An impossible outcome later in the script changes nothing."""
    deal = [f"!{rank}" for rank in (1, 2, 3, 4, 5, 6, 7, 1, 2, 3, 4, 5, 6, 7)]
    env = new_env(options={"chance": [*deal, "!11", "!1"]})
    for move in ("x5", "x6", "xx"):
        env.step(env.move_to_action(move))
    before = env.position(), env.infos, env.chance_log()

    for _ in range(2):  # the script still says so
        with pytest.raises(ChanceError, match=r"expected one of the outcomes !2.*, got '!1'"):
            env.step(env.move_to_action("xx"))
        assert (env.position(), env.infos, env.chance_log()) == before


def test_impossible_deal_leaves_the_game_before_it():
    env = new_env(seed=1)
    play(env, 5)
    before, twin = env.position(), env.clone()

    with pytest.raises(ChanceError, match="got '!12'"):
        env.reset(seed=2, options={"chance": ["!12", "!12"]})

    assert env.position() == before
    assert play(env)[-1]["scores"] == play(twin)[-1]["scores"]


@pytest.mark.parametrize(
    ("script", "error"),
    [
        (["!13"], NotationError),
        (["7"], NotationError),
        ([7], NotationError),
        ("!7", ChanceError),
        (7, ChanceError),
        ({"!7": 1}, ChanceError),
        (None, ChanceError),
    ],
)
def test_script_that_is_none(script, error):
    env = new_env()
    with pytest.raises(error, match="expected"):
        env.reset(options={"chance": script})


def test_unknown_reset_options_are_ignored():
    """PettingZoo's api_test passes one."""
    assert new_env(seed=5, options={"options": 1}).position() == new_env(seed=5).position()


# Positions and copies -------------------------------------------------------------------------


def test_position_of_other_options_is_refused_by_name():
    position = new_env(tie_rule="arrow").position()

    with pytest.raises(PositionError, match=r"options \{\}, got \{'tie_rule': 'arrow'\}"):
        new_env(options={"position": position})


def test_position_after_the_end_is_over_at_once():
    env = new_env(seed=2)
    play(env)
    again = new_env(options={"position": env.position()})

    assert is_over(again)
    assert again.rewards == env.rewards
    assert again.legal_moves() == []
    assert again.infos["player_0"]["scores"] == env.infos["player_0"]["scores"]


def test_pickle_goes_on_in_another_process(tmp_path: Path, run_python):
    """As a spawned worker does: nothing but the pickle comes along."""
    env = new_env(seed=6, tie_rule="arrow")
    play(env, 20)
    file = tmp_path / "env.pickle"
    file.write_bytes(pickle.dumps(env))

    result = run_python(
        f"""
import json, pickle
env = pickle.load(open({str(file)!r}, "rb"))
positions = []
for _ in range(40):
    env.step(env.move_to_action(env.legal_moves()[0]))
    positions.append(env.position())
    if not env.legal_moves():
        break
print(json.dumps([positions, env.rewards]))
"""
    )

    assert result.returncode == 0, result.stderr
    positions, rewards = json.loads(result.stdout)
    for position in positions:
        env.step(env.move_to_action(env.legal_moves()[0]))
        assert env.position() == position
    assert env.rewards == rewards


# Rendering ------------------------------------------------------------------------------------


def test_render_modes():
    with pytest.warns(UserWarning, match="expected render_mode as one of"):
        assert new_env().render() is None
    assert "TACOCAT" in new_env(render_mode="ansi").render()
    assert new_env(render_mode="svg").render().startswith("<svg")
    with pytest.raises(OptionsError, match=r"expected render_mode as one of .*, got 'human'"):
        tacocat_v0.env(render_mode="human")


LEGEND_OF_BACKS = "[░] card that you do not see"


def count_backs(picture):
    """How many cards lie face down in a picture of Tacocat, whose legend shows one."""
    return picture.replace(LEGEND_OF_BACKS, "").count("[░]")


def test_viewer_decides_whose_cards_are_open():
    def back_sides(viewer):
        return count_backs(new_env(seed=1, render_mode="ansi", viewer=viewer).render())

    assert [back_sides(viewer) for viewer in ("all", 0, 1, "mover")] == [0, 7, 7, 7]
    mover = new_env(seed=1, render_mode="ansi")
    assert mover.render() == new_env(seed=1, render_mode="ansi", viewer=0).render()
    mover.step(mover.move_to_action("xx"))
    other = new_env(seed=1, render_mode="ansi", viewer=1)
    other.step(other.move_to_action("xx"))
    assert mover.render() == other.render()


def test_everything_is_open_after_the_end():
    env = new_env(seed=1, render_mode="ansi", viewer=0)
    play(env)

    assert count_backs(env.render()) == 0


@pytest.mark.parametrize("viewer", [2, -1, "everybody", True, None])
def test_wrong_viewer(viewer):
    with pytest.raises(OptionsError, match="expected viewer as one of"):
        tacocat_v0.env(viewer=viewer)
