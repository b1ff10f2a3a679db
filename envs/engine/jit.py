"""Compiling kernels, so that a cached kernel is never older than what it was made of.

Numba's cache looks at the file of the cached function only: an edit of a constant or a callee in
another file goes unseen. What is compiled here is cached under a name that says what it is made of:
its own code and the values of the constants, tables and kernels that it refers to, and theirs in
turn. Whatever changes one of these has what depends on it compiled again, and nothing else does:
not another game, a drawing or a comment, nor a copy of the checkout that shares
`NUMBA_CACHE_DIR`.

`NUMBA_DISABLE_JIT=1` leaves plain Python functions (debugger, coverage); `NUMBA_BOUNDSCHECK=1`
checks every index and never shares a cached kernel with an unchecked one.
"""

import inspect
import pickle
import threading
import types
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from enum import EnumType
from functools import cache
from hashlib import blake2b
from pathlib import Path
from typing import Any, TypeVar, cast

import numba
import numpy as np
from numba.core import caching
from numba.core.dispatcher import Dispatcher

from .errors import remark

F = TypeVar("F", bound=Callable[..., Any])

CONFIG: Any = numba.config
njit: Any = numba.njit
numba_types: Any = numba.types
FLAGS: dict[str, Any] = {
    "nogil": True,
    "error_model": "numpy",
    # Kernels allocate nothing, so nobody needs to count references; counting those of the
    # arrays that one kernel hands to another cost more than half of the time.
    "_nrt": False,
    # Nobody calls a kernel from C.
    "no_cfunc_wrapper": True,
}
DIGEST_SIZE = 16
MESSAGE_AFTER_SECONDS = 1.5
_ANNOUNCED: set[str] = set()
CACHE = "the cache of compiled code"


def kernel(function: F) -> F:
    """Compile *function*, and put it into the kernels that call it.

    An array is seven arguments, so a call costs more than what a small kernel does.
    """
    return _compile(function, inlined=True)


def outlined(function: F) -> F:
    """Like `kernel`, but called rather than inlined: for what is long and called in many places.

    Code that is inlined into each of five callers, which are inlined in turn, is soon minutes of
    compiling.
    """
    return _compile(function, inlined=False)


def bind(template: F, verbs: Mapping[str, Any]) -> F:
    """Compile a copy of *template* whose global names are rebound to a game's *verbs*.

    Numba would recompile a loop that takes its verbs as arguments in every process; a copy with
    other globals is cached like any module-level function.
    """
    bound = types.FunctionType(
        template.__code__, {**template.__globals__, **verbs}, template.__name__
    )
    bound.__qualname__ = template.__qualname__
    bound.__module__ = template.__module__
    return _compile(bound, inlined=True)  # type: ignore[return-value]  # of the same type


def _compile(function: F, *, inlined: bool) -> F:
    if CONFIG.DISABLE_JIT:
        return function
    compiled = njit(**FLAGS, forceinline=inlined)(function)
    _cache_when_called(compiled)
    _widen_calls(compiled)
    return cast("F", compiled)


# The cache ------------------------------------------------------------------------------------


class _NamedByContents:
    """A place for compiled code whose file names alone say what it was made of."""

    def get_source_stamp(self) -> str:
        return ""

    def get_disambiguator(self) -> str:
        return ""

    @classmethod
    def get_suitable_cache_subpath(cls, _file: str) -> str:
        return "spelkast"


class _GivenFolder(_NamedByContents, caching.UserProvidedCacheLocator): ...


class _BesideTheSource(_NamedByContents, caching.InTreeCacheLocator): ...


class _UsersFolder(_NamedByContents, caching.UserWideCacheLocator): ...


class _Implementation(caching.CompileResultCacheImpl):
    # Numba's own is a list, whose type mypy narrows too far.
    _locator_classes = (_GivenFolder, _BesideTheSource, _UsersFolder)  # type: ignore[assignment]


class _WholeFile(caching.IndexDataCacheFile):
    """Files of which each ends with its digest: what is damaged counts as not there.

    Numba would run whatever bytes it finds, and stop at an index that is cut off.
    """

    def _load_index(self) -> Any:
        try:
            return super()._load_index()  # type: ignore[no-untyped-call]
        except Exception as error:
            _warn(error)
            return {}

    def _dump(self, obj: Any) -> bytes:
        data: bytes = super()._dump(obj)  # type: ignore[no-untyped-call]
        return data + _digest(data)

    def _load_data(self, name: str) -> Any:
        content = Path(self._data_path(name)).read_bytes()  # type: ignore[no-untyped-call]
        data = content[:-DIGEST_SIZE]
        if content[-DIGEST_SIZE:] != _digest(data):
            raise ValueError(f"{name} is damaged")
        return pickle.loads(data)


class _Cache(caching.FunctionCache):
    """What is compiled; whatever is wrong with it, kernels are compiled without."""

    _impl_class = _Implementation

    def __init__(self, function: Any) -> None:
        super().__init__(function)  # type: ignore[no-untyped-call]
        self._cache_file = _WholeFile(self._cache_path, self._impl.filename_base, "")  # type: ignore[no-untyped-call]

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        try:
            return super().load_overload(sig, target_context)  # type: ignore[no-untyped-call]
        except Exception as error:
            _warn(error)
            return None

    def save_overload(self, sig: Any, data: Any) -> None:
        try:
            super().save_overload(sig, data)  # type: ignore[no-untyped-call]
        except OSError as error:
            _warn(error)


def _digest(data: bytes) -> bytes:
    return blake2b(data, digest_size=DIGEST_SIZE).digest()


def _warn(error: Exception) -> None:
    """Say once in a process what is wrong with the cache."""
    if CACHE not in _ANNOUNCED:
        _ANNOUNCED.add(CACHE)
        remark(f"compiling without the cache: {error or type(error).__name__}")


def _cache_when_called(compiled: Any) -> None:
    """Look for *compiled* in the cache only when it is needed.

    By then all that it refers to is there, in whatever order it stands in the source.
    """
    compile_now, function = compiled.compile, compiled.py_func

    def compile_or_load(signature: Any) -> Any:
        if not compiled.overloads:
            function.__qualname__ = f"{function.__name__}_{fingerprint(compiled)}"
            with suppress(RuntimeError):  # no folder that a cache can be written to
                compiled._cache = cast("Any", _Cache)(function)
        return compile_now(signature)

    compiled.compile = compile_or_load


def fingerprint(compiled: Any) -> str:
    """Sixteen hex digits over all that the kernel *compiled* is made of, flags included."""
    digest = blake2b(repr((DIGEST_SIZE, FLAGS, bool(CONFIG.BOUNDSCHECK))).encode(), digest_size=8)
    reached, known = [compiled], {compiled}
    for one in reached:  # grows on the way
        own, called = made_of(one)
        digest.update(own)
        for other in called:
            if other not in known:
                known.add(other)
                reached.append(other)
    return digest.hexdigest()


@cache
def made_of(compiled: Any) -> tuple[bytes, list[Any]]:
    """The code of a kernel and the values of what it refers to, digested; the kernels it calls."""
    function, called = compiled.py_func, []
    code = function.__code__
    parts = [
        function.__module__,
        function.__name__,
        compiled.targetoptions,
        function.__defaults__,
        code.co_code,
        code.co_names,
        [constant for constant in code.co_consts if constant != function.__doc__],
    ]
    digest = blake2b(repr(parts).encode())
    for value in _referred(function):
        if isinstance(value, Dispatcher):
            called.append(value)
        elif isinstance(value, np.ndarray):
            digest.update(f"{value.dtype} {value.shape} {value.strides}".encode())
            digest.update(value.tobytes())
        else:  # a module and a function of another library are known by name: numba lowers them
            digest.update(str(getattr(value, "__name__", repr(value))).encode())
    return digest.digest(), called


def _referred(function: Callable[..., Any]) -> list[Any]:
    """The values of the names in *function*, and in the modules that it names."""
    names = inspect.getclosurevars(function)
    values = [*names.nonlocals.values(), *names.globals.values()]
    for value in values:  # grows on the way
        if isinstance(value, tuple):
            values += value
        elif isinstance(value, types.ModuleType | EnumType):
            members = vars(value)
            values += [members[name] for name in function.__code__.co_names if name in members]
    return values


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
        remark(f"compiling {what} for this machine, once ...")

    timer = threading.Timer(MESSAGE_AFTER_SECONDS, say)
    timer.daemon = True
    timer.start()
    try:
        yield
    finally:
        timer.cancel()
