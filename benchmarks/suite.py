"""The command: measure, print the tables, write results as JSON and figures into the docs."""

import argparse
import json
import shlex
import sys
from collections.abc import Sequence
from pathlib import Path

from spelkast.train.versions import CHECKOUT

from . import machine, pages
from .sampling import Json

QUICK = ("kernels", "baselines", "aec", "start")
LONG = ("peers", "search", "training", "tournament")
"""These want packages or time that not everybody has."""
KNOWN = (*QUICK, *LONG)


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the benchmarks that are named, print the tables and write the results."""
    parser = _parser()
    asked = parser.parse_args(arguments)
    for name in asked.names:
        if name not in (*KNOWN, "all"):
            parser.error(f"expected a benchmark of {', '.join(KNOWN)} or all, got {name!r}")
    if switches := [] if asked.pages else machine.disturbing_switches():
        sys.exit(f"spelkast: expected compiled code to measure, got {', '.join(switches)} set")
    names = KNOWN if "all" in asked.names else asked.names or QUICK
    for name in () if asked.pages else names:
        print(f"{name} ...", file=sys.stderr, flush=True)
        write(measure(name, asked.seconds), machine.RESULTS if asked.publish else asked.out, name)
    if asked.publish or asked.pages:
        write_pages()


def measure(name: str, seconds: float | None = None) -> Json:
    """Run one benchmark; returns the record that is written down."""
    run = pages.module_of(name).measure
    command = ["python", "-m", "spelkast.benchmarks", name]
    command += [] if seconds is None else ["--seconds", f"{seconds:g}"]
    with machine.watched() as noise:
        figures = run() if seconds is None else run(seconds=seconds)
    return {
        "benchmark": name,
        "command": shlex.join(command),
        **machine.circumstances(),
        "noise": noise,
        "figures": figures,
    }


def write(record: Json, folder: Path, name: str) -> None:
    """Print a record, and write it as `<name>.json` into *folder*."""
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"{name}.json"
    path.write_text(json.dumps(record, indent=2) + "\n", "utf-8")
    print(f"\n{pages.render(record)}\n\n{path}\n", flush=True)


def write_pages() -> None:
    """Bring the figures in the docs up to date, and name the pages that changed."""
    for path in pages.write_all(machine.RESULTS):
        print(f"new figures in {path.relative_to(CHECKOUT)}")


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m spelkast.benchmarks",
        description=f"Measure how fast spelkast is here. Without names: {', '.join(QUICK)}.",
    )
    add, known = parser.add_argument, f"of {', '.join(KNOWN)}; all for every one"
    # No `choices`: argparse would then refuse an empty list.
    add("names", nargs="*", metavar="NAME", help=known)
    add("--seconds", type=float, help="CPU time per row (default: see each file)")
    where = "folder for the results (default: results/local)"
    add("--out", type=Path, default=machine.LOCAL, help=where)
    publish = "write benchmarks/results, and the figures in the docs; for a quiet machine"
    add("--publish", action="store_true", help=publish)
    add("--pages", action="store_true", help="only bring the figures in the docs up to date")
    return parser
