"""A trainer's file with anything in it: one clear line or a run that goes on, never a crash."""

import copy
import random
from typing import Any

import numpy as np
import pytest
import torch
from tiny_runs import tiny

from spelkast.agents.checkpoint import load_tensors
from spelkast.envs import spec
from spelkast.envs.engine.errors import CheckpointError
from spelkast.train.trainer import Trainer


@pytest.fixture(scope="module")
def saved(finished_run):
    """The weights and the state of the trainer at the end of the tiny run."""
    folder = finished_run / "checkpoints" / "6144"
    return load_tensors(folder / "weights.pt"), load_tensors(folder / "trainer.pt")


@pytest.fixture(scope="module")
def trainer(finished_run):
    return Trainer(spec("tacocat"), tiny(), finished_run)


def places(value, path=()):
    """The place of every value in nested dictionaries and lists, but for the outermost."""
    inner = value.items() if isinstance(value, dict) else enumerate(value)
    for key, item in inner if isinstance(value, dict | list) else ():
        yield (*path, key)
        if isinstance(item, dict | list):
            yield from places(item, (*path, key))


def damaged(value, choose):
    """Something else in the place of *value*."""
    kinds: list[Any] = [
        None,
        "x",
        -1,
        2**31,
        2**63,
        10**30,
        0.5,
        float("nan"),
        [],
        {},
        torch.zeros(3),
    ]
    if isinstance(value, torch.Tensor) and value.numel():
        numbers = value.numpy().copy().reshape(-1)
        filled = [np.full_like(numbers, fill) for fill in (0, 1, 127)]
        raw = numbers.view(np.uint8).copy()
        raw[:] = np.frombuffer(choose.randbytes(raw.size), np.uint8)
        kinds = [*kinds, numbers[:-1], *filled, raw.view(numbers.dtype), raw.view(numbers.dtype)]
    other = choose.choice(kinds)
    return torch.from_numpy(other) if isinstance(other, np.ndarray) else other


def complaint(trainer, weights, state):
    """What is wrong with *state*; empty if the run goes on from it."""
    try:
        trainer.restore(weights, state)
    except CheckpointError as error:
        return str(error)
    return ""


@pytest.mark.parametrize(
    "number", [60, pytest.param(2000, marks=pytest.mark.slow)], ids=["few", "many"]
)
def test_random_records_in_the_trainers_file_ended_the_process(trainer, saved, number):
    """Zeros, random bytes, other lengths and other kinds of values, in every place of the state."""
    weights, state = saved
    everywhere = list(places(state))
    choose = random.Random(number)
    refused = 0
    for _ in range(number):
        hostile = copy.deepcopy(state)
        *outer, last = choose.choice(everywhere)
        inside = hostile
        for key in outer:
            inside = inside[key]
        inside[last] = damaged(inside[last], choose)
        message = complaint(trainer, weights, hostile)
        if message:
            assert "\n" not in message
            refused += 1
        else:
            for _ in range(5):
                trainer.play.step(trainer.play.batch.masks.argmax(axis=1))
    assert refused > number / 3

    trainer.restore(weights, state)
    trainer.update()
