"""The page on training tells the truth."""

from __future__ import annotations

import re
from pathlib import Path

from spelkast.train.config import describe

PAGE = Path(__file__).parents[2] / "docs" / "training.md"
START, END = "<!-- keys -->\n", "<!-- end of keys -->"


def test_every_key_is_on_the_page(golden):
    """The table of keys is made from the code."""
    before, rest = PAGE.read_text("utf-8").split(START)
    rows = [
        f"| `{key}` | {f'`{value}`' if value else ''} | {text} |" for key, value, text in describe()
    ]
    table = "\n".join(["| key | default | |", "|---|---|---|", *rows])

    golden(PAGE, f"{before}{START}{table}\n{END}{rest.partition(END)[2]}")


def test_code_on_the_page_runs():
    """Every Python block, as it stands there."""
    blocks = re.findall(r"```python\n(.*?)```", PAGE.read_text("utf-8"), re.DOTALL)

    assert blocks
    for block in blocks:
        exec(compile(block, str(PAGE), "exec"), {})  # our own page
