"""Tacocat twice, side by side: the compiled game and the plain-Python one never differ.

Both were written from the rules text by people who had not read the other's work. A difference
is settled by the rules text, never by copying.
"""

from random import Random
from typing import Any

import numpy as np
import pytest

from spelkast.envs import make, spec
from spelkast.envs.engine.dtypes import CHANCE, OVER
from spelkast.envs.engine.errors import PositionError
from spelkast.envs.engine.streams import new_streams

from . import oracle, oracle_checks
from .oracle_games import ACTIONS, any_move, chance_of, random_config, random_move

AGENTS = ("player_0", "player_1")
PUBLIC = ("scores", "round", "tacocat", "last_cards", "round_winner")


def close(got: Any, expected: list[float]) -> None:
    """Equal as float32 numbers, but for the last bit of a division."""
    wrong = np.flatnonzero(np.abs(got - np.array(expected, np.float32)) > 1e-7)
    assert wrong.size == 0, {int(i): (float(got[i]), expected[i]) for i in wrong}


def compare(env: Any, position: oracle.Position) -> None:
    """Position, moves, masks and all views of one moment."""
    assert env.position() == position
    assert env.legal_moves() == oracle.legal_moves(position)
    for seat, agent in enumerate(AGENTS):
        view = env.observe(agent)
        close(view["observation"], oracle.observation(position, seat))
        is_mine = position["to_move"] == seat
        moves = oracle.legal_moves(position) if is_mine else []
        assert sorted(ACTIONS[number] for number in view["action_mask"].nonzero()[0]) == moves
    close(env.state(), oracle.state(position))


def compare_step(env: Any, after: oracle.Position, rewards: list[float], report: Any) -> None:
    """Rewards, endings and infos of the step just made."""
    is_over = after["phase"] == "over"
    is_goal = after["tacocat"] in (0, 8)
    for seat, agent in enumerate(AGENTS):
        assert env.rewards[agent] == rewards[seat]
        assert env.terminations[agent] == is_goal
        assert env.truncations[agent] == (is_over and not is_goal)
        told = {key: env.infos[agent][key] for key in PUBLIC if key in env.infos[agent]}
        if is_over or "last_cards" in report:
            assert told == report
        assert told.items() <= report.items()
    if not is_over:
        assert env.agent_selection == AGENTS[after["to_move"]]


def play_both(config: dict[str, Any], seed: int, player: Any = any_move) -> int:
    """One game by the environment's own chance, replayed by the oracle; returns decisions."""
    rng = Random(seed)
    env: Any = make("tacocat", **config)
    env.reset(seed=seed)
    position, used = oracle.initial(config, env.unwrapped.chance_log())
    assert used == env.unwrapped.chance_log()
    game = env.unwrapped
    while position["phase"] != "over":
        compare(game, position)
        move = player(position, position["to_move"], rng)
        env.step(ACTIONS.index(move))
        before = position
        position, used, rewards, report = oracle.apply(before, move, game.chance_log())
        assert used == game.chance_log(), (before, move)
        compare_step(game, position, rewards, report)
    compare(game, position)
    env.reset(options={"position": position})
    compare(game, position)
    return int(position["decisions"])


def restore_both(config: dict[str, Any], seed: int) -> int:
    """Positions of an oracle game, set up in the environment, one scripted move from each."""
    rng = Random(seed)
    position, script = oracle.initial(config, chance_of(rng))
    game: Any = make("tacocat", **config).unwrapped
    game.reset(options={"chance": script})
    assert game.position() == position
    while position["phase"] != "over":
        move = any_move(position, position["to_move"], rng)
        after, script, rewards, report = oracle.apply(position, move, chance_of(rng))
        game.reset(options={"position": position, "chance": script})
        compare(game, position)
        game.step(ACTIONS.index(move))
        assert game.position() == after, (position, move, script)
        assert game.chance_log() == script
        compare_step(game, after, rewards, report)
        position = after
    return int(position["decisions"])


def ask_both(config: dict[str, Any], seed: int) -> int:
    """A game straight on the kernels: each card comes from the same multiset [R3.5]."""
    rng, game = Random(seed), spec("tacocat")
    verbs, states = game.verbs, game.new_states(1, config)
    weights = np.zeros(game.shape(game.parse_options(config)).outcomes, np.int64)

    def draw(pile: list[int]) -> str:
        assert verbs.to_move(states, 0) == CHANCE
        verbs.chance_weights(states, 0, weights)
        texts = {game.outcome_to_text(states, 0, number): int(weight)
                 for number, weight in enumerate(weights) if weight}  # fmt: skip
        assert texts == {f"!{rank}": pile.count(rank) for rank in set(pile)}
        outcome = f"!{rng.choice(pile)}"
        verbs.step_chance(states, 0, game.text_to_outcome(states, 0, outcome))
        return outcome

    verbs.reset(states, 0)
    position, _ = oracle.initial(config, draw)
    while position["phase"] != "over":
        assert verbs.to_move(states, 0) == position["to_move"]
        move = random_move(position, position["to_move"], rng)
        verbs.step(states, 0, game.move_to_action(states, 0, move))
        position, _, rewards, _ = oracle.apply(position, move, draw)
        assert game.position(states, 0) == position
    returns = np.zeros(2, np.float32)
    verbs.returns(states, 0, returns)
    assert returns.tolist() == rewards
    assert verbs.to_move(states, 0) == OVER
    assert bool(verbs.is_truncated(states, 0)) == (position["tacocat"] not in (0, 8))
    return int(position["decisions"])


def redraw_both(config: dict[str, Any], seed: int) -> int:
    """What the kernels re-draw for a seat is a legal position that looks the same to it."""
    rng, game, changed = Random(seed), spec("tacocat"), 0
    streams = new_streams(seed, 1, "determinize")
    position, _ = oracle.initial(config, chance_of(rng))
    while position["phase"] != "over":
        for seat in (0, 1):
            states = game.from_position(position)
            game.verbs.determinize(states, 0, seat, streams, 0)
            other = game.position(states, 0)
            assert oracle_checks.faults(other) == [], (position, seat)
            assert oracle.observation(other, seat) == oracle.observation(position, seat)
            changed += other != position
            swapped = oracle_checks.hidden_swaps(position, seat, rng)
            out = np.zeros(180, np.float32)
            game.verbs.observe(game.from_position(swapped), 0, seat, out)
            close(out, oracle.observation(position, seat))
        move = any_move(position, position["to_move"], rng)
        position = oracle.apply(position, move, chance_of(rng))[0]
    return changed


def load_both(config: dict[str, Any], seed: int) -> int:
    """Damaged positions: refused by both or by neither; returns how many were refused."""
    rng, game, refused = Random(seed), spec("tacocat"), 0
    position, _ = oracle.initial(config, chance_of(rng))
    while position["phase"] != "over":
        move = any_move(position, position["to_move"], rng)
        after = oracle.apply(position, move, chance_of(rng))[0]
        for other in (oracle_checks.damaged(position, rng), oracle_checks.damaged(after, rng)):
            faults = set(oracle_checks.faults(other))
            try:
                loaded = game.position(game.from_position(other), 0)
            except PositionError:
                assert faults, other
                refused += 1
            else:
                assert not faults, other
                assert loaded == other
        position = after
    return refused


COMPARISONS = pytest.mark.parametrize(
    ("compare_game", "games"), [(play_both, 20), (restore_both, 20), (ask_both, 50)]
)


def run(compare_game: Any, games: int, first_seed: int) -> int:
    """*games* games, every third one with the default options; returns their decisions."""
    decisions = 0
    for seed in range(first_seed, first_seed + games):
        config = {} if seed % 3 == 0 else random_config(Random(seed))
        decisions += compare_game(config, seed)
    return decisions


def test_actions_have_the_same_numbers():
    """[R6.1] All 150 of them, in both directions."""
    game: Any = make("tacocat").unwrapped
    game.reset(seed=0)
    assert [game.action_to_move(number) for number in range(150)] == ACTIONS
    assert [game.move_to_action(move) for move in ACTIONS] == list(range(150))


@COMPARISONS
def test_games_are_the_same(compare_game, games):
    """Moves, positions, views, rewards and infos after every decision of some games."""
    assert run(compare_game, games, 100) > 50 * games


def test_redrawn_positions_look_the_same():
    """[R5.2], [R5.3] in both directions: each side's redraws pass the other's checks."""
    assert run(redraw_both, 12, 200) > 500


def test_wrong_positions_are_refused():
    """[R9.3] The loader takes every position of the game and refuses what the rules exclude."""
    assert run(load_both, 20, 300) > 500


@pytest.mark.slow
@COMPARISONS
def test_many_games_are_the_same(compare_game, games):
    """The same over hundreds of option sets."""
    assert run(compare_game, 30 * games, 1000) > 50 * 30 * games


@pytest.mark.slow
def test_many_redrawn_positions_look_the_same():
    """The same over hundreds of option sets."""
    assert run(redraw_both, 400, 3000) > 20_000


@pytest.mark.slow
def test_many_wrong_positions_are_refused():
    """The same over hundreds of option sets."""
    assert run(load_both, 400, 5000) > 20_000
