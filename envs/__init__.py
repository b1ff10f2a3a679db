"""The games: which there are, and how to get one.

A game is a folder of this package that holds a `game.py` with a `SPEC`, or an entry point of the
group `spelkast.games` that names one (`my_game = "my_package.game"`).
"""

from __future__ import annotations

from difflib import get_close_matches
from functools import cache, partial
from importlib.metadata import entry_points
from pathlib import Path
from typing import Any

import pettingzoo

from .engine.aec import GameEnv
from .engine.errors import UnknownNameError
from .engine.spec import GameSpec, load_spec

__all__ = ["games", "make", "spec"]

ENTRY_POINTS = "spelkast.games"


@cache
def _homes() -> dict[str, str]:
    """The module of every game's spec, by the game's name."""
    folders = sorted(path.parent.name for path in Path(__file__).parent.glob("*/game.py"))
    homes = {name: f"{__name__}.{name}.game" for name in folders}
    for point in entry_points(group=ENTRY_POINTS):
        homes.setdefault(point.name, point.value)
    return homes


def games() -> list[str]:
    """The names of all games, sorted."""
    return sorted(_homes())


def spec(name: str) -> GameSpec:
    """The game called *name*; raises `UnknownNameError` that lists the games."""
    home = _homes().get(name)
    if home is None:
        close = get_close_matches(str(name), games(), n=1)
        hint = f" (did you mean {close[0]}?)" if close else ""
        raise UnknownNameError(f"expected a game of {', '.join(games())}, got {name!r}{hint}")
    return load_spec(home)


def make(name: str, **kwargs: Any) -> GameEnv:
    """The AEC environment of a game; keywords are those of `GameEnv` and the game's options."""
    return GameEnv(spec(name), **kwargs)


def _register() -> None:
    for name in _homes():
        pettingzoo.register("aec", f"spelkast/{name}-v0", entry_point=partial(make, name))


_register()
