"""The AEC environment: what it tells and when, and every way to use it wrongly."""

from __future__ import annotations

import copy
import json
import pickle
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from pettingzoo.utils.wrappers import OrderEnforcingWrapper

from spelkast.envs.engine import aec
from spelkast.envs.engine.errors import (
    ChanceError,
    GameOverError,
    IllegalActionError,
    NotationError,
    NotResetError,
    OptionsError,
    PositionError,
    UnknownNameError,
)
from spelkast.envs.tacocat import tacocat_v0

AGENTS = ["player_0", "player_1"]


def new_env(seed: int = 0, options: dict[str, Any] | None = None, **kwargs: Any):
    env = tacocat_v0.env(**kwargs)
    env.reset(seed=seed, options=options)
    return env


def play(env, most: int = 10**6, seed: int = 0) -> list[dict[str, Any]]:
    """Random moves; the infos of player_0 after each."""
    choose, infos = np.random.default_rng(seed), []
    while most and not is_over(env):
        mask = env.observe(env.agent_selection)["action_mask"]
        env.step(choose.choice(np.flatnonzero(mask)))
        infos.append(env.infos["player_0"])
        most -= 1
    return infos


def is_over(env) -> bool:
    return all(env.terminations.values()) or all(env.truncations.values())


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


def test_infos_tell_of_a_round_in_the_step_that_ended_it_and_only_there():
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


def test_infos_of_one_seat_do_not_share_masks_that_can_be_written():
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


def test_chance_log_tells_what_came_since_the_last_decision():
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


def test_script_that_is_longer_than_the_deal_goes_on_in_the_game():
    deal = [f"!{rank}" for rank in (1, 2, 3, 4, 5, 6, 7, 1, 2, 3, 4, 5, 6, 7)]
    env = new_env(options={"chance": [*deal, "!11", "!12"]})
    for move in ("x5", "x6", "xx"):
        env.step(env.move_to_action(move))
    env.step(env.move_to_action("xx"))

    assert env.chance_log() == ["!11", "!12"]
    assert env.position()["hands"][0] == [1, 2, 3, 4, 7, 11, 12]


def test_impossible_outcome_later_in_the_script_changes_nothing():
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
    assert new_env().render() is None
    assert "TACOCAT" in new_env(render_mode="ansi").render()
    assert new_env(render_mode="svg").render().startswith("<svg")
    with pytest.raises(OptionsError, match=r"expected render_mode as one of .*, got 'human'"):
        tacocat_v0.env(render_mode="human")


def test_viewer_decides_whose_cards_are_open():
    def back_sides(viewer):
        return new_env(seed=1, render_mode="ansi", viewer=viewer).render().count("[░]")

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

    assert "[░]" not in env.render()


@pytest.mark.parametrize("viewer", [2, -1, "everybody", True, None])
def test_wrong_viewer(viewer):
    with pytest.raises(OptionsError, match="expected viewer as one of"):
        tacocat_v0.env(viewer=viewer)


# Mistakes -------------------------------------------------------------------------------------


@pytest.mark.parametrize("action", [150, -1, 1.0, "x5", None, True, [0], np.float32(1)])
def test_action_outside_the_space(action):
    env = new_env()
    with pytest.raises(IllegalActionError, match=r"expected an action 0\.\.149, got"):
        env.step(action)


def test_illegal_action_names_the_legal_moves_and_the_seat():
    env = new_env()
    with pytest.raises(IllegalActionError) as caught:
        env.step(149)

    assert "expected one of the legal moves" in str(caught.value)
    assert "got 's' (action 149) by player_0" in str(caught.value)
    assert all(move in str(caught.value) for move in env.legal_moves())


def test_before_reset():
    env = tacocat_v0.env(render_mode="ansi")
    for call in (
        lambda: env.observe("player_0"),
        env.last,
        env.state,
        env.render,
        env.position,
        env.legal_moves,
        env.chance_log,
        lambda: env.step(0),
        lambda: env.step(None),
    ):
        with pytest.raises(NotResetError, match=r"expected reset\(\) before"):
            call()


def test_after_the_end():
    env = new_env(render_mode="ansi")
    play(env)
    with pytest.raises(
        GameOverError, match=r"expected step\(None\): the game is over, got step\(0\)"
    ):
        env.step(0)
    for _ in AGENTS:
        env.step(None)
    for call in (lambda: env.step(None), lambda: env.step(0), env.last):
        with pytest.raises(GameOverError, match=r"expected reset\(\)"):
            call()

    # Viewers still need the final position.
    assert env.observe("player_1")["observation"].any()
    assert env.state().any()
    assert env.legal_moves() == []
    assert "Game over" in env.render() or "GAME OVER" in env.render()
    env.reset(seed=1)
    assert env.agents == AGENTS


def test_unknown_agent():
    env = new_env()
    for call in (env.observe, env.observation_space, env.action_space):
        with pytest.raises(UnknownNameError, match="expected an agent of player_0, player_1, got"):
            call("player_2")


@pytest.mark.parametrize("text", ["x13", "a5x7", "a4-5", "A5", " x5", "", 5, None])
def test_text_that_is_no_move(text):
    with pytest.raises(NotationError, match="expected a move of Tacocat such as"):
        new_env().move_to_action(text)


def test_every_action_id_has_a_notation_that_leads_back():
    """Also those above 127, which do not fit into the int8 of a mask."""
    env = new_env()
    moves = [env.action_to_move(action) for action in range(150)]

    assert len(set(moves)) == 150
    assert [env.move_to_action(move) for move in moves] == list(range(150))


def test_illegal_action_may_end_the_game():
    env = new_env(on_illegal="terminate")
    env.step(env.move_to_action("xx"))
    env.step(149)

    assert env.rewards == {"player_0": 0.0, "player_1": -1.0}
    assert all(env.terminations.values())
    assert not any(env.truncations.values())
    assert env.infos["player_0"]["offender"] == 1
    assert env.infos["player_0"]["illegal_action"] == 149
    assert env.legal_moves() == []
    assert [env.last()[1], env.step(None), env.last()[1]] == [0.0, None, -1.0]


def test_game_after_one_that_an_illegal_action_ended_is_untouched():
    """PettingZoo's own wrapper keeps the wrong seat to move here."""
    env, clean = new_env(on_illegal="terminate"), new_env()
    env.step("nonsense")
    env.reset(seed=9)
    clean.reset(seed=9)

    assert env.agent_selection == clean.agent_selection
    assert play(env)[-1]["scores"] == play(clean)[-1]["scores"]


@pytest.mark.parametrize("on_illegal", ["warn", None, True])
def test_wrong_on_illegal(on_illegal):
    with pytest.raises(OptionsError, match="expected on_illegal as one of"):
        tacocat_v0.env(on_illegal=on_illegal)


@pytest.mark.parametrize("keyword", ["max_cycles", "seed", "tie_rules", "num_players"])
def test_keywords_are_strict(keyword):
    with pytest.raises(OptionsError) as caught:
        tacocat_v0.env(**{keyword: 1})

    assert str(caught.value) == (
        "expected an option of tacocat "
        f"(arrows, deck_counts, hand_sizes, max_decisions, tie_rule), got {keyword!r}"
    )


def test_cap_truncates_everybody_and_pays_nobody():
    env = new_env(max_decisions=1)
    env.step(env.move_to_action("xx"))

    assert all(env.truncations.values())
    assert not any(env.terminations.values())
    assert env.rewards == {"player_0": 0.0, "player_1": 0.0}
    assert env.position()["to_move"] is None


def test_more_chance_than_the_log_holds(monkeypatch):
    """The compiled loop logs so many outcomes of a move; the rest is told all the same."""
    usual = new_env(seed=3)
    monkeypatch.setattr(aec, "LOG_SIZE", 4)
    short = new_env(seed=3)
    while not is_over(usual):
        assert short.chance_log() == usual.chance_log()
        assert short.position() == usual.position()
        agent = usual.agent_selection
        seen, wanted = short.observe(agent), usual.observe(agent)
        assert all((seen[key] == wanted[key]).all() for key in wanted)
        action = int(wanted["action_mask"].nonzero()[0][-1])
        short.step(action)
        usual.step(action)
