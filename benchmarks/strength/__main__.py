"""Turn the folder of a finished run into a result.

python -m spelkast.benchmarks.strength runs/standard --publish
"""

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

from spelkast.envs.engine.errors import SpelkastError

from .. import machine, suite
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
        expected = f"expected a finished run of a preset in {asked.run}"
        print(f"spelkast: {expected}: {error}", file=sys.stderr)
        sys.exit(2)
    name = "{game}-{preset}".format_map(record["figures"])
    suite.write(record, machine.RESULTS if asked.publish else machine.LOCAL, name)
    if asked.publish:
        suite.write_pages()


if __name__ == "__main__":
    main()
