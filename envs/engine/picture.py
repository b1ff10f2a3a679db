"""The picture kit: what the pictures of all games share, in SVG and in text; knows no game.

A picture is made in two steps. A `View` takes from a position what one viewer may see: what they
cannot know is gone before the first line is drawn. A `Picture` then draws the view, never the
position. It puts the same words around the board in both kinds of picture: the phase, who is to
move and what there is to do, how far the game is, the last move, and a legend.

A game writes five things, of which Pig (`tests/games/pig/draw.py`) shows the least:

* a subclass of `View`: `hide` what the viewer may not see, `describe` a move, and say the words;
* `paint(view)`: the board as SVG, on a sheet of the size that the game states;
* `write(view)`: the board as lines of text;
* `legend(view)`: a `Key` for each sign that either picture uses;
* `PICTURE = Picture(...)`, whose methods are the `draw_svg`, `draw_text` and
  `describe_last_move` of the game's spec.

Cards, rows of cards and the boxes of players are in `svg`.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from textwrap import wrap
from typing import Any, ClassVar, Generic, NamedTuple, TypeVar

from .dtypes import Json
from .options import Options, parse_options
from .svg import Markup, Size, document, group, join, label, number, read_drawings, rect

COLUMNS = 80
"""The width of a picture in text."""

MARGIN = 28
"""Pixels that the frame leaves free at the left and at the right; a game may use them."""

HEADER, FOOTER = 66, 34
"""Pixels above the board (phase and headline) and below it (last move and clock)."""

KEY_HEIGHT, KEY_INDENT = 24, 30
"""Of a line of the legend: its height, and what its sign takes."""

LETTER = 0.535
"""The width of a letter in parts of its size, with some to spare; bold ones take a tenth more."""


class LastMove(NamedTuple):
    """The last move as one viewer may know it."""

    move: str
    """in notation, with `?` for what is hidden"""
    words: str

    def __str__(self) -> str:
        """Both: "a5x3 (attacked with 3 cards of rank 5)"."""
        return f"{self.move} ({self.words})"


class Key(NamedTuple):
    """What a sign of the picture means: a line of the legend."""

    words: str
    sign: str = ""
    """as it looks in text; a line without it is left out there"""
    mark: Markup | None = None
    """as it looks in SVG: a drawing around 0, 0, at most 24 pixels wide and high; None writes
    *sign*, and `Markup("")` leaves the line out"""


class View(ABC):
    """What one viewer may see of a position, and the words around its picture.

    Args:
        position: A position of the game as JSON.
        viewer: The seat that looks; None sees everything.
        last_move: The move that led to the position, in notation.
    """

    title: ClassVar[str]
    """what the game is called"""
    model: ClassVar[type[Options]]
    """the game's options"""
    phases: ClassVar[Mapping[str, str]] = {}
    """the phases of the position in a word or two, if the game has any"""
    moves: ClassVar[Mapping[str, str]] = {}
    """open moves in words, for games of few moves; others override `describe`"""
    options: Any

    def __init__(
        self, position: Mapping[str, Any], *, viewer: int | None, last_move: str | None = None
    ) -> None:
        self.viewer = viewer
        self.position = self.hide(dict(position), viewer)
        """the position with its secrets masked; what a view says comes from here"""
        self.options = parse_options(self.model, self.title, self.position["config"])
        self.prepare()
        self.last_move = None if last_move is None else self.describe(last_move)
        """None before the first move, and of a move of which the viewer may know nothing"""

    def hide(self, position: Json, viewer: int | None) -> Json:
        """The position in which what *viewer* cannot know is masked: all of it if not overridden.

        Entries of *position* may be replaced, but not changed in place.
        """
        return position

    def prepare(self) -> None:  # noqa: B027  most games have nothing to do here
        """Group what the masked position holds, before the last move is described."""

    def describe(self, move: str) -> LastMove | None:
        """The last *move* as far as the viewer may know it; None if they may know nothing of it.

        Besides *move* it may depend on the masked position only.
        """
        return LastMove(move, self.moves[move])

    @property
    @abstractmethod
    def task(self) -> str:
        """What the seat to move has to do: "lay a card"."""

    @property
    @abstractmethod
    def ending(self) -> str:
        """How the game ended: "Red wins by 3 points"."""

    @property
    def phase_words(self) -> str:
        """The phase in a word or two."""
        words = "Game over" if self.to_move is None else "Play"
        return self.phases.get(self.position.get("phase", ""), words)

    @property
    def standing(self) -> str:
        """What everybody should know of the state of the game: round, cards left; may be empty."""
        return ""

    @property
    def clock(self) -> str:
        """How far the game is: "move 12 of 500"; empty for a game that is never cut off."""
        if "decisions" not in self.position:
            return ""
        return f"move {self.position['decisions']} of {self.options.max_decisions}"

    @property
    def shown_move(self) -> LastMove | None:
        """The last move, unless even the moment at which it is shown would betray something."""
        return self.last_move

    def called(self, seat: int) -> str:
        """What others call a seat; a colour, say."""
        return f"Seat {seat}"

    # What follows from these --------------------------------------------------------------------

    @property
    def to_move(self) -> int | None:
        """The seat to move; None at the end."""
        seat: int | None = self.position["to_move"]
        return seat

    @property
    def last_move_words(self) -> str:
        """The line of the last move; empty if there is nothing to say."""
        return f"Last move: {self.shown_move}" if self.shown_move else ""

    @property
    def headline(self) -> str:
        """Who is to move and what there is to do; at the end, how it ended."""
        if self.to_move is None:
            return self.ending
        return f"{self.whose(self.to_move)} move: {self.task}"

    def name(self, seat: int) -> str:
        """What a seat is called in this picture: "You" or as others call it."""
        return "You" if seat == self.viewer else self.called(seat)

    def title_of(self, seat: int) -> str:
        """A seat as others call it, and whether it is the viewer's: "Red (you)"."""
        return self.called(seat) + " (you)" * (seat == self.viewer)

    def wins(self, *seats: int) -> str:
        """Say who wins: "You win", "Red wins", "Red and Blue win"."""
        is_plural = len(seats) > 1 or self.viewer in seats
        return f"{' and '.join(map(self.name, seats))} win{'' if is_plural else 's'}"

    def whose(self, seat: int) -> str:
        """The possessive of `name`: "Your", "Red's"."""
        return "Your" if seat == self.viewer else f"{self.called(seat)}'s"


V = TypeVar("V", bound=View)

STYLE = {
    "text": "font:14px 'Trebuchet MS',Verdana,'DejaVu Sans',sans-serif;fill:{ink}",
    ".middle": "text-anchor:middle",
    ".end": "text-anchor:end",
    ".tiny": "font-size:10px",
    ".small": "font-size:12px",
    ".large": "font-size:20px",
    ".number": "font-size:28px",
    ".bold,.large,.number": "font-weight:bold",
    ".faint": "fill-opacity:.7",
    ".light": "fill:#fff",
    ".edge": "stroke:{ink};stroke-width:1.5;stroke-linejoin:round",
}
"""The classes that every game may use; a game's own style adds to them and goes before."""


@dataclass(frozen=True, kw_only=True)
class Picture(Generic[V]):
    """How a game is drawn; see the top of this module."""

    view: Callable[..., V]
    """`(position, *, viewer, last_move) -> V`: the game's subclass of `View`"""
    size: Size
    """of the board that `paint` draws, from 0, 0; the frame is put around it"""
    paint: Callable[[V], Iterable[Markup]]
    write: Callable[[V], Iterable[str]]
    legend: Callable[[V], Sequence[Key]]
    drawings: Path | None = None
    """an SVG file with the symbols and gradients that `paint` and `legend` use"""
    defs: Callable[[], Iterable[Markup]] = tuple
    """those of them that are made by code"""
    style: Mapping[str, str] = field(default_factory=dict)
    """CSS by selector, besides `STYLE`"""
    colors: Sequence[str] = ()
    """a colour by seat, for the badge of the phase; *ink* if there are too few"""
    paper: str = "#fff8ea"
    ink: str = "#2b2118"

    def svg(
        self, position: Mapping[str, Any], *, viewer: int | None, last_move: str | None = None
    ) -> str:
        """Draw the position as *viewer* sees it, as an SVG that stands by itself."""
        view = self.view(position, viewer=viewer, last_move=last_move)
        width, height = self.size
        foot = HEADER + height
        keys, keys_height = draw_keys(self.legend(view), width - 2 * MARGIN)
        whole = Size(width, foot + FOOTER + keys_height)
        body = [
            rect(0, 0, whole, fill=self.paper),
            self._header(view),
            # A line for each part, so that a change of a picture can be read.
            group(
                *(join(Markup("\n"), part) for part in self.paint(view)),
                transform=f"translate(0 {HEADER})",
            ),
            label(MARGIN, foot + 22, view.last_move_words, class_="bold"),
            label(width - MARGIN, foot + 22, view.clock, class_="end small"),
            group(keys, class_="legend", transform=f"translate({MARGIN} {foot + FOOTER})"),
        ]
        style = {key: how.replace("{ink}", self.ink) for key, how in STYLE.items()}
        said = [view.phase_words, view.headline, view.last_move_words]
        return document(
            whole,
            body,
            title=", ".join(filter(None, (view.title, view.standing))),
            description="".join(f"{words}. " for words in said if words).rstrip(),
            style={**style, **self.style},
            defs=[read_drawings(self.drawings) if self.drawings else None, *self.defs()],
        )

    def text(
        self, position: Mapping[str, Any], *, viewer: int | None, last_move: str | None = None
    ) -> str:
        """Write the position as *viewer* sees it, for a terminal of 80 columns, without colours."""
        view = self.view(position, viewer=viewer, last_move=last_move)
        lines = [
            ends(" · ".join(filter(None, (view.title.upper(), view.standing))), view.clock),
            *columns(f"{view.phase_words.upper()} · {view.headline}".split(" ")),
            "",
            *self.write(view),
            "",
            *columns(view.last_move_words.split(" ")),
            *columns([f"{key.sign} {key.words}" for key in self.legend(view) if key.sign], 3),
        ]
        return "\n".join(line.rstrip() for line in lines).rstrip() + "\n"

    def last_move(
        self, position: Mapping[str, Any], *, viewer: int | None, last_move: str
    ) -> LastMove | None:
        """What *viewer* may know of the move that led to *position*; None if nothing."""
        return self.view(position, viewer=viewer, last_move=last_move).last_move

    def _header(self, view: V) -> Markup:
        """The phase as a badge in the colour of the seat to move, the headline, the standing."""
        seat, words = view.to_move, view.phase_words
        fill = self.colors[seat] if seat is not None and seat < len(self.colors) else "#495057"
        badge = Size(44 + 8.5 * len(words), 38)
        left, right = MARGIN + badge.width + 16, self.size.width - MARGIN
        room = right - left - 20 - 1.1 * 14 * LETTER * len(view.standing)
        font = min(20, room / (1.1 * LETTER * len(view.headline)))
        return join(
            rect(MARGIN, 16, badge, rx=19, fill=fill),
            label(MARGIN + badge.width / 2, 40, words, class_="middle bold light"),
            label(left, 42, view.headline, class_="bold", style=f"font-size:{number(font)}px"),
            label(right, 41, view.standing, class_="end bold"),
        )


def draw_keys(keys: Sequence[Key], width: float) -> tuple[Markup, float]:
    """Draw a legend from 0, 0 downward, in as many columns as fit; returns its height as well."""
    drawn = [key for key in keys if key.mark is None or key.mark]
    if not drawn:
        return Markup(""), 0
    step = KEY_INDENT + 20 + 12 * LETTER * max(len(key.words) for key in drawn)
    across = max(1, int((width + 20) // step))
    down = -(-len(drawn) // across)
    across = -(-len(drawn) // down)
    step = (width + 20) / across
    lines = [
        group(
            label(0, 5, key.sign, class_="middle bold") if key.mark is None else key.mark,
            label(KEY_INDENT - 12, 4, key.words, class_="small"),
            transform=f"translate({step * (k // down) + 12:g} {KEY_HEIGHT * (k % down) + 12})",
        )
        for k, key in enumerate(drawn)
    ]
    return join(*lines), KEY_HEIGHT * down + 8


def ends(left: str, right: str) -> str:
    """A line of text with *left* at its beginning and *right* at its end; two if it is too long."""
    blanks = COLUMNS - len(left) - len(right)
    return left + (" " * blanks if blanks > 0 else f"\n{'':{COLUMNS - len(right)}}") + right


def columns(parts: Sequence[str], gap: int = 1) -> list[str]:
    """Lines of *parts*, none of them broken, with at least *gap* blanks between two."""
    # A blank that must not be broken looks like another letter to `wrap`.
    whole = [part.replace(" ", "\xa0") for part in parts]
    lines = wrap((" " * gap).join(whole), COLUMNS, break_on_hyphens=False, break_long_words=False)
    return [line.replace("\xa0", " ") for line in lines]
