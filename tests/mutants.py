"""Change the code at random places, one at a time, and list the changes that no test notices.

    make mutants                 100 mutants of kernels, trainer and tournament
    make mutants ARGS="5 7"      5 of them, drawn with the seed 7

Works on a copy of the checkout, `.mutants/spelkast`, which stays for a look at the survivors. The
same command with the argument `try` is what cosmic-ray calls for each mutant, inside the copy.
"""

import os
import shutil
import subprocess
import sys
from functools import cache
from pathlib import Path
from random import Random
from typing import Any

CHECKOUT = Path(__file__).parents[1]
COPY = CHECKOUT / ".mutants" / "spelkast"
NOT_COPIED = (
    ".git",
    ".venv",
    ".tools",
    ".mutants",
    ".*cache*",
    "__pycache__",
    "runs",
    "*.egg-info",
)
MUTATED = ("envs/*/rules*.py", "envs/engine/loops.py", "train/*.py", "eval/tournament/*.py")
SECONDS = 900
SECONDS_PLAIN = 150
"""After which a mutant counts as killed: the tests of one game take some ten uncompiled."""
CONFIG = f"""[cosmic-ray]
module-path = {{files}}
timeout = {2 * SECONDS}.0
excluded-modules = []
test-command = {{command}}

[cosmic-ray.distributor]
name = "local"
"""
PLAIN = {"NUMBA_DISABLE_JIT": "1"}
GLOBS = {"train": "test_*.py", "eval": "test_tournament*.py"}
QUICK, ALL = "not slow and not compiled", "not slow"


@cache
def lines_of(path: Path) -> list[str]:
    """The lines of a file of the copy."""
    return (COPY / path).read_text("utf-8").splitlines()


def is_idle(mutation: Any) -> bool:
    """Whether a mutant does as the code did: one without @kernel, or another annotation."""
    line = lines_of(mutation.module_path)[mutation.start_pos[0] - 1]
    in_annotation = "BitOr" in mutation.operator_name and (" | None" in line or "def " in line)
    return "RemoveDecorator" in mutation.operator_name or in_annotation


def draw(session: Path, number: int, seed: int) -> None:
    """Leave *number* of all mutants to be run."""
    from cosmic_ray.work_db import WorkDB, use_db
    from cosmic_ray.work_item import WorkerOutcome, WorkResult

    with use_db(str(session), WorkDB.Mode.open) as work:
        items = {(repr(item.mutations), item.job_id): item for item in work.work_items}
        real = [key for key in sorted(items) if not is_idle(items[key].mutations[0])]
        drawn = {job for _, job in Random(seed).sample(real, number)}
        others = [job for _, job in items if job not in drawn]
        work.set_multiple_results(others, WorkResult(WorkerOutcome.SKIPPED, "not drawn"))
    print(f"{number} of {len(real)} mutants, drawn with the seed {seed}", flush=True)


def main(number: int = 100, seed: int = 0) -> None:
    """Make the copy, run the mutants that are drawn and print those that survive."""
    shutil.rmtree(COPY, ignore_errors=True)
    shutil.copytree(CHECKOUT, COPY, ignore=shutil.ignore_patterns(*NOT_COPIED))
    files = sorted(str(f.relative_to(COPY)) for glob in MUTATED for f in COPY.glob(glob))
    command = f"{sys.executable} {COPY / 'tests' / 'mutants.py'} try"
    (COPY / "mutants.toml").write_text(CONFIG.format(files=files, command=repr(command)), "utf-8")
    for path in files:  # what was mutated is found by comparing
        (COPY / path).with_suffix(".original").write_bytes((COPY / path).read_bytes())
    environment = {
        **os.environ,
        "PYTHONPATH": str(COPY.parent),
        "NUMBA_CACHE_DIR": str(CHECKOUT / ".numba_cache"),
    }

    def cosmic_ray(*words: str) -> None:
        subprocess.run([*words], cwd=COPY, env=environment, check=True)

    tool = str(Path(sys.executable).with_name("cosmic-ray"))
    cosmic_ray(tool, "init", "mutants.toml", "mutants.sqlite")
    draw(COPY / "mutants.sqlite", number, seed)
    cosmic_ray(tool, "exec", "mutants.toml", "mutants.sqlite")
    report(COPY / "mutants.sqlite")


def report(session: Path) -> None:
    """Print every survivor, and how many mutants were killed."""
    from cosmic_ray.work_db import WorkDB, use_db
    from cosmic_ray.work_item import TestOutcome

    with use_db(str(session), WorkDB.Mode.open) as work:
        results = [result for _, result in work.results if result.test_outcome is not None]
    survivors = [result for result in results if result.test_outcome == TestOutcome.SURVIVED]
    for result in survivors:
        print(result.diff, "\n")
    print(f"{len(results) - len(survivors)} of {len(results)} mutants were killed")


def tests_of(path: str) -> list[tuple[list[str], dict[str, str], str]]:
    """What may notice a change of *path*, the quickest first: tests, environment, marks."""
    part, name = path.split("/")[:2]
    if part in {"train", "eval"}:
        every = sorted(map(str, Path("tests", part).glob(GLOBS[part])))
        named = [test for test in every if Path(path).stem in test]
        return [(named, {}, ALL), (every, {}, ALL)] if named else [(every, {}, ALL)]
    if name == "engine":
        files = ["tests/envs/test_aec.py", "tests/envs/test_batch.py", "tests/envs"]
        return [(files[:2], PLAIN, QUICK), (files[2:], {}, ALL)]
    own = {str(p) for g in (f"tests/{name}", f"tests/**/*{name}*.py") for p in Path().glob(g)}
    cases = ["tests/envs/test_cases.py", "-k", name]
    every = ["tests/envs", "tests/test_golden.py", *sorted(own), "-k", name]
    return [(cases, PLAIN, QUICK), (sorted(own), PLAIN, QUICK), (every, {}, ALL)]


def run(command: list[str], environment: dict[str, str]) -> int:
    """The code of a command when it ends; 1 if it does not."""
    seconds = SECONDS_PLAIN if environment else SECONDS
    try:
        return subprocess.run(command, env=os.environ | environment, timeout=seconds).returncode
    except subprocess.TimeoutExpired:
        return 1


def try_mutant() -> int:
    """Run the tests of the file that differs; 0 if all pass."""
    originals = Path().rglob("*.original")
    changed = [p for p in originals if p.with_suffix(".py").read_bytes() != p.read_bytes()]
    for path in changed:
        for tests, environment, marks in tests_of(str(path.with_suffix(".py"))):
            words = ["-m", "pytest", "-x", "-q", "-p", "no:cacheprovider", "-m", marks, *tests]
            code = run([sys.executable, *words], environment)
            if code not in {0, 5}:  # 5: there is no such test
                return code
    return 0


if __name__ == "__main__":
    if sys.argv[1:] == ["try"]:
        sys.exit(try_mutant())
    main(*map(int, sys.argv[1:]))
