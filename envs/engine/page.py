"""The part of a game's page that comes from its `GameSpec`, so that no number is typed twice."""

import json
from collections.abc import Iterable, Iterator
from itertools import groupby

from .segments import Segment
from .spec import GameSpec

BEGIN = "<!-- generated from the spec: `make cases` writes it again -->"
END = "<!-- end of the generated part -->"


def spec_block(spec: GameSpec) -> str:
    """Sizes, options and observation of a game under its default options, as Markdown tables."""
    lines = [
        BEGIN,
        "",
        *_table(("Specs", ""), _specs(spec)),
        "",
        *_table(("Option", "Default", "Meaning"), _options(spec)),
        "",
        *_table(("Observation", "Meaning", "Range"), _segments(spec)),
        "",
        END,
    ]
    return "\n".join(lines)


def with_spec_block(page: str, spec: GameSpec) -> str:
    """The page with the part between `BEGIN` and `END` written again."""
    before, begin, rest = page.partition(BEGIN)
    _, end, after = rest.partition(END)
    if not begin or not end:
        raise ValueError(f"expected {BEGIN!r} and {END!r} in the page of {spec.name}")
    return before + spec_block(spec) + after


def _specs(spec: GameSpec) -> Iterator[tuple[str, ...]]:
    options = spec.parse_options(None)
    shape = spec.shape(options)
    name, version, package = spec.name, spec.version, spec.home.rpartition(".")[0]
    module, game_id = f"{name}_v{version}", f"spelkast/{name}-v{version}"
    yield "Import", f"`from {package} import {module}`, or by its id `{game_id}`"
    yield "Seats", ", ".join(f"`player_{seat}`" for seat in range(shape.seats))
    if len(set(teams := spec.teams(options))) < shape.seats:
        yield "Teams", ", ".join(f"`player_{seat}` in {team}" for seat, team in enumerate(teams))
    schema = "[JSON Schema](cases/position.schema.json)"
    actions = f"`Discrete({shape.actions})`; masks int8 `[{shape.actions}]`"
    yield "Actions, positions", f"{actions}; {schema}"
    yield "Observation, state", f"float32 `[{shape.observation}]`, float32 `[{shape.state}]`"
    balance = "; they sum to 0" if spec.zero_sum else ""
    yield "Rewards", f"at the end only, in -1..1{balance}"


def _options(spec: GameSpec) -> Iterator[tuple[str, ...]]:
    defaults = spec.parse_options(None).model_dump(mode="json")
    for name, field in spec.options.model_fields.items():
        text = (field.description or "").replace("|", "\\|")
        yield f"`{name}`", f"`{json.dumps(defaults[name])}`", text


def _segments(spec: GameSpec) -> Iterator[tuple[str, ...]]:
    """A row per segment; numbers that stand alone share one with their neighbours."""
    at = 0
    for (is_alone, low, high), group in groupby(spec.segments_of(spec.parse_options(None)), _kind):
        for names, size in _rows(group, is_alone=is_alone):
            index = str(at) if size == 1 else f"{at}–{at + size - 1}"
            yield index, " · ".join(names), f"{low:g}..{high:g}"
            at += size


def _kind(segment: Segment) -> tuple[bool, float, float]:
    return segment.size == 1, segment.low, segment.high


def _rows(group: Iterable[Segment], *, is_alone: bool) -> list[tuple[list[str], int]]:
    segments = list(group)
    if is_alone:
        return [([segment.name for segment in segments], len(segments))]
    return [([segment.name], segment.size) for segment in segments]


def _table(head: tuple[str, ...], rows: Iterable[tuple[str, ...]]) -> Iterator[str]:
    for row in (head, ("---",) * len(head), *rows):
        yield f"| {' | '.join(row)} |"
