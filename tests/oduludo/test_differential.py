"""Oduludo twice, side by side: the compiled game and the plain-Python one never differ."""

import json
from random import Random
from typing import Any

import numpy as np
import pytest

from spelkast.agents.agent import Views
from spelkast.agents.registry import make_agent
from spelkast.envs import make, spec
from spelkast.envs.engine.aec import GameEnv
from spelkast.envs.engine.streams import new_streams

from .oracle_baselines import racer, tactician
from .oracle_crowds import crowded
from .oracle_games import Oracle, initial
from .oracle_view import observation

ODULUDO = spec("oduludo")
CASES = json.loads((ODULUDO.folder / "cases" / "positions.json").read_text("utf-8"))
OPTIONS: dict[str, dict[str, Any]] = {
    "default": {},
    "neighbours": {"colors": "RB", "six_limit": 1, "reward": "score"},
    "lone queen": {"queen_carries_stack": False, "stack_protection": "size", "six_limit": 3},
    "three": {"players": 3, "colors": "GBP", "reward": "score", "stack_protection": "size"},
    "four": {"players": 4, "six_limit": 2},
    "team": {"mode": "team"},
    "strict team": {"mode": "team", "queen_carries_stack": False, "stack_protection": "size"},
    "rounds": {"mode": "last_piece", "target_wins": 2},
    "all rounds": {"mode": "last_piece", "players": 3, "reward": "score", "six_limit": 3},
    "rounds of four": {"mode": "last_piece", "players": 4, "target_wins": 3, "reward": "score"},
    "cut short": {"players": 4, "max_decisions": 90, "reward": "score"},
    "cut team": {"mode": "team", "max_decisions": 60},
    "cut rounds": {"mode": "last_piece", "players": 3, "target_wins": 3, "max_decisions": 300},
}


def choose(rng: Random, moves: list[str], taste: int) -> str:
    """A random move: any, one that takes captives, or one that goes back and gambles."""
    wanted = ((), ("abduct",), ("mQ-", "sun-", "oduludo", "abduct"))[taste]
    often = [move for move in moves if move in wanted]
    return rng.choice(often if often and rng.random() < 0.7 else moves)


def compare(env: GameEnv, oracle: Oracle) -> None:
    """Position, moves, masks and views of one moment."""
    assert env.position() == oracle.p
    moves = oracle.legal_moves()
    assert env.legal_moves() == moves, oracle.p
    for seat, agent in enumerate(env.possible_agents):
        seen = env.observe(agent)
        wanted = np.array(observation(oracle.p, seat), np.float32)
        wrong = np.flatnonzero(np.abs(seen["observation"] - wanted) > 1e-6)
        assert wrong.size == 0, (
            oracle.p,
            {int(k): (seen["observation"][k], wanted[k]) for k in wrong},
        )
        mine = moves if seat == oracle.p["to_move"] else []
        assert sorted(map(env.action_to_move, seen["action_mask"].nonzero()[0])) == mine


def compare_ends(env: GameEnv, oracle: Oracle) -> None:
    """What is reported when a round or the game ends, and only then."""
    p, over = oracle.p, oracle.p["phase"] == "over"
    told = {"scores": p["points"], "wins": p["wins"]}
    if oracle.standings_of_round is not None:
        told["standings"] = oracle.standings_of_round
    for agent in env.possible_agents:
        info = {key: value for key, value in env.infos[agent].items() if key != "action_mask"}
        assert info == told
        assert env.terminations[agent] == (over and not oracle.is_truncated())
        assert env.truncations[agent] == (over and oracle.is_truncated())
    rewards = oracle.rewards() if over else [0] * oracle.players
    assert list(env.rewards.values()) == pytest.approx(rewards, abs=1e-6)


def play_on(env: GameEnv, oracle: Oracle, rng: Random, most: int) -> None:
    """Play on in both, everything compared after each decision."""
    compare(env, oracle)
    taste = rng.randrange(3)
    for _ in range(most):
        moves = oracle.legal_moves()
        if not moves:
            break
        move = choose(rng, moves, taste)
        env.step(env.move_to_action(move))
        oracle.play(move, env.chance_log())
        compare(env, oracle)
        compare_ends(env, oracle)


def play_both(options: dict[str, Any], seed: int, most: int = 100_000) -> str:
    """Play a game from the start; returns the last phase."""
    env = make("oduludo", **options)
    env.reset(seed=seed)
    oracle = Oracle(initial(env.position()["config"], env.chance_log()))
    play_on(env, oracle, Random(seed), most)
    return str(oracle.p["phase"])


def play_crowds(options: dict[str, Any], seed: int, crowds: int) -> None:
    """Play a few decisions from each of many crowded positions."""
    rng, env = Random(seed), make("oduludo", **options)
    env.reset(seed=seed)
    start = env.position()
    for _ in range(crowds):
        position = crowded(rng, start)
        env.reset(seed=rng.randrange(10**6), options={"position": position})
        play_on(env, Oracle(position), rng, most=5)


def test_the_oracle_knows_the_worked_examples():
    for case in CASES:
        oracle = Oracle(case["position"])
        assert case.get("legal_moves", oracle.legal_moves()) == oracle.legal_moves(), case["name"]
        if "after" in case:
            after = oracle.play(case["move"], case["chance"])
            after |= {"rewards": oracle.rewards()} if after["phase"] == "over" else {}
            for key, wanted in case["after"].items():
                assert after[key] == (pytest.approx(wanted) if key == "rewards" else wanted)


@pytest.mark.compiled
@pytest.mark.parametrize("name", OPTIONS)
def test_same_game_under_all_options(name: str):
    play_both(OPTIONS[name], seed=20, most=150)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(30))
@pytest.mark.parametrize("name", OPTIONS)
def test_same_game_many_times(name: str, seed: int):
    assert play_both(OPTIONS[name], seed=100 + seed) == "over"


@pytest.mark.compiled
@pytest.mark.parametrize("name", OPTIONS)
def test_same_play_in_crowds(name: str):
    play_crowds(OPTIONS[name], seed=5, crowds=8)


@pytest.mark.slow
@pytest.mark.parametrize("name", OPTIONS)
def test_same_play_in_many_crowds(name: str):
    play_crowds(OPTIONS[name], seed=50, crowds=1500)


# Baselines ------------------------------------------------------------------------------------


def choice(name: str, position: dict[str, Any]) -> str:
    """What the agent plays in a position."""
    states = ODULUDO.from_position(position)
    options = ODULUDO.read_options(states, 0)
    shape = ODULUDO.shape(options)
    mask = np.zeros((1, shape.actions), np.int8)
    ODULUDO.verbs.legal_mask(states, 0, mask[0])
    seats = np.array([position["to_move"]], np.int32)
    views = Views(np.zeros((1, shape.observation), np.float32), mask, seats, states)
    agent = make_agent(name, "oduludo", options=options)
    action = agent.act(views, new_streams(0, 1, "agents"))[0]
    return ODULUDO.action_to_move(states, 0, int(action))


def expected(name: str, position: dict[str, Any]) -> str:
    """What the rules text says that it plays."""
    if name == "racer":
        return racer(position)
    states = ODULUDO.from_position(position)
    return tactician(position, lambda move: ODULUDO.move_to_action(states, 0, move))


@pytest.mark.compiled
@pytest.mark.parametrize("name", ["racer", "tactician"])
def test_baselines_choose_as_the_rules_text_says(name: str):
    """[R12.2, R12.3] In every worked example."""
    for case in CASES:
        if case["position"]["phase"] != "over":
            assert choice(name, case["position"]) == expected(name, case["position"]), case["name"]


def choose_in_crowds(name: str, options: dict[str, Any], seed: int, crowds: int) -> None:
    rng, env = Random(seed), make("oduludo", **options)
    env.reset(seed=seed)
    start = env.position()
    for _ in range(crowds):
        env.reset(seed=rng.randrange(10**6), options={"position": crowded(rng, start)})
        for _ in range(4):
            position = env.position()
            if position["phase"] == "over":
                break
            assert choice(name, position) == expected(name, position), position
            env.step(env.move_to_action(rng.choice(env.legal_moves())))


@pytest.mark.compiled
@pytest.mark.parametrize("baseline", ["racer", "tactician"])
@pytest.mark.parametrize("name", OPTIONS)
def test_baselines_choose_by_the_rules_in_crowds(name: str, baseline: str):
    """Baselines choose as the rules text says, in crowds."""
    choose_in_crowds(baseline, OPTIONS[name], seed=6, crowds=1)


@pytest.mark.slow
@pytest.mark.parametrize("baseline", ["racer", "tactician"])
@pytest.mark.parametrize("name", OPTIONS)
def test_baselines_choose_by_the_rules_in_many_crowds(name: str, baseline: str):
    """Baselines choose as the rules text says, in many crowds."""
    choose_in_crowds(baseline, OPTIONS[name], seed=60, crowds=60)
