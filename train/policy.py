"""Our network as a policy of MaskablePPO: the stock policy's numbers at a fraction of its cost.

The stock policy builds a distribution object per step and looks at every action. Here the softmax
runs over the legal actions only, in compiled code on the CPU and by masked log-softmax elsewhere.
"""

# ruff: noqa: FBT001, FBT002, PLR0917
# (methods have the signatures that torch and Stable-Baselines3 give them)

from typing import Any

import numpy as np
import torch
from gymnasium import spaces
from sb3_contrib.common.maskable.distributions import MaskableDistribution
from torch import Tensor

from ..agents.network import NetworkConfig, masked_log_softmax
from .kernels import judge_actions, judge_actions_backward
from .sb3 import BuiltPolicy


class _Judge(torch.autograd.Function):
    """Log-probabilities `[B]` and entropies `[B]` of the softmax over legal logits."""

    @staticmethod
    def forward(ctx: Any, logits: Tensor, masks: Tensor, actions: Tensor) -> tuple[Tensor, Tensor]:
        log_probs, entropies, log_totals = torch.empty(3, len(logits))
        judge_actions(
            logits.numpy(),
            masks.numpy(),
            actions.numpy(),
            log_probs.numpy(),
            entropies.numpy(),
            log_totals.numpy(),
        )
        ctx.save_for_backward(logits, masks, actions, entropies, log_totals)
        return log_probs, entropies

    @staticmethod
    def backward(ctx: Any, *slopes: Tensor) -> tuple[Tensor, None, None]:
        logits, *others = ctx.saved_tensors
        out = torch.empty_like(logits)
        arrays = [tensor.contiguous().numpy() for tensor in (*others, *slopes, out)]
        judge_actions_backward(logits.numpy(), *arrays)
        return out, None, None


def judge(logits: Tensor, masks: Tensor, actions: Tensor) -> tuple[Tensor, Tensor]:
    """Log-probabilities of *actions* and entropies `[B]`; `masks[B, A]` are int8 or bool."""
    if logits.device.type == "cpu" and logits.dtype == torch.float32:
        log_probs, entropies = _Judge.apply(logits, masks.to(torch.int8), actions)  # type: ignore[no-untyped-call]
        return log_probs, entropies
    all_log_probs = masked_log_softmax(logits, masks)
    chosen = all_log_probs.gather(-1, actions.unsqueeze(-1)).squeeze(-1)
    # exp(-1e8) is exactly 0, so illegal actions add nothing.
    return chosen, -(all_log_probs.exp() * all_log_probs).sum(-1)


class NetworkPolicy(BuiltPolicy):
    """`PolicyNetwork` for MaskablePPO; give it `policy_kwargs={"network": NetworkConfig(...)}`.

    Without a network in the keywords it takes the default one for the spaces.
    """

    def __init__(
        self,
        observation_space: spaces.Space[Any],
        action_space: spaces.Space[Any],
        lr_schedule: Any,
        *,
        network: NetworkConfig | None = None,
        **kwargs: Any,
    ) -> None:
        if not isinstance(observation_space, spaces.Box) or len(observation_space.shape) != 1:
            raise TypeError(f"expected observations as one row of numbers, got {observation_space}")
        if not isinstance(action_space, spaces.Discrete):
            raise TypeError(f"expected a Discrete action space, got {action_space}")
        if network is None:
            network = NetworkConfig(
                observation=observation_space.shape[0], actions=int(action_space.n)
            )
        kwargs.setdefault("optimizer_kwargs", {"fused": True, "eps": 1e-5})
        self.network_config = network
        super().__init__(observation_space, action_space, lr_schedule, **kwargs)

    def forward(
        self,
        obs: Tensor,
        deterministic: bool = False,
        action_masks: Any = None,
    ) -> tuple[Tensor, Tensor, Tensor]:
        """Actions, values `[B, 1]` and log-probabilities."""
        logits, values = self.network(obs)
        log_probs = masked_log_softmax(logits, self._masks(logits, action_masks))
        actions = (
            log_probs.argmax(-1)
            if deterministic
            else torch.multinomial(log_probs.exp(), 1).squeeze(-1)
        )
        chosen = log_probs.gather(-1, actions.unsqueeze(-1)).squeeze(-1)
        return actions, values.unsqueeze(-1), chosen

    def evaluate_actions(
        self, obs: Tensor, actions: Tensor, action_masks: Any = None
    ) -> tuple[Tensor, Tensor, Tensor]:
        """Values `[B, 1]`, log-probabilities of *actions* and entropies."""
        logits, values = self.network(obs)
        log_probs, entropies = judge(logits, self._masks(logits, action_masks), actions.long())
        return values.unsqueeze(-1), log_probs, entropies

    def predict_values(self, obs: Any) -> Tensor:
        """Values `[B, 1]`."""
        return self.network.values(obs).unsqueeze(-1)

    def get_distribution(self, obs: Any, action_masks: Any = None) -> MaskableDistribution:
        """A distribution object, for those who ask for one."""
        distribution = self.action_dist.proba_distribution(action_logits=self.network.logits(obs))
        if action_masks is not None:
            distribution.apply_masking(action_masks)
        return distribution

    @staticmethod
    def _masks(logits: Tensor, action_masks: Any) -> Tensor:
        if action_masks is None:
            return torch.ones_like(logits, dtype=torch.bool)
        if not isinstance(action_masks, Tensor):
            action_masks = torch.from_numpy(np.asarray(action_masks))
        return action_masks.to(logits.device).reshape(logits.shape)  # type: ignore[no-any-return]
