"""The pages about environments: what they show runs, and what they list is all there is."""

import re
from pathlib import Path

import pytest

from spelkast.envs import games, spec
from spelkast.envs.engine.contract import PROMISES
from spelkast.envs.engine.streams import PURPOSES
from spelkast.envs.engine.verbs import Verbs

CHECKOUT = Path(__file__).parents[2]
PAGES = [
    CHECKOUT / "docs" / "environment.md",
    CHECKOUT / "docs" / "new-game.md",
    *(spec(name).folder / "README.md" for name in games()),
]


@pytest.mark.compiled
@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.parent.name + "/" + page.name)
def test_python_of_the_page_runs(page: Path, capsys):
    """One block after the other, as a reader types them."""
    blocks = re.findall(r"^```python\n(.*?)^```", page.read_text("utf-8"), re.DOTALL | re.MULTILINE)
    names: dict[str, object] = {}
    for block in blocks:
        exec(compile(block, page.name, "exec"), names)

    assert blocks


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.parent.name + "/" + page.name)
def test_files_that_the_page_names_exist(page: Path):
    text = page.read_text("utf-8")
    links = [page.parent / target for target in re.findall(r"\]\(([^)#:]+)\)", text)]
    named = [
        CHECKOUT / name for name in re.findall(r"`((?:envs|tests|agents|docs)/[\w/.]+)`", text)
    ]

    # The snail is the game that the guide makes.
    missing = [
        str(path) for path in links + named if not path.exists() and "snail" not in str(path)
    ]
    assert missing == []


def test_streams_are_all_listed():
    text = PAGES[0].read_text("utf-8")
    table = text.partition("<!-- streams -->")[2].partition("<!-- end of streams -->")[0]
    rows = dict(re.findall(r"^\| `(\w+)` \| (.+) \|$", table, re.MULTILINE))

    assert rows == PURPOSES


def test_promises_and_verbs_of_the_guide_exist():
    text = PAGES[1].read_text("utf-8")
    verbs = re.findall(r"`(\w+)`", text.partition("## The verbs\n\n")[2].partition(": `envs")[0])
    table = text.partition("| rule | noticed by |")[2].partition("\n\n")[0]
    cells = [row.rstrip(" |").rpartition(" | ")[2] for row in table.splitlines()]
    named = {name for cell in cells for name in re.findall(r"`(\w+)`", cell)}

    assert verbs == list(Verbs.__dataclass_fields__)
    assert named <= {promise.__name__ for promise in PROMISES}
    assert len(named) >= 10


def test_the_guide_begins_with_the_verb_that_copies():
    """What it does is tried in the tests of the command."""
    assert "\nspelkast new-game snail\n" in PAGES[1].read_text("utf-8")
