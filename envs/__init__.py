"""The games: which there are, and how to get one; `homes` says where their parts are found."""

from difflib import get_close_matches
from functools import partial
from typing import Any

import pettingzoo

from .engine.aec import GameEnv
from .engine.errors import MissingPartError, UnknownNameError
from .engine.spec import GameSpec
from .homes import Home, all_homes

__all__ = ["games", "home", "make", "spec"]


def games() -> list[str]:
    """The names of all games, sorted."""
    return sorted(all_homes())


def home(name: str) -> Home:
    """Where the parts of the game called *name* are; raises `UnknownNameError` with all names."""
    found = all_homes().get(name)
    if found is None:
        close = get_close_matches(str(name), games(), n=1)
        hint = f" (did you mean {close[0]}?)" if close else ""
        raise UnknownNameError(f"expected a game of {', '.join(games())}, got {name!r}{hint}")
    return found


def spec(name: str) -> GameSpec:
    """The game called *name*.

    Raises:
        UnknownNameError: There is no such game; the message lists the games.
        MissingPartError: Its package lacks a part; the message says which and where.
    """
    return home(name).spec()


def make(name: str, **kwargs: Any) -> GameEnv:
    """The AEC environment of a game; keywords are those of `GameEnv` and the game's options."""
    return GameEnv(spec(name), **kwargs)


def _register() -> None:
    """Give every game its id for `pettingzoo.make`, such as `spelkast/tacocat-vN`."""
    for name, place in all_homes().items():
        try:
            game_id = f"spelkast/{name}-v{place.version}"
        except MissingPartError:  # somebody's package is broken: `spec` says so to who asks for it
            continue
        pettingzoo.register("aec", game_id, entry_point=partial(make, name))


_register()
