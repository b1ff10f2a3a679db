"""Masked PPO at the speed of its matrix products: MaskablePPO's numbers without its overhead.

Only the loops are ours. Loss, advantages, order of minibatches and updates are those of
sb3-contrib's MaskablePPO; a test holds both side by side.
"""

# ruff: noqa: FBT001, FBT002, PLR0917
# (collect_rollouts has the signature that Stable-Baselines3 gives it)

from __future__ import annotations

from dataclasses import dataclass, fields
from time import perf_counter
from typing import Any

import numpy as np
import torch
from sb3_contrib import MaskablePPO
from stable_baselines3.common.callbacks import BaseCallback
from stable_baselines3.common.utils import explained_variance
from torch import Tensor
from torch.nn.functional import mse_loss

from ..agents.network import PolicyNetwork
from ..agents.sampling import complaint, sample_legal
from ..envs.engine.streams import new_streams
from .buffer import RolloutArrays
from .policy import NetworkPolicy, judge
from .teacher import Teacher
from .vec_env import SelfPlayVecEnv


@dataclass(slots=True)
class Split:
    """Seconds of training by what they were spent on."""

    environment: float = 0.0
    opponents: float = 0.0
    """random and heuristics, the teacher too"""
    networks: float = 0.0
    """opponents that are networks"""
    masks: float = 0.0
    """keeping the masks and choosing among the legal actions"""
    forward: float = 0.0
    """the learner's network, and keeping what it saw"""
    update: float = 0.0

    def add(self, other: Split) -> None:
        """Add another split."""
        for field in fields(self):
            setattr(self, field.name, getattr(self, field.name) + getattr(other, field.name))

    def shares(self) -> dict[str, float]:
        """The parts of the whole, by name."""
        total = self.total or 1.0
        return {field.name: getattr(self, field.name) / total for field in fields(self)}

    @property
    def total(self) -> float:
        """All seconds."""
        return float(sum(getattr(self, field.name) for field in fields(self)))


class SelfPlayPPO(MaskablePPO):
    """MaskablePPO over a `SelfPlayVecEnv` with a `NetworkPolicy`."""

    def __init__(self, env: SelfPlayVecEnv, *, seed: int, **kwargs: Any) -> None:
        kwargs.setdefault("rollout_buffer_class", RolloutArrays)
        super().__init__(NetworkPolicy, env, seed=seed, **kwargs)
        self.games = env
        self.split = Split()
        self.choices = new_streams((seed, 1), env.num_envs, "agents")
        self.teacher: Teacher | None = None
        self.imitation = 0.0
        """weight of the teacher's choice in the loss; at 0 it is not asked"""

    @property
    def network(self) -> PolicyNetwork:
        """The learner's network."""
        policy: Any = self.policy
        network: PolicyNetwork = policy.network
        return network

    def collect_rollouts(
        self,
        env: Any,
        callback: BaseCallback | None,
        rollout_buffer: Any,
        n_rollout_steps: int,
        use_masking: bool = True,
    ) -> bool:
        """Play `n_rollout_steps` decisions in every row with the policy as it is."""
        play, buffer, network = self.games.play, rollout_buffer, self.network
        self.policy.set_training_mode(False)
        buffer.reset()
        start = perf_counter()
        clock = play.clock
        before = (clock.environment, clock.opponents, clock.networks)
        masks = advising = 0.0
        actions = np.zeros(self.n_envs, np.int32)
        log_probs = np.zeros(self.n_envs, np.float32)
        dones = self._last_episode_starts
        with torch.no_grad():
            for t in range(n_rollout_steps):
                buffer.observations[t] = play.batch.observations
                observations = torch.from_numpy(buffer.observations[t]).to(self.device)
                logits, values = network(observations)
                buffer.values[t] = values.cpu().numpy()
                began = perf_counter()
                if self.teacher and self.imitation:
                    buffer.advice[t] = self.teacher.advise(play.batch)
                advising += perf_counter() - began
                began = perf_counter()
                buffer.action_masks[t] = play.batch.masks
                bad = sample_legal(
                    logits.cpu().numpy(), buffer.action_masks[t], self.choices, actions, log_probs
                )
                if bad >= 0:
                    raise complaint(bad, buffer.action_masks[t], "the learner")
                masks += perf_counter() - began
                buffer.log_probs[t] = log_probs
                buffer.actions[t, :, 0] = actions
                buffer.episode_starts[t] = dones
                play.step(actions)
                buffer.rewards[t] = play.rewards
                dones = play.dones.copy()
                self._note_games()
            self._last_obs = play.batch.observations.copy()
            last_values = network.values(torch.from_numpy(self._last_obs).to(self.device))
        self._last_episode_starts = dones
        buffer.pos, buffer.full = n_rollout_steps, True
        buffer.compute_returns_and_advantage(last_values=last_values, dones=dones)
        self.num_timesteps += n_rollout_steps * self.n_envs
        spent = Split(
            environment=clock.environment - before[0],
            opponents=clock.opponents - before[1] + advising,
            networks=clock.networks - before[2],
            masks=masks,
        )
        # The rest, book-keeping of the rollout, counts as the learner's own.
        spent.forward = perf_counter() - start - spent.total
        self.split.add(spent)
        return True

    def train(self) -> None:
        """Update the network from the rollout."""
        start = perf_counter()
        self.policy.set_training_mode(True)
        self._update_learning_rate(self.policy.optimizer)
        clip_range = self.clip_range(self._current_progress_remaining)  # type: ignore[operator]
        means = _Means()
        stopped = False
        for _ in range(self.n_epochs):
            for batch in self.rollout_buffer.get(self.batch_size):
                loss, parts = self._loss(batch, clip_range)
                means.add(parts)
                if self.target_kl is not None and parts["approx_kl"] > 1.5 * self.target_kl:
                    stopped = True
                    break
                self.policy.optimizer.zero_grad()
                loss.backward()  # type: ignore[no-untyped-call]
                torch.nn.utils.clip_grad_norm_(self.policy.parameters(), self.max_grad_norm)
                self.policy.optimizer.step()
            self._n_updates += 1
            if stopped:
                break
        buffer = self.rollout_buffer
        for name, value in means.result().items():
            self.logger.record(f"train/{name}", value)
        self.logger.record(
            "train/explained_variance",
            explained_variance(buffer.values.flatten(), buffer.returns.flatten()),
        )
        self.logger.record("train/clip_range", clip_range)
        self.split.update += perf_counter() - start

    def _loss(self, batch: Any, clip_range: float) -> tuple[Tensor, dict[str, Tensor]]:
        logits, values = self.network(batch.observations)
        masks = batch.action_masks
        log_probs, entropies = judge(logits, masks, batch.actions.long().flatten())
        advantages = batch.advantages
        if self.normalize_advantage:
            advantages = (advantages - advantages.mean()) / (advantages.std() + 1e-8)
        log_ratio = log_probs - batch.old_log_prob
        ratio = torch.exp(log_ratio)
        clipped = torch.clamp(ratio, 1 - clip_range, 1 + clip_range)
        policy_loss = -torch.min(advantages * ratio, advantages * clipped).mean()
        value_loss = mse_loss(batch.returns, values)
        entropy = entropies.mean()
        loss = policy_loss - self.ent_coef * entropy + self.vf_coef * value_loss
        advised = None
        if self.teacher and self.imitation:
            advised = -judge(logits, masks, batch.advice.flatten())[0].mean()
            loss = loss + self.imitation * advised
        with torch.no_grad():
            parts = {
                "policy_gradient_loss": policy_loss.detach(),
                "value_loss": value_loss.detach(),
                "entropy": entropy.detach(),
                "approx_kl": ((ratio - 1) - log_ratio).mean(),
                "clip_fraction": ((ratio - 1).abs() > clip_range).float().mean(),
                "loss": loss.detach(),
            }
            if advised is not None:
                parts["imitation_loss"] = advised.detach()
        return loss, parts

    def _note_games(self) -> None:
        assert self.ep_info_buffer is not None
        for game in self.games.play.finished:
            self.ep_info_buffer.append({"r": game.reward, "l": game.length, "t": 0.0})


class _Means:
    """Means of the parts of the loss over an update."""

    def __init__(self) -> None:
        self.sums: dict[str, Tensor] = {}
        self.count = 0

    def add(self, parts: dict[str, Tensor]) -> None:
        self.count += 1
        for name, value in parts.items():
            self.sums[name] = self.sums[name] + value if name in self.sums else value

    def result(self) -> dict[str, float]:
        return {name: float(total) / self.count for name, total in self.sums.items()}
