"""Compiled code is never older than its sources, whatever lies in the cache."""

import json
import random
import shutil
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from spelkast.envs.engine import jit

TESTS = Path(__file__).parents[1]
CHECKOUT = TESTS.parent

ROLL = """
import numpy as np
from my_pig.game import SPEC
states, weights = SPEC.new_states(1), np.zeros(6, np.int64)
SPEC.verbs.chance_weights(states, 0, weights)
print(weights.tolist())
"""


def cached(folder: Path) -> set[str]:
    return {path.name for path in folder.rglob("*.nb[ic]")}


@pytest.mark.compiled
def test_outlined_kernel_is_not_inlined():
    def choose(x):
        return x

    inlined = jit.kernel(choose)
    outlined: Any = jit.outlined(choose)

    assert inlined(3) == outlined(3) == 3
    assert not outlined.targetoptions["forceinline"]


@pytest.mark.compiled
def test_kernel_is_compiled_once_for_all_whole_numbers():
    """Constants, fields of 16 bits and rows of 32 had a kernel compiled three times."""

    @jit.kernel
    def successor(number):
        return number + 1

    @jit.kernel
    def caller(small, wide, share):
        return successor(3) + successor(small) + successor(number=wide) + successor(share)

    compiled: Any = successor
    assert caller(np.int16(1), 2, 0.5) == 4 + 2 + 3 + 1.5
    assert [str(kind) for (kind,) in compiled.signatures] == ["int64", "float64"]


@pytest.mark.compiled
def test_edited_constant_is_seen_in_a_warm_cache(tmp_path: Path, run_python):
    """Numba itself looks at the kernel's own file only; the constant stands in another one."""
    game, cache = tmp_path / "my_pig", tmp_path / "cache"
    shutil.copytree(TESTS / "games" / "pig", game, ignore=shutil.ignore_patterns("__pycache__"))
    board = game / "board.py"
    original = board.read_text("utf-8")

    def run(folder: Path = tmp_path) -> str:
        result = run_python(ROLL, folder, NUMBA_CACHE_DIR=str(cache))
        assert result.returncode == 0, result.stderr
        return str(result.stdout).strip()

    assert run() == "[1, 1, 1, 1, 1, 1]"
    warm = cached(cache)

    board.write_text(original.replace("SIDES = 6", "SIDES = 4"), "utf-8")
    assert run() == "[1, 1, 1, 1, 0, 0]"
    edited = cached(cache)
    assert edited > warm

    board.write_text(original, "utf-8")
    assert run() == "[1, 1, 1, 1, 1, 1]"
    assert cached(cache) == edited


@pytest.mark.compiled
def test_drawings_comments_and_copies_compile_nothing(tmp_path: Path, run_python):
    """A game was compiled again after an edit of its picture, and in every copy of the checkout."""
    cache = tmp_path / "cache"
    seen = []
    for folder in ("one", "other"):
        game = tmp_path / folder / "my_pig"
        shutil.copytree(TESTS / "games" / "pig", game, ignore=shutil.ignore_patterns("__pycache__"))
        if folder == "other":
            (game / "draw.py").write_text((game / "draw.py").read_text("utf-8") + "\nA = 1\n")
            rules = (game / "rules.py").read_text("utf-8")
            (game / "rules.py").write_text(rules.replace("import numpy", "# Why.\nimport numpy", 1))
        result = run_python(ROLL, game.parent, NUMBA_CACHE_DIR=str(cache))
        assert result.returncode == 0, result.stderr
        seen.append({path.name: path.stat().st_mtime_ns for path in cache.rglob("*.nb[ic]")})

    assert seen[0] == seen[1] != {}


ALL_LOOPS = """
import json
import numpy as np
from games.pig.game import SPEC
from spelkast.envs.engine.aec import GameEnv
from spelkast.envs.engine.batch import Batch
from spelkast.envs.engine.batch import RandomPlayouts
env, batch = GameEnv(SPEC), Batch(SPEC, 2, seed=1)
env.reset(seed=1)
env.step(0)
batch.reset()
batch.step(np.zeros(2, np.int32))
RandomPlayouts(SPEC, 2).run(2)
print(json.dumps({n: len(verb.signatures) for n, verb in SPEC.verbs.by_name().items()}))
"""


@pytest.mark.compiled
def test_a_verb_is_compiled_once_for_all_loops(tmp_path: Path, run_python):
    """A single game handed on the literal row 0 and a batch int32 rows: three of each verb."""
    result = run_python(ALL_LOOPS, NUMBA_CACHE_DIR=str(tmp_path))

    assert result.returncode == 0, result.stderr
    counts = json.loads(result.stdout)
    assert counts.keys() >= {"reset", "step", "observe", "legal_mask"}
    assert max(counts.values()) == 1, counts


def kernel_of(source: str, name: str = "choose", **names: Any) -> Any:
    """The kernel *name* of a module with this text, in which *names* are bound."""
    module = {"__name__": "module", "jit": jit, "np": np, **names}
    exec(source, module)
    return module[name]


CALLER = """
@jit.kernel
def choose(x):
    return worth(x) + A + TABLE[0]{0}

@jit.kernel
def worth(x):
    return x{1}
"""


@pytest.mark.compiled
def test_fingerprint_covers_all_a_kernel_is_made_of(monkeypatch):
    """Its code, constants and tables, what it calls (though it stands below), and the switches."""
    values: dict[str, Any] = {"A": 1, "TABLE": np.zeros(3)}

    def name(*edits: str, **others: Any) -> str:
        return jit.fingerprint(kernel_of(CALLER.format(*edits), **values | others))

    names = [
        name("", ""),
        name(" + 1", ""),
        name("", " + 1"),
        name("", "", A=2),
        name("", "", A=True),
        name("", "", TABLE=np.ones(3)),
        name("", "", TABLE=np.zeros(3, np.int32)),
        name("", "", TABLE=np.zeros(6)[::2]),
    ]
    monkeypatch.setattr(jit.CONFIG, "BOUNDSCHECK", not jit.CONFIG.BOUNDSCHECK)
    names.append(name("", ""))

    assert len(set(names)) == len(names)
    monkeypatch.undo()
    assert name("  # why", "", B=3, TABLE=np.zeros(3)) == names[0]


@pytest.mark.compiled
def test_kernels_compile_without_a_cache_folder(tmp_path: Path, run_python):
    """Without a folder for the cache, kernels compile all the same.

    As in a read-only container: neither beside the sources nor at home can be written.
    """
    engine = tmp_path / "spelkast" / "envs" / "engine"
    shutil.copytree(
        CHECKOUT / "envs" / "engine", engine, ignore=shutil.ignore_patterns("__pycache__")
    )
    for package in (engine, engine.parent, engine.parents[1]):
        (package / "__init__.py").write_text('"""A copy."""', "utf-8")
        (package / "__pycache__").write_text("a file where the folder should be", "utf-8")
    nowhere = str(tmp_path / "spelkast" / "__init__.py" / "nowhere")

    result = run_python(
        "import spelkast.envs.engine.streams as s; print(s.__file__);"
        "print(s.next_below(s.new_streams(0, 1, 'chance'), 0, 6))",
        tmp_path,
        NUMBA_CACHE_DIR=nowhere,
        HOME=nowhere,
        XDG_CACHE_HOME=nowhere,
    )

    assert result.returncode == 0, result.stderr
    assert result.stdout.split() == [str(engine / "streams.py"), "4"]


def test_a_long_compile_says_what_it_is_doing(monkeypatch, capsys):
    monkeypatch.setattr(jit, "MESSAGE_AFTER_SECONDS", 0.05)

    with jit.announced("Nim"):
        time.sleep(0.3)
    slow = capsys.readouterr()
    monkeypatch.setattr(jit, "MESSAGE_AFTER_SECONDS", 5)
    with jit.announced("Nim"):
        pass
    quick = capsys.readouterr()

    assert slow.err == "spelkast: compiling Nim for this machine, once ...\n"
    assert (slow.out, quick.out, quick.err) == ("", "", "")


@pytest.mark.compiled
@pytest.mark.parametrize("game", ["spelkast.envs.tacocat", "games.pig"])
def test_plain_python_plays_the_same_game(game: str, run_python):
    """With NUMBA_DISABLE_JIT=1, for debuggers and coverage, every number is the same."""
    probe = f"""
import numpy as np, zlib
from {game}.game import SPEC
from spelkast.envs.engine.batch import Batch
batch = Batch(SPEC, 2, seed=3)
batch.reset()
fold, pick = 0, np.random.default_rng(0)
for _ in range(250):
    for array in (batch.states, batch.observations, batch.masks, batch.seats, batch.rewards):
        fold = zlib.crc32(array.tobytes(), fold)
    legal = [pick.choice(np.flatnonzero(mask)) for mask in batch.masks]
    batch.step(np.array(legal, np.int32))
print(fold, batch.ended.tolist(), batch.streams.tolist())
"""
    compiled = run_python(probe)
    plain = run_python(probe, NUMBA_DISABLE_JIT="1")

    assert compiled.returncode == plain.returncode == 0, compiled.stderr + plain.stderr
    assert plain.stdout == compiled.stdout
    assert len(plain.stdout) > 20


DAMAGE: dict[str, Callable[[bytes], bytes]] = {
    "empty": lambda content: b"",
    "cut": lambda content: content[: len(content) // 2],
    "random": lambda content: bytes(random.Random(1).randbytes(len(content))),
    "a bit": lambda content: content[:-200] + bytes([content[-200] ^ 1]) + content[-199:],
}


@pytest.mark.compiled
@pytest.mark.parametrize("what", ["nbi", "nbc"])
@pytest.mark.parametrize("damage", DAMAGE)
def test_a_damaged_cache_ended_every_command(tmp_path, monkeypatch, capsys, what, damage):
    """It counts as empty: what is compiled is right, one line says so, and the cache heals."""
    monkeypatch.setattr(jit.CONFIG, "CACHE_DIR", str(tmp_path))

    def again() -> tuple[int, int, str]:
        """The result, how often the cache had it, and what was printed, as in a new process."""
        jit._ANNOUNCED.discard(jit.CACHE)

        def doubled(number):
            return 2 * number

        compiled: Any = jit.kernel(doubled)
        result = compiled(4)
        return result, sum(compiled.stats.cache_hits.values()), capsys.readouterr().err

    assert again() == (8, 0, "")
    assert again() == (8, 1, "")
    (file,) = tmp_path.rglob(f"*.{what}")
    file.write_bytes(DAMAGE[damage](file.read_bytes()))

    result, _, said = again()

    assert result == 8
    assert said.count("\n") <= 1
    assert "without the cache" in said or (what, damage) == ("nbi", "a bit")
    assert again() == (8, 1, "")


@pytest.mark.compiled
def test_a_cache_that_cannot_be_written_ended_every_command(tmp_path, monkeypatch, capsys):
    """A full disk, a quota."""
    monkeypatch.setattr(jit.CONFIG, "CACHE_DIR", str(tmp_path))
    jit._ANNOUNCED.discard(jit.CACHE)

    def no_room(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(jit._WholeFile, "_save_data", no_room)

    @jit.kernel
    def tripled(number):
        return 3 * number

    assert tripled(4) == 12
    assert capsys.readouterr().err.count("No space left on device") == 1
