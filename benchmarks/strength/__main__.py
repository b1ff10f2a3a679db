"""Turn the folder of a finished run into a result.

python -m spelkast.benchmarks.strength runs/standard --publish
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Sequence
from pathlib import Path

from spelkast.envs.engine.errors import SpelkastError

from .. import machine, pages
from . import read


def main(arguments: Sequence[str] | None = None) -> None:
    """Turn the folder of a run into a result, and print it."""
    parser = argparse.ArgumentParser(prog="python -m spelkast.benchmarks.strength")
    parser.add_argument("run", type=Path, help="folder of a finished run of a preset")
    parser.add_argument("--publish", action="store_true", help="write benchmarks/results and docs")
    asked = parser.parse_args(arguments)
    try:
        record = read(asked.run)
    except (OSError, SpelkastError, KeyError, ValueError) as error:
        print(
            f"spelkast: expected a finished run of a preset in {asked.run}: {error}",
            file=sys.stderr,
        )
        sys.exit(2)
    folder = machine.RESULTS if asked.publish else machine.LOCAL
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"{record['figures']['game']}-{record['figures']['preset']}.json"
    path.write_text(json.dumps(record, indent=2) + "\n", "utf-8")
    print(f"{pages.render(record)}\n\n{path}")
    if asked.publish:
        pages.write_all(machine.RESULTS)


if __name__ == "__main__":
    main()
