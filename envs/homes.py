"""Where the parts of each game are: one rule by name, for the games here and in other packages.

| part                | a game here                  | a package `P` of your own           |
|---------------------|------------------------------|-------------------------------------|
| rules, with `SPEC`  | `envs/NAME/game.py`          | `P/game.py`                         |
| PettingZoo's module | `envs/NAME/NAME_vN.py`       | `P/NAME_vN.py`                      |
| page                | `envs/NAME/README.md`        | `P/README.md`                       |
| worked examples     | `envs/NAME/cases/`           | `P/cases/`                          |
| baselines           | `agents/heuristics/NAME/`    | `P/heuristics.py`, `P/heuristics/`  |
| presets             | `configs/NAME/*.toml`        | `P/configs/*.toml`                  |

The first two are needed, the others are optional. The `N` of `NAME_vN` is the game's version. A
package of your own is announced by an entry point of the group `spelkast.games`, `NAME = "P"`
(`NAME = "P.game"` does as well). No game is imported before somebody asks for it.
"""

from dataclasses import dataclass
from functools import cache, partial
from importlib.machinery import ModuleSpec, PathFinder
from importlib.metadata import entry_points
from importlib.util import find_spec
from pathlib import Path
from typing import Self

from .engine.errors import MissingPartError, expect
from .engine.spec import GameSpec, load_spec, version_in

ENTRY_POINTS = "spelkast.games"
ENVS = Path(__file__).parent
ENGINE = "engine"
"""The one folder in `envs/` that is not a game."""

ROOT = __package__.rpartition(".")[0]


@dataclass(frozen=True, kw_only=True)
class Home:
    """Where the parts of one game are."""

    name: str
    package: str
    """the package of the rules, the page and the worked examples"""
    folder: Path | None
    """where that package lies; None if it is not installed"""
    heuristics: str
    """the module of the baselines, which may be missing"""
    configs: Path
    """the folder of the presets, which may be missing"""

    @classmethod
    def here(cls, name: str) -> Self:
        """The home of a game of this repository."""
        return cls(
            name=name,
            package=f"{__package__}.{name}",
            folder=ENVS / name,
            heuristics=f"{ROOT}.agents.heuristics.{name}",
            configs=ENVS.parent / "configs" / name,
        )

    @classmethod
    def of_package(cls, name: str, package: str) -> Self:
        """The home of a game whose parts are in one package, which is not imported for it."""
        folder = _folder_of(package)
        return cls(
            name=name,
            package=package,
            folder=folder,
            heuristics=f"{package}.heuristics",
            configs=(folder or Path()) / "configs",
        )

    @property
    def version(self) -> int:
        """The `N` of `NAME_vN.py`; raises `MissingPartError`."""
        return version_in(self._needed_folder(), self.name)

    def spec(self) -> GameSpec:
        """The game; raises `MissingPartError` that says which part is missing, and where."""
        folder = self._needed_folder()
        file, missing = folder / "game.py", partial(expect, error=MissingPartError)
        rules = f"the rules of the game {self.name!r} in game.py"
        missing(file.is_file(), rules, f"none in {folder}")
        version_in(folder, self.name)
        spec = load_spec(f"{self.package}.game")
        missing(spec.name == self.name, f"the game {self.name!r}", f"{spec.name!r} in {file}")
        return spec

    def presets(self) -> dict[str, Path]:
        """The file of each preset, by name; empty if the game has none."""
        return {path.stem: path for path in sorted(self.configs.glob("*.toml"))}

    def has_heuristics(self) -> bool:
        """Whether there are baselines; loads the package above them."""
        return self.folder is not None and find_spec(self.heuristics) is not None

    def _needed_folder(self) -> Path:
        if self.folder is None:
            raise MissingPartError(
                f"expected a package {self.package!r} for the game {self.name!r}, as the entry "
                f"point of {ENTRY_POINTS} says, got none that can be imported"
            )
        return self.folder


@cache
def all_homes() -> dict[str, Home]:
    """The home of every game by name: those of this repository, then those that are installed.

    Raises `MissingPartError` where there are no folders with sources to find them in.
    """
    wanted, got = "the sources of spelkast, unpacked as pip does it", f"none in {ENVS}"
    expect((ENVS / "__init__.py").is_file(), wanted, got, error=MissingPartError)
    names = {path.parent.name for path in ENVS.glob("*/__init__.py")} - {ENGINE}
    found = {name: Home.here(name) for name in names}
    for point in entry_points(group=ENTRY_POINTS):
        package = point.module.removesuffix(".game")
        if point.name not in found:
            found[point.name] = Home.of_package(point.name, package)
    return dict(sorted(found.items()))


def _folder_of(package: str) -> Path | None:
    """Where a package lies, found without importing it; `find_spec` would import its parents."""
    top, *rest = package.split(".")
    found: ModuleSpec | None = find_spec(top)
    name = top
    for part in rest:
        name = f"{name}.{part}"
        inside = found.submodule_search_locations if found else None
        found = PathFinder.find_spec(name, inside) if inside else None
    places = list(found.submodule_search_locations or ()) if found else []
    return Path(places[0]) if places else None
