"""The rollout: what the learner saw, did and earned since the last update.

Same contents and same order of minibatches as the stock buffer, but allocated once, with masks as
bytes, and cut into minibatches without copying everything first. `T` steps of `N` rows.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np
import torch
from numpy.typing import NDArray
from sb3_contrib.common.maskable.buffers import MaskableRolloutBuffer
from torch import Tensor


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
    """`MaskableRolloutBuffer` with the same numbers and less copying."""

    is_allocated = False

    def reset(self) -> None:
        """Start a new rollout in the same memory."""
        if not self.is_allocated:
            self.mask_dims = int(self.action_space.n)  # type: ignore[attr-defined]
            super().reset()
            shape = (self.buffer_size, self.n_envs, self.mask_dims)
            self.action_masks: NDArray[Any] = np.ones(shape, np.int8)
            self.advice = np.zeros((self.buffer_size, self.n_envs), np.int64)
            self.is_allocated = True
        self.pos = 0
        self.full = False

    def get(self, batch_size: int | None = None) -> Iterator[Samples]:  # type: ignore[override]
        """Minibatches in a random order drawn as the stock buffer draws it."""
        count = self.buffer_size * self.n_envs
        order = np.random.permutation(count)  # the stock buffer's generator
        # The stock buffer numbers row by row, the arrays here lie step by step.
        order = order % self.buffer_size * self.n_envs + order // self.buffer_size
        indices = torch.from_numpy(order)
        arrays = [
            torch.from_numpy(array.reshape(count, -1))
            for array in (
                self.observations,
                self.actions,
                self.values,
                self.log_probs,
                self.advantages,
                self.returns,
                self.action_masks,
                self.advice,
            )
        ]
        for part in torch.split(indices, batch_size or count):
            obs, actions, *numbers, masks, advice = (a.index_select(0, part) for a in arrays)
            values, log_probs, advantages, returns = (column.squeeze(1) for column in numbers)
            samples = (obs, actions, values, log_probs, advantages, returns, masks, advice)
            yield Samples(*(tensor.to(self.device) for tensor in samples))
