"""What a user gets who installs spelkast, and that nothing else comes along."""

import compileall
import re
import subprocess
import sys
import tarfile
import tomllib
import zipfile
from importlib.metadata import metadata, version
from pathlib import Path, PurePosixPath

import pytest
from oldest import oldest

import spelkast

CHECKOUT = Path(__file__).parents[1]
NOT_SHIPPED = {"benchmarks", "build", "dist", "docs", "examples", "runs", "tests"}
HEAVY = {
    "aiohttp", "fastapi", "flask", "matplotlib", "networkx", "pygame", "ray", "stable_baselines3",
    "torch",
}  # fmt: skip


def run_python(code: str, *, folder: Path, path: Path | None = None) -> str:
    """The output of *code* in a fresh interpreter started in *folder*, *path* searched first."""
    command = [sys.executable, "-c", code]
    environment = {"PYTHONPATH": str(path)} if path else {}
    done = subprocess.run(
        command, cwd=folder, env=environment, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def package_folders() -> dict[str, Path]:
    """Every folder of the checkout that belongs in the package, by its dotted name."""
    folders = {"spelkast": CHECKOUT}
    for top in CHECKOUT.iterdir():
        if not top.is_dir() or top.name.startswith(".") or top.name in NOT_SHIPPED:
            continue
        for folder in {path.parent for path in top.rglob("*.py")}:
            folders[".".join(["spelkast", *folder.relative_to(CHECKOUT).parts])] = folder
    return folders


def listed_packages() -> list[str]:
    project = tomllib.loads((CHECKOUT / "pyproject.toml").read_text("utf-8"))
    packages: list[str] = project["tool"]["setuptools"]["packages"]
    return packages


def build(checkout: Path, kind: str) -> Path:
    """Build the wheel or the sdist of *checkout* with the build backend itself."""
    run_python(f"from setuptools.build_meta import build_{kind} as b; b('dist')", folder=checkout)
    (built,) = (checkout / "dist").glob("*.whl" if kind == "wheel" else "*.tar.gz")
    return built


@pytest.fixture(scope="module")
def wheel(copied_checkout: Path) -> zipfile.ZipFile:
    return zipfile.ZipFile(build(copied_checkout, "wheel"))


def test_pyproject_lists_exactly_the_package_folders():
    """A folder that is not listed is missing from the wheel, though it works in the checkout."""
    assert sorted(package_folders()) == sorted(listed_packages())


def test_every_package_folder_has_an_init():
    without = [name for name, at in package_folders().items() if not (at / "__init__.py").is_file()]

    assert without == []


def test_the_root_holds_no_other_module():
    """Every module in the root would be shipped as spelkast.<name>."""
    assert [path.name for path in CHECKOUT.glob("*.py")] == ["__init__.py"]


def test_the_tests_are_no_package():
    """With an __init__.py they would be taken for a part of the package in the checkout."""
    assert not (CHECKOUT / "tests" / "__init__.py").exists()


def test_version_is_the_metadata():
    assert spelkast.__version__ == version("spelkast")


def test_metadata_names_licence_python_and_extras():
    known = metadata("spelkast")

    assert known["License-Expression"] == "MIT"
    assert known["Requires-Python"] == ">=3.11"
    assert set(known.get_all("Provides-Extra") or ()) >= {"train", "play", "ray", "dev"}


def test_core_requires_no_learner():
    """`pip install spelkast` must not download torch; only the extras ask for it."""
    requires = metadata("spelkast").get_all("Requires-Dist") or []
    core = {re.split(r"[^\w-]", line)[0] for line in requires if "extra ==" not in line}

    assert core >= {"gymnasium", "numba", "numpy", "pettingzoo"}
    assert core.isdisjoint({"torch", "stable-baselines3", "sb3-contrib", "ray", "pygame"})


def test_every_library_has_an_oldest_version():
    """`make test-oldest` runs it; what is too large for that is as old as what is tested."""
    project = tomllib.loads((CHECKOUT / "pyproject.toml").read_text("utf-8"))["project"]
    pinned = (CHECKOUT / "constraints.txt").read_text("utf-8")
    for_ray = (CHECKOUT / "constraints-ray.txt").read_text("utf-8")

    needed = [*project["dependencies"], *project["optional-dependencies"]["train"]]
    assert [re.split("[<>=,]", line)[0] for line in needed] == list(oldest())
    assert f"\ntorch=={oldest()['torch']}." in pinned
    assert f"\ngymnasium=={oldest()['gymnasium']}\n" in for_ray


def test_wheel_holds_the_package_and_its_data_only(wheel: zipfile.ZipFile):
    names = [PurePosixPath(name) for name in wheel.namelist() if not name.endswith("/")]
    shipped = [name for name in names if not name.parts[0].endswith(".dist-info")]

    assert {name.parts[0] for name in shipped} == {"spelkast"}
    assert NOT_SHIPPED.isdisjoint(part for name in shipped for part in name.parts)
    assert not [name for name in shipped if name.suffix in {".pyc", ".nbi", ".nbc"}]
    assert PurePosixPath("spelkast/README.md") not in shipped


def test_wheel_holds_every_module_and_data_file(wheel: zipfile.ZipFile):
    expected = {"spelkast/py.typed"}
    for folder in package_folders().values():
        where = PurePosixPath("spelkast", *folder.relative_to(CHECKOUT).parts)
        patterns = (
            ("*.py",) if folder == CHECKOUT else ("*.py", "README.md", "*.json", "*.svg", "cases/*")
        )
        expected |= {
            str(where / path.relative_to(folder).as_posix())
            for pattern in patterns
            for path in folder.glob(pattern)
        }
    for preset in (CHECKOUT / "configs").glob("*/*.toml"):
        expected.add(f"spelkast/configs/{preset.parent.name}/{preset.name}")

    assert expected - set(wheel.namelist()) == set()


def test_wheel_works_from_another_folder(wheel: zipfile.ZipFile, tmp_path: Path):
    """Installed, the package is found by its own name and puts nothing else on the path."""
    installed, elsewhere = tmp_path / "installed", tmp_path / "elsewhere"
    wheel.extractall(installed)
    elsewhere.mkdir()
    code = """
        import spelkast.envs, importlib.util
        print(spelkast.envs.__file__)
        print([name for name in ("envs", "train", "tests") if importlib.util.find_spec(name)])
    """

    found, leaked = run_python("if True:" + code, folder=elsewhere, path=installed).splitlines()

    assert Path(found) == installed / "spelkast" / "envs" / "__init__.py"
    assert leaked == "[]"


@pytest.mark.parametrize("how", ["as a zip", "without sources"])
def test_without_sources_no_game_was_found(wheel: zipfile.ZipFile, tmp_path: Path, how: str):
    """From a zip, or with compiled files alone, one line says that sources are needed."""
    where = Path(str(wheel.filename))
    if how == "without sources":
        where = tmp_path / "compiled"
        wheel.extractall(where)
        assert compileall.compile_dir(where, quiet=1, legacy=True)
        for source in where.rglob("*.py"):
            source.unlink()
    code = f"""if True:
        import sys
        sys.path.insert(0, {str(where)!r})
        from spelkast.cli import main
        try: from spelkast.envs.tacocat import tacocat_v0
        except ValueError as error: print(type(error).__name__, error, sep="\\n")
        main(["games"])
    """

    done = subprocess.run(
        [sys.executable, "-c", code], cwd=tmp_path,
        capture_output=True, text=True, check=False,
    )  # fmt: skip

    message = f"expected the sources of spelkast, unpacked as pip does it, got none in {where}"
    assert done.returncode == 2
    name, told = done.stdout.splitlines()
    assert name == "MissingPartError"
    assert told.startswith(message)
    assert done.stderr == f"spelkast: {told}\n"


def test_sdist_has_the_tests(copied_checkout: Path):
    """Who packages spelkast for a distribution wants to run its tests."""
    with tarfile.open(build(copied_checkout, "sdist")) as sdist:
        inside = {PurePosixPath(*PurePosixPath(name).parts[1:]) for name in sdist.getnames()}

    for needed in ("tests/conftest.py", "tests/test_packaging.py", "constraints.txt", "Makefile"):
        assert PurePosixPath(needed) in inside
    assert not [path for path in inside if path.suffix in {".pyc", ".nbi", ".nbc"}]


def test_pytest_runs_in_a_folder_of_any_name(copied_checkout: Path):
    """Pytest runs in a folder whose name is no identifier.

    Pytest imports the root module under the name of its folder, whatever that is.
    """
    one = "tests/test_packaging.py::test_version_is_the_metadata"
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", one]

    done = subprocess.run(command, cwd=copied_checkout, capture_output=True, text=True, check=False)

    assert done.returncode == 0, done.stdout + done.stderr
    assert "1 passed" in done.stdout


@pytest.mark.parametrize(
    "module",
    ["spelkast", "spelkast.envs", "spelkast.cli", "spelkast.eval", "spelkast.eval.tournament.run"],
)
def test_import_loads_nothing_heavy(module: str, tmp_path: Path):
    """Only training needs torch, and only a tournament that runs out of opponents networkx."""
    code = f"import sys, {module}; print(*sorted({HEAVY!r} & set(sys.modules)))"

    assert run_python(code, folder=tmp_path).split() == []


def test_parts_load_when_asked_for(tmp_path: Path):
    code = "import sys, spelkast; a = 'spelkast.envs' in sys.modules; spelkast.envs; print(a)"

    assert run_python(code, folder=tmp_path).split() == ["False"]


def test_parts_are_listed_before_they_load():
    assert {"agents", "cli", "envs", "eval", "play", "train", "__version__"} <= set(dir(spelkast))


def test_unknown_part_is_named_in_the_error():
    with pytest.raises(AttributeError, match=r"expected one of agents, .* got 'games' in spelkast"):
        _ = spelkast.games
