"""A network that looks around each piece is trained, saved, resumed and played like any other."""

import pytest
from tiny_runs import quiet, same_weights, tiny, weights_of

from spelkast.agents.registry import make_agent
from spelkast.envs import spec
from spelkast.envs.engine.errors import OptionsError
from spelkast.eval.match import play_match
from spelkast.train.run import train
from spelkast.train.trainer import Trainer

TOKKEN = spec("tokken")
TINY = {
    "steps": 2048,
    "rows": 32,
    "network": {"hidden": [16], "windows": True},
    "opponents": {"weights": {"self": 0.5, "racer": 0.5}},
    "evaluation": {"every": 1024, "against": ["random"], "final_against": ["random"]},
    "checkpoints": {"every": 1024},
}


def test_run_with_windows_resumes_exactly_and_plays(tmp_path, monkeypatch):
    """Stopped half way and resumed from its folder alone: the same weights as in one go."""
    config = tiny(**TINY).model_copy(update={"shaping": {}})
    whole, stopped = tmp_path / "whole", tmp_path / "stopped"
    train("tokken", config=config, out=whole, console=quiet())
    with monkeypatch.context() as patch:
        patch.setattr(Trainer, "is_done", property(lambda self: self.step >= 1024))
        train("tokken", config=config, out=stopped, console=quiet())
    train("tokken", out=stopped, resume=True, console=quiet())

    agent = make_agent(str(whole), "tokken", device="cpu")
    result = play_match(TOKKEN, {}, agent, make_agent("random", "tokken"), games=4, seed=0)

    assert same_weights(weights_of(whole), weights_of(stopped))
    assert result.illegal == 0


def test_windows_without_a_ring_are_refused(tmp_path):
    """One line that names the key and the game; nothing is made."""
    config = tiny(network={"windows": True})

    with pytest.raises(OptionsError, match=r"network.windows .* got tacocat"):
        train("tacocat", config=config, out=tmp_path / "run", console=quiet())

    assert not (tmp_path / "run").exists()
