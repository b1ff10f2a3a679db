"""The verbs of the command, and how it reports what goes wrong in them.

A verb lives in the file of its name, as a function of its name. It is loaded when it is needed
and imports what is heavy only when it runs, so that `--help` is quick.
"""

import errno
import os
import signal
import sys
import threading
from collections.abc import Callable, Sequence
from dataclasses import is_dataclass
from difflib import get_close_matches
from importlib import import_module
from inspect import signature
from itertools import pairwise
from typing import Annotated, Any, NoReturn

import typer
from typer.core import TyperGroup

from . import DROPPED, QUIT

VERBS = (
    "games", "train", "tune", "teach", "eval", "tournament", "play", "replay", "bench", "check",
    "new-game",
)  # fmt: skip
USERS_FAULT = (
    FileNotFoundError, FileExistsError, PermissionError, IsADirectoryError, NotADirectoryError,
)  # fmt: skip
USERS_FAULT_NUMBERS = (errno.EROFS, errno.ENAMETOOLONG, errno.ELOOP)
"""Those for which Python has no class."""
LONGEST = 1200
"""Characters of a message; what is typed may be longer."""
DEBUG = "SPELKAST_TRACEBACK"


class Verbs(TyperGroup):
    """Loads a verb when it is needed; answers a user's mistake in one line."""

    def list_commands(self, ctx: Any) -> list[str]:
        """The verbs, in the order in which one meets them."""
        return list(VERBS)

    def get_command(self, ctx: Any, cmd_name: str) -> Any:
        """The command of a verb, or None if there is no such verb."""
        return load(cmd_name) if cmd_name in VERBS else None

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        """The verb that stands first; the error of an unknown one names those that there are."""
        if args and not args[0].startswith("-") and args[0] not in VERBS:
            close = get_close_matches(args[0], VERBS, n=1)
            hint = f" (did you mean {close[0]}?)" if close else ""
            ctx.fail(f"expected one of {', '.join(VERBS)}, got {args[0]!r}{hint}")
        return super().resolve_command(ctx, args)

    def main(self, args: Sequence[str] | None = None, *rest: Any, **extra: Any) -> NoReturn:
        """Run the command; leaves with an exit code and never shows a traceback."""
        arguments = list(sys.argv[1:] if args is None else args)
        code: Any = 0
        try:
            code = super().main(
                arguments or ["--help"], *rest, **{**extra, "standalone_mode": False}
            )
            sys.stdout.flush()
        except SystemExit as leave:
            code = leave.code
        except KeyboardInterrupt:
            _ignore_interrupts()
            code = QUIT
        except BrokenPipeError:
            code = 1
        except Exception as error:
            if DROPPED.is_set():
                _ignore_interrupts()
                code = QUIT
            elif os.environ.get(DEBUG):
                raise
            else:
                code = explain(error, arguments)
        sys.exit(_flushed(code))


def _ignore_interrupts() -> None:
    """Once is enough: another on the way out would show where Python was."""
    if threading.current_thread() is threading.main_thread():
        signal.signal(signal.SIGINT, signal.SIG_IGN)


def load(verb: str) -> Any:
    """The command that the file of *verb* describes."""
    name = verb.replace("-", "_")
    module = import_module(f".{name}", __package__)
    single = typer.Typer(add_completion=False, rich_markup_mode=None)
    text = examples(getattr(module, "EXAMPLES", ()))
    run = with_parameters(getattr(module, name))
    single.command(verb, epilog=text, cls=getattr(module, "COMMAND", None))(run)
    return typer.main.get_command(single)


def with_parameters(run: Callable[..., None]) -> Callable[..., None]:
    """*run* as typer wants it, which makes an option of each parameter.

    A verb with many options takes them as one dataclass: its fields become the parameters.
    """
    group, *more = (part.annotation for part in signature(run, eval_str=True).parameters.values())
    if more or not (isinstance(group, type) and is_dataclass(group)):
        return run

    def call(**given: Any) -> None:
        run(group(**given))

    call.__doc__ = run.__doc__
    call.__signature__ = signature(group, eval_str=True)  # type: ignore[attr-defined]
    return call


def examples(lines: Sequence[str]) -> str:
    """The end of a verb's help: commands to try, one per line."""
    # \b keeps the lines as they are.
    return "\n".join(["\b", "For example:", *(f"  {line}" for line in lines)])


def explain(error: Exception, arguments: Sequence[str] = ()) -> int:
    """Say what went wrong in one line on stderr; the exit code is 2 if the user can mend it."""
    try:
        from ..envs.engine.errors import printable, remark
    except ValueError as no_sources:  # a `SpelkastError`, which cannot be imported either
        print(f"spelkast: {no_sources}", file=sys.stderr)
        return 2
    message, code = _message(error, arguments)
    text = printable(" ".join(message.split()))
    if len(text) > LONGEST:
        text = f"{text[: LONGEST // 2]} ... {text[-LONGEST // 4 :]}"
    remark(text)
    return code


def _message(error: Exception, arguments: Sequence[str]) -> tuple[str, int]:
    from ..envs.engine.errors import SpelkastError

    if isinstance(error, SpelkastError):
        return str(error), 2
    if hasattr(error, "format_message"):  # typer's and click's own errors
        context = getattr(error, "ctx", None)
        path = getattr(context, "command_path", "spelkast")
        message = error.format_message().rstrip(".")
        return f"{message}{_got(message, arguments)} (see {path} --help)", 2
    if isinstance(error, OSError):
        where = f": {error.filename}" if error.filename else ""
        is_theirs = isinstance(error, USERS_FAULT) or error.errno in USERS_FAULT_NUMBERS
        return f"{error.strerror or error}{where}", 2 if is_theirs else 1
    if isinstance(error, ModuleNotFoundError) and error.name in {
        "torch", "stable_baselines3", "sb3_contrib", "tensorboard", "cmaes",
    }:  # fmt: skip
        return f"expected {error.name} to be installed: pip install 'spelkast[train]'", 2
    if isinstance(error, MemoryError):
        return f"expected something that fits into the memory, got more: {error}", 2
    what = type(error).__name__
    return f"something went wrong inside: {what}: {error} ({DEBUG}=1 shows where)", 1


def _got(message: str, arguments: Sequence[str]) -> str:
    """What was given for the option that a message is about, which typer does not say."""
    for option, value in pairwise([*arguments, ""]):
        name, separator, text = option.partition("=")
        known = name.startswith("--") and f"'{name}'" in message
        if known and (separator or value):
            return f", got {text if separator else value!r}"
    return ""


def _flushed(code: Any) -> int:
    """Flush what is still to be printed; a reader that has closed (`| head`) is not an error."""
    for stream in (sys.stdout, sys.stderr):
        try:
            stream.flush()
        except OSError:
            # Python flushes once more on its way out, into something that accepts it.
            os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())
        except ValueError:  # closed
            pass
    return code if isinstance(code, int) else int(code is not None)


app = typer.Typer(
    cls=Verbs,
    add_completion=False,
    rich_markup_mode=None,
    epilog=examples(
        [
            "spelkast games",
            "spelkast play tacocat --against novice",
            "spelkast eval tacocat solid novice --games 1000",
        ]
    ),
)


def _version(wanted: bool) -> None:  # noqa: FBT001  typer's way
    if wanted:
        from .. import __version__

        print(f"spelkast {__version__}")
        raise typer.Exit


@app.callback()
def spelkast(
    *,
    version: Annotated[
        bool,
        typer.Option("--version", callback=_version, is_eager=True, help="Print the version."),
    ] = False,
) -> None:
    """Tabletop games to train AI opponents for, to compare them in, and to play against them."""
