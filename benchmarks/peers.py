"""Our games beside the libraries that a user would pick instead, in one run.

Every figure counts decisions of players (chance is settled on the way) of random legal play, on
one core, in CPU time, and includes what a learner needs at each of them: the observation and the
mask of the player to move. The few rows without say so. The games differ, so a ratio of two rows
is a matter of order of magnitude.
"""

import importlib
import os
from collections.abc import Callable, Iterator
from functools import partial
from itertools import accumulate, cycle
from typing import Any

import numpy as np

from spelkast.agents.agent import views_of
from spelkast.agents.registry import make_agent
from spelkast.cli.speed import playouts_speed, rate
from spelkast.envs import games, make, spec
from spelkast.envs.engine.batch import Batch
from spelkast.envs.engine.streams import new_streams

from .aec import PICKS, NotInstalledError, classic, environment
from .kernels import under_way
from .sampling import SPREAD, Json, Rate, in_turns, markdown_table

SECONDS = 3.0
"""CPU time per row."""
ROWS = 1024
PETTINGZOO = ("connect_four_v3", "leduc_holdem_v4", "texas_holdem_v4", "hanabi_v5")
OPENSPIEL = ("backgammon", "gin_rummy", "euchre", "hearts", "crazy_eights", "oh_hell")
OPENSPIEL_BOTS = ("backgammon", "gin_rummy", "euchre", "crazy_eights")
PGX = ("backgammon", "sparrow_mahjong", "connect_four")
PGX_ROWS = (64, 1024)
PGX_STEPS = 64
VERSIONS = ("pettingzoo", "open_spiel", "pgx", "jax")
NO_VIEW = "no observation, no mask"


def measure(*, seconds: float = SECONDS) -> Json:
    """Decisions per second of every row that can be measured here, the others with the reason."""
    rows: dict[str, Rate] = {}
    skipped: dict[str, str] = {}
    for label, prepare in _candidates().items():
        try:
            rows[label] = prepare()
        except NotInstalledError as missing:
            skipped[label] = str(missing)
    return {"decisions_per_second": in_turns(rows, seconds), "skipped": skipped}


def table(figures: Json) -> str:
    """The figures as Markdown."""
    rows = [*figures["decisions_per_second"].items(), *figures["skipped"].items()]
    return markdown_table(("decisions/s", *SPREAD), rows)


def _candidates() -> dict[str, Any]:
    """The function that prepares each row to be measured, by the row's label."""
    rows: dict[str, Any] = {}
    for game in games():
        rows[f"spelkast {game}, AEC"] = partial(environment, make, game)
        rows[f"spelkast {game}, batch of {ROWS} from Python"] = partial(_our_batch, game)
        rows[f"spelkast {game}, compiled loop, batch of {ROWS}"] = partial(_our_loop, game)
    for name in PETTINGZOO:
        rows[f"PettingZoo {name}, AEC"] = partial(environment, classic, name)
    for name in OPENSPIEL:
        rows[f"OpenSpiel {name}, loop in Python"] = partial(_openspiel, name)
    for name in OPENSPIEL_BOTS:
        rows[f"OpenSpiel {name}, loop in C++ ({NO_VIEW})"] = partial(_openspiel_bots, name)
    for name in PGX:
        for size in PGX_ROWS:
            rows[f"Pgx {name}, jit, batch of {size}"] = partial(_pgx, name, size)
    return rows


def _our_loop(game: str) -> Rate:
    return partial(playouts_speed, under_way(game, ROWS))


def _our_batch(game: str) -> Rate:
    """Two calls per decision of the whole batch: the agent `random`, and the step."""
    batch, agent = Batch(spec(game), ROWS, seed=0), make_agent("random", game)
    streams = new_streams(0, ROWS, "agents")
    batch.reset()

    def step() -> int:
        batch.step(agent.act(views_of(batch), streams))
        return ROWS

    step()  # compiles
    return partial(rate, step)


def _peer(module: str, library: str = "Pgx", package: str = "pgx") -> Any:
    try:
        return importlib.import_module(module)
    except ImportError:
        raise NotInstalledError(f"skipped, {library} is not installed ({package})") from None


def _pyspiel() -> Any:
    return _peer("pyspiel", "OpenSpiel", "open_spiel")


def _openspiel(name: str) -> Rate:
    game, picks = _pyspiel().load_game(name), cycle(PICKS)
    _play_openspiel(game, picks)
    return partial(rate, lambda: _play_openspiel(game, picks))


def _play_openspiel(game: Any, picks: Iterator[float], *, views: bool = True) -> int:
    """One game from Python; returns how many decisions it had, chance apart."""
    state = game.new_initial_state()
    look = _tensor(game, state) if views else None
    decisions = 0
    while not state.is_terminal():
        if state.is_chance_node():
            outcomes, weights = zip(*state.chance_outcomes(), strict=True)
            reached, pick = list(accumulate(weights)), next(picks)
            state.apply_action(outcomes[sum(pick >= bound for bound in reached[:-1])])
            continue
        legal = state.legal_actions()
        if look is not None:
            mask = np.zeros(game.num_distinct_actions(), np.int8)
            mask[legal] = 1
            np.asarray(look(state.current_player()), np.float32)
        state.apply_action(legal[int(next(picks) * len(legal))])
        decisions += 1
    return decisions


def _tensor(game: Any, state: Any) -> Callable[[int], Any]:
    """What a player sees; some games offer only the longer record of all that it has seen."""
    if game.get_type().provides_observation_tensor:
        return state.observation_tensor  # type: ignore[no-any-return]
    return state.information_state_tensor  # type: ignore[no-any-return]


def _openspiel_bots(name: str) -> Rate:
    """Games between uniformly random bots in C++; decisions per game are counted beforehand."""
    pyspiel = _pyspiel()
    game = pyspiel.load_game(name)
    bots = [pyspiel.make_uniform_random_bot(seat, 7 + seat) for seat in range(game.num_players())]
    picks, played = cycle(PICKS), 50
    decisions = sum(_play_openspiel(game, picks, views=False) for _ in range(played)) / played
    seeds = iter(range(1 << 30))

    def play() -> int:
        pyspiel.evaluate_bots(game.new_initial_state(), bots, next(seeds))
        return 1

    return lambda seconds: decisions * rate(play, seconds)


def _pgx(name: str, size: int) -> Rate:
    """A scan over steps inside `jit`; on a CPU."""
    os.environ.setdefault("XLA_FLAGS", "--xla_cpu_multi_thread_eigen=false")
    os.environ.setdefault("JAX_PLATFORMS", "cpu")
    jax, pgx = _peer("jax"), _peer("pgx")
    auto_reset = _peer("pgx.experimental").auto_reset
    env = pgx.make(name)
    step = jax.vmap(auto_reset(env.step, env.init))

    def decide(carry: Any, _: Any) -> Any:
        state, key, folded = carry
        key, choice, chance = jax.random.split(key, 3)
        logits = jax.numpy.where(state.legal_action_mask, 0.0, -1e9)
        actions = jax.random.categorical(choice, logits, axis=-1)
        state = step(state, actions, jax.random.split(chance, size))
        return (state, key, folded + state.observation.sum()), None

    run = jax.jit(lambda carry: jax.lax.scan(decide, carry, None, length=PGX_STEPS)[0])
    key = jax.random.PRNGKey(0)
    carry = jax.block_until_ready(
        run((jax.jit(jax.vmap(env.init))(jax.random.split(key, size)), key, 0.0))
    )

    def play() -> int:
        nonlocal carry
        carry = jax.block_until_ready(run(carry))
        return PGX_STEPS * size

    return partial(rate, play)
