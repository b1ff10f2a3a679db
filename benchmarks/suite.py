"""The command: measure, print the tables, write results as JSON and figures into the docs."""

from __future__ import annotations

import argparse
import importlib
import importlib.util
import json
import shlex
import sys
from collections.abc import Sequence
from pathlib import Path
from types import ModuleType

from . import machine, pages
from .sampling import Json

QUICK = ("kernels", "baselines", "aec", "start")
LONG = ("peers", "training", "tournament")
"""These want packages or time that not everybody has."""


def main(arguments: Sequence[str] | None = None) -> None:
    """Measure what is asked for, print the tables and write the results."""
    parser = _parser()
    asked = parser.parse_args(arguments)
    for name in asked.names:
        if name not in (*known(), "all"):
            parser.error(f"expected a benchmark of {', '.join(known())} or all, got {name!r}")
    if asked.pages:
        _write_pages()
        return
    if switches := machine.disturbing_switches():
        sys.exit(f"spelkast: expected compiled code to measure, got {', '.join(switches)} set")
    folder = machine.RESULTS if asked.publish else asked.out
    for name in _chosen(asked.names):
        print(f"{name} ...", file=sys.stderr, flush=True)
        record = measure(name, asked.seconds)
        path = write(record, folder)
        print(f"\n{pages.render(record)}\n\n{path}\n", flush=True)
    if asked.publish:
        _write_pages()


def measure(name: str, seconds: float | None = None) -> Json:
    """Run one benchmark; returns the record that is written down."""
    module = module_of(name)
    with machine.watched() as noise:
        figures = module.measure() if seconds is None else module.measure(seconds=seconds)
    command = ["python", "-m", "spelkast.benchmarks", name]
    command += [] if seconds is None else ["--seconds", f"{seconds:g}"]
    return {
        "benchmark": name,
        "command": shlex.join(command),
        **machine.circumstances(),
        "noise": noise,
        "figures": figures,
    }


def write(record: Json, folder: Path) -> Path:
    """Write a record as `<name>.json` into *folder*."""
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"{record['benchmark']}.json"
    path.write_text(json.dumps(record, indent=2) + "\n", "utf-8")
    return path


def module_of(name: str) -> ModuleType:
    """The module of a benchmark: `measure(*, seconds)` -> figures, `table(figures)` -> Markdown."""
    return importlib.import_module(f"{__package__}.{name}")


def known() -> list[str]:
    """The benchmarks there are."""
    return [n for n in (*QUICK, *LONG) if importlib.util.find_spec(f"{__package__}.{n}")]


def _chosen(names: Sequence[str]) -> list[str]:
    if not names:
        return [name for name in known() if name in QUICK]
    return known() if "all" in names else list(names)


def _write_pages() -> None:
    for path in pages.write_all(machine.RESULTS):
        print(f"new figures in {path.relative_to(machine.CHECKOUT)}")


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m spelkast.benchmarks",
        description=f"Measure how fast spelkast is here. Without names: {', '.join(QUICK)}.",
    )
    # No `choices`: argparse would then refuse an empty list.
    parser.add_argument(
        "names", nargs="*", metavar="NAME", help=f"of {', '.join(known())}; all for every one"
    )
    parser.add_argument("--seconds", type=float, help="CPU time per row (default: see each file)")
    parser.add_argument(
        "--out",
        type=Path,
        default=machine.LOCAL,
        help="folder for the results (default: results/local)",
    )
    parser.add_argument(
        "--publish",
        action="store_true",
        help="write benchmarks/results, and the figures in the docs; for a quiet machine",
    )
    parser.add_argument(
        "--pages", action="store_true", help="only bring the figures in the docs up to date"
    )
    return parser
