"""The pictures of Tacocat show all that a seat may see, and nothing else."""

import copy
import json
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any
from xml.etree import ElementTree

import pytest

from spelkast.envs.engine.errors import NotationError
from spelkast.envs.tacocat import draw
from spelkast.envs.tacocat.board import KINDS
from spelkast.envs.tacocat.draw import PICTURE
from spelkast.envs.tacocat.view import TacocatView, move_words

from . import oracle
from .oracle_games import chance_of, random_config

CHECKOUT = Path(__file__).parents[2]
CASES_FILE = CHECKOUT / "envs" / "tacocat" / "cases" / "positions.json"
CASES = {case["name"]: case for case in json.loads(CASES_FILE.read_text(encoding="utf-8"))}
SVG = "{http://www.w3.org/2000/svg}"
VIEWERS = (0, 1, None)
COLUMNS, MAX_BYTES = 80, 40_000

Position = dict[str, Any]
Shown = dict[float, list[int]]


def case(name: str, **changes: Any) -> Position:
    """The position of a worked example, with some entries changed."""
    return {**copy.deepcopy(CASES[name]["position"]), **changes}


def parse(picture: str) -> ElementTree.Element:
    """Read a picture as XML, without its legend; raises if it is not well-formed."""
    root = ElementTree.fromstring(picture)
    for legend in root.findall("{*}g[@class='legend']"):
        root.remove(legend)
    return root


def texts(picture: str) -> list[str]:
    """All lines of text outside the drawings of the pieces."""
    root = parse(picture)
    (defs,) = root.findall("{*}defs")
    pieces = set(defs.iter())
    return [e.text or "" for e in root.iter(f"{SVG}text") if e not in pieces]


def uses(picture: str, name: str) -> list[tuple[float, float]]:
    """Where a piece lies: x and y."""
    found = [e.attrib for e in parse(picture).iter(f"{SVG}use") if e.get("href") == f"#{name}"]
    return [(float(a["x"]), float(a["y"])) for a in found]


def rows(picture: str) -> Shown:
    """The cards from left to right by the height at which they lie; 0 is a back."""
    shown: Shown = {}
    for e in sorted(parse(picture).iter(f"{SVG}use"), key=lambda e: float(e.get("x", 0))):
        if e.get("href", "").startswith("#card"):
            shown.setdefault(float(e.get("y", 0)), []).append(int(e.get("href", "")[5:]))
    return shown


def arena(picture: str, pile: int) -> list[int]:
    """The cards in the middle, without the lowest card of the draw pile."""
    return rows(picture).get(draw.ARENA_Y, [])[1 if pile else 0 :]


def games(seed: int, number: int) -> Iterator[tuple[Position, str | None]]:
    """The positions of random games, every other one with odd options, and the move before."""
    rng = Random(seed)
    for game in range(number):
        config = {} if game % 2 else random_config(rng)
        position, _ = oracle.initial(config, chance_of(rng))
        move = None
        yield position, move
        while position["phase"] != "over":
            move = rng.choice(oracle.legal_moves(position))
            position = oracle.apply(position, move, chance_of(rng))[0]
            yield position, move


def redraw(
    position: Position, move: str | None, viewer: int, rng: Random
) -> tuple[Position, str | None]:
    """Deal again what *viewer* may not know [R5], the number of cards set aside included."""
    other, seat = copy.deepcopy(position), 1 - viewer
    hand, aside, pile = other["hands"][seat], other["aside"][seat], other["draw_pile"]
    hidden = hand + aside + pile
    rng.shuffle(hidden)
    held, down = len(hand) + len(aside), len(aside)
    replacing = position["phase"] == "replace"
    if replacing and (position["to_move"] == seat or seat == 0):
        down = rng.randint(0, held if oracle.is_simultaneous(position) else len(aside))
        other["decisions"] += down - len(aside)
    other["aside"][seat] = sorted(hidden[:down])
    other["hands"][seat] = sorted(hidden[down:held])
    other["draw_pile"] = sorted(hidden[held:])
    if replacing and position["to_move"] == seat:
        move = rng.choice([None, "x1", "x12", "b3"])
    elif position["phase"] == "duel" and aside and move is not None:
        move = f"d{rng.randint(1, 12)}"
    return other, move


# --------------------------------------------------------------------------------- nothing leaks


def test_redrawn_cards_leave_pictures_byte_equal():
    """Redrawn hidden cards leave both pictures byte-equal.

    [R5.2], [R5.3] In every position of whole games, for both seats.
    """
    rng, changed = Random(4), 0
    for position, move in games(4, 4):
        if position["phase"] == "over":
            continue
        for viewer in (0, 1):
            other, other_move = redraw(position, move, viewer, rng)
            changed += other != position
            for picture in (PICTURE.svg, PICTURE.text):
                before = picture(position, viewer=viewer, last_move=move)
                assert picture(other, viewer=viewer, last_move=other_move) == before
    assert changed > 300


@pytest.mark.parametrize("picture", [PICTURE.svg, PICTURE.text])
def test_number_of_cards_set_aside_is_hidden(picture):
    """Seat 1 does not see how many cards seat 0 sets aside.

    [R11.9] Simultaneous replacement: 0 to 7 cards aside look the same to seat 1.
    """
    hand = [1, 3, 3, 5, 6, 9, 12]
    pictures = [
        picture(
            case(
                "first-round-replace-any",
                hands=[hand[count:], [2, 2, 4, 4, 7, 8, 10]],
                aside=[hand[:count], []],
                decisions=count + done,
                to_move=done,
            ),
            viewer=1,
            last_move="xx" if done else f"x{hand[count - 1]}" if count else None,
        )
        for done in (0, 1)
        for count in range(8)
    ]

    assert len(set(pictures[:8])) == 1
    assert len(set(pictures[8:])) == 1
    assert pictures[0] != pictures[8]


@pytest.mark.parametrize("picture", [PICTURE.svg, PICTURE.text])
def test_duel_card_is_a_back_to_the_other_seat(picture):
    """[R4.8] Seat 1 does not see the card that seat 0 has laid down; seat 0 does."""
    high, low = (
        case(
            "observe-duel-card-hidden",
            hands=[[1, 3, 3, 5, 9, 12 + 1 - other], [2, 2, 4, 4, 7, 8, 10]],
            aside=[[card], []],
        )
        for card, other in ((12, 6), (6, 12))
    )

    for viewer, equal in ((1, True), (0, False), (None, False)):
        one = picture(high, viewer=viewer, last_move="d12")
        two = picture(low, viewer=viewer, last_move="d6")
        assert (one == two) is equal


def test_last_move_is_described_when_it_is_public():
    """Nothing of cards set aside, not the rank of a duel card; all other moves to both seats."""

    def moves(name: str, last_move: str) -> list[str | None]:
        found = [TacocatView(case(name), viewer=v, last_move=last_move).last_move for v in VIEWERS]
        return [move and move.move for move in found]

    assert moves("replace-ascending-order", "x5") == ["x5", None, "x5"]
    assert moves("observe-duel-card-hidden", "d6") == ["d6", "d?", "d6"]
    assert moves("observe-attack-to-answer", "a5-7") == ["a5-7"] * 3


def test_open_card_that_ends_a_round_is_described():
    """It is no secret because the other seat then sets cards aside; the picture stays silent."""
    view = TacocatView(case("replace-ascending-order"), viewer=1, last_move="b5")

    assert str(view.last_move) == "b5 (defended with a 5)"
    assert view.last_move_words == ""


# -------------------------------------------------------------------------- what is shown is right


def test_hands_are_open_to_their_owner_alone():
    """Hands lie open to their owner, and as backs to the other.

    The viewer sits at the lower edge, their cards sorted.
    """
    position = case("observe-attack-to-answer")
    mine, theirs = position["hands"]

    first = rows(PICTURE.svg(position, viewer=0))
    second = rows(PICTURE.svg(position, viewer=1))
    all_open = rows(PICTURE.svg(position, viewer=None))

    assert (first[draw.NEAR_HAND_Y], first[draw.FAR_HAND_Y]) == (mine, [0] * len(theirs))
    assert (second[draw.NEAR_HAND_Y], second[draw.FAR_HAND_Y]) == (theirs, [0] * len(mine))
    assert (all_open[draw.NEAR_HAND_Y], all_open[draw.FAR_HAND_Y]) == (mine, theirs)


@pytest.mark.parametrize("viewer", VIEWERS)
def test_every_public_fact_is_in_both_pictures(viewer):
    """[R5.1] In every position: headline, counts, discards, attack, wins, round, clock, move."""
    for position, move in games(5, 2):
        view = TacocatView(position, viewer=viewer, last_move=move)
        picture = PICTURE.svg(position, viewer=viewer, last_move=move)
        plain = PICTURE.text(position, viewer=viewer, last_move=move)
        written, shown = texts(picture), rows(picture)
        won = oracle.scores(position)
        facts = [view.headline, view.clock, view.last_move_words]
        facts += [f"won {won[0]}", f"won {won[1]}"]
        assert set(facts) - {""} <= set(written)
        assert [fact for fact in facts if fact not in plain] == []
        assert f"round {position['round']} · draw pile {view.draw_pile}" in written
        assert f"round {position['round']} " in plain
        assert f"draw pile: {len(position['draw_pile'])}" in written
        assert f"draw pile {len(position['draw_pile'])}" in plain
        discards = [shown.get(y + 14, []) for y in (draw.FAR_DISCARD_Y, draw.NEAR_DISCARD_Y)]
        for seat, cards in ((view.far, discards[0]), (view.near, discards[1])):
            by_kind = [sorted(position["discard"][kind][seat]) for kind in KINDS]
            assert cards == [card for ranks in by_kind for card in ranks]
            for kind, ranks in zip(KINDS, by_kind, strict=True):
                assert f"{view.name(seat)} {kind} ({len(ranks)})" in written
                assert f"{kind}: {' '.join(map(str, ranks)) or '-'}" in plain
        if position["attack"]:
            assert arena(picture, view.draw_pile) == position["attack"]
            assert view.attack_words() in written
            assert f">[{position['attack'][0]}]<" in plain


@pytest.mark.parametrize("viewer", VIEWERS)
def test_cards_face_down_lie_in_the_middle(viewer):
    """[R4.7], [R4.8] Your own set-aside cards are seen; a viewer of everything sees both."""
    both = case("first-round-both-draw")
    expected = {0: [5, 6], 1: [4, 4, 7], None: [5, 6, 4, 4, 7]}[viewer]

    assert arena(PICTURE.svg(both, viewer=viewer), 1) == expected
    duel = PICTURE.svg(case("observe-duel-card-hidden"), viewer=viewer)
    assert arena(duel, 1) == ([0] if viewer == 1 else [12])


def test_current_attack_card_is_marked_and_comes_first():
    """[R4.11] The frame stands around the highest card that is not yet answered."""
    picture = PICTURE.svg(case("observe-attack-to-answer"), viewer=1)

    frames = [e for e in parse(picture).iter(f"{SVG}rect") if e.get("stroke") == "#c92a2a"]
    x, y = next(place for place in uses(picture, "card7") if place[1] == draw.ARENA_Y)

    assert len(frames) == 1
    assert (float(frames[0].attrib["x"]), float(frames[0].attrib["y"])) == (x - 5, y - 5)


@pytest.mark.parametrize("viewer", VIEWERS)
def test_track_runs_from_the_viewers_own_goal(viewer):
    """[R2.4] Numbers, tiles, goals and the Tacocat, mirrored for seat 1."""
    config = {"hand_sizes": [2, 3, 4, 5, 6, 8, 9]}
    position = case("arrow-player-first", config=config, tacocat=2, covered=[3, 4])

    picture = PICTURE.svg(position, viewer=viewer)
    lines = PICTURE.text(position, viewer=viewer).splitlines()

    way = -1 if viewer == 1 else 1
    written = texts(picture)
    assert [t for t in written if t in ("YAY", "WOW") or t in set("235689")] == (
        ["YAY", "2", "3", "6", "8", "9", "WOW"][::way]
        if viewer is not None
        else ["WOW", "YAY", "2", "3", "6", "8", "9", "WOW", "YAY"]
    )
    token, tiles = uses(picture, "tacocat"), uses(picture, "tile")
    column = 6 if viewer == 1 else 2
    assert [round((x - 28 - 5) / draw.PLACE_STEP) for x, _ in token] == [column]
    assert len(tiles) == 2
    sizes = next(line for line in lines if "goal" in line)
    assert [word for word in sizes.replace("│", " ").split() if word.isdigit()] == (
        ["2", "3", "6", "8", "9"][::way]
    )
    tokens = next(line for line in lines if "=^.^=" in line).split("│")
    assert [i - 1 for i, cell in enumerate(tokens) if "=^.^=" in cell] == [column]


def test_arrows_point_to_the_goals_of_their_seats():
    """[R2.3] On the viewer's left lies their own goal, so `<` points to them."""
    position = case("first-round-replace-any", config={"arrows": "01*0101"})

    sizes = [PICTURE.text(position, viewer=v).splitlines()[9] for v in (0, 1)]
    colors = [e.get("class") for e in parse(PICTURE.svg(position, viewer=0)).iter(f"{SVG}path")]

    assert sizes[0].split("│")[2:9] == [f"{cell:^7}" for cell in ARROWS_SEAT_0]
    assert sizes[1].split("│")[2:9] == [f"{cell:^7}" for cell in ARROWS_SEAT_1]
    assert [c for c in colors if c and c.startswith("seat")] == [
        f"seat{seat}" for seat in (0, 1, 0, 1, 0, 1, 0, 1)
    ]


ARROWS_SEAT_0 = ["< 4  ", "  6 >", "< 9 >", "< 7  ", "  9 >", "< 6  ", "  4 >"]
ARROWS_SEAT_1 = ["< 4  ", "  6 >", "< 9  ", "  7 >", "< 9 >", "< 6  ", "  4 >"]


@pytest.mark.parametrize(
    ("name", "headline"),
    [
        ("first-round-replace-any", "Your move: replace any number of cards"),
        ("first-round-ignores-arrow", "Your move: replace any number of cards"),
        ("arrow-player-first", "Opponent's move: replace any number of cards"),
        ("other-player-up-to-same-number", "Your move: replace up to 2 cards"),
        ("first-replaces-none", "Opponent's move: replace nothing"),
        ("duel-card-face-down", "Your move: lay a duel card face down"),
        ("attacks-single-set-run", "Your move: attack with a card, a set or a run"),
        ("observe-attack-to-answer", "Opponent's move: answer the 7 or sacrifice"),
        ("observe-trick-lost", "Opponent's move: answer the 6 or sacrifice (trick lost)"),
    ],
)
def test_headline_says_what_there_is_to_do(name, headline):
    """Phase by phase, as seat 0 reads it [R4]."""
    assert TacocatView(case(name), viewer=0).headline == headline


# ------------------------------------------------------------------------------- ends and extremes


def test_finished_game_shows_all_and_the_score():
    """[R8.1] Last hands open to both; who won, and how."""
    position = case("covered-all-the-way-wins", **CASES["covered-all-the-way-wins"]["after"])
    position = {**position, "attack": [], "rewards": None}
    endings = ["You win 4 : 1", "Opponent wins 4 : 1", "YAY wins 4 : 1"]

    for viewer, ending in zip(VIEWERS, endings, strict=True):
        picture = PICTURE.svg(position, viewer=viewer)
        assert ending in texts(picture)
        assert "Game over" in texts(picture)
        assert f"GAME OVER · {ending}" in PICTURE.text(position, viewer=viewer)
        assert 0 not in rows(picture)[draw.FAR_HAND_Y] + rows(picture)[draw.NEAR_HAND_Y]


def test_truncated_game_has_no_winner():
    """[R8.2] Also when an attack was left unanswered."""
    position = case("observe-attack-to-answer", phase="over", to_move=None)

    assert "stopped after 13 moves, nobody wins" in texts(PICTURE.svg(position, viewer=0))
    assert "You: attack, first the 7, then 2 more" in PICTURE.text(position, viewer=0)


def longest() -> Position:
    """Nine cards each were replaced; seven are to be answered [R6.2]; all numbers are long."""
    return case(
        "observe-attack-to-answer",
        config={"max_decisions": 2**31 - 1, "tie_rule": "arrow"},
        decisions=2**31 - 10,
        round=100,
        hands=[[12], [10] * 8],
        attack=[12, 12, 12, 12, 12, 12, 11],
        trick_lost=True,
        draw_pile=[1, 1],
        discard={
            "replaced": [[10] * 9, [11] * 9],
            "played": [[11] + [12] * 7, [10]],
            "sacrificed": [[], []],
        },
    )


def test_longest_position_fits():
    """The text keeps to 80 columns; no two small cards overlap by more than a line."""
    for viewer in VIEWERS:
        lines = PICTURE.text(longest(), viewer=viewer).splitlines()
        picture = PICTURE.svg(longest(), viewer=viewer)
        assert max(map(len, lines)) <= COLUMNS
        assert len(lines) <= 23
        xs = [x for x, y in uses(picture, "card10") if y == draw.FAR_DISCARD_Y + 14] + [
            x for x, y in uses(picture, "card11") if y == draw.FAR_DISCARD_Y + 14
        ]
        gaps = [b - a for a, b in zip(sorted(xs), sorted(xs)[1:], strict=False)]
        assert min(gaps) >= draw.SMALL.width - 1
        assert max(x for x, _ in uses(picture, "card10")) < draw.WIDTH


@pytest.mark.parametrize("viewer", VIEWERS)
def test_all_pictures_are_well_formed_and_small(viewer):
    """Pictures of all options are well-formed and small.

    [R1.2] Whole games with legal options of every kind, and the longest position.
    """
    seen = set()
    for position, move in [*games(6, 4), (longest(), "a11")]:
        picture = PICTURE.svg(position, viewer=viewer, last_move=move)
        root = parse(picture)
        seen.add(position["phase"])
        assert root.tag == f"{SVG}svg"
        assert len(picture.encode()) < MAX_BYTES
        known = {f"#{e.get('id')}" for e in root.iter(f"{SVG}symbol")}
        assert {e.get("href") for e in root.iter(f"{SVG}use")} <= known
        assert "http" not in picture.replace("http://www.w3.org/2000/svg", "")
        assert "<script" not in picture
        lines = PICTURE.text(position, viewer=viewer, last_move=move).splitlines()
        assert max(map(len, lines)) <= COLUMNS
    assert seen == {"replace", "duel", "attack", "defend", "over"}


def test_drawing_leaves_the_position_as_it_is():
    """A picture is a look, not a move."""
    position = case("observe-hidden-aside")
    before = copy.deepcopy(position)

    PICTURE.svg(position, viewer=1)
    PICTURE.text(position, viewer=1)

    assert position == before


# ------------------------------------------------------------------------------------------- words


@pytest.mark.parametrize(
    ("move", "words"),
    [
        ("xx", "done replacing"),
        ("x5", "set a 5 aside"),
        ("d12", "laid a duel card"),
        ("a9", "attacked with a 9"),
        ("a5x3", "attacked with 3 cards of rank 5"),
        ("a4-7", "attacked with the run 4-7"),
        ("b10", "defended with a 10"),
        ("s", "sacrificed the lowest card"),
    ],
)
def test_moves_in_words(move, words):
    """[R6.3] Every kind of move."""
    assert move_words(move) == words


def test_a_chance_outcome_is_no_last_move():
    """An outcome would show what was drawn; the error says what is expected."""
    with pytest.raises(NotationError, match=r"expected a move such as 'a5x3', got '!7'"):
        PICTURE.svg(case("observe-attack-to-answer"), viewer=0, last_move="!7")
