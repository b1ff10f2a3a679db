"""The errors, all `SpelkastError`s: a message says what was expected, what was given, and where."""

import sys
from contextlib import suppress

LONGEST_SHOWN = 300
"""Characters of a value in a message."""


class SpelkastError(ValueError):
    """The base of all errors that spelkast raises for a user's mistake."""


class UnknownNameError(SpelkastError):
    """There is no game, agent or other thing of that name."""


class MissingPartError(SpelkastError):
    """The package of a game lacks a part that every game needs."""


class OptionsError(SpelkastError):
    """An option does not exist or its value is out of range."""


class FieldsError(SpelkastError):
    """A game's statement of its fields contradicts itself: a mistake of the game's author."""


class PositionError(SpelkastError):
    """A position is not well-formed or breaks an invariant of the rules."""


class NotationError(SpelkastError):
    """A text is not a move, or not a chance outcome, of the game."""


class IllegalActionError(SpelkastError):
    """A move is not allowed in this position."""


class ChanceError(SpelkastError):
    """A scripted chance outcome cannot happen here."""


class TurnError(SpelkastError):
    """A call came at the wrong time."""


class NotResetError(TurnError):
    """The environment was used before `reset`."""


class GameOverError(TurnError):
    """The environment was used after the end of the game."""


class NoLegalActionError(SpelkastError):
    """An agent was asked to move although its mask is empty."""


class DivergedError(SpelkastError):
    """A network's output is NaN or infinite: its training has diverged."""


class BoardError(SpelkastError):
    """The file with the facts of a game's board describes none that can be played on."""


class ReplayError(SpelkastError):
    """A replay does not reproduce the game that it records."""


class ContractError(SpelkastError):
    """A game breaks a promise that `check_game` tests."""


class TournamentError(SpelkastError):
    """A score sheet, a list of teams or the folder of a tournament has a mistake."""


class CheckpointError(SpelkastError):
    """A training run or checkpoint is missing, damaged or made for something else."""


class DataError(SpelkastError):
    """A file to learn from is missing, damaged or made for something else."""


def expect(
    holds: object, expected: object, got: object, *, error: type[SpelkastError] = SpelkastError
) -> None:
    """Raise *error* unless *holds*; who asked for the check may add where it was."""
    if not holds:
        raise error(f"expected {expected}, got {got}")


def printable(text: str) -> str:
    """*text* for a terminal: what would move the cursor or ring the bell is written as its code."""
    return "".join(c if c.isprintable() else c.encode("unicode_escape").decode() for c in text)


def remark(text: str) -> None:
    """Say *text* in one printable line on stderr; if that is closed or full, nobody hears it."""
    if sys.stderr is not None:
        with suppress(OSError, ValueError):
            print(f"spelkast: {printable(' '.join(text.split()))}", file=sys.stderr, flush=True)


def shown(value: object) -> str:
    """*value* for a message: as Python writes it, cut off where it is very long."""
    try:
        text = repr(value)
    except (ValueError, RecursionError):  # a number of thousands of digits, lists without end
        return f"{type(value).__name__} too long to show"
    return text if len(text) <= LONGEST_SHOWN else f"{text[:LONGEST_SHOWN]}..."
