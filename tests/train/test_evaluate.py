"""Evaluations during training: what is best, and what is shown, at tables of any size."""

import json

import pytest
import torch
from tiny_runs import printed, quiet

from spelkast.agents.network import NetworkConfig, PolicyNetwork
from spelkast.agents.registry import make_agent
from spelkast.envs import spec
from spelkast.eval.match import MatchResult, play_match
from spelkast.train.config import parse_config
from spelkast.train.display import Display, results_table
from spelkast.train.evaluate import Evaluations, curves, evaluate

TABLES = {
    "oduludo": {"players": 4, "max_decisions": 100},
    "tokken": {"max_decisions": 60},
}


@pytest.fixture(scope="module")
def results() -> dict[str, MatchResult]:
    """A match of each size."""
    return {
        game: play_match(
            spec(game), options, make_agent("racer", game), make_agent("random", game),
            games=8, seed=1,
        )
        for game, options in TABLES.items()
    }  # fmt: skip


def noted(tmp_path, *matches):
    evaluations = Evaluations(tmp_path / "evaluations.jsonl")
    lines = [
        {"step": step, "final": False, "matches": {"racer": match}}
        for step, match in enumerate(matches)
    ]
    evaluations.path.write_text("".join(json.dumps(line) + "\n" for line in lines))
    return Evaluations(evaluations.path)


def test_the_best_checkpoint_has_the_best_mean_rank(tmp_path):
    """The second comes first less often and has the better rank for all that."""
    found = noted(
        tmp_path,
        {"score": 0.5, "against_each": {"score": 0.5}},
        {"score": 0.4, "against_each": {"score": 0.6}},
        {"score": 0.9, "against_each": {"score": 0.55}},
    )

    assert [found.is_best(step, "racer") for step in range(3)] == [False, True, False]


def test_evaluations_of_old_runs_count_by_score(tmp_path):
    """Evaluations of older runs count by their score."""
    found = noted(tmp_path, {"score": 0.5}, {"score": 0.7}, {"score": 0.6})

    assert [found.is_best(step, "racer") for step in range(3)] == [False, True, False]


def test_rank_of_two_sides_is_their_score(results):
    """With two sides, the best rank is the best score."""
    match = results["tokken"].to_json()

    assert match["against_each"]["score"] == match["score"]


def test_curves_hold_the_mean_rank_of_larger_tables(results):
    assert curves(results) == {
        "evaluation/oduludo": results["oduludo"].score,
        "evaluation/tokken": results["tokken"].score,
        "evaluation/oduludo mean rank": results["oduludo"].mean_rank,
    }


def test_evaluations_are_shown_in_one_line(results):
    console = quiet()
    Display(console, total=10).evaluated(5, results)
    four, two = (results[name] for name in ("oduludo", "tokken"))
    line = printed(console).strip()

    assert "\n" not in line
    assert f"oduludo rank {four.mean_rank:.2f} ({four.rank_low:.2f} to" in line
    assert "equal 2.5), first" in line
    assert f"tokken {two.score:.1%} ({two.low:.1%} to {two.high:.1%})" in line


@pytest.mark.parametrize(
    ("game", "columns"), [("oduludo", ["mean rank", "equal"]), ("tokken", ["won", "drawn", "lost"])]
)
def test_results_show_ranks_where_they_say_more(results, game, columns):
    """The table of results shows ranks where they say more."""
    console = quiet()
    console.print(results_table("a run", {"random": results[game]}))
    text = printed(console)

    assert all(name in text for name in columns)
    assert ("mean rank" in text) == (game == "oduludo")


def test_a_network_is_evaluated_at_a_table_of_four():
    game = "oduludo"
    oduludo, config = spec(game), parse_config({"options": TABLES[game]}, "test")
    options = oduludo.parse_options(TABLES[game])
    shape = oduludo.shape(options)
    torch.manual_seed(0)
    network = PolicyNetwork(
        NetworkConfig(observation=shape.observation, actions=shape.actions, hidden=(8,))
    )
    found = evaluate(oduludo, options, network, config=config, against=["random"], games=8)

    assert found is not None
    assert (found["random"].sides, found["random"].games, found["random"].illegal) == (4, 8, 0)
