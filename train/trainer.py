"""A training run in memory: learner, games and opponents, saved and continued exactly."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch import Tensor

from ..agents.adviser import make_adviser
from ..agents.agent import Agent, views_of
from ..agents.checkpoint import advised_by, pack, unpack
from ..agents.network import NetworkConfig, PolicyNetwork, pick_device
from ..agents.registry import make_agent
from ..agents.tuned import is_agent_file
from ..agents.uniform import random_agent
from ..envs.engine.batch import Batch
from ..envs.engine.dtypes import Floats
from ..envs.engine.errors import (
    CheckpointError,
    DataError,
    DivergedError,
    OptionsError,
    expect,
)
from ..envs.engine.jit import announced
from ..envs.engine.spec import GameSpec, Options
from ..envs.engine.streams import new_streams
from ..envs.engine.textfiles import read_text
from .config import NetworkSection, TrainConfig
from .lessons import digest, read_lessons
from .opponents import NetworkWeights, Opponents
from .ppo import SelfPlayPPO
from .saved import check_saved
from .selfplay import SelfPlay
from .study import Study
from .teacher import Teacher
from .vec_env import SelfPlayVecEnv

SCALE_ROWS, SCALE_MOVES = 256, 100
"""Random play on which the inputs are scaled."""


class Trainer:
    """Everything that learns or plays in one run; `update` is one step of it."""

    def __init__(self, spec: GameSpec, config: TrainConfig, folder: Path) -> None:
        """Set up a fresh run; *folder* is the run's, for the pool.

        Each part is made from those before it: the opponents play with networks like the
        learner's, the games are against the opponents, and the learner plays the games.
        """
        self.spec = spec
        self.config = config
        self.options = spec.parse_options(config.options)
        self.network_config = network_config(spec, self.options, config.network)
        name = config.network.adviser
        self.adviser = make_adviser(name, spec) if name else None
        self.adviser_file = read_text(Path(name)) if name and is_agent_file(name) else None
        """what the adviser's file says, if it has one: the file may change meanwhile"""
        self.advised_by = advised_by(self.adviser, spec, self.options)
        """what manifests keep of the adviser"""
        self.opponents = Opponents(
            config.opponents,
            self.network_config,
            folder / "pool",
            make=self._make_agent,
            seed=config.seed,
            adviser=self.adviser,
        )
        self.play = SelfPlay(
            spec,
            config.rows,
            self.opponents,
            options=self.options,
            seed=config.seed,
            skip_forced=config.skip_forced,
            shaping=config.shaping,
            adviser=self.adviser,
        )
        self.model = self._make_model()
        self.data_digest = ""
        """of the file of lessons, once it was opened"""

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

    def weights(self) -> NetworkWeights:
        """A copy of the network's weights."""
        return {name: t.detach().cpu().clone() for name, t in self.network.state_dict().items()}

    def start(self) -> None:
        """Scale the inputs and begin the first games."""
        config = self.config
        if config.network.scaled_inputs:
            self.network.fit_scale(random_observations(self.spec, self.options, config.seed))
        self._renew_opponents()
        with announced(f"training in {self.spec.title}"):
            self.model.begin(config.steps)
        self.open_lessons()
        if self.model.study:
            self.model.learn_first(self.model.study, config.imitation.passes)

    def update(self) -> None:
        """Play one rollout and learn from it."""
        self._renew_opponents()
        config = self.config
        left, imitation = 1.0 - self.step / config.steps, config.imitation.weight_at(self.step)
        if imitation:
            self.open_lessons()
        self.model.update(left, entropy=config.ppo.entropy_at(left), imitation=imitation)

    def crossed(self, every: int) -> bool:
        """Whether the last update passed a multiple of *every* steps, or was the last one."""
        before = self.step - self.config.update_steps
        return self.is_done or self.step // every > before // every

    def add_snapshot(self) -> None:
        """Add the learner to the pool of past selves."""
        self.opponents.add_snapshot(self.step, self.weights())

    def check_network(self) -> None:
        """Raise `DivergedError` if the network's output is not finite where games stand now."""
        inputs = torch.from_numpy(self.play.seen()).to(self.network.shift.device)
        with torch.inference_mode():
            outputs = self.network(inputs)
        if not all(torch.isfinite(output).all() for output in outputs):
            raise DivergedError(
                f"expected finite outputs from the network at step {self.step:,}, got NaN or "
                "infinity: its training has diverged"
            )

    def open_lessons(self) -> None:
        """Read the file of lessons, if there is one and it was not read yet.

        Raises `DataError` for one that does not fit, or is not what the run began with.
        """
        section = self.config.imitation
        if not section.data or self.model.study:
            return
        path = Path(section.data)
        lessons = read_lessons(path, self.spec, self.options)
        found = digest(lessons)
        expect(len(lessons), "lessons to learn from", f"none in {path}", error=DataError)
        wanted, changed = "the lessons that the run began with", f"others in {path}"
        expect(self.data_digest in ("", found), wanted, changed, error=DataError)
        self.data_digest = found
        self.model.study = Study(
            self.spec,
            lessons,
            target=section.target,
            # With shaping the network expects other rewards than the lessons.
            value_weight=0.0 if self.config.shaping else self.config.ppo.value_weight,
            seed=self.config.seed,
            adviser=self.adviser,
        )

    def state(self) -> dict[str, Any]:
        """All of the run but the network's weights, at a boundary between two updates."""
        return {
            "record": repr(self.spec.record),
            **self.model.state(),
            "starts": pack(self.play.dones),
            "play": {name: pack(array) for name, array in self.play.state().items()},
            "opponents": self.opponents.state(),
            "lessons": self.data_digest,
        }

    def restore(self, weights: Mapping[str, Tensor], state: Mapping[str, Any]) -> None:
        """Continue a run from what `weights` and `state` gave."""
        if isinstance(state, dict) and state.get("record") != repr(self.spec.record):
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
        check_saved(state)
        play = self.play
        self.network.load_state_dict(weights)
        self.opponents.restore(state["opponents"])
        self.model.begin(self.config.steps)  # games that are replaced by the saved ones
        play.restore({name: unpack(state["play"][name], a) for name, a in play.state().items()})
        play.dones[:] = unpack(state["starts"], play.dones)
        self.model.restore(state)
        self.data_digest = state.get("lessons", "")

    def _make_agent(self, name: str) -> Agent:
        return make_agent(name, self.spec.name, options=self.options.changed(), device="cpu")

    def _renew_opponents(self) -> None:
        self.opponents.refresh(self.step, self.weights(), self.play.cast)

    def _make_model(self) -> SelfPlayPPO:
        config, ppo, name = self.config, self.config.ppo, self.config.imitation.teacher
        teacher = Teacher(self._make_agent(name), config.rows, seed=config.seed) if name else None
        return SelfPlayPPO(
            SelfPlayVecEnv(self.play),
            seed=config.seed,
            teacher=teacher,
            policy_kwargs={"network": self.network_config},
            device=pick_device(config.device),
            learning_rate=ppo.rate_at,
            n_steps=config.steps_per_update,
            batch_size=min(ppo.batch_size, config.update_steps),
            n_epochs=ppo.epochs,
            gamma=ppo.gamma,
            gae_lambda=ppo.gae_lambda,
            clip_range=ppo.clip_range,
            ent_coef=ppo.entropy,
            vf_coef=ppo.value_weight,
            max_grad_norm=ppo.max_grad_norm,
            target_kl=ppo.target_kl,
        )


def network_config(spec: GameSpec, options: Options, section: NetworkSection) -> NetworkConfig:
    """The network that *section* asks for, with the inputs and outputs of the game."""
    if section.windows and spec.windows is None:
        raise OptionsError(f"expected network.windows in a game with a ring, got {spec.name}")
    shape = spec.shape(options)
    return NetworkConfig(
        observation=shape.observation,
        actions=shape.actions,
        hidden=section.hidden,
        activation=section.activation,
        shared=section.shared,
        windows=spec.windows(options) if section.windows and spec.windows else None,
        adviser_gain=section.adviser_gain if section.adviser else None,
    )


def random_observations(spec: GameSpec, options: Options, seed: int) -> Floats:
    """What seats to move see in random play, `[N, D]`."""
    batch = Batch(spec, SCALE_ROWS, options=options, seed=(seed, 4))
    streams = new_streams((seed, 4), SCALE_ROWS, "agents")
    agent = random_agent()
    batch.reset()
    seen = []
    for _ in range(SCALE_MOVES):
        seen.append(batch.observations.copy())
        batch.step(agent.act(views_of(batch), streams))
    return np.concatenate(seen)
