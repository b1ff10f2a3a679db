"""Promises of the AEC environment and of the batch, checked against the sampled games."""

import contextlib
import copy
import io
import pickle
import warnings
from collections.abc import Callable
from importlib import import_module
from itertools import pairwise
from typing import Any

import numpy as np

from ..aec import GameEnv
from ..batch import Batch
from ..dtypes import Json
from ..errors import ChanceError, NotationError
from .handling import (
    env_at,
    expect_ended,
    expect_refused,
    expect_seen,
    look_at,
    moves,
    new_env,
    play_on,
    set_up,
)  # fmt: skip
from .rows import NOT_A_WORD
from .sample import Moment, Sample, expect


def environment_plays_by_the_verbs(sample: Sample) -> None:
    """From a seed and the same actions comes the same game as with the verbs alone."""
    env = new_env(sample)
    for game in sample.games:
        env.reset(seed=game.seed)
        _expect_log(env, sample.script(game.plies[0].states, game.setup), game.plies[0])
        news: Json = {}
        for ply in game.plies:
            _expect_running(env, sample, ply, news)
            news = _news(sample, ply)
            env.step(ply.action)
            _expect_log(env, sample.script(ply.states, ply.outcomes), ply)
        expect_ended(env, sample, game)


def _news(sample: Sample, ply: Moment) -> Json:
    """What the infos say of a move after it, and after it alone."""
    states, verbs = ply.states.copy(), sample.spec.verbs
    report = verbs.step(states, 0, ply.action)
    for outcome in ply.outcomes:
        report |= verbs.step_chance(states, 0, outcome) or 0
    return sample.spec.report(report) if report else {}


def _expect_log(env: GameEnv, names: list[str], where: Moment) -> None:
    expect(env.chance_log() == names, f"the chance log {names}", env.chance_log(), where)


def _expect_running(env: GameEnv, sample: Sample, ply: Moment, news: Json) -> None:
    agents, mask = env.possible_agents, sample.mask(ply.states)
    expect(env.position() == ply.position, "this position", env.position(), ply)
    expect(env.agents == agents, "all seats in agents", env.agents, ply)
    expect(env.agent_selection == agents[ply.mover], agents[ply.mover], env.agent_selection, ply)
    ends = [*env.terminations.values(), *env.truncations.values()]
    expect(not any(ends), "no seat at its end", ends, ply)
    expect(not any(env.rewards.values()), "rewards of 0 before the end", env.rewards, ply)
    moves = sample.spec.legal_moves(ply.states, 0)
    expect(env.legal_moves() == moves, "these legal moves", env.legal_moves(), ply)
    for seat, agent in enumerate(agents):
        expect_seen(env, sample, ply, seat)
        public = {**sample.spec.infos(ply.states, 0), **news}
        infos = {key: value for key, value in env.infos[agent].items() if key != "action_mask"}
        expect(infos == public, f"{public} in {agent}'s infos", infos, ply)
        in_infos = env.infos[agent]["action_mask"]
        wanted = mask if seat == ply.mover else np.zeros_like(mask)
        expect((in_infos == wanted).all(), f"{agent}'s mask in infos", in_infos, ply)


def same_seed_same_games(sample: Sample) -> None:
    """A seed decides this game and the following ones; without one, games differ."""
    one, other, third = new_env(sample), new_env(sample), new_env(sample)
    first = _episodes(sample, one, sample.seed)
    again = _episodes(sample, other, sample.seed)
    for number, (left, right) in enumerate(zip(first, again, strict=True)):
        expect(left == right, f"the same game {number} after reset from one seed", "another")
    if sample.games[0].setup or any(game.chances for game in sample.games):
        chance = [log for log, _ in first]
        later = any(a != b for a, b in pairwise(chance[1:]))
        expect(later, "other chance in every game without a new seed", chance)
        reseeded = [log for log, _ in _episodes(sample, one, sample.seed + 1)]
        expect(chance != reseeded, "other chance from another seed", reseeded)
        unseeded = [log for log, _ in _episodes(sample, third, None)]
        expect(chance != unseeded, "other chance without a seed", unseeded)


def _episodes(sample: Sample, env: GameEnv, seed: int | None) -> list[tuple[Any, Any]]:
    """Chance and final position of four games, with the same choices at every call."""
    games = []
    for number in range(4):
        choose = sample.random(2)
        env.reset(seed=seed if number == 0 else None)
        log = env.chance_log()
        log += [text for _ in moves(env, choose) for text in env.chance_log()]
        games.append((log, (env.position(), env.rewards)))
    return games


def chance_can_be_scripted(sample: Sample) -> None:
    """A game's chance, scripted, gives the same game; an impossible outcome changes nothing."""
    for game in sample.games[:2]:
        env = new_env(sample)
        outcomes = [*game.setup, *(outcome for ply in game.plies for outcome in ply.outcomes)]
        script = sample.script(game.end.states, outcomes)
        env.reset(seed=sample.seed + 1000, options={"chance": script})
        for ply in (*game.plies, game.end):
            expect(env.position() == ply.position, "the scripted game", env.position(), ply)
            if ply is not game.end:
                env.step(ply.action)
    expect_refused(NotationError, new_env(sample), lambda env: set_up(env, chance=[NOT_A_WORD]))
    expect_refused(ChanceError, new_env(sample), lambda env: set_up(env, chance=NOT_A_WORD))
    for ply in sample.decisions(200):
        _impossible_after(sample, ply)


def _impossible_after(sample: Sample, ply: Moment) -> None:
    """Script the chance after a move, the last outcome being one that cannot happen."""
    if not ply.outcomes:
        return
    states = sample.drawn(sample.after(ply.states, ply.action), *ply.outcomes[:-1])
    impossible = np.flatnonzero(sample.weights(states) == 0)
    if impossible.size:
        script = sample.script(states, [*ply.outcomes[:-1], int(impossible[0])])
        env = env_at(sample, ply, chance=script)
        expect_refused(ChanceError, env, lambda env: env.step(ply.action), ply)


def positions_can_be_played_on(sample: Sample) -> None:
    """From any position, set up as JSON, the game continues exactly as it did."""
    for game in sample.games:
        for ply in game.plies[:: max(1, len(game.plies) // 5)]:
            rest = game.plies[ply.ply :]
            outcomes = (outcome for later in rest for outcome in later.outcomes)
            env = env_at(sample, ply, chance=sample.script(ply.states, outcomes))
            expect(env.chance_log() == [], "no chance in a position", env.chance_log(), ply)
            for later in rest:
                env.step(later.action)
            expect(env.position() == game.end.position, "the same end", env.position(), ply)
        expect_ended(env_at(sample, game.end), sample, game)


def copies_go_their_own_way(sample: Sample) -> None:
    """A clone, a deep copy and a pickle, taken mid-game, continue equally and independently."""
    copies: dict[str, Callable[[GameEnv], GameEnv]] = {
        "clone": lambda env: env.clone(),
        "deepcopy": copy.deepcopy,
        "pickle": lambda env: pickle.loads(pickle.dumps(env)),
    }
    for number, (name, make) in enumerate(copies.items()):
        env = new_env(sample)
        env.reset(seed=sample.seed + number)
        play_on(env, sample.random(3), int(sample.random(number).integers(1, 20)))
        twin, before = make(env), look_at(env)
        expect(look_at(twin) == before, f"a {name} that looks the same", look_at(twin)[0])
        played = play_on(twin, sample.random(4))
        twin.reset()
        expect(look_at(env) == before, f"playing the {name} to leave the first alone", "a change")
        expect(play_on(env, sample.random(4)) == played, f"the same game of the {name}", "another")
        env.reset()
        expect(look_at(env) == look_at(twin), f"the same next game of the {name}", env.position())


def pettingzoo_agrees(sample: Sample) -> None:
    """PettingZoo's own api_test, seed_test and render_test pass without a warning of ours."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # it imports PettingZoo's own games by their old names
        tests: Any = import_module("pettingzoo.test")

    def render(render_mode: str) -> GameEnv:
        # render_test opens a window first; there is none yet.
        return new_env(sample, render_mode="ansi" if render_mode == "human" else render_mode)

    with warnings.catch_warnings(), contextlib.redirect_stdout(io.StringIO()):
        warnings.simplefilter("error")
        # It warns of every dict observation unless the game's name is on its own list.
        warnings.filterwarnings("ignore", "Observation", UserWarning)
        tests.api_test(new_env(sample), num_cycles=100)
        tests.seed_test(lambda: new_env(sample), num_cycles=50)
        tests.render_test(render)


BATCH, SMALL_BATCH, BATCH_STEPS = 5, 2, 400
BUFFERS = ["states", "streams", "observations", "masks", "seats", "rewards", "ended", "finals"]


def batches_play_the_same_games(sample: Sample) -> None:
    """Row i of a batch does not depend on N; row 0 plays the games of the environment."""
    large, small, env = _batch(sample, BATCH), _batch(sample, SMALL_BATCH), new_env(sample)
    env.reset(seed=sample.seed)
    choose = sample.random(5)
    for _ in range(BATCH_STEPS):
        _expect_same_rows(small, large)
        same = large.states[0].tobytes() == env._game.states[0].tobytes()
        expect(same, "row 0 as the environment", sample.spec.position(large.states, 0))
        seen = env.observe(env.agent_selection)
        expect((large.observations[0] == seen["observation"]).all(), "the same look", "another")
        actions = np.array(
            [row[choose.permutation(row.size)[0]] for row in map(np.flatnonzero, large.masks)]
        )
        large.check(actions)
        # The small batch moves its rows one by one, last first: the order must not matter.
        for row in reversed(range(SMALL_BATCH)):
            small.step(actions[row : row + 1], np.array([row], np.int32))
        large.step(actions)
        env.step(int(actions[0]))
        _expect_same_end(sample, large, env)


def _batch(sample: Sample, size: int) -> Batch:
    batch = Batch(sample.spec, size, options=sample.options, seed=sample.seed)
    batch.reset()
    return batch


def _expect_same_rows(small: Batch, large: Batch) -> None:
    for name in BUFFERS:
        few, many = getattr(small, name), getattr(large, name)[: small.size]
        expect(few.tobytes() == many.tobytes(), f"the same {name} in a larger batch", few)


def _expect_same_end(sample: Sample, batch: Batch, env: GameEnv) -> None:
    rewards = [env.rewards[agent] for agent in env.possible_agents]
    expect(batch.rewards[0].tolist() == rewards, f"rewards {rewards}", batch.rewards[0])
    ended = 1 if any(env.terminations.values()) else 2 * any(env.truncations.values())
    expect(batch.ended[0] == ended, f"ended {ended}", batch.ended[0])
    if ended:
        final = sample.spec.position(batch.finals, 0)
        expect(final == env.position(), f"the final position {env.position()}", final)
        env.reset()
