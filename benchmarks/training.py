"""Training: learner decisions per second beside stock MaskablePPO, and what the time goes to.

One thread, CPU time, the variants in turns. `ours` and `stock` play the same batched environment
with the same network sizes and PPO settings; `usual` is the route without it, Stable-Baselines3's
`DummyVecEnv` over a Gymnasium wrapper of the PettingZoo environment. A turn is a number of rollouts
with their updates.
"""

import warnings
from functools import partial
from pathlib import Path
from typing import Any

import gymnasium
import numpy as np
import torch
from sb3_contrib import MaskablePPO
from stable_baselines3.common.vec_env import DummyVecEnv, VecEnv

from spelkast.agents.network import NetworkConfig
from spelkast.agents.registry import make_agent
from spelkast.cli.speed import rate
from spelkast.envs import make, spec
from spelkast.train.config import NetworkSection, OpponentsSection
from spelkast.train.opponents import Opponents
from spelkast.train.ppo import SelfPlayPPO
from spelkast.train.selfplay import SelfPlay
from spelkast.train.split import Split
from spelkast.train.trainer import network_config
from spelkast.train.vec_env import SelfPlayVecEnv

from .sampling import SPREAD, Json, markdown_table, ratio, rounded, spread, turns

GAME = "tacocat"
OPPONENTS = ("random", "novice", "solid")
SECONDS = 20.0
"""CPU time per variant."""
HIDDEN = (256, 256)
ROWS, STEPS, BATCH, EPOCHS = 512, 32, 4096, 4
USUAL_ROWS = 64
"""Rows of the usual route: more of them do not make it faster."""
SETTINGS: dict[str, Any] = {
    "learning_rate": 3e-4, "batch_size": BATCH, "n_epochs": EPOCHS, "gamma": 0.999,
    "ent_coef": 0.01, "device": "cpu", "seed": 1,
}  # fmt: skip
VERSIONS = ("torch", "sb3-contrib", "stable-baselines3")


class OneSeat(gymnasium.Env):
    """The usual wrapper: one learner in a PettingZoo environment, a random opponent inside."""

    def __init__(self, seed: int) -> None:
        self.env = make(GAME)
        shape = spec(GAME).shape(self.env.options)
        self.observation_space = gymnasium.spaces.Box(-1, 1, (shape.observation,), np.float32)
        self.action_space = gymnasium.spaces.Discrete(shape.actions)
        self.random = np.random.default_rng(seed)
        self.games = 0

    def reset(self, *, seed=None, options=None):
        """A new game, up to the learner's first decision."""
        self.env.reset(seed=int(self.random.integers(2**31)))
        self.learner = f"player_{self.games % 2}"
        self.games += 1
        return self._play_on()[0], {}

    def step(self, action):
        """The learner's move and the opponent's answers."""
        self.env.step(int(action))
        observation, reward, is_over = self._play_on()
        return observation, reward, is_over, False, {}

    def action_masks(self):
        """What the learner may do."""
        return self.mask

    def _play_on(self):
        env = self.env
        while True:
            seen, _, terminated, truncated, _ = env.last()
            observation: Any = seen
            if terminated or truncated:
                reward = env.rewards[self.learner]
                end: Any = env.observe(self.learner)
                return end["observation"], reward, True
            if env.agent_selection == self.learner:
                self.mask = observation["action_mask"]
                return observation["observation"], 0.0, False
            env.step(int(self.random.choice(np.flatnonzero(observation["action_mask"]))))


def measure(*, seconds: float = SECONDS) -> Json:
    """Decisions per CPU second of every variant, ratios per turn, and the split of ours."""
    threads = torch.get_num_threads()
    torch.set_num_threads(1)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return _measure(seconds)
    finally:
        torch.set_num_threads(threads)


def table(figures: Json) -> str:
    """The figures as Markdown."""
    speeds = [[f"{name}, decisions/s", x] for name, x in figures["decisions_per_second"].items()]
    split = figures["split"]
    shares = [[name, *(f"{share:.1%}" for share in split[name].values())] for name in split]
    names = ("share of training time", *next(iter(split.values())))
    ratios = figures["ratios"].items()
    return f"{markdown_table(('', *SPREAD), [*speeds, *ratios])}\n\n{markdown_table(names, shares)}"


def _measure(seconds: float) -> Json:
    learners: dict[str, MaskablePPO] = {
        "stock policy": _stock(_games(), STEPS),
        "ours, same network and optimizer": _ours("tanh", shared=False, fused=False),
        "ours, ReLU and fused Adam": _ours("relu", shared=False, fused=True),
        "ours, ReLU, fused Adam, shared trunk": _ours("relu", shared=True, fused=True),
        "usual route": _usual(),
    }
    for model in learners.values():  # compiles, and gets past the first games
        model._setup_learn(10**9)
        _turn(model)
    ours = {name: model for name, model in learners.items() if isinstance(model, SelfPlayPPO)}
    for model in ours.values():
        model.play.split = Split()
    rates = turns(
        {name: partial(rate, partial(_turn, model)) for name, model in learners.items()}, seconds
    )
    return {
        "game": GAME,
        "opponents": list(OPPONENTS),
        "hidden": list(HIDDEN),
        "rows": ROWS,
        "steps_per_update": STEPS,
        "batch_size": BATCH,
        "epochs": EPOCHS,
        "usual_rows": USUAL_ROWS,
        "decisions_per_second": {name: spread(values) for name, values in rates.items()},
        "ratios": {
            f"{name} / {peer}": ratio(rates[name], rates[peer])
            for name in ours
            for peer in ("stock policy", "usual route")
        },
        "split": {name: _split(model.split) for name, model in ours.items()},
    }


def _split(split: Split) -> Json:
    shares = split.shares()
    overhead = shares["environment"] + shares["opponents"] + shares["masks"]
    return {name: rounded(value) for name, value in {**shares, "overhead": overhead}.items()}


def _turn(model: Any) -> int:
    """One rollout and its update; returns the learner's decisions in it."""
    callback = model._init_callback(None)
    model.collect_rollouts(model.env, callback, model.rollout_buffer, model.n_steps)
    model.train()
    return int(model.n_steps * model.n_envs)


def _network(**settings: Any) -> NetworkConfig:
    game = spec(GAME)
    return network_config(game, game.parse_options(None), NetworkSection(hidden=HIDDEN, **settings))


def _games() -> SelfPlayVecEnv:
    company = Opponents(
        OpponentsSection(weights=dict.fromkeys(OPPONENTS, 1.0)),
        _network(),
        Path(),
        make=partial(make_agent, game=GAME),
        seed=1,
    )
    return SelfPlayVecEnv(SelfPlay(spec(GAME), ROWS, company, seed=1))


def _stock(env: VecEnv, steps: int) -> MaskablePPO:
    hidden = list(HIDDEN)
    policy = {"net_arch": {"pi": hidden, "vf": hidden}, "activation_fn": torch.nn.Tanh}
    return MaskablePPO("MlpPolicy", env, n_steps=steps, policy_kwargs=policy, **SETTINGS)


def _usual() -> MaskablePPO:
    env = DummyVecEnv([partial(OneSeat, row) for row in range(USUAL_ROWS)])
    return _stock(env, ROWS * STEPS // USUAL_ROWS)


def _ours(activation: str, *, shared: bool, fused: bool) -> SelfPlayPPO:
    network = _network(activation=activation, shared=shared)
    policy = {"network": network, "optimizer_kwargs": {"fused": fused, "eps": 1e-5}}
    return SelfPlayPPO(_games(), n_steps=STEPS, policy_kwargs=policy, **SETTINGS)
