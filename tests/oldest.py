"""Install the oldest version that pyproject.toml admits of everything: `tests/oldest.py FOLDER`.

All but torch, which is too large to have twice: its floor is the oldest that was tested.
"""

import re
import subprocess
import sys
import tomllib
from pathlib import Path

PYPROJECT = Path(__file__).parents[1] / "pyproject.toml"
MATCHED = {"numba", "numpy", "pydantic", "rich"}
"""What needs something else of its own time, which comes along; what the rest needs is there."""


def oldest() -> dict[str, str]:
    """The lowest version of each library that the core and training need, by its name."""
    project = tomllib.loads(PYPROJECT.read_text("utf-8"))["project"]
    found = {}
    for line in [*project["dependencies"], *project["optional-dependencies"]["train"]]:
        name, floor = re.match(r"([\w-]+)>=([\d.]+)", line).groups()  # type: ignore[union-attr]
        found[name] = floor
    return found


def install(folder: Path) -> None:
    """Fill *folder*, for a `PYTHONPATH`."""
    pins = [f"{name}=={floor}" for name, floor in oldest().items() if name != "torch"]
    matched = [pin for pin in pins if pin.partition("==")[0] in MATCHED]
    pip = [sys.executable, "-m", "pip", "install", "-q", "--no-compile"]
    pip += ["--no-warn-conflicts", "--target", str(folder)]
    subprocess.run([*pip, *matched], check=True)
    subprocess.run([*pip, "--no-deps", *(pin for pin in pins if pin not in matched)], check=True)


if __name__ == "__main__":
    install(Path(sys.argv[1]))
