"""The network that looks at an observation and says how good each action and the position are.

Plain torch, known to the agents and wrapped by training. `B` rows, `D` observation, `A` actions.
"""

import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from itertools import pairwise
from typing import Any, Literal, Self

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn.functional import embedding, linear, one_hot

from ..envs.engine.dtypes import Floats
from ..envs.engine.errors import ContractError, UnknownNameError, expect
from ..envs.engine.segments import Windows
from .windows import WindowInputs

ACTIVATIONS: dict[str, type[nn.Module]] = {"relu": nn.ReLU, "tanh": nn.Tanh}
HIDDEN_GAIN, POLICY_GAIN, VALUE_GAIN = 2**0.5, 0.01, 1.0
"""Gains of the orthogonal start: a nearly uniform policy, as in Stable-Baselines3."""

DEVICES = ("auto", "cpu", "cuda")
SMALLEST_SPREAD = 0.05
"""Inputs that hardly vary are not blown up beyond 20 times their size."""


@dataclass(frozen=True, kw_only=True)
class NetworkConfig:
    """What has to be known to build a network again."""

    observation: int
    actions: int
    hidden: tuple[int, ...] = (256, 256)
    activation: Literal["relu", "tanh"] = "relu"
    shared: bool = True
    """one trunk for policy and value, or a tower for each"""
    windows: Windows | None = None
    """what to look at besides the observation, in a game with a ring"""
    adviser_gain: float | None = None
    """what an adviser's choice adds to its logit before anything is learned; None without one"""

    def __post_init__(self) -> None:
        """A compiled loop looks there, which checks no index."""
        fits = self.windows is None or self.windows.fits(self.observation)
        wanted = f"windows within the {self.observation} numbers of an observation"
        expect(fits, wanted, self.windows, error=ContractError)

    @property
    def is_advised(self) -> bool:
        """Whether the network is told what an adviser would do."""
        return self.adviser_gain is not None

    @property
    def parts(self) -> list[int]:
        """Sizes of what the first layer gets: the observation, the windows, the advice."""
        windows = [self.windows.size] if self.windows else []
        return [self.observation, *windows, *[self.actions] * self.is_advised]

    @property
    def inputs(self) -> int:
        """Numbers that the first layer gets."""
        return sum(self.parts)

    def to_json(self) -> dict[str, Any]:
        """Plain JSON, for the manifest; what a network does not have is left out."""
        values = {name: value for name, value in asdict(self).items() if value is not None}
        plain: dict[str, Any] = json.loads(json.dumps(values))  # with lists where tuples were
        return plain

    @classmethod
    def from_json(cls, values: dict[str, Any]) -> Self:
        """The inverse of `to_json`."""
        windows = values.get("windows")
        if windows is not None:
            windows = Windows(**{**windows, "offsets": tuple(windows["offsets"])})
        return cls(**{**values, "hidden": tuple(values["hidden"]), "windows": windows})


class PolicyNetwork(nn.Module):
    """Observations `[B, D]` in, logits `[B, A]` and values `[B]` out.

    With an adviser observations are `[B, D + 1]`: the last number is the action that it would
    choose. It enters as a one-hot block, and a learned gain is added to its logit.
    """

    shift: Tensor  # [I] subtracted from the inputs: the observation, windows and advice if any
    scale: Tensor  # [I] then multiplied

    def __init__(self, config: NetworkConfig) -> None:
        super().__init__()
        self.config = config
        self.register_buffer("shift", torch.zeros(config.inputs))
        self.register_buffer("scale", torch.ones(config.inputs))
        self.windows = WindowInputs(config.windows) if config.windows else None
        self.policy_tower = _tower(config)
        self.value_tower = nn.Sequential() if config.shared else _tower(config)
        width = config.hidden[-1] if config.hidden else config.inputs
        self.policy_head = _linear(width, config.actions, POLICY_GAIN)
        self.value_head = _linear(width, 1, VALUE_GAIN)
        if config.adviser_gain is not None:
            self.adviser_gain = nn.Parameter(torch.tensor(float(config.adviser_gain)))
        self.is_scaled = False
        self.register_load_state_dict_post_hook(_note_scale)  # type: ignore[no-untyped-call]

    def forward(self, observations: Tensor) -> tuple[Tensor, Tensor]:
        """Logits of all actions, legal or not, and the value of the position to its mover."""
        inputs = self._inputs(observations)
        features = self._through(self.policy_tower, inputs)
        judged = features if self.config.shared else self._through(self.value_tower, inputs)
        return self._policy(features, inputs), self.value_head(judged).squeeze(-1)

    def logits(self, observations: Tensor) -> Tensor:
        """The logits alone `[B, A]`."""
        inputs = self._inputs(observations)
        return self._policy(self._through(self.policy_tower, inputs), inputs)

    def values(self, observations: Tensor) -> Tensor:
        """The values alone `[B]`."""
        return self(observations)[1]  # type: ignore[no-any-return]

    def fit_scale(self, observations: Floats) -> None:
        """Centre the inputs and give them one spread, as measured on *observations* `[N, D]`."""
        looked_at, config = torch.from_numpy(observations), self.config
        if config.windows:  # not the network's own: those may be on a GPU
            around = WindowInputs(config.windows)(looked_at)
            looked_at = torch.cat([looked_at, around], 1)
        inputs = looked_at.numpy()
        mean = inputs.mean(0)
        spread = np.maximum(inputs.std(0), SMALLEST_SPREAD)
        if config.is_advised:  # as if every action were advised equally often
            mean = np.append(mean, np.zeros(config.actions, np.float32))
            spread = np.append(spread, np.full(config.actions, config.actions**-0.5, np.float32))
        self.shift.copy_(torch.from_numpy(mean))
        self.scale.copy_(torch.from_numpy(1.0 / spread))
        self.is_scaled = True

    def _inputs(self, observations: Tensor) -> tuple[Tensor, ...]:
        """The observation, the windows if there are any, and last the action that is advised."""
        seen = observations[:, : self.config.observation]
        windows = (self.windows(observations),) if self.windows else ()
        advice = (observations[:, -1].long(),) if self.config.is_advised else ()
        return (seen, *windows, *advice)

    def _policy(self, features: Tensor, inputs: tuple[Tensor, ...]) -> Tensor:
        logits: Tensor = self.policy_head(features)
        if not self.config.is_advised:
            return logits
        advice = inputs[-1].unsqueeze(1)
        return logits.scatter_add(1, advice, self.adviser_gain.expand(advice.shape))

    def _through(self, tower: nn.Sequential, inputs: tuple[Tensor, ...]) -> Tensor:
        """The output of *tower* for the scaled inputs.

        The scale goes into the weights of the first layer and the parts are never joined: both
        would cost a pass over all inputs.
        """
        if not len(tower):
            if self.config.is_advised:
                inputs = (*inputs[:-1], one_hot(inputs[-1], self.config.actions))
            return (torch.cat(inputs, 1) - self.shift) * self.scale
        layers: list[Any] = list(tower)
        weight, bias = layers[0].weight, layers[0].bias
        if self.is_scaled:
            weight = weight * self.scale
            bias = bias - weight @ self.shift
        parts = weight.split(self.config.parts, 1)
        features = linear(inputs[0], parts[0], bias)
        if self.windows:
            features = torch.addmm(features, inputs[1], parts[1].T)
        if self.config.is_advised:  # a one-hot block picks a column
            features = features + embedding(inputs[-1], parts[-1].T)
        for layer in layers[1:]:
            features = layer(features)
        return features


def _note_scale(network: Any, _: object) -> None:
    """Weights that were just loaded may hold a scale."""
    network.is_scaled = bool((network.shift != 0).any() or (network.scale != 1).any())


def blank_network(config: NetworkConfig) -> PolicyNetwork:
    """A network whose weights are about to be loaded; torch's global generator stays as it is."""
    with torch.random.fork_rng(devices=[]):  # making a network draws numbers
        return PolicyNetwork(config)


def masked_log_softmax(logits: Tensor, masks: Tensor) -> Tensor:
    """Log-probabilities `[B, A]` over the legal actions; illegal ones get about -1e8, never NaN."""
    return torch.log_softmax(logits.masked_fill(~masks.bool(), -1e8), dim=-1)


def pick_device(name: str) -> torch.device:
    """The device for `auto` (a GPU if there is one), `cpu` or `cuda`."""
    if name not in DEVICES:
        raise UnknownNameError(f"expected a device of {', '.join(DEVICES)}, got {name!r}")
    if name == "auto":
        name = "cuda" if torch.cuda.is_available() else "cpu"
    elif name == "cuda" and not torch.cuda.is_available():
        raise UnknownNameError("expected a device of auto, cpu here (no GPU found), got 'cuda'")
    return torch.device(name)


def _tower(config: NetworkConfig) -> nn.Sequential:
    layers: list[nn.Module] = []
    sizes: Sequence[int] = (config.inputs, *config.hidden)
    for before, after in pairwise(sizes):
        layers += [_linear(before, after, HIDDEN_GAIN), ACTIVATIONS[config.activation]()]
    return nn.Sequential(*layers)


def _linear(before: int, after: int, gain: float) -> nn.Linear:
    layer = nn.Linear(before, after)
    nn.init.orthogonal_(layer.weight, gain)
    nn.init.zeros_(layer.bias)
    return layer
