"""A game copied under another name: which files it has, where they go, and what becomes of them.

The parts of a game of the repository go where its own parts are, name for name. Those of a package
(Pig, which the tests play) are distributed over the same places.
"""

import io
import keyword
import os
import re
import subprocess
import sys
import tokenize
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import chain
from pathlib import Path

from ..envs import games
from ..envs.engine.errors import UnknownNameError, expect

PLACES = ("envs", "tests", "configs", "agents/heuristics")
"""Where a game of the repository has a folder of its name."""

IMAGES = "docs/images"
PACKAGES = "tests/games"
"""Where games lie that come as one package, as they would in a distribution of their own."""


@dataclass(frozen=True, kw_only=True)
class Copied:
    """What `copy_game` has written."""

    paths: list[Path]
    complaint: str
    """why the files are not formatted, or what ruff does not like; empty if all is well"""


def copy_game(checkout: Path, old: str, new: str) -> Copied:
    """Copy the game *old* as *new*, all its parts, and name its packages in pyproject.toml.

    Raises:
        SpelkastError: *checkout* is none, or *new* cannot be the name of a new game.
        UnknownNameError: There is no game *old* to copy.
    """
    checkout = checkout.resolve()
    _check_checkout(checkout)
    _check_name(checkout, new)
    files = list(chain.from_iterable(_files(*part) for part in _parts_of(checkout, old, new)))
    _check_unused(new, [source for source, _ in files])
    convert = _Converter(old, new, checkout / PACKAGES / old)
    contents = {
        target.with_name(renamed(target.name, old, new)): convert.content(source, target)
        for source, target in files
    }
    for path, content in contents.items():
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
    _list_packages(checkout, list(contents))
    complaint = _tidy(checkout, sorted(contents))
    _redraw(checkout, new)
    return Copied(paths=sorted(contents), complaint=complaint)


# What is copied, and where to --------------------------------------------------------------------


def _parts_of(checkout: Path, old: str, new: str) -> list[tuple[Path, Path]]:
    """Every part that *old* has, a file or folder, and the place of the same part of *new*."""
    envs, tests, configs, heuristics = (checkout / place for place in PLACES)
    package = checkout / PACKAGES / old
    if (package / "game.py").is_file():
        named = {"heuristics.py": heuristics / new / "__init__.py", "configs": configs / new}
        parts = [(at, named.get(at.name, envs / new / at.name)) for at in package.iterdir()]
        return [*parts, (tests / old, tests / new)]
    if not (envs / old / "game.py").is_file():
        found = chain.from_iterable(at.glob("*/game.py") for at in (envs, checkout / PACKAGES))
        known = ", ".join(sorted(path.parent.name for path in found))
        raise UnknownNameError(f"expected a game to copy ({known}), got {old!r}")
    parts = [(checkout / place / old, checkout / place / new) for place in PLACES]
    return [*parts, (checkout / IMAGES / f"{old}.svg", checkout / IMAGES / f"{new}.svg")]


def _files(source: Path, target: Path) -> Iterator[tuple[Path, Path]]:
    """The files of a part that are worth copying, with their places."""
    if source.is_file():
        yield source, target
    for path in sorted(source.rglob("*")):
        if path.is_file() and "__pycache__" not in path.parts:
            yield path, target / path.relative_to(source)


# What may be copied ------------------------------------------------------------------------------


def _check_checkout(checkout: Path) -> None:
    try:
        project = tomllib.loads((checkout / "pyproject.toml").read_text("utf-8"))["project"]
        is_one = project["name"] == "spelkast" and (checkout / "tests").is_dir()
    except (OSError, tomllib.TOMLDecodeError, KeyError):
        is_one = False
    wanted = "spelkast to run from a checkout (git clone), which the new game is put into"
    expect(is_one, wanted, checkout)


def _check_name(checkout: Path, new: str) -> None:
    is_name = re.fullmatch("[a-z][a-z0-9_]*", new) and not keyword.iskeyword(new)
    wanted = "a name of small letters, digits and _ that is not a word of Python's own"
    expect(is_name, f"{wanted} (snail, snail_2)", repr(new))
    for place in PLACES:
        for at in (checkout / place / new, checkout / place / f"{new}.py"):
            there = f"{new!r}: there is {at.relative_to(checkout)}"
            expect(not any(_files(at, at)), "a name that is not taken", there)
    expect(new not in games(), "a name that is not taken", f"the game {new!r}")


def _check_unused(new: str, sources: list[Path]) -> None:
    """Refuse a name that the code to be copied has for something else, such as `state`."""
    for source in sources:
        used = _names_in(source.read_text("utf-8")) if source.suffix == ".py" else set()
        got = f"{new!r}, which stands in {source.name}"
        expect(new not in used, "a name that the copied code has no use for", got)


def _names_in(code: str) -> set[str]:
    tokens = tokenize.generate_tokens(io.StringIO(code).readline)
    return {token.string.lower() for token in tokens if token.type == tokenize.NAME}


# What becomes of a file --------------------------------------------------------------------------


@dataclass(frozen=True)
class _Converter:
    """What a file says under its new name and in its new place."""

    old: str
    new: str
    package: Path
    """the folder of a game that comes as one package; another game has no such folder"""

    def content(self, source: Path, target: Path) -> bytes:
        """The content of the file *source* when it is at *target*."""
        try:
            text = source.read_text("utf-8")
        except UnicodeDecodeError:  # a picture, say
            return source.read_bytes()
        if self.package.is_dir():
            heuristics = f"spelkast.agents.heuristics.{self.old}"
            text = text.replace(f"games.{self.old}.heuristics", heuristics)
            text = text.replace(f"games.{self.old}", f"spelkast.envs.{self.old}")
            if source.suffix == ".py" and source.is_relative_to(self.package):
                text = _as_part(text, self.old, is_heuristics=source.stem == "heuristics")
        if source.suffix == ".md":
            text = _relinked(text, source.parent, target.parent)
            text = text if self.package.is_dir() else _without_claims(text, self.old)
        if source.name == "tuned.toml":  # how it was made and measured was another game
            text = text.partition("\n[made]\n")[0]
        text = renamed(text, self.old, self.new)
        if source.suffix == ".json":
            text = re.sub(r'("legal_moves": \[)([^]]*)(\])', _sorted_moves, text)
        return text.encode()


def renamed(text: str, old: str, new: str) -> str:
    """*text* with the name of the game replaced in all its forms: pig, PIG, Pig, PigOptions."""
    title = new.replace("_", " ").title()

    def form(found: re.Match[str]) -> str:
        if found[0].islower():
            return new
        if found[0].isupper():
            return new.upper()
        is_part = text[found.end() : found.end() + 1].isalpha()
        return title.replace(" ", "") if is_part else title

    return re.sub(rf"(?<![a-z])(?:{old}|{old.upper()}|(?i:{old})(?=s?\b|[A-Z_]))", form, text)


def _as_part(text: str, old: str, *, is_heuristics: bool) -> str:
    """The imports of a module of a package, as a module of the repository writes them."""
    if not is_heuristics:
        return text.replace("from spelkast.envs.engine", "from ..engine")
    text = re.sub(r"from \.(?=[a-z])", f"from ....envs.{old}.", text)
    text = text.replace("from . import", f"from ....envs.{old} import")
    return text.replace("from spelkast.envs", "from ....envs").replace(
        "from spelkast.agents.", "from ..."
    )


def _relinked(text: str, before: Path, after: Path) -> str:
    """The links of a page, as they lead to the same files from another folder."""

    def link(found: re.Match[str]) -> str:
        path = (before / found[1]).resolve()
        if not path.exists() or path.is_relative_to(before):  # it is copied with the page
            return found[0]
        return f"]({os.path.relpath(path, after)}"

    return re.sub(r"\]\(([^)#:]+)", link, text)


def _without_claims(text: str, old: str) -> str:
    """A page whose baselines are only listed: what was measured was another game."""
    head, title, rest = text.partition("\n## Baselines\n")
    table, end, tail = rest.partition("\n## ")
    rows = re.findall(r"^\| (`\w+`)", table, re.MULTILINE)
    listed = "".join(f"| {row} | as in {old} |\n" for row in rows)
    return f"{head}{title}\n| agent | plays |\n|---|---|\n{listed}{end}{tail}"


def _sorted_moves(found: re.Match[str]) -> str:
    return found[1] + ", ".join(sorted(re.findall(r'"[^"]*"', found[2]))) + found[3]


def _list_packages(checkout: Path, written: list[Path]) -> None:
    """Add the folders of the new modules to the packages that pyproject.toml lists."""
    path = checkout / "pyproject.toml"
    text = path.read_text("utf-8")
    head, begin, rest = text.partition("\npackages = [\n")
    listed, end, tail = rest.partition("\n]\n")
    folders = {at.parent.relative_to(checkout) for at in written if at.name == "__init__.py"}
    names = [".".join(["spelkast", *at.parts]) for at in folders if at.parts[0] != "tests"]
    lines = sorted({*listed.splitlines(), *(f'  "{name}",' for name in names)})
    times = path.stat()
    path.write_text(head + begin + "\n".join(lines) + end + tail, "utf-8")
    # An editable install finds the new folders as they are: `make` need not install it again.
    os.utime(path, ns=(times.st_atime_ns, times.st_mtime_ns))


# Format ------------------------------------------------------------------------------------------


def _tidy(checkout: Path, paths: list[Path]) -> str:
    """Format the modules: names of other lengths move lines. Returns what is left to say."""
    modules = [str(path) for path in paths if path.suffix == ".py"]
    if _ruff(checkout, "--version").returncode:
        return "ruff is not installed here: run `make format` before `make check`"
    _ruff(checkout, "check", "--quiet", "--fix", "--fixable", "I,RUF100", *modules)
    _ruff(checkout, "format", "--quiet", *modules)
    # Comments and docstrings are left as they are: a longer name may make their lines too long.
    _ruff(checkout, "check", "--quiet", "--add-noqa", "--select", "E501", *modules)
    return _ruff(checkout, "check", "--quiet", *modules).stdout.strip()


def _redraw(checkout: Path, new: str) -> None:
    """Write the golden files again in which the name counts: the columns of a legend, a digest."""
    tests = [f"tests/envs/test_{subject}.py" for subject in ("pages", "pictures")]
    words = ["-m", "not compiled", "-k", f"[{new}]", "--rewrite-golden", *tests]
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", *words]
    plain = {**os.environ, "NUMBA_DISABLE_JIT": "1"}
    subprocess.run(command, cwd=checkout, env=plain, capture_output=True, check=False)


def _ruff(checkout: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "ruff", *arguments]
    return subprocess.run(command, cwd=checkout, capture_output=True, text=True, check=False)
