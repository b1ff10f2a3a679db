"""The figures in the docs come from the committed results: nobody types them.

A page asks for a table by two comments; what stands between them is written by
`python -m spelkast.benchmarks --pages` and compared by a test:

    <!-- figures: kernels -->
    <!-- end of figures -->
"""

import json
import re
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from types import ModuleType

from spelkast.train.versions import CHECKOUT

from . import promises, strength
from .sampling import Json

BLOCK = re.compile(
    r"^(<!-- figures: ([a-z_-]+) -->\n).*?^(<!-- end of figures -->)$", re.DOTALL | re.MULTILINE
)
PAGES = ("README.md", "docs/*.md")
NOT_YET = "*Not measured yet: no result is committed.*"
COMPARED = ("numba", "numpy")
"""The versions that a reader compares, with the `VERSIONS` of the benchmark."""


def module_of(name: str) -> ModuleType:
    """The module of a benchmark: `measure(*, seconds)` -> figures, `table(figures)` -> Markdown."""
    return import_module(f"{__package__}.{name}")


def render(record: Json) -> str:
    """A result as Markdown: its table, and a line on where it comes from."""
    module = module_of(record["benchmark"])
    origin_of = getattr(module, "origin", origin)
    return f"{module.table(record['figures'])}\n\n*{origin_of(record)}.* `{record['command']}`"


def origin(record: Json) -> str:
    """When, where and of what revision a result was measured, in a sentence or two."""
    machine, noise, found = record["machine"], record["noise"], record["versions"]
    names = (*COMPARED, *getattr(module_of(record["benchmark"]), "VERSIONS", ()))
    versions = ", ".join(f"{name} {found[name]}" for name in names if name in found)
    changed = " with local changes" if record["modified"] else ""
    return (
        f"{record['date']}, revision {record['revision'] or 'unknown'}{changed}; {machine['cpu']} "
        f"({machine['target']}), {machine['cores']} cores, {machine['system']}, load "
        f"{noise['load_before']} before and {noise['load_after']} after, {noise['share']:.0%} of a "
        f"core; {machine['python']}, {versions}"
    )


def fill(text: str, results: Path) -> str:
    """*text* with every block of figures rendered from the results in the folder *results*."""
    records = read_all(results)

    def figures(name: str) -> str:
        if name == "promises":
            return promises.table({key: record["figures"] for key, record in records.items()})
        if name == "strengths":
            return strength.overview(records)
        run = name.removesuffix("-curve")
        if run not in records:
            return NOT_YET
        return render(records[run]) if name == run else strength.curve(records[run]["figures"])

    return BLOCK.sub(lambda match: f"{match[1]}\n{figures(match[2])}\n\n{match[3]}", text)


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
