"""Promises about mistakes: they raise the error that names them, and nothing else happens."""

from functools import partial
from operator import methodcaller
from typing import Any

import numpy as np

from ..aec import GameEnv
from ..dtypes import Json
from ..errors import (
    GameOverError,
    IllegalActionError,
    NotationError,
    NotResetError,
    OptionsError,
    PositionError,
    UnknownNameError,
)
from .handling import env_at, expect_refused, expect_seen, new_env, set_up
from .rows import NOT_A_WORD
from .sample import Sample, expect, expect_raised

NO_POSITIONS: tuple[Any, ...] = ([], {"game": "?"}, 7)


def mistakes_leave_the_game_untouched(sample: Sample) -> None:
    """Calls at the wrong time and wrong arguments raise their error and change nothing."""
    _before_reset(sample)
    for ply in sample.decisions(5):
        env, mask = env_at(sample, ply), sample.mask(ply.states)
        for action in (*np.flatnonzero(mask == 0)[:3], -1, mask.size, None, "?", 0.0, True):
            expect_refused(IllegalActionError, env, methodcaller("step", action), ply)
        for wrong in NO_POSITIONS:
            expect_refused(PositionError, env, partial(set_up, position=wrong), ply)
        expect_refused(OptionsError, env, lambda env: env.reset(seed=-1), ply)
        expect_refused(UnknownNameError, env, lambda env: env.observe("?"), ply)
        expect_refused(IllegalActionError, env, methodcaller("action_to_move", mask.size), ply)
        expect_refused(NotationError, env, lambda env: env.move_to_action(NOT_A_WORD), ply)
    _after_the_end(sample)
    for keyword in ("?", "max_cycles"):
        options: Json = {keyword: 1}
        expect_raised(OptionsError, partial(GameEnv, sample.spec, **options), f", {keyword}")


def _before_reset(sample: Sample) -> None:
    idle = ("last", "state", "render", "position", "legal_moves", "chance_log")
    calls: Json = {"observe": ("player_0",), "step": (0,), **dict.fromkeys(idle, ())}
    for name, arguments in calls.items():
        call = getattr(new_env(sample), name)
        expect_raised(NotResetError, partial(call, *arguments), f", {name} before reset")


def _after_the_end(sample: Sample) -> None:
    end = sample.games[0].end
    env = env_at(sample, end)
    expect_refused(GameOverError, env, lambda env: env.step(0), end)
    for _ in env.possible_agents:
        env.step(None)
    for seat in range(sample.shape.seats):
        expect_seen(env, sample, end, seat)
    for action in (None, 0):
        expect_refused(GameOverError, env, methodcaller("step", action), end)
    expect_refused(GameOverError, env, lambda env: env.last(), end)


def illegal_actions_can_end_the_game(sample: Sample) -> None:
    """`on_illegal="terminate"`: -1 for the offender, 0 for the others, all seats terminated."""
    for ply in sample.decisions(5):
        env = new_env(sample, on_illegal="terminate")
        set_up(env, position=ply.position)
        env.step(sample.shape.actions)
        rewards = {a: -1.0 if k == ply.mover else 0.0 for k, a in enumerate(env.possible_agents)}
        expect(env.rewards == rewards, f"rewards {rewards}", env.rewards, ply)
        expect(all(env.terminations.values()), "all terminations", env.terminations, ply)
        expect(not any(env.truncations.values()), "no truncation", env.truncations, ply)
        masks = [env.observe(agent)["action_mask"].any() for agent in env.possible_agents]
        expect(not any(masks), "empty masks", masks, ply)
        env.reset(seed=sample.games[0].seed)
        start = sample.games[0].plies[0].position
        expect(env.position() == start, "the next game untouched", env.position())
