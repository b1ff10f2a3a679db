"""Positions of ToedeLoe made short, and one moment twice: of the game and of the oracle."""

from typing import Any

import numpy as np
import pytest

from .oracle import (
    CARDS,
    OWN,
    RANKS,
    SQUARES,
    Position,
    initial,
    legal_moves,
    option,
    parts,
    piece,
    put,
    rewards,
    standing,
)


def table(cards: str, pieces: dict[str, str] | None = None, **keys: Any) -> Position:
    """White's turn with the open hand *cards* and *pieces* on the board, in the phase of *keys*.

    What does not stand on the board is in supply; the first four red pawns and the first ToedeLoe
    on it are white's.
    """
    pieces, config = pieces or {}, keys.pop("config", {})
    position = initial(config, lambda outcomes: outcomes[0])
    for letter, squares in pieces.items():
        for square in squares.split():
            put(position, square, letter)
    counts = {letter: len(standing(position, letter)) for letter in "wgrt"}
    most = position["pawns"][0]
    position.update(
        phase="play", to_move=0, decisions=40, turn=0, turn_no=10, used=[],
        table=sorted(cards.split(), key=CARDS.index),
        pawns=[most - counts["w"], most - counts["g"]],
        draw_pile=[["D9", "S2", "S4", "S6", "S8", "S10"], ["C2", "C4", "C6", "C8", "C10", "H9"]],
    )  # fmt: skip
    position["red"] = [max(0, 4 - counts["r"]), min(4, 8 - counts["r"])]
    position["toedeloe"] = [int(counts["t"] < 1), int(counts["t"] < 2)]
    if "action" in keys:
        keys = {"used": keys["action"], "phase": "target", **keys}
    if "square" in keys:
        keys["phase"] = "step"
    position.update(keys)
    for name in ("used", "action", "queue"):
        if name in keys:
            position[name] = keys[name].split()
    return position


def observation(position: Position, seat: int) -> list[float]:
    """[R7.1] What a seat sees."""
    side = seat % 2
    own_view = SQUARES if side == 0 else SQUARES[::-1]
    letters = [piece(position, square) for square in own_view]
    out = [
        float(letter == kind) for kind in (OWN[side], OWN[1 - side], "r", "t") for letter in letters
    ]
    out += [float(square == position["square"]) for square in own_view]
    out += [float(position["phase"] == phase) for phase in ("play", "target", "step", "offer")]
    mover, players = position["to_move"], option(position, "players")
    out += [float(mover is not None and (mover - seat) % players == k) for k in range(4)]
    out.append(float(mover is not None and mover != position["turn"]))
    out += [float(position["placed"]), len(position["queue"]) / 2]
    for slot in range(3):
        values = [0.0] * 20
        if position["table"]:
            card = position["table"][slot]
            values["CDHSX".index(card[0])] = 1.0
            if card[0] != "X":
                values[5 + RANKS.index(card[1:])] = 1.0
            values[18] = float(card in position["used"])
            values[19] = float(card in position["action"] + position["queue"])
        out += values
    for who in (side, 1 - side):
        out += [float(card in position["draw_pile"][who]) for card in CARDS]
    for name, most in (("pawns", 40), ("red", 4), ("toedeloe", 1), ("penalty", 9)):
        out += [position[name][who] / most for who in (side, 1 - side)]
    counts = [parts(position, who) for who in (side, 1 - side)]
    out += [min(1.0, count["longest"] / 12) for count in counts]
    out.append(max(-1.0, min(1.0, (counts[0]["net"] - counts[1]["net"]) / 60)))
    out.append(position["turn_no"] / option(position, "max_turns"))
    return out


def compare(env: Any, position: Position) -> None:
    """Position, moves, masks, views, infos and how it ended."""
    assert env.position() == position
    moves = legal_moves(position)
    assert env.legal_moves() == moves
    for seat, agent in enumerate(env.possible_agents):
        seen = env.observe(agent)
        wanted = np.array(observation(position, seat), np.float32)
        wrong = np.flatnonzero(np.abs(seen["observation"] - wanted) > 1e-6)
        assert wrong.size == 0, {int(k): (seen["observation"][k], wanted[k]) for k in wrong}
        legal = moves if seat == position["to_move"] else []
        assert sorted(map(env.action_to_move, seen["action_mask"].nonzero()[0])) == legal
    assert np.array_equal(env.state(), env.observe("player_0")["observation"])
    _compare_ends(env, position)


def _compare_ends(env: Any, position: Position) -> None:
    is_over = position["phase"] == "over"
    counts = [parts(position, side) for side in range(2)]
    info = env.infos["player_0"]
    nets = [counts[seat % 2]["net"] for seat in range(len(env.possible_agents))]
    assert info["scores"] == nets
    assert info.get("score_parts") == (counts if is_over else None)
    limit = option(position, "max_turns")
    by = "turns" if position["turn_no"] == limit else "penalty"
    assert info.get("ended_by") == (by if is_over else None)
    assert list(env.rewards.values()) == pytest.approx(rewards(position))
    assert set(env.terminations.values()) == {is_over}
    assert not any(env.truncations.values())
