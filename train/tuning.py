"""Evolving the numbers of a baseline: CMA-ES on paired deals, with a log from which it goes on.

The log holds what every candidate was found to be worth. Whoever asks the strategy again, with the
same seed, for the candidates of each generation and tells it these worths has it where it was, so
nothing else is kept.
"""

import json
import shlex
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, field
from functools import cache, partial
from pathlib import Path
from time import perf_counter
from typing import TypeAlias

import numpy as np
from cmaes import CMAwM
from numpy.typing import NDArray

from .. import __version__, envs
from ..agents.agent import Agent, KernelAgent
from ..agents.files import claimed, write_text
from ..agents.parameters import Weights
from ..agents.registry import baseline, make_agent
from ..agents.tuned import AnyChoice, weights_of, with_weights, write_agent_file
from ..envs.engine.dtypes import Json
from ..envs.engine.errors import SpelkastError, expect, shown
from ..envs.engine.textfiles import read_text
from ..eval.games import play_games
from ..eval.match import MatchResult, play_match
from ..eval.plan import MatchPlan
from .workers import Map, workers

SIGMA = 0.05
"""How far candidates stray at first, as a share of each parameter's range."""

LEAD = 0.4
"""What a lead of one standard deviation adds to a score: as many games would be won by luck."""

MEASURED = 2000
"""Games of the match at the end, against each opponent."""

Vector: TypeAlias = NDArray[np.float64]


@dataclass(frozen=True, kw_only=True)
class TuningPlan:
    """What a tuning depends on, apart from how long it lasts."""

    game: str
    baseline: str
    """whose parameters are evolved, from its values on"""
    against: tuple[str, ...]
    """the agents that candidates meet"""
    games: int
    """of each candidate against each opponent"""
    seed: int
    options: str = "{}"
    """of the game, those that are no defaults, as JSON"""

    def choice(self) -> AnyChoice:
        """How the baseline chooses; raises `UnknownNameError` if there is none."""
        return baseline(self.baseline, self.game)

    def weights(self) -> Weights:
        """The parameters of the baseline; raises `SpelkastError` if it has none."""
        weights = weights_of(self.choice())
        if weights is None:
            raise SpelkastError(
                f"expected a baseline of {self.game} with parameters, got {self.baseline!r}"
            )
        return weights

    def match(self, weights: Weights, opponent: int, seed: tuple[int, ...]) -> MatchPlan:
        """A match of a candidate; the same *seed* brings the same deals."""
        spec = envs.spec(self.game)
        candidate = KernelAgent("candidate", with_weights(self.choice(), weights))
        return MatchPlan(
            spec=spec,
            options=spec.parse_options(json.loads(self.options)),
            agents=(candidate, _opponents(self)[opponent]),
            games=self.games,
            seed=seed,
        )


@dataclass(frozen=True, kw_only=True)
class Generation:
    """What came of one generation."""

    worths: list[float]
    """of each candidate, the higher the better"""
    scores: list[float]
    """mean score of all candidates against each opponent"""
    seconds: float


@dataclass(kw_only=True)
class Tuning:
    """A tuning and its log, as far as they have come."""

    plan: TuningPlan
    log: Path
    generations: list[Generation] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.weights = self.plan.weights()
        self.search = _Search(self.weights, self.plan.seed)
        if self.log.exists():
            self._replay()

    @property
    def seconds(self) -> float:
        """How long all generations took."""
        return sum(generation.seconds for generation in self.generations)

    @property
    def best(self) -> Weights:
        """The middle of where the strategy looks now."""
        return self.search.middle()

    def step(self, spread: Map) -> Generation:
        """Play one generation and write it down."""
        start = perf_counter()
        candidates = self.search.ask()
        number = len(self.generations) + 1
        played = list(spread(partial(_play, self.plan, number), candidates))
        found = Generation(
            worths=_worths(np.array(played)).tolist(),
            scores=np.array(played)[:, :, 0].mean(axis=0).tolist(),
            seconds=perf_counter() - start,
        )
        self._take(found)
        lines = [self._head(), *map(asdict, self.generations)]
        write_text(self.log, "".join(json.dumps(line) + "\n" for line in lines))
        return found

    def _take(self, generation: Generation) -> None:
        self.search.tell(generation.worths)
        self.generations.append(generation)

    def _head(self) -> Json:
        """What a log must say to be that of this tuning."""
        ranges = {p.name: [p.low, p.high] for p in self.weights.parameters}
        head = asdict(self.plan) | {"from": self.weights.by_name(), "ranges": ranges}
        return head | {"against": list(self.plan.against)}

    def _replay(self) -> None:
        """Be where the log ends."""
        found, *generations = _lines(self.log)
        for name, value in self._head().items():
            got = found.get(name)
            wanted = f"{name} = {shown(got)} to go on with {self.log}"
            expect(value == got, wanted, shown(value))
        try:
            for line in generations:
                self.search.ask()
                self._take(Generation(**line))
        except (ValueError, TypeError, AssertionError) as error:
            fault = f"expected the log of a tuning in {self.log}, got {error}"
            raise SpelkastError(fault) from None


def _lines(log: Path) -> list[Json]:
    try:
        lines = [json.loads(line) for line in read_text(log).splitlines()]
    except (ValueError, RecursionError):
        lines = []
    is_log = bool(lines) and all(isinstance(line, dict) for line in lines)
    expect(is_log, f"the log of a tuning in {log}", "something else")
    return lines


class _Search:
    """The strategy; it knows each parameter as a share of its range."""

    def __init__(self, weights: Weights, seed: int) -> None:
        self.weights = weights
        self.low = np.array([p.low for p in weights.parameters], float)
        self.span = np.array([p.high for p in weights.parameters], float) - self.low
        self.strategy = CMAwM(
            mean=(weights.array() - self.low) / self.span,
            sigma=SIGMA,
            bounds=np.tile([0.0, 1.0], (len(self.low), 1)),
            steps=1 / self.span,
            seed=seed % 2**32,
        )
        self.asked: list[Vector] = []

    def ask(self) -> list[Weights]:
        """The candidates of the next generation."""
        pairs = [self.strategy.ask() for _ in range(self.strategy.population_size)]
        self.asked = [raw for _, raw in pairs]
        return [self._weights(shares) for shares, _ in pairs]

    def tell(self, worths: Sequence[float]) -> None:
        """What those who were asked last are worth."""
        costs = [-worth for worth in worths]
        self.strategy.tell(list(zip(self.asked, costs, strict=True)))

    def middle(self) -> Weights:
        """The mean of the strategy as whole numbers."""
        return self._weights(self.strategy.mean)

    def _weights(self, shares: Vector) -> Weights:
        values = np.rint(self.low + np.clip(shares, 0, 1) * self.span).astype(int).tolist()
        names = [parameter.name for parameter in self.weights.parameters]
        return self.weights.changed(dict(zip(names, values, strict=True)))


@cache
def _opponents(plan: TuningPlan) -> list[Agent]:
    options = json.loads(plan.options)
    return [make_agent(text, plan.game, options=options, device="cpu") for text in plan.against]


def _play(plan: TuningPlan, number: int, candidate: Weights) -> list[tuple[float, float, float]]:
    """Score, mean lead and mean squared lead of a candidate against each opponent."""
    found = []
    for opponent in range(len(plan.against)):
        # Seeds of several numbers are never that of a match at the end, which is one.
        seed = (plan.seed, number, opponent + 1)
        games = play_games(plan.match(candidate, opponent, seed))
        leads = games.scores[:, 0] - games.scores[:, 1]
        found.append((float(games.points.mean()), float(leads.mean()), float((leads**2).mean())))
    return found


def _worths(played: Vector) -> Vector:
    """What candidates are worth by what they `_play`ed, `[C, F, 3]`: scores, helped by leads.

    A lead says more of a game than who won it. It is measured by how much leads vary against that
    opponent.
    """
    scores, leads, squares = np.moveaxis(played, 2, 0)
    variance = squares.mean(axis=0) - leads.mean(axis=0) ** 2
    usual = np.sqrt(np.maximum(variance, 1e-12))
    worths: Vector = (scores + LEAD * leads / usual).mean(axis=1)
    return worths


# The whole of it -------------------------------------------------------------------------------


@dataclass(frozen=True, kw_only=True)
class Limit:
    """When a tuning ends: whichever comes first."""

    minutes: float
    generations: int | None = None

    def is_reached(self, tuning: Tuning) -> bool:
        """Whether *tuning* has come so far."""
        done = len(tuning.generations)
        return tuning.seconds >= 60 * self.minutes or done == self.generations


def tune(plan: TuningPlan, out: Path, limit: Limit, *, jobs: int) -> Iterator[Tuning]:
    """Tune up to *limit*, the time of earlier calls included; yields after each generation.

    The log is in a folder beside *out*, the agent file, which is written at the end. With a log of
    the same plan the tuning goes on where it was.
    """
    folder = folder_of(out)
    if out.exists() and not folder.exists():
        raise SpelkastError(f"expected a new file or one with {folder} beside it, got {out}")
    _opponents(plan)  # a wrong name is reported now
    with claimed(folder, SpelkastError), workers(jobs) as spread:
        tuning = Tuning(plan=plan, log=folder / "log.jsonl")
        yield tuning
        while not limit.is_reached(tuning):
            tuning.step(spread)
            yield tuning


def folder_of(out: Path) -> Path:
    """Where the log of an agent file is kept."""
    return out.with_name(f"{out.name}.tuning")


def measure(tuning: Tuning, out: Path, *, jobs: int) -> list[MatchResult]:
    """Write the agent file, and what its agent is worth on fresh deals.

    It meets the baseline that it was, and each opponent.
    """
    plan, best = tuning.plan, tuning.best
    opponents = list(dict.fromkeys([plan.baseline, *plan.against]))
    made: Json = {
        "command": _command(tuning, out),
        "version": __version__,
        "generations": len(tuning.generations),
        "seconds": round(tuning.seconds),
    }
    names = {"game": plan.game, "baseline": plan.baseline}
    write_agent_file(out, best, **names, made=made)
    with workers(min(jobs, len(opponents))) as spread:
        results = list(spread(partial(_measure, plan, str(out)), opponents))
    made["gain"] = [_gain(plan, out, result) for result in results]
    write_agent_file(out, best, **names, made=made)
    return results


def _measure(plan: TuningPlan, out: str, opponent: str) -> MatchResult:
    options = json.loads(plan.options)
    make = partial(make_agent, game=plan.game, options=options, device="cpu")
    return play_match(
        envs.spec(plan.game), options, make(out), make(opponent), games=MEASURED, seed=plan.seed
    )


def _gain(plan: TuningPlan, out: Path, result: MatchResult) -> Json:
    words = ["spelkast", "eval", plan.game, str(out), result.second, f"--games={MEASURED}"]
    return {
        "against": result.second,
        "score": round(result.score, 4),
        "low": round(result.pair_low, 4),
        "high": round(result.pair_high, 4),
        "games": result.games,
        "command": shlex.join([*words, f"--seed={plan.seed}", *_settings(plan)]),
    }


def _command(tuning: Tuning, out: Path) -> str:
    """What makes the same file, on whatever machine."""
    plan = tuning.plan
    words = ["spelkast", "tune", plan.game, plan.baseline, f"--out={out}", f"--seed={plan.seed}"]
    words += [f"--against={text}" for text in plan.against]
    words += [f"--games={plan.games}", f"--generations={len(tuning.generations)}"]
    return shlex.join([*words, *_settings(plan)])


def _settings(plan: TuningPlan) -> list[str]:
    options = json.loads(plan.options)
    return [f"--set={name}={json.dumps(value)}" for name, value in options.items()]
