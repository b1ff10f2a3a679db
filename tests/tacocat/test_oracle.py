"""The plain-Python Tacocat keeps the worked examples, the invariants and the known figures."""

import json
from pathlib import Path
from random import Random
from typing import Any

import pytest

from . import oracle, oracle_baselines, oracle_checks
from .oracle_games import (
    ACTIONS,
    Player,
    chance_of,
    novice,
    random_config,
    random_move,
    solid,
    strong,
)

CASES_FILE = Path(__file__).parents[2] / "envs" / "tacocat" / "cases" / "positions.json"
CASES = json.loads(CASES_FILE.read_text(encoding="utf-8"))


def cases(key: str) -> Any:
    """Every worked example that has *key*, by name."""
    found = [case for case in CASES if key in case]
    return pytest.mark.parametrize("case", found, ids=[case["name"] for case in found])


# ------------------------------------------------------------------ worked examples


def test_no_case_is_left_out():
    """Each example asks for moves, for the position after one, or for an observation."""
    assert len(CASES) == 43
    assert all({"legal_moves", "move", "observation"} & set(case) for case in CASES)
    known = {"name", "why", "config", "position", "legal_moves", "move", "chance", "after"}
    assert set().union(*CASES) == known | {"seat", "observation"}


@cases("position")
def test_case_position_is_one_of_the_game(case):
    """[R9.3] All examples keep the invariants and name their options."""
    assert oracle_checks.faults(case["position"]) == []
    assert case["position"]["config"] == case["config"]


@cases("legal_moves")
def test_case_legal_moves(case):
    """Exactly the listed moves are allowed, sorted as strings."""
    assert oracle.legal_moves(case["position"]) == case["legal_moves"]


@cases("move")
def test_case_move(case):
    """The move uses all outcomes of the list and leads to what the example says."""
    before = json.dumps(case["position"])

    after, used, rewards, _ = oracle.apply(case["position"], case["move"], case["chance"])

    assert used == case["chance"]
    got = {**after, "rewards": rewards}
    assert {key: got[key] for key in case["after"]} == case["after"]
    assert oracle_checks.faults(after) == []
    assert json.dumps(case["position"]) == before


@cases("observation")
def test_case_observation(case):
    """All 180 numbers; those the example does not name are zero."""
    expected = [case["observation"].get(str(index), 0) for index in range(180)]

    assert oracle.observation(case["position"], case["seat"]) == pytest.approx(expected)


def test_actions_are_numbered_as_in_the_table():
    """[R6.1] 150 actions; the first and last of each row of the table."""
    assert len(ACTIONS) == len(set(ACTIONS)) == 150
    starts = {0: "x1", 12: "xx", 13: "d1", 25: "a1", 37: "a1x2", 97: "a1-3", 107: "a1-4"}
    starts |= {116: "a1-5", 124: "a1-6", 131: "a1-7", 137: "b1", 149: "s"}
    ends = {11: "x12", 24: "d12", 36: "a12", 96: "a12x6", 106: "a10-12", 115: "a9-12"}
    ends |= {123: "a8-12", 130: "a7-12", 136: "a6-12", 148: "b12", 52: "a4x2"}
    for number, move in {**starts, **ends}.items():
        assert ACTIONS[number] == move


# ------------------------------------------------------------------ errors


def test_impossible_outcomes_are_refused():
    """[R3.2] A rank of which nothing is left cannot be drawn; neither can a card too few."""
    config = {"deck_counts": [0, 6, 6, 6, 6, 6, 6, 2, 0, 0, 0, 0]}
    for script in (["!1"], ["!13"], ["!2"] * 7 + ["!2"] * 7, ["!2"] * 6, ["2"]):
        with pytest.raises(oracle.OracleError, match="expected an outcome"):
            oracle.initial(config, script)


def test_illegal_moves_are_refused():
    """[R6.4] What is not listed cannot be played."""
    for case in CASES:
        for move in ("x0", "a12x6", "pass", ""):
            with pytest.raises(oracle.OracleError, match="expected one of"):
                oracle.apply(case["position"], move, [])


@pytest.mark.parametrize(
    "config",
    [
        {"deck": []},
        {"deck_counts": [2, 3, 5, 5, 5, 5, 4, 3, 2, 2, 1, 2]},
        {"deck_counts": [7, 3, 5, 5, 5, 5, 4, 3, 1, 0, 0, 0]},
        {"hand_sizes": [4, 6, 9, 10, 9, 6, 4]},
        {"hand_sizes": [1, 6, 9, 7, 9, 6, 4]},
        {"hand_sizes": [4, 6, 9, 7, 9, 6]},
        {"arrows": "111*00"},
        {"arrows": "111x000"},
        {"tie_rule": "arrows"},
        {"max_decisions": 0},
        {"max_decisions": True},
    ],
)
def test_wrong_options_are_refused(config):
    """[R1.2] Unknown keys and illegal values are errors."""
    with pytest.raises(oracle.OracleError, match="expected"):
        oracle.initial(config, lambda pile: f"!{pile[0]}")


# ------------------------------------------------------------------ whole games


def test_random_games_keep_the_invariants():
    """[R9.3], [R4.16], [R8.2] in every position of games with the default and other options."""
    rng = Random(1)
    for game in range(30):
        config = {} if game % 2 else random_config(rng)
        position, used = oracle.initial(config, chance_of(rng))
        assert len(used) == 2 * oracle.hand_size(position)
        wins, in_round = [0, 0], 0
        while position["phase"] != "over":
            assert oracle_checks.faults(position) == []
            move = random_move(position, position["to_move"], rng)
            position, used, rewards, report = oracle.apply(position, move, chance_of(rng))
            in_round += 1
            if "round_winner" in report:
                assert in_round <= 36
                in_round = 0
                if report["round_winner"] is not None:
                    wins[report["round_winner"]] += 1
            assert report["scores"] == oracle.scores(position) == wins
            assert oracle.legal_moves(position) != [] or position["phase"] == "over"
        assert oracle_checks.faults(position) == []
        goal = position["tacocat"] in (0, 8)
        assert (max(wins) == 4) == goal
        assert rewards == ([0, 0] if not goal else [1, -1] if wins[0] == 4 else [-1, 1])


def test_every_view_is_in_range():
    """[R7.2] All values lie in [0, 1], arrows in [-1, 1]; lengths are 180 and 218."""
    rng = Random(2)
    for _ in range(4):
        position, _ = oracle.initial(random_config(rng), chance_of(rng))
        while position["phase"] != "over":
            view = oracle.state(position)
            assert len(view) == 218
            assert view[:180] == oracle.observation(position, 0)
            assert all(0 <= number <= 1 for number in view[:173] + view[180:])
            assert set(view[173:180]) <= {-1, 0, 1}
            move = random_move(position, position["to_move"], rng)
            position = oracle.apply(position, move, chance_of(rng))[0]


def test_a_seat_cannot_see_hidden_cards():
    """[R5.2], [R5.3] Redrawing what is hidden changes neither observation nor legal moves."""
    rng, changed = Random(3), 0
    for game in range(8):
        position, _ = oracle.initial({} if game % 2 else random_config(rng), chance_of(rng))
        while position["phase"] != "over":
            for seat in (0, 1):
                other = oracle_checks.hidden_swaps(position, seat, rng)
                assert oracle_checks.faults(other) == []
                assert oracle.observation(other, seat) == oracle.observation(position, seat)
                changed += other != position
            moves = oracle.legal_moves(position)
            other = oracle_checks.hidden_swaps(position, position["to_move"], rng)
            assert oracle.legal_moves(other) == moves
            position = oracle.apply(position, rng.choice(moves), chance_of(rng))[0]
    assert changed > 500


# ------------------------------------------------------------------ baselines [R12]


def play(players: tuple[Player, Player], rng: Random) -> dict[str, Any]:
    """One default game: winner and figures."""
    position, _ = oracle.initial({}, chance_of(rng))
    drawn, moves = 0, []
    while position["phase"] != "over":
        seat = position["to_move"]
        moves.append(len(oracle.legal_moves(position)))
        move = players[seat](position, seat, rng)
        position, _, rewards, report = oracle.apply(position, move, chance_of(rng))
        drawn += report.get("round_winner", seat) is None
    return {
        "rewards": rewards,
        "decisions": position["decisions"],
        "rounds": position["round"],
        "drawn": drawn,
        "moves": moves,
    }


def score(first: Player, second: Player, games: int, seed: int) -> float:
    """Share of games *first* wins, seats alternating."""
    wins, rng = 0, Random(seed)
    for game in range(games):
        seat = game % 2
        players = (first, second) if seat == 0 else (second, first)
        wins += play(players, rng)["rewards"][seat] == 1
    return wins / games


def check_random_play(games: int, *, tolerance: float) -> None:
    """[R12.6] The figures of random play, within *tolerance* standard errors or so."""
    rng = Random(4)
    played = [play((random_move, random_move), rng) for _ in range(games)]
    rounds = sum(game["rounds"] for game in played)
    choices = [number for game in played for number in game["moves"]]
    root = games**0.5
    mean_decisions = sum(game["decisions"] for game in played) / games
    assert mean_decisions == pytest.approx(96, abs=1 + tolerance * 25 / root)
    assert rounds / games == pytest.approx(6.4, abs=0.1 + tolerance * 1.3 / root)
    assert sum(choices) / len(choices) == pytest.approx(4.0, abs=0.1 + tolerance * 0.3 / root)
    drawn = sum(game["drawn"] for game in played) / rounds
    assert drawn == pytest.approx(0.08, abs=0.01 + tolerance * 0.27 / rounds**0.5)
    first = sum(game["rewards"][0] for game in played) / games
    assert first == pytest.approx(0, abs=tolerance / root)
    assert all(game["rounds"] >= 4 and 1 in game["rewards"] for game in played)


def test_figures_of_random_play():
    """[R12.6] A few games stay near the figures of the rules text."""
    check_random_play(60, tolerance=3.5)


def test_novice_beats_random():
    """[R12.6] 99.7 % there."""
    assert score(novice, random_move, 30, seed=5) >= 0.9


def test_solid_beats_novice():
    """[R12.6] 90 % there; 40 games at 70 % would be three and a half standard errors off."""
    assert score(solid, novice, 40, seed=6) >= 0.7


def test_strong_takes_the_only_win():
    """Both hands known: the one attack that wins the round is found, whatever `solid` likes."""
    position = next(c for c in CASES if c["name"] == "jumbo-must-leave-a-card")["position"]
    hands = [[2, 9, 10]] * oracle_baselines.SAMPLES
    totals = oracle_baselines.action_totals(position, 0, hands)
    best = [move for move in totals if totals[move] == max(totals.values())]
    assert oracle_baselines.strong(position, 0, hands) in best
    assert set(map(abs, totals.values())) <= {0, oracle_baselines.SAMPLES}


@pytest.mark.slow
def test_figures_of_random_play_closely():
    """[R12.6] Four hundred games, three standard errors plus the rounding of the text."""
    check_random_play(400, tolerance=3)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("first", "second", "games", "low", "high"),
    [
        (novice, random_move, 300, 0.97, 1.0),
        (solid, random_move, 300, 0.985, 1.0),
        (solid, novice, 300, 0.85, 0.95),
        (strong, solid, 120, 0.48, 0.75),
        (strong, novice, 60, 0.8, 1.0),
    ],
)
def test_baselines_against_each_other(first, second, games, low, high):
    """[R12.6] Winning shares near those of the rules text."""
    assert low <= score(first, second, games, seed=7) <= high
