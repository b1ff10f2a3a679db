"""Compile what the tests of games share, a game in each process, before pytest starts.

Two workers of pytest would otherwise compile the same kernels at the same time. Nothing depends on
it: what is missing in the cache compiles when it is called.
"""

import os
import sys
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from time import process_time

TESTS = Path(__file__).parent
# Before numba is imported, which reads it then.
os.environ.setdefault("NUMBA_CACHE_DIR", str(TESTS.parent / ".numba_cache"))


def compile_game(name: str) -> str:
    """Play with all that can play *name*, in one environment and in a batch."""
    import numpy as np

    from spelkast.agents.registry import baselines, make_agent
    from spelkast.envs import make, spec
    from spelkast.envs.engine.batch import RandomPlayouts
    from spelkast.eval.match import play_match

    env = make(name)
    env.reset(seed=0)
    env.step(int(np.flatnonzero(env.observe(env.agent_selection)["action_mask"])[0]))
    env.state()
    agents = [make_agent(agent, name) for agent in ("random", *baselines(name))]
    for agent in agents[1:]:
        play_match(spec(name), None, agents[0], agent, games=2, seed=0)
    RandomPlayouts(spec(name), 2).run(2)
    return f"{name}: {process_time():.0f} s"


if __name__ == "__main__":
    from spelkast.envs import games, spec

    def length(name: str) -> int:
        return sum(path.stat().st_size for path in spec(name).folder.glob("*.py"))

    # The longest first: the last to begin is then the shortest, and no process waits for long.
    names = sys.argv[1:] or sorted(games(), key=length, reverse=True)
    with ProcessPoolExecutor(os.cpu_count()) as pool:
        print("compiled", *pool.map(compile_game, names), sep="\n  ")
