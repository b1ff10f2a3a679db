"""The figures in the docs come from the committed results: nobody types them.

A page asks for a table by two comments; what stands between them is written by
`python -m spelkast.benchmarks --pages` and compared by a test:

    <!-- figures: kernels -->
    <!-- end of figures -->
"""

from __future__ import annotations

import importlib
import json
import re
from collections.abc import Iterator
from pathlib import Path

from . import promises, strength
from .machine import CHECKOUT
from .sampling import Json

BLOCK = re.compile(
    r"^(<!-- figures: ([a-z_-]+) -->\n).*?^(<!-- end of figures -->)$", re.DOTALL | re.MULTILINE
)
PAGES = ("README.md", "docs/*.md")
NOT_YET = "*Not measured yet: no result is committed.*"
CONCERNED = {
    "kernels": ("numba", "numpy"),
    "baselines": ("numba", "numpy"),
    "aec": ("numba", "numpy", "pettingzoo"),
    "start": ("numba", "numpy", "pettingzoo"),
    "peers": ("numba", "numpy", "pettingzoo", "open_spiel", "pgx", "jax"),
    "training": ("numba", "numpy", "torch", "sb3-contrib", "stable-baselines3"),
    "tournament": ("numba", "numpy"),
}
"""The versions that a reader compares; the result has more."""


def render(record: Json) -> str:
    """A result as Markdown: its table, and a line on where it comes from."""
    module = importlib.import_module(f"{__package__}.{record['benchmark']}")
    origin_of = getattr(module, "origin", origin)
    return f"{module.table(record['figures'])}\n\n{origin_of(record)}"


def origin(record: Json) -> str:
    """When, where and of what revision a result was measured, in a sentence or two."""
    machine, noise = record["machine"], record["noise"]
    names = CONCERNED[record["benchmark"]]
    versions = [
        f"{name} {record['versions'][name]}" for name in names if name in record["versions"]
    ]
    changed = " with local changes" if record["modified"] else ""
    return (
        f"*{record['date']}, revision {record['revision'] or 'unknown'}{changed}; {machine['cpu']} "
        f"({machine['target']}), {machine['cores']} cores, {machine['system']}, load "
        f"{noise['load_before']} before and {noise['load_after']} after, {noise['share']:.0%} of a "
        f"core; {machine['python']}, {', '.join(versions)}.* `{record['command']}`"
    )


def fill(text: str, results: Path) -> str:
    """*text* with every block of figures rendered from the results in the folder *results*."""

    records = read_all(results)

    def block(match: re.Match[str]) -> str:
        name = match[2]
        run = name.removesuffix("-curve")
        if name != run:
            body = strength.curve(records[run]["figures"]) if run in records else NOT_YET
        elif name == "promises":
            body = promises.table({key: record["figures"] for key, record in records.items()})
        elif name == "strengths":
            body = strength.overview(records)
        else:
            body = render(records[name]) if name in records else NOT_YET
        return f"{match[1]}\n{body}\n\n{match[3]}"

    return BLOCK.sub(block, text)


def read_all(results: Path) -> dict[str, Json]:
    """The records of a folder by the name of the benchmark."""
    return {path.stem: json.loads(path.read_text("utf-8")) for path in results.glob("*.json")}


def stale(results: Path) -> Iterator[tuple[Path, str]]:
    """The pages whose figures are not those of the results, with the text they should have."""
    for pattern in PAGES:
        for path in sorted(CHECKOUT.glob(pattern)):
            text = path.read_text("utf-8")
            if (filled := fill(text, results)) != text:
                yield path, filled


def write_all(results: Path) -> list[Path]:
    """Bring every page up to date; returns those that changed."""
    changed = list(stale(results))
    for path, text in changed:
        path.write_text(text, "utf-8")
    return [path for path, _ in changed]
