"""Searches by text: `search:rollout,policy=hoarder,budget=60000`."""

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from difflib import get_close_matches

from ...envs.engine.errors import OptionsError, UnknownNameError, expect, shown
from ...envs.engine.spec import GameSpec
from ..agent import Choice, FromRecords
from .decision import SearchAgent
from .guided import DEPTH as GUIDED_DEPTH
from .guided import Guide, GuidedAgent
from .ismcts import DEPTH, TreeAgent
from .rollout import MOST, Budget, RolloutAgent

PREFIX = "search:"
MOST_SECONDS = 3600
MOST_TRIES = 10**5
MOST_SIMULATIONS = 10**6
"""A tree of so many takes 100 million bytes."""


@dataclass(frozen=True, kw_only=True)
class Given:
    """What a text says of a search, and what its policy may be."""

    text: str
    values: Mapping[str, str]
    spec: GameSpec
    choices: Mapping[str, Choice | FromRecords]
    load: Callable[[str], Guide]

    def policy(self) -> Choice | FromRecords | None:
        """The baseline that is named; None if none is."""
        policy = self.values.get("policy")
        if policy is None or policy in self.choices:
            return None if policy is None else self.choices[policy]
        wanted = f"a baseline of {self.spec.name} as policy"
        raise UnknownNameError(f"{_unknown(wanted, policy, self.choices)}, in {shown(self.text)}")

    def number(self, name: str, what: str, most: int) -> int | None:
        """A whole number from 1 on; None if it is not given."""
        value = self.values.get(name)
        if value is None:
            return None
        is_number = re.fullmatch("[0-9]{1,10}", value) and 1 <= int(value) <= most
        wanted = f"{name} as {what}, 1 to {most}"
        expect(is_number, wanted, shown(value), error=OptionsError)
        return int(value)

    def seconds(self) -> float | None:
        """Seconds; None if they are not given."""
        value = self.values.get("seconds")
        if value is None:
            return None
        is_number = re.fullmatch(r"[0-9]{1,9}(\.[0-9]{1,9})?", value)
        wanted = f"seconds above 0, at most {MOST_SECONDS}"
        is_in_range = is_number and 0 < float(value) <= MOST_SECONDS
        expect(is_in_range, wanted, shown(value), error=OptionsError)
        return float(value)


def _rollout(given: Given) -> RolloutAgent:
    policy, values = given.policy(), given.values
    if policy is None:
        raise OptionsError(f"expected {ROLLOUT.form}, got no policy in {shown(given.text)}")
    is_one = ("budget" in values) != ("seconds" in values)
    got = "both" if "budget" in values else "neither budget nor seconds"
    expect(is_one, ROLLOUT.form, f"{got} in {shown(given.text)}", error=OptionsError)
    budget = Budget(
        decisions=given.number("budget", "simulated decisions", MOST),
        seconds=given.seconds(),
        depth=given.number("depth", "simulated decisions", MOST),
    )
    return RolloutAgent(given.text, given.spec, policy, budget=budget)


def _ismcts(given: Given) -> TreeAgent:
    policy, simulations = given.policy(), given.number("simulations", "games", MOST_SIMULATIONS)
    if simulations is None:
        raise OptionsError(f"expected {ISMCTS.form}, got no simulations in {shown(given.text)}")
    depth = given.number("depth", "simulated decisions", MOST) or DEPTH
    return TreeAgent(given.text, given.spec, policy, simulations=simulations, depth=depth)


def _guided(given: Given) -> GuidedAgent:
    run, simulations = given.values.get("agent"), given.number("simulations", "tries", MOST_TRIES)
    if run is None or simulations is None:
        got = f"no {'simulations' if run else 'agent'} in {shown(given.text)}"
        raise OptionsError(f"expected {GUIDED.form}, got {got}")
    depth = given.number("depth", "simulated decisions", MOST) or GUIDED_DEPTH
    guide = given.load(run)
    return GuidedAgent(given.text, given.spec, guide, simulations=simulations, depth=depth)


@dataclass(frozen=True, kw_only=True)
class Kind:
    """One of the searches."""

    form: str
    """how it is written"""
    options: tuple[str, ...]
    make: Callable[[Given], SearchAgent]


ROLLOUT = Kind(
    form="search:rollout,policy=BASELINE,budget=DECISIONS (or seconds=SECONDS)",
    options=("policy", "budget", "seconds", "depth"),
    make=_rollout,
)
ISMCTS = Kind(
    form="search:ismcts,simulations=GAMES,policy=BASELINE",
    options=("simulations", "policy", "depth"),
    make=_ismcts,
)
GUIDED = Kind(
    form="search:guided,agent=RUN,simulations=TRIES",
    options=("agent", "simulations", "depth"),
    make=_guided,
)
KINDS = {"rollout": ROLLOUT, "ismcts": ISMCTS, "guided": GUIDED}


def make_search(
    text: str,
    spec: GameSpec,
    choices: Mapping[str, Choice | FromRecords],
    load: Callable[[str], Guide],
) -> SearchAgent:
    """The search that *text* names, of a game with the baselines *choices*.

    *load* gets a trained network from the text of its run.

    Raises `UnknownNameError` for an unknown search or baseline, else `OptionsError`.
    """
    name, *settings = text.removeprefix(PREFIX).split(",")
    if name not in KINDS:
        raise UnknownNameError(f"{_unknown('a search', name, KINDS)}, in {shown(text)}")
    kind = KINDS[name]
    values: dict[str, str] = {}
    for setting in settings:
        option, equals, value = setting.partition("=")
        if option not in kind.options or not equals:
            wanted = _unknown(f"NAME=VALUE of search:{name}", option, kind.options)
            raise OptionsError(f"{wanted}, in {shown(text)}")
        expect(option not in values, f"{option} once", shown(text), error=OptionsError)
        values[option] = value
    return kind.make(Given(text=text, values=values, spec=spec, choices=choices, load=load))


def _unknown(wanted: str, got: str, names: Iterable[str]) -> str:
    """What was expected and what came, with the name that may have been meant."""
    close = get_close_matches(got.lower(), names, n=1)
    hint = f" (did you mean {close[0]!r}?)" if close else ""
    return f"expected {wanted} ({', '.join(names) or 'there is none'}), got {shown(got)}{hint}"
