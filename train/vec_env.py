"""`SelfPlayVecEnv`: self-play as the vectorised environment that Stable-Baselines3 learns from."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray
from stable_baselines3.common.vec_env import VecEnv

from ..envs.engine.arguments import observation_space
from ..envs.engine.dtypes import Mask
from .selfplay import NO_ADVICE, SelfPlay


class SelfPlayVecEnv(VecEnv):
    """One row per game, always at a decision of the row's learner.

    An end is final: `TimeLimit.truncated` is never set, because every end pays its last reward.
    `infos[row]["seat"]` is the seat whose decision is due; at an end there are also
    `terminal_observation`, `episode` (as `VecMonitor` gives it) and `finished`.
    """

    def __init__(self, play: SelfPlay) -> None:
        self.play = play
        self.render_mode = None
        self.next_seed: int | None = None
        batch, actions = play.batch, play.batch.shape.actions
        seen = observation_space(batch.spec, batch.options, actions)["observation"]
        if play.adviser:
            advice = spaces.Box(NO_ADVICE, actions - 1, (1,), np.float32)
            seen = spaces.flatten_space(spaces.Tuple((seen, advice)))
        super().__init__(batch.size, seen, spaces.Discrete(actions))
        self._actions: NDArray[Any] = np.zeros(self.num_envs, np.int32)

    def action_masks(self) -> Mask:
        """What each learner may do now, `[N, A]`; valid until the next step."""
        return self.play.batch.masks

    def seed(self, seed: int | None = None) -> Sequence[int | None]:
        """Begin all streams again at the next reset."""
        seeds = super().seed(seed)
        self.next_seed = seeds[0]
        return seeds

    def set_options(self, options: list[dict[str, Any]] | dict[str, Any] | None = None) -> None:
        """There are none for a reset: those of the game are chosen when the games are made."""
        if any(options if isinstance(options, list) else [options]):
            raise ValueError(f"expected no options for a reset, got {options!r}")

    def reset(self) -> NDArray[np.float32]:
        """New games everywhere, from what `seed` was given last or else as streams go on."""
        if self.next_seed is not None:
            self.play.seed(self.next_seed)
            self.next_seed = None
        self.play.reset()
        self.reset_infos = self._infos()
        return self.play.seen()

    def step_async(self, actions: NDArray[Any]) -> None:
        """Keep the learners' actions for `step_wait`."""
        self._actions = actions

    def step_wait(
        self,
    ) -> tuple[NDArray[np.float32], NDArray[np.float32], NDArray[np.bool_], list[dict[str, Any]]]:
        """Play, up to the next decision of each learner."""
        play = self.play
        play.step(np.asarray(self._actions))
        infos = self._infos()
        for game in play.finished:
            infos[game.row] |= {
                "terminal_observation": game.terminal_observation,
                "episode": {"r": game.reward, "l": game.length, "t": 0.0},
                "finished": game,
            }
        return play.seen(), play.rewards.copy(), play.dones.copy(), infos

    def close(self) -> None:
        """Nothing is held open."""

    def has_attr(self, attr_name: str) -> bool:
        """Whether rows have an attribute."""
        return hasattr(self, attr_name) or hasattr(self.play, attr_name)

    def get_attr(self, attr_name: str, indices: Any = None) -> list[Any]:
        """An attribute of the environment, once per requested row."""
        source = self if hasattr(self, attr_name) else self.play
        return [getattr(source, attr_name) for _ in self._rows(indices)]

    def set_attr(self, attr_name: str, value: Any, indices: Any = None) -> None:
        """Rows share one set of attributes; they cannot be set one by one."""
        raise AttributeError(f"expected to read attributes only, got {attr_name!r} to set")

    def env_method(
        self, method_name: str, *method_args: Any, indices: Any = None, **method_kwargs: Any
    ) -> list[Any]:
        """`action_masks` per row; other methods do not exist."""
        if method_name != "action_masks":
            raise AttributeError(f"expected the method action_masks, got {method_name!r}")
        return list(self.action_masks()[self._rows(indices)])

    def env_is_wrapped(self, wrapper_class: type[Any], indices: Any = None) -> list[bool]:
        """No row is wrapped, though episodes are counted as `Monitor` would."""
        return [False for _ in self._rows(indices)]

    def _rows(self, indices: Any) -> list[int]:
        rows: list[int] = np.arange(self.num_envs).tolist()
        return rows if indices is None else [rows[k] for k in np.atleast_1d(indices)]

    def _infos(self) -> list[dict[str, Any]]:
        return [{"seat": seat} for seat in self.play.batch.seats.tolist()]
