"""Searches by text: `search:rollout,policy=hoarder,budget=60000`."""

import re
from collections.abc import Iterable, Mapping
from difflib import get_close_matches

from ...envs.engine.errors import OptionsError, UnknownNameError, expect, shown
from ...envs.engine.spec import GameSpec
from ..agent import Choice, FromRecords
from .rollout import MOST, Budget, RolloutAgent

PREFIX = "search:"
KINDS = ("rollout",)
OPTIONS = ("policy", "budget", "seconds", "depth")
MOST_SECONDS = 3600
FORM = "search:rollout,policy=BASELINE,budget=DECISIONS (or seconds=SECONDS)"


def make_search(
    text: str, spec: GameSpec, choices: Mapping[str, Choice | FromRecords]
) -> RolloutAgent:
    """The search that *text* names, of a game with the baselines *choices*.

    Raises `UnknownNameError` for an unknown search or baseline, else `OptionsError`.
    """
    kind, *settings = text.removeprefix(PREFIX).split(",")
    if kind not in KINDS:
        raise UnknownNameError(f"{_unknown('a search', kind, KINDS)}, in {shown(text)}")
    values: dict[str, str] = {}
    for setting in settings:
        name, equals, value = setting.partition("=")
        if name not in OPTIONS or not equals:
            raise OptionsError(f"{_unknown('NAME=VALUE', name, OPTIONS)}, in {shown(text)}")
        expect(name not in values, f"{name} once", shown(text), error=OptionsError)
        values[name] = value
    expect("policy" in values, FORM, f"no policy in {shown(text)}", error=OptionsError)
    policy = values["policy"]
    if policy not in choices:
        wanted = f"a baseline of {spec.name} as policy"
        raise UnknownNameError(f"{_unknown(wanted, policy, choices)}, in {shown(text)}")
    return RolloutAgent(text, spec, choices[policy], budget=_budget(values, text))


def _budget(values: Mapping[str, str], text: str) -> Budget:
    is_one = ("budget" in values) != ("seconds" in values)
    got = "both" if "budget" in values else "neither budget nor seconds"
    expect(is_one, FORM, f"{got} in {shown(text)}", error=OptionsError)
    return Budget(
        decisions=_decisions(values, "budget"),
        seconds=_seconds(values),
        depth=_decisions(values, "depth"),
    )


def _decisions(values: Mapping[str, str], name: str) -> int | None:
    value = values.get(name)
    if value is None:
        return None
    is_number = re.fullmatch("[0-9]{1,10}", value) and 1 <= int(value) <= MOST
    wanted = f"{name} as simulated decisions, 1 to {MOST}"
    expect(is_number, wanted, shown(value), error=OptionsError)
    return int(value)


def _seconds(values: Mapping[str, str]) -> float | None:
    value = values.get("seconds")
    if value is None:
        return None
    is_number = re.fullmatch(r"[0-9]{1,9}(\.[0-9]{1,9})?", value)
    wanted = f"seconds above 0, at most {MOST_SECONDS}"
    is_in_range = is_number and 0 < float(value) <= MOST_SECONDS
    expect(is_in_range, wanted, shown(value), error=OptionsError)
    return float(value)


def _unknown(wanted: str, got: str, names: Iterable[str]) -> str:
    """What was expected and what came, with the name that may have been meant."""
    close = get_close_matches(got.lower(), names, n=1)
    hint = f" (did you mean {close[0]!r}?)" if close else ""
    return f"expected {wanted} ({', '.join(names) or 'there is none'}), got {shown(got)}{hint}"
