"""A training run in memory: learner, games and opponents, saved and continued exactly."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from ..agents.agent import Agent, views_of
from ..agents.network import NetworkConfig, PolicyNetwork, pick_device
from ..agents.registry import make_agent
from ..agents.uniform import random_agent
from ..envs.engine.batch import Batch
from ..envs.engine.dtypes import Floats
from ..envs.engine.errors import CheckpointError, OptionsError
from ..envs.engine.jit import announced
from ..envs.engine.spec import GameSpec
from ..envs.engine.streams import new_streams
from ..envs.engine.windows import Windows
from .config import TrainConfig
from .opponents import Opponents
from .ppo import SelfPlayPPO, Split
from .selfplay import SelfPlay
from .teacher import Teacher
from .vec_env import SelfPlayVecEnv

SCALE_ROWS, SCALE_MOVES = 256, 100
"""Random play on which the inputs are scaled."""


class Trainer:
    """Everything that learns or plays in one run; `update` is one step of it."""

    def __init__(self, spec: GameSpec, config: TrainConfig, folder: Path) -> None:
        """Set up a fresh run; *folder* is the run's, for the pool."""
        self.spec = spec
        self.config = config
        self.options = spec.parse_options(config.options)
        shape = spec.shape(self.options)
        self.network_config = NetworkConfig(
            observation=shape.observation,
            actions=shape.actions,
            hidden=config.network.hidden,
            activation=config.network.activation,
            shared=config.network.shared,
            windows=self._windows() if config.network.windows else None,
        )
        self.play = SelfPlay(
            spec,
            config.rows,
            options=self.options,
            seed=config.seed,
            skip_forced=config.skip_forced,
            shaping=config.shaping,
        )
        self.model = self._make_model(SelfPlayVecEnv(self.play))
        if config.network.scaled_inputs:
            self.network.fit_scale(random_observations(spec, self.play.batch, config.seed))
        if config.imitation.teacher:
            teacher = self._make_agent(config.imitation.teacher)
            self.model.teacher = Teacher(teacher, config.rows, seed=config.seed)
        self.opponents = Opponents(
            config.opponents,
            self.network,
            folder / "pool",
            make=self._make_agent,
            seed=config.seed,
        )
        self.play.company = self.opponents  # which needed the network, which needed the games

    @property
    def network(self) -> PolicyNetwork:
        """The learner's network."""
        return self.model.network

    @property
    def step(self) -> int:
        """Decisions of the learner so far."""
        return self.model.num_timesteps

    @property
    def is_done(self) -> bool:
        """Whether all steps of the configuration are made."""
        return self.step >= self.config.steps

    def weights(self) -> dict[str, Tensor]:
        """A copy of the network's weights."""
        return {name: t.detach().cpu().clone() for name, t in self.network.state_dict().items()}

    def start(self) -> None:
        """Begin the first games."""
        self._renew_opponents()
        with announced(f"training in {self.spec.title}"):
            self.model._setup_learn(self.config.steps)

    def update(self) -> None:
        """Play one rollout and learn from it."""
        self._renew_opponents()
        model, config = self.model, self.config
        left = 1.0 - self.step / config.steps
        model._current_progress_remaining = left
        model.ent_coef = config.ppo.entropy_end + left * (
            config.ppo.entropy - config.ppo.entropy_end
        )
        model.imitation = config.imitation.weight_at(self.step)
        model.collect_rollouts(model.games, None, model.rollout_buffer, model.n_steps)
        model.train()

    def crossed(self, every: int) -> bool:
        """Whether the last update passed a multiple of *every* steps, or was the last one."""
        before = self.step - self.config.update_steps
        return self.is_done or self.step // every > before // every

    def add_snapshot(self) -> None:
        """Add the learner to the pool of past selves."""
        self.opponents.add_snapshot(self.step, self.weights())

    def state(self) -> dict[str, Any]:
        """All of the run but the network's weights, at a boundary between two updates."""
        numpy_state = np.random.get_state(legacy=False)  # SB3 draws from the global one
        assert isinstance(numpy_state, dict)
        inner = numpy_state["state"]
        return {
            "record": repr(self.spec.record),
            "step": self.step,
            "updates": self.model._n_updates,
            "optimizer": self.model.policy.optimizer.state_dict(),
            "torch": torch.get_rng_state(),
            "numpy": {"key": pack(inner["key"]), "pos": int(inner["pos"])},
            "choices": pack(self.model.choices),
            "starts": pack(np.asarray(self.model._last_episode_starts)),
            "play": {name: pack(array) for name, array in self.play.state().items()},
            "opponents": self.opponents.state(),
            "teacher": {k: pack(array) for k, array in self._teacher_state().items()},
            "split": {name: getattr(self.model.split, name) for name in Split.__slots__},
        }

    def restore(self, weights: Mapping[str, Tensor], state: Mapping[str, Any]) -> None:
        """Continue a run from what `weights` and `state` gave."""
        if state.get("record") != repr(self.spec.record):
            raise CheckpointError(
                f"expected a run whose positions of {self.spec.name} are records as they are now, "
                "got one of another revision: it still plays, but cannot go on"
            )
        try:
            self._restore(weights, state)
        except (KeyError, TypeError, ValueError, RuntimeError) as error:
            raise CheckpointError(
                f"expected the state of a run with this configuration, got {error!r}"
            ) from None

    def _restore(self, weights: Mapping[str, Tensor], state: Mapping[str, Any]) -> None:
        self.network.load_state_dict(weights)
        self.opponents.restore(state["opponents"])
        self.model._setup_learn(self.config.steps)
        self.play.restore(
            {name: unpack(state["play"][name], a) for name, a in self.play.state().items()}
        )
        model = self.model
        model.policy.optimizer.load_state_dict(state["optimizer"])
        model.num_timesteps = state["step"]
        model._n_updates = state["updates"]
        model.choices[:] = unpack(state["choices"], model.choices)
        model._last_obs = self.play.batch.observations.copy()
        model._last_episode_starts = unpack(state["starts"], self.play.dones)
        model.split = Split(**state["split"])
        if model.teacher:
            like = self._teacher_state()
            model.teacher.restore({k: unpack(state["teacher"][k], a) for k, a in like.items()})
        torch.set_rng_state(state["torch"].cpu())
        numpy_state = np.random.get_state(legacy=False)
        assert isinstance(numpy_state, dict)
        key = unpack(state["numpy"]["key"], numpy_state["state"]["key"])
        numpy_state["state"] = {"key": key, "pos": state["numpy"]["pos"]}
        np.random.set_state(numpy_state)

    def _windows(self) -> Windows:
        if self.spec.windows is None:
            raise OptionsError(
                f"expected network.windows in a game with a ring, got {self.spec.name}"
            )
        return self.spec.windows(self.options)

    def _teacher_state(self) -> dict[str, NDArray[Any]]:
        return self.model.teacher.state() if self.model.teacher else {}

    def _make_agent(self, name: str) -> Agent:
        return make_agent(name, self.spec.name, options=self.options.changed(), device="cpu")

    def _renew_opponents(self) -> None:
        self.opponents.refresh(self.step, self.weights(), self.play.cast)

    def _make_model(self, env: SelfPlayVecEnv) -> SelfPlayPPO:
        ppo = self.config.ppo
        start, end = ppo.learning_rate, ppo.learning_rate_end
        return SelfPlayPPO(
            env,
            seed=self.config.seed,
            learning_rate=lambda left: end + left * (start - end),
            n_steps=self.config.steps_per_update,
            batch_size=min(ppo.batch_size, self.config.update_steps),
            n_epochs=ppo.epochs,
            gamma=ppo.gamma,
            gae_lambda=ppo.gae_lambda,
            clip_range=ppo.clip_range,
            ent_coef=ppo.entropy,
            vf_coef=ppo.value_weight,
            max_grad_norm=ppo.max_grad_norm,
            target_kl=ppo.target_kl,
            policy_kwargs={"network": self.network_config},
            device=pick_device(self.config.device),
        )


def random_observations(spec: GameSpec, like: Batch, seed: int) -> Floats:
    """What seats to move see in random play of the same options, `[N, D]`."""
    batch = Batch(spec, SCALE_ROWS, options=like.options, seed=(seed, 4))
    streams = new_streams((seed, 4), SCALE_ROWS, "agents")
    agent = random_agent()
    batch.reset()
    seen = []
    for _ in range(SCALE_MOVES):
        seen.append(batch.observations.copy())
        batch.step(agent.act(views_of(batch), streams))
    return np.concatenate(seen)


def pack(array: NDArray[Any]) -> Tensor:
    """An array of any type as bytes in a tensor, which loads without running code."""
    return torch.from_numpy(np.frombuffer(array.tobytes(), np.uint8).copy())


def unpack(packed: Tensor, like: NDArray[Any]) -> NDArray[Any]:
    """The inverse of `pack` for an array with the type and shape of *like*."""
    return np.frombuffer(packed.cpu().numpy().tobytes(), like.dtype).reshape(like.shape).copy()
