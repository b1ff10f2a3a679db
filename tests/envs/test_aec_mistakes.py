"""Every way to use the AEC environment wrongly: what is said, and that nothing is lost."""

import numpy as np
import pytest
from playing import is_over, new_env, play

from spelkast.envs.engine import course
from spelkast.envs.engine.errors import (
    GameOverError,
    IllegalActionError,
    NotationError,
    NotResetError,
    OptionsError,
    UnknownNameError,
)
from spelkast.envs.tacocat import tacocat_v0

AGENTS = ["player_0", "player_1"]


@pytest.mark.parametrize("action", [150, -1, 1.0, "x5", None, True, [0], np.float32(1)])
def test_action_outside_the_space(action):
    env = new_env()
    with pytest.raises(IllegalActionError, match=r"expected an action 0\.\.149, got"):
        env.step(action)


def test_illegal_action_names_legal_moves_and_seat():
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


def test_notation_of_every_action_leads_back():
    """Every action number has a notation that leads back to it.

    Also those above 127, which do not fit into the int8 of a mask.
    """
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


def test_game_after_an_illegal_action_is_untouched():
    """The game after one that an illegal action ended is untouched.

    PettingZoo's own wrapper keeps the wrong seat to move here.
    """
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

    assert str(caught.value).startswith(
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
    """The compiled loop logs so many outcomes of a move; the rest is in the log all the same."""
    usual = new_env(seed=3)
    monkeypatch.setattr(course, "LOG_SIZE", 4)
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
