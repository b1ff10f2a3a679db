"""Everything one training run depends on: preset < file < `--set`, checked, saved with the run."""

from collections.abc import Mapping, Sequence
from itertools import pairwise
from pathlib import Path
from typing import Annotated, Any, Literal, Self, TypeAlias

import tomli_w
from pydantic import BaseModel, ConfigDict, Field, ValidationError, field_validator, model_validator

from .. import envs
from ..agents.files import read_toml
from ..envs.engine.errors import OptionsError, expect
from ..envs.engine.explain import explain
from ..envs.engine.settings import apply_settings
from ..eval.plan import MOST_GAMES

DEFAULT_PRESET = "standard"
MOST, MOST_STEPS = 2**24, 10**15
"""More of anything, and more decisions, is a slip of the hand that would fill the memory."""
MOST_WEIGHTS = 2**27
"""Between hidden layers: with what the optimizer keeps of each, two gigabytes."""


Units: TypeAlias = Annotated[int, Field(ge=1, le=65_536)]


class Section(BaseModel):
    """A table of the configuration: frozen, no unknown keys; the text under a field is its help."""

    model_config = ConfigDict(
        frozen=True, extra="forbid", use_attribute_docstrings=True, allow_inf_nan=False
    )

    @field_validator("*")
    @classmethod
    def _check_size(cls, value: Any) -> Any:
        for number in value.values() if isinstance(value, dict) else (value,):
            if isinstance(number, float) and abs(number) > MOST:  # no 32 bits hold 1e39
                raise ValueError(f"expected numbers from -{MOST} to {MOST}")
        return value


class NetworkSection(Section):
    """The network."""

    hidden: tuple[Units, ...] = Field(default=(256, 256), max_length=64)
    """units of the hidden layers"""
    activation: Literal["relu", "tanh"] = "relu"
    """the activation function between two layers"""
    shared: bool = True
    """whether policy and value share one trunk (twice as fast) or have a tower each"""
    scaled_inputs: bool = True
    """normalise each input by its mean and spread in random play before the first step"""
    windows: bool = False
    """add inputs for what lies around each piece, in a game with a ring (tokken)"""
    adviser: str | None = None
    """the baseline or agent file whose choice the network is told; none by default, or if empty"""
    adviser_gain: float = Field(default=5.0, ge=0, le=100)
    """what that choice adds to its logit at the start; it is learned from there"""

    @model_validator(mode="after")
    def _check(self) -> Self:
        weights = sum(before * after for before, after in pairwise(self.hidden))
        if weights > MOST_WEIGHTS:
            raise ValueError(
                f"expected at most {MOST_WEIGHTS} weights between hidden layers, got {weights}"
            )
        return self


class PpoSection(Section):
    """Proximal policy optimisation, by the names of sb3-contrib where it has one."""

    learning_rate: float = Field(default=1e-3, gt=0)
    """step size of Adam at the start"""
    learning_rate_end: float = Field(default=1e-4, ge=0)
    """step size at the end; linear in between"""
    batch_size: int = Field(default=4096, ge=2, le=MOST)
    """decisions per gradient step"""
    epochs: int = Field(default=4, ge=1, le=1000)
    """passes over each rollout"""
    gamma: float = Field(default=0.999, gt=0, le=1)
    """discount per decision of the learner"""
    gae_lambda: float = Field(default=0.95, ge=0, le=1)
    """how far an advantage looks ahead"""
    clip_range: float = Field(default=0.2, gt=0)
    """how far an update may move a probability"""
    entropy: float = Field(default=0.01, ge=0)
    """weight of the entropy in the loss at the start: how strongly exploration is encouraged"""
    entropy_end: float = Field(default=0.001, ge=0)
    """weight of the entropy at the end; linear in between"""
    value_weight: float = Field(default=0.5, ge=0)
    """weight of the value loss"""
    max_grad_norm: float = Field(default=0.5, gt=0)
    """a gradient with a larger norm is scaled down to this norm"""
    target_kl: float | None = Field(default=None, gt=0)
    """stop an update once it has moved the policy by 1.5 times this KL divergence"""

    def rate_at(self, left: float) -> float:
        """The learning rate when the share *left*, 1 to 0, of the run is still to come."""
        return self.learning_rate_end + left * (self.learning_rate - self.learning_rate_end)

    def entropy_at(self, left: float) -> float:
        """The weight of the entropy then."""
        return self.entropy_end + left * (self.entropy - self.entropy_end)


class ImitationSection(Section):
    """A teacher that is imitated at first: an agent, a file of what one said, or both."""

    teacher: str | None = None
    """the agent whose choices the learner imitates at first; none by default, or if empty"""
    data: str | None = None
    """a file that `spelkast teach` wrote, to learn from before and beside PPO; none by default"""
    passes: int = Field(default=5, ge=0, le=1000)
    """passes over that file before the first step"""
    target: Literal["choice", "shares"] = "choice"
    """what is learned from it: the teacher's choice, or the share of its visits to each action"""
    weight: float = Field(default=1.0, gt=0)
    """weight of the imitation loss at the start, which is added to PPO's loss"""
    steps: int = Field(default=1_000_000, ge=1, le=MOST_STEPS)
    """decisions until that weight has fallen to zero, linearly"""

    def weight_at(self, step: int) -> float:
        """The weight of what the teacher says after *step* decisions."""
        if not (self.teacher or self.data):
            return 0.0
        return self.weight * max(0.0, 1.0 - step / self.steps)


class OpponentsSection(Section):
    """The players on the other seats."""

    weights: dict[str, float] = {"self": 0.4, "past": 0.3, "random": 0.3}
    """how often each is an opponent: self (the learner), past (its former selves), or any agent"""
    partners: dict[str, float] = {"learner": 1.0}
    """how often each is the partner: learner (it then learns from both seats), or as in weights"""
    deterministic: bool = False
    """whether past and latest selves always take their likeliest action"""
    snapshot_every: int = Field(default=1_000_000, ge=1, le=MOST_STEPS)
    """decisions between two additions to the pool of past selves"""
    pool_size: int = Field(default=50, ge=1, le=MOST)
    """past selves that are kept; a full pool drops the easiest one"""
    active: int = Field(default=4, ge=1, le=MOST)
    """past selves that new games are drawn from between two updates"""
    prioritized: float = Field(default=0.5, ge=0, le=1)
    """share of past selves chosen by how hard they are to beat; the others are chosen evenly"""

    @model_validator(mode="after")
    def _check(self) -> Self:
        for weights in (self.weights, self.partners):
            if not weights or min(weights.values()) < 0 or sum(weights.values()) <= 0:
                raise ValueError("expected weights that are not negative and not all zero")
        if "learner" in self.weights:
            raise ValueError(
                "expected 'self' for the learner as its own opponent, 'learner' is for partners"
            )
        return self


class EvaluationSection(Section):
    """Matches that measure the learner during training and at its end; it learns nothing there."""

    every: int = Field(default=1_000_000, ge=1, le=MOST_STEPS)
    """decisions between two evaluations"""
    games: int = Field(default=400, ge=2, le=MOST_GAMES)
    """games against each opponent"""
    against: tuple[str, ...] = ("random",)
    """the opponents"""
    best_by: str | None = None
    """the opponent whose matches decide which checkpoint is the best; by default the last one"""
    deterministic: bool = False
    """whether the network takes its likeliest action"""
    final_games: int = Field(default=1000, ge=2, le=MOST_GAMES)
    """games against each opponent at the end"""
    final_against: tuple[str, ...] = ("random",)
    """the opponents at the end"""

    @model_validator(mode="after")
    def _check(self) -> Self:
        if self.best_by is not None and self.best_by not in self.against:
            raise ValueError("expected best_by to be one of against")
        return self


class CheckpointsSection(Section):
    """Which checkpoints are kept on disk."""

    every: int = Field(default=1_000_000, ge=1, le=MOST_STEPS)
    """decisions between two checkpoints"""
    keep: int = Field(default=5, ge=1, le=MOST)
    """newest checkpoints that are kept, besides the best"""


class TrainConfig(Section):
    """One training run."""

    options: dict[str, Any] = {}
    """options of the game that differ from their defaults"""
    seed: int = Field(default=0, ge=0, lt=2**32)
    """the seed of all random numbers of the run"""
    steps: int = Field(default=10_000_000, ge=1, le=MOST_STEPS)
    """decisions of the learner"""
    rows: int = Field(default=512, ge=1, le=65_536)
    """games played side by side"""
    steps_per_update: int = Field(default=64, ge=2, le=65_536)
    """decisions per row between two updates"""
    threads: int = Field(default=1, ge=1, le=1024)
    """threads for matrix products; another number may round differently"""
    device: Literal["auto", "cpu", "cuda"] = "auto"
    """where the network is updated (auto: on a GPU if there is one); opponents play on the CPU"""
    skip_forced: bool = True
    """play the learner's only legal action without making it a decision"""
    shaping: dict[str, float] = {}
    """extra reward for each change of a segment of the observation, by its name"""
    network: NetworkSection = NetworkSection()
    ppo: PpoSection = PpoSection()
    imitation: ImitationSection = ImitationSection()
    opponents: OpponentsSection = OpponentsSection()
    evaluation: EvaluationSection = EvaluationSection()
    checkpoints: CheckpointsSection = CheckpointsSection()

    @property
    def update_steps(self) -> int:
        """Decisions between two updates, all rows together."""
        return self.rows * self.steps_per_update

    @model_validator(mode="after")
    def _check(self) -> Self:
        if self.update_steps > MOST:
            raise ValueError(
                f"expected at most {MOST} decisions in an update (rows x steps_per_update), "
                f"got {self.update_steps}"
            )
        return self

    def to_toml(self) -> str:
        """The whole configuration as a file that can be trained from again."""
        return tomli_w.dumps(self.model_dump(mode="json", exclude_none=True))


def presets(game: str) -> list[str]:
    """The names of the presets that come with *game*."""
    return list(envs.home(game).presets())


def load_config(game: str, source: str | None, settings: Sequence[str] = ()) -> TrainConfig:
    """The configuration from a preset's name or a TOML file, changed by `key=value` *settings*.

    A file may name the preset it changes: `preset = "standard"`. Without a source the standard
    preset is taken; a game that has none needs a file.
    """
    known = presets(game)
    if source is None and DEFAULT_PRESET not in known:
        raise OptionsError(
            f"expected a configuration file (--config F): {game} has no preset "
            f"{DEFAULT_PRESET!r} in {envs.home(game).configs}, got none"
        )
    if source is None or source in known:
        name = source or DEFAULT_PRESET
        values, where = _preset(game, name), f"preset {name}"
    else:
        values, where = _read_file(game, source, known), source
    if settings:
        where += " with --set"
        apply_settings(values, settings, TrainConfig, tables={"options": envs.spec(game).options})
    return parse_config(values, where)


def parse_config(values: Mapping[str, Any], where: str) -> TrainConfig:
    """Check plain values; raises `OptionsError` that names the key and what it expects."""
    try:
        return TrainConfig.model_validate(dict(values))
    except ValidationError as error:
        raise OptionsError(explain(error, TrainConfig, noun="key", where=f"in {where}")) from None


def _preset(game: str, name: str) -> dict[str, Any]:
    return read_toml(envs.home(game).presets()[name], OptionsError)


def _read_file(game: str, source: str, known: Sequence[str]) -> dict[str, Any]:
    path = Path(source)
    names = ", ".join(known) or "it has none"
    wanted = f"a configuration file or a preset of {game} ({names})"
    expect(path.is_file(), wanted, repr(source), error=OptionsError)
    values = read_toml(path, OptionsError)
    base = values.pop("preset", None)
    if base is None:
        return values
    wanted = f"a preset of {game} ({', '.join(known)})"
    expect(base in known, wanted, f"{base!r} in {source}", error=OptionsError)
    return _merge(_preset(game, base), values)


REPLACED = ("weights", "partners", "shaping", "options")
"""Tables that are taken whole: to name an opponent is to name them all."""


def _merge(base: dict[str, Any], changes: Mapping[str, Any]) -> dict[str, Any]:
    merged = dict(base)
    for key, value in changes.items():
        if isinstance(value, dict) and isinstance(merged.get(key), dict) and key not in REPLACED:
            merged[key] = _merge(merged[key], value)
        else:
            merged[key] = value
    return merged
