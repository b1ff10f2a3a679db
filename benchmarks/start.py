"""What it costs to begin: importing the games, compiling them once, starting them again.

Everything runs in processes of its own. "Cold" has an empty folder for compiled code, "warm" has
the one that the cold process filled. Time is CPU time; the whole process counts in the warm start,
Python's own start included.
"""

import json
import os
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory
from textwrap import dedent

from spelkast.envs import games

from .sampling import SPREAD, Json, markdown_table, number, spread

SAMPLES = 5
VERSIONS = ("pettingzoo",)
HEAVY = ("aiohttp", "fastapi", "flask", "pygame", "ray", "stable_baselines3", "torch")

IMPORT = """
    import json, sys, time
    start = time.process_time()
    import spelkast.envs
    seconds = time.process_time() - start
    print(json.dumps({"seconds": seconds, "modules": list(sys.modules)}))
"""
FIRST_STEP = """
    import json, time
    wall = time.perf_counter()
    from spelkast.envs import make, spec
    env = make(GAME)
    env.reset(seed=0)
    observation, *_ = env.last()
    env.step(int(observation["action_mask"].argmax()))
"""
AND_BATCH = """
    from spelkast.envs.engine.batch import Batch
    batch = Batch(spec(GAME), 2, seed=0)
    batch.reset()
    batch.step(batch.masks.argmax(axis=1))
"""
REPORT = """
    print(json.dumps({"cpu": time.process_time(), "wall": time.perf_counter() - wall}))
"""


def measure(*, seconds: float = 0.0, samples: int = SAMPLES) -> Json:
    """Import cost, and cold and warm start of every game; *seconds* does not apply."""
    return {
        "import": measure_import(samples),
        "games": {game: measure_start(game, samples) for game in games()},
    }


def measure_import(samples: int = SAMPLES) -> Json:
    """CPU seconds of `import spelkast.envs`, and what came along that should not."""
    _run(IMPORT)  # writes the bytecode
    runs = [_run(IMPORT)[0] for _ in range(samples)]
    heavy = sorted(set(HEAVY) & set(runs[0]["modules"]))
    return {"cpu_seconds": spread([run["seconds"] for run in runs]), "heavy_modules": heavy}


def measure_start(game: str, samples: int = SAMPLES) -> Json:
    """CPU seconds to the first step of *game*, with nothing compiled and with all compiled."""
    with TemporaryDirectory() as folder:
        cold, message = _run(FIRST_STEP + AND_BATCH + REPORT, game=game, cache=Path(folder))
        compiled = _files(Path(folder))
        warm = [_run(FIRST_STEP + REPORT, game=game, cache=Path(folder))[0] for _ in range(samples)]
        if _files(Path(folder)) != compiled:
            raise RuntimeError(
                f"expected nothing to compile in a warm start of {game}, got new compiled code: "
                "either a loop is not cached, or somebody edited the sources meanwhile"
            )
        size = sum(path.stat().st_size for path in compiled)
    return {
        "cold_cpu_seconds": round(cold["cpu"], 2),
        "cold_wall_seconds": round(cold["wall"], 2),
        "cold_message": message.strip(),
        "warm_cpu_seconds": spread([run["cpu"] for run in warm]),
        "cache_megabytes": round(size / 1e6, 2),
    }


def table(figures: Json) -> str:
    """The figures as Markdown."""
    rows = [["`import spelkast.envs`, CPU s", figures["import"]["cpu_seconds"]]]
    for game, facts in figures["games"].items():
        cold, size = number(facts["cold_cpu_seconds"]), number(facts["cache_megabytes"])
        rows += [
            [f"{game}: warm start to the first step, CPU s", facts["warm_cpu_seconds"]],
            [f"{game}: cold start with environment and batch, CPU s", cold],
            [f"{game}: compiled code, MB", size],
        ]
    return markdown_table(("what", *SPREAD), rows)


def _files(folder: Path) -> set[Path]:
    return {path for path in folder.rglob("*") if path.is_file()}


def _run(code: str, *, game: str = "", cache: Path | None = None) -> tuple[Json, str]:
    """What a new process prints as JSON, and what it says on stderr."""
    environment = {key: value for key, value in os.environ.items() if key != "NUMBA_CACHE_DIR"}
    if cache is not None:
        environment["NUMBA_CACHE_DIR"] = str(cache)
    program = dedent(code).replace("GAME", repr(game))
    command = [sys.executable, "-W", "ignore", "-c", program]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise RuntimeError(f"expected a process that measures to succeed, got:\n{done.stderr}")
    facts: Json = json.loads(done.stdout)
    return facts, done.stderr
