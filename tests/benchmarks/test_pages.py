"""The figures in the docs are those of the committed results."""

import json
from pathlib import Path

import pytest

from spelkast.benchmarks import pages, promises, suite
from spelkast.benchmarks.machine import RESULTS
from spelkast.envs import games
from spelkast.train.config import presets
from spelkast.train.versions import CHECKOUT

PAGE = "# Speed\n\n<!-- figures: kernels -->\nold\n<!-- end of figures -->\n\nAs one sees.\n"


def record(median: float) -> dict[str, object]:
    return {
        "benchmark": "kernels",
        "command": "python -m spelkast.benchmarks kernels",
        "date": "2026-12-01 06:00 UTC",
        "revision": "abc",
        "modified": True,
        "machine": {
            "cpu": "Abacus",
            "target": "beads",
            "cores": 2,
            "system": "Linux",
            "python": "CPython 3.11",
        },
        "noise": {"load_before": 0.1, "load_after": 0.9, "share": 0.98},
        "versions": {"numba": "1.0", "torch": "9"},
        "figures": {"tacocat": {"1024": {"min": 1, "median": median, "max": 3e6, "samples": 5}}},
    }


def write(folder: Path, median: float) -> Path:
    (folder / "kernels.json").write_text(json.dumps(record(median)), "utf-8")
    return folder


def test_pages_show_the_committed_results():
    """`python -m spelkast.benchmarks --pages` brings them up to date."""
    assert [path.name for path, _ in pages.stale(RESULTS)] == []


def test_every_block_of_every_page_names_a_benchmark():
    named = {
        match[2]
        for pattern in pages.PAGES
        for path in CHECKOUT.glob(pattern)
        for match in pages.BLOCK.finditer(path.read_text("utf-8"))
    }

    runs = {
        f"{game}-{preset}{block}"
        for game in games()
        for preset in presets(game)
        for block in ("", "-curve")
    }
    assert named <= {*suite.QUICK, *suite.LONG, "promises", "strengths", *runs}
    assert named >= {*suite.QUICK, "peers", "promises", "strengths"}


def test_no_block_of_a_page_is_left_open():
    for pattern in pages.PAGES:
        for path in CHECKOUT.glob(pattern):
            text = path.read_text("utf-8")
            assert text.count("<!-- figures: ") == len(pages.BLOCK.findall(text)), path.name


def test_block_is_filled_and_its_surroundings_stay(tmp_path: Path):
    """A block is filled, and the text around it stays."""
    filled = pages.fill(PAGE, write(tmp_path, 2e6))

    assert "| tacocat | 1024 | 2,000,000 | 1 | 3,000,000 |" in filled
    assert "revision abc with local changes; Abacus (beads)" in filled
    assert "numba 1.0.*" in filled
    assert "old" not in filled
    assert filled.startswith("# Speed\n\n<!-- figures: kernels -->")
    assert filled.endswith("<!-- end of figures -->\n\nAs one sees.\n")
    assert pages.fill(filled, tmp_path) == filled


def test_a_figure_that_was_typed_is_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    checkout, results = tmp_path / "checkout", tmp_path / "results"
    checkout.mkdir()
    results.mkdir()
    page = checkout / "README.md"
    page.write_text(pages.fill(PAGE, write(results, 2e6)), "utf-8")
    monkeypatch.setattr(pages, "CHECKOUT", checkout)
    assert list(pages.stale(results)) == []

    page.write_text(page.read_text("utf-8").replace("2,000,000", "9,000,000"), "utf-8")

    assert [path for path, _ in pages.stale(results)] == [page]
    assert pages.write_all(results) == [page]
    assert "2,000,000" in page.read_text("utf-8")


def test_without_a_result_the_page_says_so(tmp_path: Path):
    assert pages.NOT_YET in pages.fill(PAGE, tmp_path)


@pytest.mark.parametrize(("median", "shown"), [(4.5e6, "4,500,000 |"), (3e6, "3,000,000 (missed)")])
def test_a_missed_promise_is_called_so(median: float, shown: str):
    results = {"kernels": record(median)["figures"]}

    table = promises.table(results)  # type: ignore[arg-type]

    assert f"| at least 4,000,000 | {shown}" in table
    assert "| not measured |" in table


def test_a_promise_without_its_peer_is_not_measured():
    skipped = {"aec": {"games": {"tacocat": {"skipped": "no peer"}}}}

    assert "| at least 10 | not measured |" in promises.table(skipped)
