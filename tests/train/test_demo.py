"""What `make demo` promises."""

import pytest
from tiny_runs import quiet

from spelkast.train.config import load_config
from spelkast.train.run import train


@pytest.mark.slow
def test_demo_beats_the_baselines(tmp_path):
    """After two minutes: random far behind, novice clearly, solid more often than not."""
    outcome = train(
        "tacocat", config=load_config("tacocat", "demo"), out=tmp_path / "demo", console=quiet()
    )

    assert outcome.is_done
    assert {result.illegal for result in outcome.results.values()} == {0}
    assert all(result.games == 1000 for result in outcome.results.values())
    assert outcome.results["random"].low > 0.9
    assert outcome.results["novice"].low > 0.85
    assert outcome.results["solid"].low > 0.5
