"""All that training takes from inside Stable-Baselines3 and sb3-contrib, in one place.

Checked against 2.9.2 of both. They promise nothing about names with an underscore, about what
others may set, or about how a rollout is kept, so a new version may change any of it;
`tests/train/test_sb3.py` then says what. Everything else in `train/` keeps to what is public.

- `learn` cannot be left between two updates and entered again. A run that is measured, saved and
  resumed there calls what `learn` would: `_setup_learn`, `collect_rollouts` and `train`, with
  `_current_progress_remaining` set before them; `_n_updates` is all that they count themselves.
- The stock buffer copies a rollout before it cuts it up, and keeps masks as four bytes each. Ours
  has the same arrays under the same names, in memory that is allocated once.
- `_build` and `_get_constructor_parameters` are where a policy gets a network of its own.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
import torch
from numpy.typing import NDArray
from sb3_contrib import MaskablePPO
from sb3_contrib.common.maskable.buffers import MaskableRolloutBuffer
from sb3_contrib.common.maskable.policies import MaskableActorCriticPolicy
from torch import Tensor

from ..agents.checkpoint import pack, unpack
from ..agents.network import NetworkConfig, PolicyNetwork


class BuiltPolicy(MaskableActorCriticPolicy):
    """A policy whose only parameters are those of a `PolicyNetwork`."""

    network_config: NetworkConfig
    """to be set before the stock constructor is called"""

    def _build(self, lr_schedule: Any) -> None:
        """Make network and optimizer; the stock constructor ends with this call."""
        self.network = PolicyNetwork(self.network_config)
        optimizer: Any = self.optimizer_class
        self.optimizer = optimizer(
            self.network.parameters(), lr=lr_schedule(1), **self.optimizer_kwargs
        )

    def _get_constructor_parameters(self) -> dict[str, Any]:
        """What `save` keeps beside the weights, for `load` to call the constructor with."""
        return {**super()._get_constructor_parameters(), "network": self.network_config}


ARRAYS = (
    "observations", "actions", "values", "log_probs", "advantages", "returns", "action_masks",
    "advice",
)  # fmt: skip
"""What a minibatch is cut from, in the order of `Samples`."""


class Samples(NamedTuple):
    """A minibatch: the stock one's fields under the same names, and the teacher's choices."""

    observations: Tensor
    actions: Tensor
    old_values: Tensor
    old_log_prob: Tensor
    advantages: Tensor
    returns: Tensor
    action_masks: Tensor
    advice: Tensor


class RolloutArrays(MaskableRolloutBuffer):
    """What the learner saw, did and earned since the last update: `T` steps of `N` rows.

    Same contents and same order of minibatches as the stock buffer.
    """

    advice: NDArray[np.int64]
    """what the teacher would have done `[T, N]`"""
    is_allocated = False

    def reset(self) -> None:
        """Start a new rollout in the same memory; the stock constructor ends with this call."""
        if not self.is_allocated:
            super().reset()
            self.action_masks: NDArray[Any] = self.action_masks.astype(np.int8)
            self.advice = np.zeros((self.buffer_size, self.n_envs), np.int64)
            self.is_allocated = True
        self.pos = 0
        self.full = False

    def finish(self, last_values: Tensor, dones: NDArray[np.bool_]) -> None:
        """Compute advantages and returns of a rollout whose arrays have been filled.

        *last_values* `[N]` are those of the positions after it; *dones* says where a game ended.
        """
        self.pos, self.full = self.buffer_size, True
        self.compute_returns_and_advantage(last_values=last_values, dones=dones)

    def get(self, batch_size: int | None = None) -> Iterator[Samples]:  # type: ignore[override]
        """Minibatches in a random order drawn as the stock buffer draws it."""
        count = self.buffer_size * self.n_envs
        order = np.random.permutation(count)  # the stock buffer's generator
        # The stock buffer numbers row by row, the arrays here lie step by step: its sample
        # i is step i % T of row i // T, which is found here at step * N + row.
        order = order % self.buffer_size * self.n_envs + order // self.buffer_size
        arrays = [torch.from_numpy(getattr(self, name).reshape(count, -1)) for name in ARRAYS]
        for part in torch.split(torch.from_numpy(order), batch_size or count):
            obs, actions, *numbers, masks, advice = (a.index_select(0, part) for a in arrays)
            columns = (column.squeeze(1) for column in numbers)
            samples = (obs, actions, *columns, masks, advice)
            yield Samples(*(tensor.to(self.device) for tensor in samples))


class SteppedPPO(MaskablePPO):
    """MaskablePPO that is driven update by update, and saved exactly between two of them."""

    policy: BuiltPolicy
    rollout_buffer: RolloutArrays

    def __init__(self, policy: type[BuiltPolicy], env: Any, **kwargs: Any) -> None:
        kwargs.setdefault("rollout_buffer_class", RolloutArrays)
        super().__init__(policy, env, **kwargs)

    def begin(self, steps: int) -> None:
        """Begin the first games of a run with so many decisions."""
        self._setup_learn(steps)

    def step_once(self, left: float) -> None:
        """Play one rollout and learn from it; *left*, 1 to 0, is the share of the run to come."""
        self._current_progress_remaining = left
        games: Any = self.env
        callback: Any = None
        self.collect_rollouts(games, callback, self.rollout_buffer, self.n_steps)
        self.train()

    def begin_epochs(self) -> float:
        """Set the learning rate to what is due; returns the clip range, which is due too."""
        self.policy.set_training_mode(True)
        self._update_learning_rate(self.policy.optimizer)
        clip_range: Any = self.clip_range
        return float(clip_range(self._current_progress_remaining))

    def end_epoch(self) -> None:
        """Count one more pass over the rollout."""
        self._n_updates += 1

    def state(self) -> dict[str, Any]:
        """All but the weights, between two updates: steps, optimizer, the global generators."""
        numpy_state: Any = np.random.get_state()  # the order of minibatches is drawn from it
        return {
            "step": self.num_timesteps,
            "updates": self._n_updates,
            "optimizer": self.policy.optimizer.state_dict(),
            "torch": torch.get_rng_state(),
            "numpy": {"key": pack(numpy_state[1]), "pos": int(numpy_state[2])},
        }

    def restore(self, state: Mapping[str, Any]) -> None:
        """Go on from a `state`, after `begin`."""
        self.num_timesteps = state["step"]
        self._n_updates = state["updates"]
        self._restore_optimizer(**state["optimizer"])
        torch.set_rng_state(state["torch"].cpu())
        key = unpack(state["numpy"]["key"], np.empty(624, np.uint32))
        np.random.set_state(("MT19937", key, state["numpy"]["pos"], 0, 0.0))

    def _restore_optimizer(
        self, state: Mapping[int, Mapping[str, Tensor]], param_groups: Sequence[Mapping[str, Any]]
    ) -> None:
        """Take over what the optimizer has seen; its settings are the configuration's."""
        optimizer = self.policy.optimizer
        shapes = [parameter.shape for parameter in self.policy.network.parameters()]
        for k, values in state.items():
            if any(value.ndim and value.shape != shapes[k] for value in values.values()):
                raise ValueError(f"expected moments of the shape {tuple(shapes[k])} for weight {k}")
        groups = [
            group | {"lr": saved["lr"]}
            for group, saved in zip(
                optimizer.state_dict()["param_groups"], param_groups, strict=True
            )
        ]
        optimizer.load_state_dict({"state": state, "param_groups": groups})
