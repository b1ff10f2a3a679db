"""Compiling kernels, so that a cached kernel is never older than the sources it was made from.

Numba's cache looks at the file of the cached function only: an edit of a constant or a callee in
another file goes unseen. What is compiled here therefore carries, in its qualified name (which is
part of the cache file's name), a fingerprint of the engine and of the game it belongs to.

`NUMBA_DISABLE_JIT=1` leaves plain Python functions (debugger, coverage); `NUMBA_BOUNDSCHECK=1`
checks every index and never shares a cached kernel with an unchecked one.
"""

from __future__ import annotations

import sys
import threading
import types
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache
from hashlib import blake2b
from pathlib import Path
from typing import Any, TypeVar, cast

import numba

F = TypeVar("F", bound=Callable[..., Any])

CONFIG: Any = numba.config
njit: Any = numba.njit
numba_types: Any = numba.types
ENGINE = Path(__file__).parent
COMPILED = ("dtypes.py", "jit.py", "loops.py", "streams.py", "verbs.py")
"""The engine's files that compiled code is made of."""

SOURCES = (".py", ".json", ".toml")
MESSAGE_AFTER_SECONDS = 1.5
_ANNOUNCED: set[str] = set()


def kernel(function: F) -> F:
    """Compile *function*, a verb that stands in a game's folder (or in the engine)."""
    return _compile(function, Path(function.__code__.co_filename).parent)


def outlined(function: F) -> F:
    """Like `kernel`, but called rather than inlined: for what is long and called in many places.

    Code that is inlined into each of five callers, which are inlined in turn, is soon minutes of
    compiling.
    """
    return _compile(function, Path(function.__code__.co_filename).parent, inlined=False)


def kernel_over(*packages: types.ModuleType, inlined: bool = True) -> Callable[[F], F]:
    """A decorator like `kernel` for code outside a game's folder that calls into *packages*.

    Not *inlined*, it is like `outlined`.
    """
    folders = [Path(str(package.__file__)).parent for package in packages]

    def decorate(function: F) -> F:
        own = Path(function.__code__.co_filename).parent
        return _compile(function, own, *folders, inlined=inlined)

    return decorate


def bind(template: F, folder: Path, verbs: dict[str, Callable[..., Any]]) -> F:
    """Compile a copy of *template* whose global names are rebound to a game's *verbs*.

    Numba would recompile a loop that takes its verbs as arguments in every process; a copy with
    other globals is cached like any module-level function.
    """
    bound = types.FunctionType(
        template.__code__, {**template.__globals__, **verbs}, template.__name__
    )
    bound.__qualname__ = template.__qualname__
    bound.__module__ = template.__module__
    return _compile(bound, folder)  # type: ignore[return-value]  # a function of the same type


def _compile(function: F, *folders: Path, inlined: bool = True) -> F:
    if CONFIG.DISABLE_JIT:
        return function
    function.__qualname__ = f"{function.__qualname__}_{fingerprint(*folders)}"
    flags: dict[str, Any] = {
        "nogil": True,
        "error_model": "numpy",
        # Kernels allocate nothing, so nobody needs to count references; counting those of the
        # arrays that one kernel hands to another cost more than half of the time.
        "_nrt": False,
        # An array is seven arguments, so a call costs more than what a small kernel does.
        "forceinline": inlined,
    }
    try:
        compiled = njit(cache=True, **flags)(function)
    except RuntimeError:  # no folder that a cache can be written to
        compiled = njit(**flags)(function)
    _widen_calls(compiled)
    return cast("F", compiled)


def _widen_calls(compiled: Any) -> None:
    """Let other kernels hand *compiled* every whole number as 64 bits.

    Numba would compile it, and all that it calls, once more for a constant, for a field of 16 bits
    and for a row of 32. The code is no faster for it.
    """
    template_for = compiled.get_call_template

    def get_call_template(args: tuple[Any, ...], kws: dict[str, Any]) -> Any:
        wide = {name: _widened(kind) for name, kind in kws.items()}
        return template_for(tuple(map(_widened, args)), wide)

    compiled.get_call_template = get_call_template


def _widened(kind: Any) -> Any:
    """The type that a kernel takes for an argument of the type *kind*."""
    kind = numba_types.unliteral(kind)
    is_whole = isinstance(kind, numba_types.Integer) and kind.signed
    return numba_types.int64 if is_whole else kind


@cache
def fingerprint(*folders: Path) -> str:
    """Twelve hex digits over the sources and data of the engine and of *folders*."""
    digest = blake2b(str(bool(CONFIG.BOUNDSCHECK)).encode(), digest_size=6)
    paths = {ENGINE / name for name in COMPILED}
    for folder in set(folders) - {ENGINE}:
        paths |= {path for path in folder.iterdir() if path.suffix in SOURCES}
    for path in sorted(paths):
        digest.update(path.name.encode())
        digest.update(path.read_bytes())
    return digest.hexdigest()


@contextmanager
def announced(what: str) -> Iterator[None]:
    """Say on stderr what is being compiled if the enclosed work takes more than a moment.

    Only the first time that something is done in a process can it be slow.
    """
    if what in _ANNOUNCED:
        yield
        return
    _ANNOUNCED.add(what)

    def say() -> None:
        print(f"spelkast: compiling {what} for this machine, once ...", file=sys.stderr, flush=True)

    timer = threading.Timer(MESSAGE_AFTER_SECONDS, say)
    timer.daemon = True
    timer.start()
    try:
        yield
    finally:
        timer.cancel()
