"""Spelkast, the cupboard where the games are kept: tabletop games to train and meet agents in.

The root of the repository is this package. The parts are imported by their own names
(`from spelkast.envs.tacocat import tacocat_v0`), or through the package, which loads a part when
it is first asked for:

    import spelkast
    spelkast.envs.games()
"""

from importlib import import_module
from types import ModuleType

__version__ = "0.1.0"

_PARTS = ("agents", "cli", "envs", "eval", "play", "train")


def __getattr__(name: str) -> ModuleType:
    """Load a part of the package on first use, so that `import spelkast` costs nothing."""
    if name in _PARTS:
        return import_module(f"{__name__}.{name}")
    msg = f"expected one of {', '.join(_PARTS)}, got {name!r} in {__name__}"
    raise AttributeError(msg)


def __dir__() -> list[str]:
    """List the version and the parts, loaded or not."""
    return sorted([*globals(), *_PARTS])
