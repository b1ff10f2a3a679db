"""The windows of a game as inputs of a network: `B` rows, `D` observation, `W` window numbers."""

# ruff: noqa: PLR0917
# (compiled code: every array is an argument, and a call inside a kernel has no keywords)

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

from ..envs.engine.dtypes import Floats
from ..envs.engine.jit import kernel
from ..envs.engine.segments import Windows


class WindowInputs(nn.Module):
    """Observations `[B, D]` in, what lies around each piece `[B, W]` out, piece by piece.

    The numbers of a piece that is not on the ring are zero. On the CPU it is a compiled loop.
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
        if observations.device.type == "cpu" and not observations.requires_grad:
            return self._compiled(observations)
        w = self.windows
        rows = observations[:, w.pieces : w.pieces + w.count * w.places]
        on_ring = rows.reshape(-1, w.count, w.places)[:, :, w.first : w.first + w.fields]
        # Of a one-hot row the largest number is 1 and stands at the piece's field; of a piece that
        # is not on the ring it is 0, and what is gathered around field 0 is multiplied by that.
        is_there, field = on_ring.max(2)
        if w.turned is not None:
            half_turn = observations[:, w.turned, None].long() * (w.fields // 2)
            field = (field + half_turn) % w.fields
        seen = observations.gather(1, self.columns[field].flatten(1))
        around = seen.reshape(len(seen), w.count, -1) * is_there.unsqueeze(2)
        return around.flatten(1)

    def _compiled(self, observations: Tensor) -> Tensor:
        w = self.windows
        out = torch.empty(len(observations), w.size)
        look_around(
            np.ascontiguousarray(observations.numpy(), np.float32),
            self.columns.numpy(),
            w.pieces + w.first,
            w.places,
            -1 if w.turned is None else w.turned,
            out.numpy().reshape(len(out), w.count, -1),
        )
        return out


@kernel
def look_around(
    observations: Floats,
    columns: NDArray[np.int64],
    pieces: int,
    places: int,
    turned: int,
    out: Floats,
) -> None:
    """Fill `out[b, piece]` with the *columns* `[fields, K]` around the field of each piece.

    The first piece begins at the column *pieces*, the next one *places* further; *turned* is
    the column that is 1 if fields are counted from half way on, or -1 if they never are.
    """
    fields, width = columns.shape
    for b in range(out.shape[0]):
        turn = fields // 2 if turned >= 0 and observations[b, turned] > 0.0 else 0
        for piece in range(out.shape[1]):
            start = pieces + piece * places
            field = 0
            while field < fields and observations[b, start + field] == 0.0:
                field += 1
            if field == fields:
                out[b, piece, :] = 0.0
                continue
            field = (field + turn) % fields
            for k in range(width):
                out[b, piece, k] = observations[b, columns[field, k]]
