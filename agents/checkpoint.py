"""Checkpoints of a training run, and the agent that plays from one.

RUN/checkpoints/<step>/manifest.json   what the weights are for; a mismatch is refused
RUN/checkpoints/<step>/weights.pt      the network
RUN/checkpoints/<step>/trainer.pt      the rest of what a resumed run needs
RUN/checkpoints/<step>/adviser.toml    the adviser, if it is an agent file
RUN/checkpoints/best                   the step of the best one

The latest checkpoint is the newest folder: each gets its name when it is whole.
"""

import hashlib
import io
import pickle
import re
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, TypeAlias

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from ..envs.engine.dtypes import Actions, Floats, Json, Streams
from ..envs.engine.errors import CheckpointError, ContractError, SpelkastError, expect
from ..envs.engine.spec import GameSpec, Options
from ..envs.engine.textfiles import read_text
from .adviser import fingerprint, make_adviser, split_streams, with_advice
from .agent import Agent, Views
from .files import read_json_object, read_toml, write_file
from .network import NetworkConfig, PolicyNetwork, blank_network, pick_device
from .sampling import best_legal, complaint, sample_legal
from .shaping import shaping_columns

Potential: TypeAlias = Callable[[Floats], Floats]
"""From observations `[N, D]` to the potential of each `[N]`."""

ADVISER_FILE = "adviser.toml"
FORMAT = 1
"""Of the manifest; raised when older code could not read it."""


class NetworkAgent:
    """A trained network that plays."""

    is_network = True

    def __init__(
        self,
        name: str,
        network: PolicyNetwork,
        *,
        adviser: Agent | None = None,
        deterministic: bool = False,
    ) -> None:
        """Play by *network*, which is told what *adviser* would do, if it is made for one."""
        self.name = f"{name} (adviser {adviser.name})" if adviser else name
        self.network = network.eval().requires_grad_(requires_grad=False)
        self.adviser = adviser
        self.needs_states = adviser is not None and adviser.needs_states
        self.deterministic = deterministic
        self.potential: Potential | None = None
        """that of the shaping with which it was trained; see `load_guide`"""
        self.device = network.shift.device

    def act(self, views: Views, streams: Streams) -> Actions:
        """Choose a legal action for every row: drawn by the policy, or its likeliest."""
        actions = np.empty(len(views), np.int32)
        logits = self.logits(self._told(views, streams))
        if self.deterministic:
            empty = best_legal(logits, views.masks, actions)
        else:
            log_probs = np.empty(len(views), np.float32)
            empty = sample_legal(logits, views.masks, streams, actions, log_probs)
        if empty >= 0:
            raise complaint(empty, views.masks, self.name)
        return actions

    def judge(self, views: Views, streams: Streams) -> tuple[Floats, Floats]:
        """Logits `[N, A]`, and what the seats to move may expect of the whole game `[N]`.

        The network expects what is still to come: with shaping, changes of its potential too.
        """
        with torch.inference_mode():
            seen = np.ascontiguousarray(self._told(views, streams))
            logits, values = self.network(torch.from_numpy(seen).to(self.device))
            expected: Floats = values.cpu().numpy()
        if self.potential is not None:
            expected += self.potential(views.observations)
        return logits.cpu().numpy(), expected

    def worth(self, result: float, observation: Floats) -> float:
        """What an end is worth to a seat that gets *result* and sees *observation* `[D]`."""
        more = 0.0 if self.potential is None else float(self.potential(observation[None])[0])
        return result + more

    def _told(self, views: Views, streams: Streams) -> Floats:
        """What the network sees; its adviser draws from streams of its own, split from ours."""
        if self.adviser is None:
            return views.observations
        if views.advice is not None:
            return with_advice(views.observations, views.advice)
        own = np.empty_like(streams)
        split_streams(streams, own)
        return with_advice(views.observations, self.adviser.act(views, own))

    def logits(self, observations: Floats) -> Floats:
        """What the network says of every action, legal or not: `[N, A]`."""
        with torch.inference_mode():
            inputs = torch.from_numpy(np.ascontiguousarray(observations)).to(self.device)
            logits: Floats = self.network.logits(inputs).cpu().numpy()
        return logits


def demands(spec: GameSpec, options: Options) -> Json:
    """The entries of a manifest whose weights can play *spec* under *options*."""
    shape = spec.shape(options)
    return {
        "format": FORMAT,
        "game": spec.name,
        "game_version": spec.version,
        "options": options.changed(),
        "observation": shape.observation,
        "observation_layout": spec.layout(options),
        "actions": shape.actions,
    }


def check_manifest(
    found: Mapping[str, Any], spec: GameSpec, options: Options, *, where: Path
) -> None:
    """Raise `CheckpointError` if weights were made for another game, version, options or layout."""
    for key, value in demands(spec, options).items():
        got, wanted = found.get(key), f"a checkpoint with {key.replace('_', ' ')} {value!r}"
        expect(got == value, wanted, f"{got!r} in {where}", error=CheckpointError)


def advised_by(adviser: Agent | None, spec: GameSpec, options: Options) -> Json | None:
    """What a manifest keeps of an adviser, to tell one that has changed."""
    if adviser is None:
        return None
    return {"name": adviser.name, "fingerprint": fingerprint(adviser, spec, options)}


def saved_adviser(found: Json, spec: GameSpec, options: Options, *, where: Path) -> Agent | None:
    """The adviser that a manifest names; raises `CheckpointError` unless it is as it was."""
    kept = found.get("adviser")
    if kept is None:
        return None
    is_named = isinstance(kept, dict) and isinstance(kept.get("name"), str)
    expect(is_named, "the name of an adviser", f"{kept!r} in {where}", error=CheckpointError)
    file = where / ADVISER_FILE
    try:
        adviser = make_adviser(kept["name"], spec, file=file if file.is_file() else None)
    except SpelkastError as error:
        raise CheckpointError(f"{error} in {where}") from None
    check_adviser(found, advised_by(adviser, spec, options), where=where)
    return adviser


def check_adviser(found: Json, now: Json | None, *, where: Path) -> None:
    """Raise `CheckpointError` unless a manifest names the adviser that `advised_by` gives *now*."""
    kept, name = found.get("adviser"), now and now["name"]
    was = kept.get("name") if isinstance(kept, dict) else kept
    wanted = f"a checkpoint with the adviser {name or 'none'}"
    expect(was == name, wanted, f"{was or 'none'} in {where}", error=CheckpointError)
    wanted = f"the adviser {name!r} as it was when {where} was trained"
    expect(kept == now, wanted, "one that chooses otherwise", error=CheckpointError)


def find_checkpoint(run: Path, which: str | None) -> Path:
    """The folder of a run's checkpoint: `latest`, `best`, or a step.

    Without a name it is the best one if there is one, else the latest.
    """
    root = run / "checkpoints"
    known = saved_steps(run)
    if not known:
        raise CheckpointError(f"expected a training run with checkpoints, got {run} without any")
    pointed = {"latest": known[-1]} | ({"best": best} if (best := best_step(run)) else {})
    step = pointed.get(which or ("best" if "best" in pointed else "latest"), which)
    if step not in known:
        names = ", ".join((*pointed, *known))
        raise CheckpointError(f"expected a checkpoint of {run} ({names}), got {which!r}")
    return root / str(step)


def saved_steps(run: Path) -> list[str]:
    """The steps of a run's checkpoints, in order."""
    names = [path.parent.name for path in (run / "checkpoints").glob("*/manifest.json")]
    return sorted((name for name in names if re.fullmatch("[0-9]{1,18}", name)), key=int)


def best_step(run: Path) -> str | None:
    """The step of the best checkpoint, if one is marked and still there."""
    try:
        step = read_text(run / "checkpoints" / "best").strip()
    except (OSError, SpelkastError):
        return None
    return step if step in saved_steps(run) else None


def named_checkpoint(text: str) -> Path:
    """The folder that "path/to/run" or "path/to/run@which" names; a folder may have an @ itself."""
    run, at, which = text.rpartition("@")
    if not at or Path(text).is_dir():
        run, which = text, ""
    return find_checkpoint(Path(run), which or None)


def read_manifest(folder: Path) -> Json:
    """The manifest of a checkpoint; raises `CheckpointError` if there is no sound one."""
    return read_json_object(folder / "manifest.json", "a manifest", CheckpointError)


def save_tensors(path: Path, value: Any) -> None:
    """Save tensors and plain values, all or nothing; a full disk is an `OSError`."""
    buffer = io.BytesIO()  # torch itself reports a full disk as a RuntimeError
    torch.save(value, buffer)
    write_file(path, lambda target: target.write_bytes(buffer.getbuffer()))


def digests(folder: Path, *names: str) -> Json:
    """What a manifest keeps of its files, to tell a damaged one."""
    return {name: hashlib.sha256((folder / name).read_bytes()).hexdigest() for name in names}


def load_whole(folder: Path, name: str, found: Json) -> Any:
    """The tensors of a checkpoint's file, which must be as its manifest *found* says."""
    path, kept = folder / name, found.get("sha256")
    if "sha256" in found and path.is_file():  # a manifest written by hand may have no digests
        is_same = isinstance(kept, dict) and kept.get(name) == digests(folder, name)[name]
        expect(is_same, f"{path} as it was saved", "it changed since", error=CheckpointError)
    return load_tensors(path)


def load_tensors(path: Path, device: torch.device | str = "cpu") -> Any:
    """The inverse of `save_tensors`; runs no code from the file."""
    try:
        return torch.load(path, map_location=device, weights_only=True)
    except (OSError, RuntimeError, EOFError, ValueError, pickle.UnpicklingError) as error:
        first = (str(error).splitlines() or [type(error).__name__])[0]
        raise CheckpointError(f"expected tensors in {path}, got {first}") from None


def pack(array: NDArray[Any]) -> Tensor:
    """An array of any type as bytes in a tensor, which loads without running code."""
    return torch.from_numpy(np.frombuffer(array.tobytes(), np.uint8).copy())


def unpack(packed: Tensor, like: NDArray[Any]) -> NDArray[Any]:
    """The inverse of `pack` for an array with the type and shape of *like*."""
    return np.frombuffer(packed.cpu().numpy().tobytes(), like.dtype).reshape(like.shape).copy()


def load_network(folder: Path, found: Json, device: torch.device | str = "cpu") -> PolicyNetwork:
    """The network of a checkpoint."""
    try:
        network = blank_network(NetworkConfig.from_json(found["network"]))
        network.load_state_dict(load_whole(folder, "weights.pt", found))
    except (AttributeError, ContractError, KeyError, TypeError, RuntimeError) as error:
        first = str(error).splitlines()[0]
        raise CheckpointError(
            f"expected the weights of the manifest in {folder}, got {first}"
        ) from None
    return network.to(device)


def load_agent(
    text: str,
    spec: GameSpec,
    options: Mapping[str, Any] | Options | None = None,
    *,
    device: str = "auto",
    deterministic: bool | None = None,
) -> NetworkAgent:
    """The agent of a run: "path/to/run", with "@best", "@latest" or "@<step>".

    Without `deterministic` it plays as its manifest says. Raises `CheckpointError` if there is no
    such checkpoint or it was trained for another game, version, options or observation.
    """
    folder = named_checkpoint(text)
    found = read_manifest(folder)
    parsed = spec.parse_options(options)
    check_manifest(found, spec, parsed, where=folder)
    adviser = saved_adviser(found, spec, parsed, where=folder)
    network = load_network(folder, found, pick_device(device))
    wanted = "a network with an adviser" if adviser else "a network without an adviser"
    fits = network.config.is_advised == bool(adviser)
    expect(fits, wanted, f"another in {folder}", error=CheckpointError)
    if deterministic is None:
        deterministic = bool(found.get("deterministic", False))
    return NetworkAgent(text, network, adviser=adviser, deterministic=deterministic)


def load_guide(
    text: str,
    spec: GameSpec,
    options: Mapping[str, Any] | Options | None = None,
    *,
    device: str = "auto",
) -> NetworkAgent:
    """The agent of a run as the guide of a search, which must know how the run was rewarded."""
    agent = load_agent(text, spec, options, device=device, deterministic=True)
    agent.potential = _potential(named_checkpoint(text), spec, spec.parse_options(options))
    return agent


def _potential(folder: Path, spec: GameSpec, options: Options) -> Potential | None:
    """That of the shaping of the run whose checkpoint is in *folder*; None if there was none."""
    file = folder.parent.parent / "config.toml"
    shaping = read_toml(file, CheckpointError).get("shaping") if file.is_file() else None
    if not shaping:
        return None
    try:
        columns, weights = shaping_columns(spec, shaping, options)
    except (SpelkastError, AttributeError, TypeError) as error:
        raise CheckpointError(f"{error} in {file}") from None
    return lambda observations: observations[:, columns] @ weights
