"""Rules of Oduludo that the worked examples leave out, one by one."""

import pytest

EARTH = dict.fromkeys(("Q", "S1", "S2", "S3"), "earth")


def test_barred_sun_jump_rests_on_the_first_sun(play, position):
    """[R4.17, R11.2] Sun 12 is safe and held by Blue: Green stays on Sun 6 and captures there."""
    start = position({"S1": "r3"}, {"S1": "r6", "S2": "r12"})

    env = play(start, "mS1")

    after = env.position()
    assert (after["phase"], after["pieces"][0]["S1"]) == ("capture", "r6")


def test_lightning_is_by_own_route(play, position):
    """[R11.4] From Lightning 7 Green goes to the Moon, Red to Lightning 46."""
    green = play(position({"S1": "r4"}, {}), "!2", "!2", "!2", "mS1")
    red = play(position({}, {"S1": "r4"}, {}, to_move=1, config={"players": 3}), "mS1")

    assert green.position()["pieces"][0]["S1"] == "r0"
    assert red.position()["pieces"][1]["S1"] == "r46"


def test_early_king_rests_where_others_fly(play, position):
    """[R4.20, R11.6] The King does not fly: the UFO stays."""
    env = play(position({"K": "r8"}, {"K": "r40"}, config={"colors": "GR"}), "!2", "mK")

    assert env.position()["pieces"][0]["K"] == "r11"
    assert env.position()["ufos"] == [True, True]


def test_early_king_cannot_join_an_enemy_on_a_parking(play, position):
    """[R11.6] A Soldier flies off from there; the King may not land."""
    others = {"K": "r11"}
    config = {"colors": "GR"}

    king = play(position({"K": "r8", "S1": "r30"}, others, config=config))
    soldier = play(position({"S1": "r8"}, others, config=config), "!2", "mS1")

    assert king.legal_moves() == ["mS1"]
    assert soldier.position()["pieces"][0]["S1"] == "earth"
    assert soldier.position()["ufos"] == [True, False]


def test_queen_may_carry_the_king_back_or_not(play, position):
    """[R4.8, R10.15] By option."""
    stack = {"K": "r8", "Q": "r8"}

    carried = play(position(stack, {"K": "r40"}))
    alone = play(position(stack, {"K": "r40"}, config={"queen_carries_stack": False}))

    assert carried.legal_moves() == ["mK", "mQ-"]
    assert alone.legal_moves() == ["mK"]


def test_size_protects(play, position):
    """[R4.13] One piece may not land on two, two may."""
    config = {"stack_protection": "size"}
    kwargs = {"config": {**config, "colors": "GP"}, "ufos": [True, True]}

    weak = play(position({"S1": "r5", "S2": "r30"}, {"S1": "r8", "S2": "r8"}, **kwargs))
    strong = play(position({"S1": "r5", "S2": "r5"}, {"S1": "r8", "S2": "r8"}, **kwargs))

    assert weak.legal_moves() == ["mS2"]
    assert strong.legal_moves() == ["mS1"]


def test_limit_on_sixes_ends_the_turn(play, position):
    """[R4.2] The second six is not used; Blue rolls."""
    start = position({"S1": "r8"}, {"K": "r40"}, die=6, sixes=1, config={"six_limit": 2})

    env = play(start, "!6", "!2", "mS1")

    assert env.position()["to_move"] == 1
    assert env.position()["sixes"] == 0


def test_rescued_king_leads_the_stack(play, position):
    """[R4.27, R11.8] The King joins, leads, and has the option of the circle."""
    start = position(
        {"K": "held:1:Q", "S1": "r10"},
        {"Q": "r10", "K": "r40"},
        phase="capture",
        mover="S1",
    )

    env = play(start, "send")

    after = env.position()
    assert (after["phase"], after["mover"]) == ("oduludo", "K")
    assert after["pieces"][0]["K"] == "r10"
    assert env.legal_moves() == ["decline", "oduludo"]


def test_captives_take_the_name_of_the_new_lead(play, position):
    """[R11.9] S1 with a captive joins the Queen."""
    start = position({"S1": "r8", "Q": "r11"}, {"S2": "held:0:S1", "K": "r40"}, ufos=[True, False])

    env = play(start, "!2", "mS1")

    assert env.position()["pieces"][1]["S2"] == "held:0:Q"


def test_abducting_the_last_piece_lets_owner_finish(play, position):
    """Abducting the last free piece lets its owner finish.

    [R4.32, R11.11] Blue has pieces at home, so it has finished, as the first.
    """
    start = position({"S1": "r8"}, {**EARTH, "K": "r8"}, phase="capture", mover="S1", die=1)

    env = play(start, "abduct")

    after = env.position()
    assert after["status"] == ["playing", "finished:1"]
    assert list(env.rewards.values()) == [-1, 1]
    assert after["points"] == [0, 100 + 4 * 10]


def test_nobody_home_is_out_without_penalty(play, position):
    """[R4.32] All abducted: the captor wins, 40 points for each captive."""
    held = dict.fromkeys(("Q", "S1", "S2", "S3"), "held:0:S1")
    start = position({"S1": "r8"}, {**held, "K": "r8"}, phase="capture", mover="S1", die=1)

    env = play(start, "abduct")

    assert env.position()["status"] == ["playing", "out:1"]
    assert env.position()["points"] == [100 + 5 * 40, 0]
    assert env.infos["player_1"]["standings"] == [0, 1]


def test_team_loses_with_one_king(play, position):
    """[R4.31] Both partners are out, each with the penalty for their pieces."""
    start = position(
        {"S1": "r8"},
        {"K": "r8", "S1": "r20"},
        {"K": "r30"},
        {"Q": "p1", "S1": "earth"},
        phase="capture",
        mover="S1",
        die=1,
        config={"mode": "team"},
    )

    env = play(start, "send")

    after = env.position()
    assert after["status"] == ["playing", "out:1", "playing", "out:1"]
    assert after["points"] == [100, -4 * 20 - 10, 100, -3 * 20 - 10]
    assert list(env.rewards.values()) == [1, -1, 1, -1]
    assert after["wins"] == [1, 0, 1, 0]


def test_partner_without_free_pieces_is_skipped(play, position):
    """[R11.17] Seat 2 is home but not finished; its turn passes to seat 3."""
    start = position(
        {"S1": "r8"},
        {"K": "r16"},
        {**EARTH, "K": "earth"},
        {"K": "r30"},
        to_move=1,
        die=2,
        config={"mode": "team"},
    )

    env = play(start, "!2", "mK")

    assert env.position()["to_move"] == 3
    assert env.position()["status"] == ["playing"] * 4


def test_partner_is_rescued_on_the_spot(play, position):
    """[R4.27, R10.28] The partner's captive stands free on the square."""
    start = position(
        {"S1": "r9"},
        {"S1": "r9", "K": "r40"},
        {"K": "held:1:S1"},
        {"K": "r30"},
        phase="capture",
        mover="S1",
        config={"mode": "team"},
    )

    env = play(start, "!2", "send")

    assert env.position()["pieces"][2]["K"] == "r9"


def test_special_die_ends_a_round_of_the_match(play, position):
    """[R8.6, R8.10] The step that ended it reports the standings; the loser begins the next."""
    start = position(
        {**EARTH, "K": "r10", "S3": "off"},
        {"K": "r40"},
        phase="oduludo",
        mover="K",
        wins=[1, 0],
        points=[150, 0],
        config={"mode": "last_piece"},
    )

    env = play(start, "!earth", "!6", "oduludo")

    after, info = env.position(), env.infos["player_0"]
    assert info["standings"] == [0, 1]
    assert info["scores"] == after["points"] == [150 + 100 + 4 * 10, 0]
    assert info["wins"] == after["wins"] == [2, 0]
    assert after["to_move"] == 1
    assert [after["pieces"][0][piece] for piece in ("S3", "S2", "S1")] == ["off", "off", "ship"]
    env.step(env.move_to_action(env.legal_moves()[0]))
    assert "standings" not in env.infos["player_0"]


def test_match_goes_by_points_not_by_rounds(play, position):
    """[R8.7, R10.29] The fifth winner has fewer points, and loses."""
    start = position(
        {"K": "p3", **dict.fromkeys(("Q", "S1", "S2", "S3"), "off")},
        {"K": "r40", **dict.fromkeys(("S1", "S2", "S3"), "off")},
        wins=[4, 3],
        points=[100, 900],
        config={"mode": "last_piece"},
    )

    env = play(start, "mK")

    assert env.position()["wins"] == [5, 3]
    assert list(env.rewards.values()) == [-1, 1]
    assert all(env.terminations.values())


@pytest.mark.parametrize("move", ["sun+", "sun-"])
def test_cap_cuts_off_within_a_move(play, position, move):
    """[R8.9] The capture or circle that would follow is not decided any more."""
    start = position(
        {"Q": "r9"},
        {"S3": "r19"},
        phase="sun",
        mover="Q",
        at="r12",
        config={"max_decisions": 21},
    )

    env = play(start, move)

    assert env.position()["phase"] == "over"
    assert all(env.truncations.values())
    assert sum(env.rewards.values()) == 0


def test_four_places_are_spread_evenly(play, position):
    """[R8.8] 1, 1/3, -1/3, -1 by place."""
    start = position(
        {**EARTH, "K": "earth"},
        {**EARTH, "K": "p3"},
        dict.fromkeys(("K", "Q", "S1", "S2", "S3"), "off"),
        {"K": "r44"},
        to_move=1,
        status=["finished:1", "playing", "out:1", "playing"],
        points=[0, 0, -100, 0],
        config={"players": 4},
    )

    env = play(start, "mK")

    assert env.position()["status"] == ["finished:1", "finished:2", "out:1", "playing"]
    assert list(env.rewards.values()) == pytest.approx([1, 1 / 3, -1, -1 / 3])
    assert env.position()["points"] == [150, 110, -100, 30]
    assert env.infos["player_2"]["standings"] == [0, 1, 3, 2]
