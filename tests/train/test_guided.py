"""A trained network guides a search: it plays as well, leaks nothing, and knows its rewards."""

import shutil

import numpy as np
import pytest
import torch
from tiny_runs import TACOCAT, quiet, tiny

from spelkast.agents.agent import views_of
from spelkast.agents.checkpoint import load_guide
from spelkast.agents.registry import make_agent
from spelkast.envs.engine.batch import Batch
from spelkast.envs.engine.errors import SpelkastError
from spelkast.envs.engine.streams import new_streams
from spelkast.train.run import train


def guided(run, **options):
    values = {"agent": run, "simulations": 60, **options}
    text = ",".join(f"{name}={value}" for name, value in values.items())
    return make_agent(f"search:guided,{text}", "tacocat")


def positions(*, size=4, redraws=0):
    batch = Batch(TACOCAT, size, seed=4)
    batch.reset()
    return views_of(batch, streams=new_streams(redraws, size, "determinize"))


def test_a_search_with_a_network_plays_on(finished_run):
    """The same for all rows at once and one by one, whatever hands come with the records."""
    agent, views = guided(finished_run), positions()
    found = agent.act(views, new_streams(1, 4, "agents"))

    assert views.masks[np.arange(4), found].all()
    assert (agent.act(positions(redraws=5), new_streams(1, 4, "agents")) == found).all()
    for row in range(4):
        own = new_streams(1, 4, "agents")[row : row + 1]
        batch = Batch(TACOCAT, 4, seed=4)
        batch.reset()
        alone = views_of(batch, np.array([row], np.int32), streams=new_streams(0, 4, "determinize"))
        assert agent.act(alone, own).tolist() == found[row : row + 1].tolist()


def test_a_guide_expects_the_shaping_too(finished_run):
    """The potential of now is added to what is still to come; at an end there is only that."""
    guide, views = load_guide(str(finished_run), TACOCAT), positions()
    views.observations[:] = np.random.default_rng(0).random(views.observations.shape)
    _, expected = guide.judge(views, new_streams(0, 4, "agents"))
    values = guide.network.values(torch.from_numpy(views.observations)).numpy()
    places = TACOCAT.columns_of(TACOCAT.parse_options(None))
    mine, theirs = places["rounds I won / 4"], places["rounds the opponent won / 4"]
    potential = 2 * views.observations[:, mine].sum(1) - 2 * views.observations[:, theirs].sum(1)

    assert np.allclose(expected, values + potential, atol=1e-5)
    assert guide.worth(-1.0, views.observations[0]) == pytest.approx(potential[0] - 1.0, abs=1e-5)


def test_an_advised_network_guides_a_search(tmp_path):
    """Its adviser is asked in every try."""
    config = tiny(network={"adviser": "solid"}, steps=2048)
    train("tacocat", config=config, out=tmp_path / "run", console=quiet())
    agent, views = guided(tmp_path / "run", depth=2), positions()

    found = agent.act(views, new_streams(1, 4, "agents"))

    assert views.masks[np.arange(4), found].all()


@pytest.mark.parametrize(
    ("options", "word"),
    [
        ({"simulations": 0}, "simulations as tries, 1 to"),
        ({"simulations": "x"}, "simulations as tries, 1 to"),
        ({"depth": 0}, "depth as simulated decisions"),
        ({"budget": 3}, "NAME=VALUE of search:guided"),
        ({"policy": "solid"}, "NAME=VALUE of search:guided"),
        ({"agent": "none/such"}, "there is no folder 'none/such'"),
        ({"agent": "solid"}, "as the guide of a search, got the baseline 'solid'"),
    ],
)
def test_wrong_guides_and_options_are_refused(finished_run, options, word):
    with pytest.raises(SpelkastError, match=word) as caught:
        guided(finished_run, **options)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("text", ["agent=x", "simulations=3", ""])
def test_a_guided_search_names_agent_and_simulations(text):
    with pytest.raises(SpelkastError, match=r"expected .*search:guided"):
        make_agent(f"search:guided,{text}", "tacocat")


def test_a_run_whose_shaping_is_unknown_guides_nothing(finished_run, tmp_path):
    """It still plays."""
    run = shutil.copytree(finished_run, tmp_path / "run")
    (run / "config.toml").write_text('[shaping]\n"moons" = 1.0\n')

    with pytest.raises(SpelkastError, match=r"moons.*config\.toml"):
        guided(run)
    assert make_agent(str(run), "tacocat").act(positions(), new_streams(1, 4, "agents")).size == 4
