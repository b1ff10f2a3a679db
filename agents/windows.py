"""The windows of a game as inputs of a network: `B` rows, `D` observation, `W` window numbers."""

from __future__ import annotations

import torch
from torch import Tensor, nn

from ..envs.engine.windows import Windows


class WindowInputs(nn.Module):
    """Observations `[B, D]` in, the same with the windows behind them `[B, D + W]` out.

    The numbers of a piece that is not on the ring are zero.
    """

    columns: Tensor  # [fields, lanes * offsets] the columns around each field

    def __init__(self, windows: Windows) -> None:
        super().__init__()
        self.windows = windows
        fields = torch.arange(windows.fields)[:, None, None]
        lanes = torch.arange(windows.lanes)[None, :, None]
        around = (fields + torch.tensor(windows.offsets)) % windows.fields
        columns = windows.ring + lanes * windows.fields + around
        self.register_buffer("columns", columns.flatten(1), persistent=False)

    def forward(self, observations: Tensor) -> Tensor:
        """Look around each piece."""
        w = self.windows
        rows = observations[:, w.pieces : w.pieces + w.count * w.places]
        on_ring = rows.reshape(-1, w.count, w.places)[:, :, w.first : w.first + w.fields]
        is_there, field = on_ring.max(2)
        if w.turned is not None:
            half_turn = observations[:, w.turned, None].long() * (w.fields // 2)
            field = (field + half_turn) % w.fields
        seen = observations.gather(1, self.columns[field].flatten(1))
        around = seen.reshape(len(seen), w.count, -1) * is_there.unsqueeze(2)
        return torch.cat([observations, around.flatten(1)], 1)
