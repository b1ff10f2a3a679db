"""ToedeLoe twice, side by side: the compiled game and the plain-Python one never differ."""

import json
from random import Random
from typing import Any

import numpy as np
import pytest

from spelkast.agents.agent import Views
from spelkast.agents.registry import make_agent
from spelkast.envs import make, spec
from spelkast.envs.engine.streams import new_streams

from . import oracle
from .oracle_baselines import baseline
from .oracle_checks import compare, table

TOEDELOE = spec("toedeloe")
CASES = json.loads((TOEDELOE.folder / "cases" / "positions.json").read_text("utf-8"))
OPTIONS: list[dict[str, Any]] = [
    {},
    {"players": 4, "max_turns": 120},
    {"pawns": 40, "forced": "every", "longest": "group", "reward": "margin"},
    {"players": 4, "king_moves_red": True, "forced": "off", "longest": "group", "max_turns": 60},
    {"king_moves_red": True, "reward": "margin", "max_turns": 100},
]
PLAYERS = ("scorer", "hoarder")


def bold(rng: Random, moves: list[str]) -> str:
    """Any move, but rarely a pass or a single number: games with much on the board."""
    rare = [move for move in moves if move in ("pass", "stay") or move[0] == "@"]
    often = [move for move in moves if move not in rare]
    return rng.choice(often if often and rng.random() < 0.8 else moves)


def play_both(options: dict[str, Any], seed: int) -> int:
    """One game by the environment's own chance, passed to the oracle; returns decisions."""
    rng, env = Random(seed), make("toedeloe", **options)
    env.reset(seed=seed)
    script = list(env.chance_log())

    def told(outcomes: list[str]) -> str:
        outcome = script.pop(0)
        assert outcome in outcomes
        return outcome

    position = oracle.initial(options, told)
    compare(env, position)
    while moves := oracle.legal_moves(position):
        move = bold(rng, moves)
        env.step(env.move_to_action(move))
        script[:] = env.chance_log()
        position = oracle.apply(position, move, told)
        assert script == []
        compare(env, position)
    assert all(env.terminations.values())
    return int(position["decisions"])


@pytest.mark.parametrize("options", OPTIONS, ids=str)
def test_same_game_under_all_options(options: dict[str, Any]):
    assert play_both(options, seed=11) > 50


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(40))
def test_same_game_many_times(seed: int):
    play_both(OPTIONS[seed % len(OPTIONS)], seed=100 + seed)


# Baselines ------------------------------------------------------------------------------------


def choice(name: str, position: oracle.Position) -> str:
    """What the agent plays in a position."""
    states = TOEDELOE.from_position(position)
    options = TOEDELOE.read_options(states, 0)
    mask = np.zeros((1, TOEDELOE.shape(options).actions), np.int8)
    TOEDELOE.verbs.legal_mask(states, 0, mask[0])
    seats = np.array([position["to_move"]], np.int32)
    views = Views(np.zeros((1, 791), np.float32), mask, seats, states)
    before = states.tobytes()
    agent = make_agent(name, "toedeloe", options=options)
    action = agent.act(views, new_streams(0, 1, "agents"))[0]
    assert states.tobytes() == before
    return TOEDELOE.action_to_move(states, 0, int(action))


def expected(name: str, position: oracle.Position) -> str:
    states = TOEDELOE.from_position(position)
    return baseline(position, name, lambda move: TOEDELOE.move_to_action(states, 0, move))


@pytest.mark.parametrize("name", PLAYERS)
def test_baselines_choose_as_the_rules_text_says(name: str):
    """[R12.3, R12.4] In every worked example."""
    for case in CASES:
        if case["position"]["phase"] != "over":
            assert choice(name, case["position"]) == expected(name, case["position"]), case["name"]


@pytest.mark.parametrize("name", PLAYERS)
@pytest.mark.parametrize("options", OPTIONS[:4:3], ids=str)
def test_baselines_choose_by_the_rules_in_games(name: str, options: dict[str, Any]):
    """Baselines choose as the rules text says, in games.

    Positions of all phases, of games in which the baseline and chance take turns.
    """
    rng = Random(3)
    position = oracle.initial(options, rng.choice)
    phases = set()
    for _ in range(110):
        if position["phase"] == "over":
            position = oracle.initial(options, rng.choice)
        move = choice(name, position)
        if rng.random() < 0.5:
            assert move == expected(name, position), position
            phases.add(position["phase"])
        if rng.random() < 0.3:
            move = rng.choice(oracle.legal_moves(position))
        position = oracle.apply(position, move, rng.choice)
    assert phases == {"play", "target", "step", "offer"}


FAR = {"g": "gS12"}
"""A pawn that no diamond joins."""
OFFERED: dict[str, Any] = {"phase": "offer", "to_move": 1}


@pytest.mark.parametrize(
    ("name", "position", "move"),
    [
        # A row, a frame and nothing: 3 each with C7 or D4, but CA+C7 is two cards.
        ("scorer", table("CA C7 D4"), "CA+C7"),
        # Frames and rows are worth the same; the far frame comes first by index.
        ("scorer", table("CA C7 D4", action="C7"), "@gC7"),
        ("scorer", table("CA C7 D4", action="C7", used="D4", to_move=1), "@wC7"),
        ("hoarder", table("CA C7 D4", action="C7"), "@gC7"),
        # 1 for a pawn and 1 for the run, or 1 for a red pawn and 1 for the second card.
        ("scorer", table("D5 X1 X2"), "X1+X2"),
        # A ToedeLoe that goes nowhere brings nothing: an offer is declined then.
        (
            "scorer",
            table(
                "CA D2 HA", {"r": "gC1 gC2 gH1 gH2", "t": "wC5 wC9"}, **OFFERED, red=[4, 0],
                used="D2",
            ),
            "pass",
        ),
        # The responder has 29 pawns: more than 0.4 x 72, not more than 0.4 x 73.
        ("hoarder", table("C5 D5 HA", FAR, **OFFERED, used="C5", turn_no=143), "pass"),
        ("hoarder", table("C5 D5 HA", FAR, **OFFERED, used="C5", turn_no=144), "D5"),
        # The same with any limit: the hoarder saves for 216 turns.
        (
            "hoarder",
            table("C5 D5 HA", FAR, **OFFERED, used="C5", turn_no=143, config={"max_turns": 150}),
            "pass",
        ),
        ("scorer", table("C5 D5 HA", FAR, **OFFERED, used="C5", turn_no=143), "D5"),
        # A row and a longer run, or a frame, which the hoarder counts three times.
        ("scorer", table("C7 H3 S9", {"w": "wO5 gC1"}, action="C7"), "@wO7"),
        ("hoarder", table("C7 H3 S9", {"w": "wO5 gC1"}, action="C7"), "@gC7"),
    ],
)  # fmt: skip
def test_baseline_chooses(name: str, position: oracle.Position, move: str):
    """Worked out by hand from the text."""
    assert (choice(name, position), expected(name, position)) == (move, move)
