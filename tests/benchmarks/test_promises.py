"""The speeds that are promised; only meaningful on a machine that has nothing else to do."""

from functools import cache
from typing import Any

import pytest

from spelkast.benchmarks import start, suite
from spelkast.benchmarks.promises import PROMISES, Promise

pytestmark = [pytest.mark.slow, pytest.mark.compiled]


@cache
def figures_of(benchmark: str) -> dict[str, Any]:
    """The figures, measured once for all promises that read them."""
    if benchmark == "training":
        pytest.importorskip("sb3_contrib")
    figures: dict[str, Any] = suite.measure(benchmark)["figures"]
    return figures


@pytest.mark.parametrize("promise", PROMISES, ids=lambda promise: promise.text)
def test_promise_is_kept(promise: Promise):
    if promise.benchmark == "aec":
        pytest.importorskip("pygame", reason="pip install 'spelkast[bench]'")
    figures = figures_of(promise.benchmark)

    assert promise.kept_by(figures), (
        f"expected {promise.bound}, got {promise.figure(figures)}: {promise.text}"
    )


def test_a_cold_compile_says_what_it_is_doing():
    message = start.measure_start("tacocat", samples=1)["cold_message"]

    assert message.startswith("spelkast: compiling Tacocat Spelled Backwards")
