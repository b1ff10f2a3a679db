"""Environments in the hands of a check: made, set up, looked at, played."""

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from ..aec import GameEnv
from .sample import Game, Moment, Sample, expect, expect_raised


def new_env(sample: Sample, **kwargs: Any) -> GameEnv:
    """The environment under the options of the sample."""
    return GameEnv(sample.spec, **kwargs, **sample.options.changed())


def set_up(env: GameEnv, **options: Any) -> None:
    """Start with what `reset` takes as options: a position, scripted chance."""
    env.reset(seed=0, options=options)


def env_at(sample: Sample, moment: Moment, *, chance: list[str] | None = None) -> GameEnv:
    """A new environment in the position of a moment, which may have scripted chance."""
    env, options = new_env(sample), {} if chance is None else {"chance": chance}
    set_up(env, position=moment.position, **options)
    return env


def play_on(env: GameEnv, choose: np.random.Generator, most: int = 10**6) -> list[Any]:
    """Random moves to the end; what the environment said after each."""
    return [(env.chance_log(), look_at(env)) for _ in moves(env, choose, most)]


def moves(env: GameEnv, choose: np.random.Generator, most: int = 10**6) -> Iterator[None]:
    """Random moves to the end; yields after each."""
    while most and not is_over(env):
        legal = np.flatnonzero(env.observe(env.agent_selection)["action_mask"])
        env.step(int(legal[choose.integers(legal.size)]))
        yield
        most -= 1


def is_over(env: GameEnv) -> bool:
    """Whether the seats of the environment have come to their end."""
    return any(env.terminations.values()) or any(env.truncations.values())


def look_at(env: GameEnv) -> Any:
    """Everything an environment says of itself, comparable."""
    game = env._game
    return (
        env.position(),
        env.state().tobytes(),
        [(seen["observation"].tobytes(), seen["action_mask"].tobytes())
         for seen in map(env.observe, env.possible_agents)],
        list(env.agents), env.agent_selection, dict(env.rewards), dict(env._cumulative_rewards),
        dict(env.terminations), dict(env.truncations), _plain(env.infos), env.chance_log(),
        game.states.tobytes(), game.streams.tobytes(), list(game.script), env._last_move,
    )  # fmt: skip


def _plain(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _plain(item) for key, item in value.items()}
    return value.tolist() if isinstance(value, np.ndarray) else value


def expect_seen(env: GameEnv, sample: Sample, moment: Moment, seat: int) -> None:
    """What a seat sees and may do is what the verbs say, and lies in its space."""
    agent = env.possible_agents[seat]
    seen = env.observe(agent)
    expect(env.observation_space(agent).contains(seen), "an observation in its space", seen, moment)
    wanted = sample.observation(moment.states, seat)
    expect((seen["observation"] == wanted).all(), f"what {agent} sees", seen, moment)
    mask = sample.mask(moment.states) * (seat == moment.mover)
    expect((seen["action_mask"] == mask).all(), f"{agent}'s mask", seen["action_mask"], moment)
    expect(env.state_space.contains(env.state()), "a state in its space", env.state(), moment)


def expect_ended(env: GameEnv, sample: Sample, game: Game) -> None:
    """The environment ends a game as the verbs do, all seats in one step; plays it out."""
    end, agents = game.end, env.possible_agents
    rewards = dict(zip(agents, sample.returns(end.states).tolist(), strict=True))
    expect(env.rewards == rewards, f"the final rewards {rewards}", env.rewards, end)
    truncated = bool(sample.spec.verbs.is_truncated(end.states, 0))
    for name, wanted in (("truncations", truncated), ("terminations", not truncated)):
        got = getattr(env, name)
        expect(got == dict.fromkeys(agents, wanted), f"all {name} {wanted}", got, end)
    expect(env.legal_moves() == [], "no legal moves at the end", env.legal_moves(), end)
    for seat, agent in enumerate(agents):
        expect_seen(env, sample, end, seat)
        scores = sample.spec.infos(end.states, 0)["scores"]
        expect(env.infos[agent].get("scores") == scores, f"scores {scores}", env.infos[agent], end)
    paid = dict.fromkeys(agents, 0.0)
    for agent in env.agent_iter():
        paid[agent] += env.last()[1]
        env.step(None)
    expect(paid == rewards, f"last() to pay {rewards}", paid, end)


def expect_refused(
    error: type[Exception], env: GameEnv, call: Callable[[GameEnv], object], where: object = ""
) -> None:
    """*call* raises *error*; all that decides the future of the environment is what it was."""
    if env._to_move is None:
        env.reset(seed=0)
    before = look_at(env)
    expect_raised(error, lambda: call(env), where)
    expect(look_at(env) == before, f"nothing changed by {error.__name__}", env.position(), where)
