"""Tables that fit the terminal: columns are shortened in turn, and cut text is marked."""

from collections.abc import Callable, Sequence
from typing import NamedTuple

from clawgit.cli.columns import Styled, cut, terminal_width, width

Cell = str | Styled
Cut = Callable[[str, int], str]

_GAP = 2


class Column(NamedTuple):
    """How a column is printed, and shortened if the terminal is too narrow.

    Columns with the highest `yields` are cut first, down to `least` columns; 0 is never cut.
    """

    style: Callable[[str], str] | None = None
    yields: int = 0
    least: int = 8
    cut: Cut = cut
    right: bool = False


def table(
    rows: Sequence[Sequence[Cell]], columns: Sequence[Column], *, indent: int = 0
) -> list[str]:
    """The rows, each on one line. Empty columns take no room."""
    widths = [max((width(_text(row[at])) for row in rows), default=0) for at in range(len(columns))]
    shown = [at for at, size in enumerate(widths) if size]
    room = terminal_width() - indent - _GAP * (len(shown) - 1)
    _narrow(widths, columns, room)
    return [" " * indent + _line(row, columns, widths, shown) for row in rows]


def _narrow(widths: list[int], columns: Sequence[Column], room: int) -> None:
    """Shortens columns until all fit, or until none can be shortened further."""
    for at in sorted(range(len(columns)), key=lambda at: -columns[at].yields):
        over = sum(widths) - room
        if over <= 0 or not columns[at].yields:
            return
        widths[at] = max(widths[at] - over, min(widths[at], columns[at].least))


def _line(
    row: Sequence[Cell], columns: Sequence[Column], widths: list[int], shown: list[int]
) -> str:
    cells = [_cell(row[at], columns[at], widths[at]) for at in shown]
    return (" " * _GAP).join(cells).rstrip()


def _cell(cell: Cell, column: Column, size: int) -> str:
    text = column.cut(_text(cell), size)
    style = cell.style if isinstance(cell, Styled) else column.style
    blanks = " " * (size - width(text))
    printed = style(text) if style and text else text
    return blanks + printed if column.right else printed + blanks


def _text(cell: Cell) -> str:
    return cell.text if isinstance(cell, Styled) else cell
