"""Masked PPO at the speed of its matrix products: MaskablePPO's numbers without its overhead.

Only the loops are ours. Loss, advantages, order of minibatches and updates are those of
sb3-contrib's MaskablePPO; a test holds both side by side.
"""

# ruff: noqa: FBT001, FBT002, PLR0917
# (collect_rollouts has the signature that Stable-Baselines3 gives it)

from collections import deque
from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np
import torch
from stable_baselines3.common.utils import explained_variance
from torch import Tensor
from torch.nn.functional import mse_loss

from ..agents.checkpoint import pack, unpack
from ..agents.network import PolicyNetwork
from ..agents.sampling import complaint, sample_legal
from ..envs.engine.dtypes import Actions
from ..envs.engine.errors import expect
from ..envs.engine.streams import new_streams
from .policy import NetworkPolicy, judge
from .sb3 import RolloutArrays, Samples, SteppedPPO
from .selfplay import Finished, SelfPlay
from .split import Split
from .study import Study
from .teacher import Teacher
from .vec_env import SelfPlayVecEnv


class SelfPlayPPO(SteppedPPO):
    """MaskablePPO over a `SelfPlayVecEnv` with a `NetworkPolicy`."""

    policy: NetworkPolicy

    def __init__(
        self,
        env: SelfPlayVecEnv | None,
        *,
        seed: int | None = None,
        teacher: Teacher | None = None,
        policy: type[NetworkPolicy] = NetworkPolicy,
        **kwargs: Any,
    ) -> None:
        """Make a learner; `load` makes one without an environment, which can predict."""
        super().__init__(policy, env, seed=seed, **kwargs)
        self.last_games: deque[Finished] = deque(maxlen=100)
        self.teacher = teacher
        self.study: Study | None = None
        """lessons to learn from besides"""
        self.imitation = 0.0
        """weight in the loss of what the teacher and the lessons say; at 0 they are not asked"""

    @property
    def play(self) -> SelfPlay:
        """The games of the environment, which `set_env` may change; wrappers would not be heard."""
        if not isinstance(self.env, SelfPlayVecEnv):
            raise TypeError(f"expected a SelfPlayVecEnv without a wrapper, got {self.env}")
        return self.env.play

    def set_random_seed(self, seed: int | None = None) -> None:
        """Begin the streams of the learner's choices again, with all that is seeded besides."""
        super().set_random_seed(seed)
        self.choices = new_streams(None if seed is None else (seed, 1), self.n_envs, "agents")

    @property
    def network(self) -> PolicyNetwork:
        """The learner's network."""
        return self.policy.network

    @property
    def split(self) -> Split:
        """What the time went to since the first games began."""
        return self.play.split

    def update(self, left: float, *, entropy: float, imitation: float) -> None:
        """Play one rollout and learn from it.

        Args:
            left: the share of the run that is still to come, 1 to 0.
            entropy: weight of the entropy in the loss.
            imitation: weight in the loss of what the teacher and the lessons say.
        """
        self.ent_coef, self.imitation = entropy, imitation
        self.step_once(left)

    def learn_first(self, study: Study, passes: int) -> None:
        """Go *passes* times over the lessons, before there is a game of one's own."""
        with self.split.timing("update"):
            self.begin_epochs()
            for lesson in study.passes(passes, self.batch_size or len(study.lessons)):
                self._follow(study.loss(self.network, lesson))

    def collect_rollouts(
        self,
        env: Any,
        callback: Any,
        rollout_buffer: Any,
        n_rollout_steps: int,
        use_masking: bool = True,
    ) -> bool:
        """Play `n_rollout_steps` decisions in every row with the policy as it is.

        False if *callback*, which may be None, has stopped it.
        """
        expect(use_masking, "use_masking, as only legal actions are chosen from", use_masking)
        play, buffer = self.play, rollout_buffer
        if callback is not None:
            callback.on_rollout_start()
        self.policy.set_training_mode(False)
        buffer.reset()
        with self.split.timing("forward"), torch.no_grad():
            for t in range(n_rollout_steps):
                buffer.episode_starts[t] = play.dones
                play.step(self._decide(buffer, t))
                buffer.rewards[t] = play.rewards
                self.last_games.extend(play.finished)
                self.num_timesteps += self.n_envs
                if callback is not None:
                    callback.update_locals(locals())
                    if not callback.on_step():
                        return False
            seen = torch.from_numpy(play.seen())
            buffer.finish(self.network.values(seen.to(self.device)), play.dones)
        if callback is not None:
            callback.on_rollout_end()
        return True

    def _decide(self, buffer: RolloutArrays, t: int) -> Actions:
        """Choose in every row, and keep what was seen and chosen as step *t* of the rollout."""
        batch = self.play.batch
        buffer.observations[t] = self.play.seen()
        seen = torch.from_numpy(buffer.observations[t]).to(self.device)
        logits, values = self.network(seen)
        buffer.values[t] = values.cpu().numpy()
        if self.teacher and self.imitation:
            with self.split.timing("opponents"):
                buffer.advice[t] = self.teacher.advise(batch)
        with self.split.timing("masks"):
            masks, actions = buffer.action_masks[t], np.empty(self.n_envs, np.int32)
            masks[:] = batch.masks
            bad = sample_legal(
                logits.cpu().numpy(), masks, self.choices, actions, buffer.log_probs[t]
            )
            if bad >= 0:
                raise complaint(bad, masks, "the learner")
        buffer.actions[t, :, 0] = actions
        return actions

    def train(self) -> None:
        """Update the network from the rollout."""
        with self.split.timing("update"):
            if self.study:
                self.study.begin(self.num_timesteps)
            clip_range = self.begin_epochs()
            sums: dict[str, Any] = {}
            count = 0
            for parts in self._gradient_steps(clip_range):
                count += 1
                for name, value in parts.items():
                    sums[name] = sums.get(name, 0.0) + value
            for name, total in sums.items():
                self.logger.record(f"train/{name}", float(total) / count)
            buffer = self.rollout_buffer
            explained = explained_variance(buffer.values.flatten(), buffer.returns.flatten())
            self.logger.record("train/explained_variance", explained)
            self.logger.record("train/clip_range", clip_range)

    def _gradient_steps(self, clip_range: float) -> Iterator[dict[str, Tensor]]:
        """Follow the gradient, minibatch by minibatch; yields the parts of each loss."""
        for _ in range(self.n_epochs):
            for batch in self.rollout_buffer.get(self.batch_size):
                loss, parts = self._loss(batch, clip_range)
                yield parts
                if self.target_kl is not None and parts["approx_kl"] > 1.5 * self.target_kl:
                    self.end_epoch()
                    return
                self._follow(loss)
            self.end_epoch()

    def _follow(self, loss: Tensor) -> None:
        """One step down the slope of *loss*."""
        self.policy.optimizer.zero_grad()
        loss.backward()  # type: ignore[no-untyped-call]
        torch.nn.utils.clip_grad_norm_(self.policy.parameters(), self.max_grad_norm)
        self.policy.optimizer.step()

    def _loss(self, batch: Samples, clip_range: float) -> tuple[Tensor, dict[str, Tensor]]:
        logits, values = self.network(batch.observations)
        masks = batch.action_masks
        log_probs, entropies = judge(logits, masks, batch.actions.long().flatten())
        advantages = batch.advantages
        if self.normalize_advantage and len(advantages) > 1:  # one has no spread
            advantages = (advantages - advantages.mean()) / (advantages.std() + 1e-8)
        log_ratio = log_probs - batch.old_log_prob
        ratio = torch.exp(log_ratio)
        clipped = torch.clamp(ratio, 1 - clip_range, 1 + clip_range)
        policy_loss = -torch.min(advantages * ratio, advantages * clipped).mean()
        value_loss = mse_loss(batch.returns, values)
        entropy = entropies.mean()
        loss = policy_loss - self.ent_coef * entropy + self.vf_coef * value_loss
        parts = {"policy_gradient_loss": policy_loss, "value_loss": value_loss, "entropy": entropy}
        with torch.no_grad():
            parts["approx_kl"] = ((ratio - 1) - log_ratio).mean()
            parts["clip_fraction"] = ((ratio - 1).abs() > clip_range).float().mean()
        if self.teacher and self.imitation:
            advised = -judge(logits, masks, batch.advice.flatten())[0].mean()
            loss = loss + self.imitation * advised
            parts["imitation_loss"] = advised
        if self.study and self.imitation:
            taught = self.study.loss(self.network, self.study.draw(len(masks)))
            loss = loss + self.imitation * taught
            parts["lessons_loss"] = taught
        parts["loss"] = loss
        return loss, {name: value.detach() for name, value in parts.items()}

    def state(self) -> dict[str, Any]:
        """All but the weights that a resumed run needs of the learner, between two updates."""
        teacher = self.teacher.state() if self.teacher else {}
        return {
            **super().state(),
            "choices": pack(self.choices),
            "teacher": {name: pack(array) for name, array in teacher.items()},
            "split": dict(vars(self.split)),
        }

    def restore(self, state: Mapping[str, Any]) -> None:
        """Go on from a `state`, after `begin`."""
        super().restore(state)
        self.choices[:] = unpack(state["choices"], self.choices)
        self.play.split = Split(**state["split"])
        if self.teacher:
            like = self.teacher.state()
            self.teacher.restore({k: unpack(state["teacher"][k], a) for k, a in like.items()})
