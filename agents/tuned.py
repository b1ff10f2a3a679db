"""Agent files: a baseline with other values for its parameters, and how they were found.

A TOML file with `game`, the name of a `baseline`, every one of its parameters under `[parameters]`,
and `[made]`, which is for people: nothing reads it.
"""

from collections.abc import Mapping
from dataclasses import replace
from os.path import isdir, isfile  # unlike pathlib's, they take any text
from pathlib import Path
from typing import TypeAlias

import tomli_w

from ..envs.engine.dtypes import Json
from ..envs.engine.errors import SpelkastError, UnknownNameError, expect, shown
from .agent import Choice, FromRecords, WithScratch
from .files import read_toml, write_text
from .parameters import Parameter, Weights

AnyChoice: TypeAlias = Choice | FromRecords
"""How a baseline chooses, by what it sees or by records."""

SUFFIX = ".toml"
KEYS = ("game", "baseline", "parameters", "made")
MOST_BYTES = 100_000


def weights_of(choice: AnyChoice) -> Weights | None:
    """The parameters of a baseline with their values; None if it has none."""
    inner = choice.choice if isinstance(choice, FromRecords) else choice
    return inner.weights if isinstance(inner, WithScratch) else None


def with_weights(choice: AnyChoice, weights: Weights) -> AnyChoice:
    """The same baseline with other values for its parameters."""
    if isinstance(choice, FromRecords):
        return replace(choice, choice=with_weights(choice.choice, weights))  # type: ignore[arg-type]
    return replace(choice, weights=weights)  # type: ignore[type-var]


def is_agent_file(text: str) -> bool:
    """Whether *text* is the path of an agent file, or of one that is missing."""
    return isfile(text) or (text.endswith(SUFFIX) and not isdir(text))


def read_agent_file(path: Path, game: str, choices: Mapping[str, AnyChoice]) -> AnyChoice:
    """The choice that an agent file of *game*, with the baselines *choices*, describes.

    Raises `UnknownNameError` if there is no such file, else `SpelkastError` for one that is wrong.
    """
    if not path.is_file():
        raise UnknownNameError(f"expected an agent file, got {str(path)!r}: there is no such file")
    try:
        return _choice(path, game, choices)
    except SpelkastError as error:
        where = "" if str(path) in str(error) else f", in {path}"
        raise type(error)(f"{error}{where}") from None


def _choice(path: Path, game: str, choices: Mapping[str, AnyChoice]) -> AnyChoice:
    size = path.stat().st_size
    expect(size <= MOST_BYTES, f"an agent file of at most {MOST_BYTES:,} bytes", f"{size:,}")
    table = read_toml(path, SpelkastError)
    for key in table:
        expect(key in KEYS, f"one of {', '.join(KEYS)}", shown(key))
    expect(table.get("game") == game, f"game = {game!r}", shown(table.get("game")))
    tunable = {name: own for name, choice in choices.items() if (own := weights_of(choice))}
    name, values = table.get("baseline"), table.get("parameters")
    expect(name in [*tunable], f"baseline as one of {', '.join(tunable) or 'none'}", shown(name))
    if not isinstance(values, dict):
        raise SpelkastError(f"expected a table [parameters], got {shown(values)}")
    weights = tunable[str(name)]
    for wanted in weights.by_name():
        expect(wanted in values, f"a value for every parameter of {name}", f"none for {wanted}")
    return with_weights(choices[str(name)], weights.changed(values))


def write_agent_file(path: Path, weights: Weights, *, game: str, baseline: str, made: Json) -> None:
    """Write an agent file, all or nothing; *made* says how."""
    head = tomli_w.dumps({"game": game, "baseline": baseline})
    lines = map(_line, weights.parameters, weights.values)
    write_text(path, "\n".join([head, "[parameters]", *lines, "", tomli_w.dumps({"made": made})]))


def _line(parameter: Parameter, value: int) -> str:
    """A value with what it means."""
    where = f"{parameter.low} to {parameter.high}, by default {parameter.default}"
    return f"{parameter.name} = {value}  # {parameter.meaning} ({where})"
