"""What the file of a trainer holds, `trainer.pt`: checked before anything of it is used.

A file may be cut, edited or made by somebody else. Types, lengths and ranges are stated here; that
records describe positions and that opponents exist is checked where they are restored.
"""

from collections.abc import Mapping
from typing import Annotated, Any

import torch
from pydantic import AfterValidator, BaseModel, ConfigDict, Field, ValidationError
from torch import Tensor

from ..envs.engine.explain import explain


def _finite(value: Tensor) -> Tensor:
    if value.is_floating_point() and not torch.isfinite(value).all():
        raise ValueError("expected finite numbers")
    return value


def _bytes(value: Tensor) -> Tensor:
    if value.dtype != torch.uint8 or value.ndim != 1:
        raise ValueError("expected a row of bytes")
    return value


Finite = Annotated[Tensor, AfterValidator(_finite)]
Bytes = Annotated[Tensor, AfterValidator(_bytes)]
"""An array as `pack` makes it."""
Whole = Annotated[int, Field(ge=0, lt=2**31)]
Amount = Annotated[float, Field(ge=0, allow_inf_nan=False)]


class _Saved(BaseModel):
    model_config = ConfigDict(strict=True, extra="forbid", arbitrary_types_allowed=True)


class SavedLatest(_Saved):
    """A self of the learner that is still playing."""

    step: Whole
    weights: dict[str, Finite]


class SavedOpponents(_Saved):
    """`Opponents.state`."""

    next_number: Whole
    latest: dict[Whole, SavedLatest]
    past: dict[Whole, Whole]
    active: list[Whole]
    members: list[Annotated[list[Amount], Field(min_length=5, max_length=5)]]
    tallies: dict[str, Annotated[list[Amount], Field(min_length=2, max_length=2)]]
    stream: Annotated[int, Field(ge=-(2**63), lt=2**63)]


class SavedNumpy(_Saved):
    """NumPy's global generator."""

    key: Bytes
    pos: Annotated[int, Field(ge=0, le=624)]


class SavedGroup(_Saved, extra="ignore"):
    """The settings of an optimizer, which follow from the configuration, but for this one."""

    lr: Amount


class SavedOptimizer(_Saved):
    """torch's own; `SteppedPPO.restore` compares it with the parameters."""

    state: dict[Whole, dict[str, Finite]]
    param_groups: list[SavedGroup]


class SavedTrainer(_Saved):
    """`Trainer.state`."""

    record: str
    step: Whole
    updates: Whole
    optimizer: SavedOptimizer
    torch: Bytes
    numpy: SavedNumpy
    choices: Bytes
    teacher: dict[str, Bytes]
    split: dict[str, Amount]
    starts: Bytes
    play: dict[str, Bytes]
    opponents: SavedOpponents
    lessons: str = ""


def check_saved(state: Mapping[str, Any]) -> None:
    """Raise `ValueError`, in one line, for a state that is not as stated here."""
    try:
        SavedTrainer.model_validate(state)
    except ValidationError as error:
        raise ValueError(
            explain(error, SavedTrainer, noun="entry", where="of the trainer's state")
        ) from None
