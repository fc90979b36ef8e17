# ruff: noqa: INP001 - a script, and what tests/test_docs.py imports
"""Pictures of the commonest screens: real commands in a demo workspace, at a terminal of 80 columns.

`python docs/make_screens.py [NAME …]` writes docs/screens/*.svg; `--check` only says which would
change. To add a screen, add a row to SCREENS; its commands are typed in the workspace that
docs/screens/demo.sh makes, each screen in a copy of its own. Ids and hashes are replaced by others
of the same length, in the order in which they first appear, so that a picture only changes if what
the command says does.
"""

import os
import pty
import re
import shutil
import sys
import tempfile
from collections.abc import Iterable, Iterator, Sequence
from fcntl import ioctl
from hashlib import sha256
from html import escape
from itertools import groupby
from pathlib import Path
from struct import pack
from termios import TIOCSWINSZ
from typing import NamedTuple
from unicodedata import combining, east_asian_width

FOLDER = Path(__file__).parent / "screens"
DEMO = FOLDER / "demo.sh"
COLUMNS, ROWS = 80, 60
SCRATCH = Path(tempfile.gettempdir()) / "clawgit"
"""Always the same folder: its name is in the pictures. If it is there already, that is an error."""

NOW = "2026-03-02T09:00:00+00:00"

SCREENS: dict[str, tuple[str, ...]] = {
    "status": (
        "clawgit status",
        "echo '- The demo moved to Thursday.' >> memory/2026-03-01.md",
        "clawgit status",
    ),
    "doctor": (
        "clawgit doctor",
        "chmod a-w SOUL.md",
        "clawgit doctor",
        "chmod u+w SOUL.md",
        "clawgit doctor --deep",
    ),
    "log": ("clawgit log",),
    "diff": ("clawgit diff yesterday",),
    "search": ("clawgit search 'when is the demo'", "clawgit search 'who drinks tea' -n 2"),
    "why": ("clawgit why MEMORY.md:5",),
    "undo": ("clawgit undo", "clawgit redo"),
    "soul-log": ("clawgit soul log",),
    "context": ("clawgit context --message 'When is the demo?' --budget 900",),
    "help": ("clawgit --help",),
    "schedule": ("clawgit schedule show",),
}
"""Name of a picture → what is typed."""


class Style(NamedTuple):
    """How a cell of the terminal is printed, as classes of the picture."""

    color: str = ""
    bold: bool = False
    dim: bool = False
    strike: bool = False

    @property
    def classes(self) -> str:
        flags = [name for name in ("bold", "dim", "strike") if getattr(self, name)]
        return " ".join(filter(None, [self.color, *flags]))


class Cell(NamedTuple):
    """A sign and its style. A wide sign is followed by a cell without one."""

    sign: str
    style: Style


Line = list[Cell]
PLAIN = Style()

_COLORS = dict(
    zip(
        range(30, 38),
        ["black", "red", "green", "yellow", "blue", "magenta", "cyan", "white"],
        strict=True,
    )
)
_SEQUENCE = re.compile(r"\x1b\[([0-9;?]*)([A-Za-z])|\x1b\]8;[^\x1b]*\x1b\\|\x1b.")
_NAMES = re.compile(
    r"\b(?:[k-z]{8}|[0-9a-f]{40}|[0-9a-f]{10}|(?:(?<=claw:)|(?=[a-z]*\d))[a-z][a-z0-9]{5})\b"
)
"""Change ids, hashes and short hashes, ids of entries."""


def styled(style: Style, codes: str) -> Style:
    """The style after a sequence such as `1;31`."""
    for code in map(int, filter(None, (codes or "0").split(";"))):
        if code == 0:
            style = PLAIN
        elif code in _COLORS:
            style = style._replace(color=_COLORS[code])
        elif code in (1, 2, 9):
            style = style._replace(**{{1: "bold", 2: "dim", 9: "strike"}[code]: True})
        elif code == 39:  # noqa: PLR2004 - the default colour
            style = style._replace(color="")
    return style


def screen(text: str, columns: int = COLUMNS) -> list[Line]:
    """What a terminal shows after it has received a text."""
    lines: list[Line] = [[]]
    style, at, start = PLAIN, 0, 0
    for match in [*_SEQUENCE.finditer(text), None]:
        for sign in text[start : match.start() if match else len(text)]:
            if sign == "\n":
                lines.append([])
                at = 0
            elif sign == "\r":
                at = 0
            elif sign >= " ":
                if at + _width(sign) > columns:
                    lines.append([])
                    at = 0
                at = _put(lines[-1], at, Cell(sign, style))
        if match is None:
            break
        start = match.end()
        if match[2] == "m":
            style = styled(style, match[1])
        elif match[2] == "K":
            del lines[-1][at:]
    return lines


def _put(line: Line, at: int, cell: Cell) -> int:
    """Writes a cell over what stands there, and returns the column behind it."""
    width = _width(cell.sign)
    if not width:
        line[at - 1] = line[at - 1]._replace(sign=line[at - 1].sign + cell.sign)
        return at
    line[at : at + width] = [cell, *[Cell("", cell.style)] * (width - 1)]
    return at + width


def _width(sign: str) -> int:
    if combining(sign) or sign in "\u200b\u200d\ufe0f":
        return 0
    return 2 if east_asian_width(sign) in "WF" else 1


def drawn(lines: Sequence[Line], title: str) -> str:
    """The picture: text that can be selected, in the colours of the reader's page."""
    lines = _trimmed(lines)
    width, height = round(COLUMNS * _CELL + 2 * _MARGIN), len(lines) * _ROW + 2 * _MARGIN
    rows = (_row(line, number) for number, line in enumerate(lines))
    return "\n".join([
        (f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" '
        f'width="{width}" height="{height}" role="img">'),
        f"<title>{escape(title)}</title>",
        f"<style>{_CSS}</style>",
        f'<rect class="page" width="{width}" height="{height}" rx="6"/>',
        *filter(None, rows),
        "</svg>",
        "",
    ])  # fmt: skip


def _trimmed(lines: Sequence[Line]) -> list[Line]:
    kept = [line[: _end(line)] for line in lines]
    while kept and not kept[-1]:
        kept.pop()
    return kept


def _end(line: Line) -> int:
    return max((at for at, cell in enumerate(line, 1) if cell.sign != " "), default=0)


def _row(line: Line, number: int) -> str:
    """A line. Each run of one style says where it begins, so that columns line up in any font."""
    parts = []
    for style, group in groupby(enumerate(line), key=lambda item: item[1].style):
        cells = list(group)
        text = "".join(cell.sign for _, cell in cells)
        if not text.strip():
            continue
        place = f'x="{_MARGIN + cells[0][0] * _CELL:.1f}"'
        named = f' class="{style.classes}"' if style.classes else ""
        parts.append(f"<tspan {place}{named}>{escape(text, quote=False)}</tspan>")
    y = _MARGIN + (number + 1) * _ROW - _ROW // 3
    return f'<text y="{y}" xml:space="preserve">{"".join(parts)}</text>' if parts else ""


_CELL, _ROW, _MARGIN = 8.4, 18, 14

_LIGHT = "page #f6f8fa text #1f2328 red #c1261b green #1a7f37 yellow #8a6100 blue #0759b8"
_LIGHT += " magenta #8250df cyan #0b7285 white #57606a black #1f2328"
_DARK = "page #161b22 text #d6dde5 red #ff8177 green #56d364 yellow #e3b341 blue #79c0ff"
_DARK += " magenta #d2a8ff cyan #5fd0dc white #d6dde5 black #8b949e"


def _rules(colors: str) -> str:
    words = colors.split()
    return "".join(
        f"{'text' if name == 'text' else f'.{name}'}{{fill:{color}}}"
        for name, color in zip(words[::2], words[1::2], strict=True)
    )


_CSS = (
    "text{font:14px ui-monospace,SFMono-Regular,Menlo,Consolas,'DejaVu Sans Mono',monospace}"
    ".bold{font-weight:600}.dim{opacity:.62}.strike{text-decoration:line-through}"
    f"{_rules(_LIGHT)}@media(prefers-color-scheme:dark){{{_rules(_DARK)}}}"
)


def typed(
    command: str, where: Path, env: dict[str, str], columns: int = COLUMNS
) -> tuple[str, int]:
    """What a command prints at a terminal, where the operator sits, and how it ends."""
    child, terminal = pty.fork()
    if not child:  # pragma: no cover - another process
        ioctl(1, TIOCSWINSZ, pack("HHHH", ROWS, columns, 0, 0))
        os.chdir(where)
        os.execvpe("sh", ["sh", "-c", command], env)  # noqa: S606
    ioctl(terminal, TIOCSWINSZ, pack("HHHH", ROWS, columns, 0, 0))
    output = b"".join(iter(lambda: _received(terminal), b""))
    code = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    os.close(terminal)
    return output.decode("utf-8", "replace"), code


def _received(terminal: int) -> bytes:
    """Some output; nothing at its end, which Linux calls an error."""
    try:
        return os.read(terminal, 65536)
    except OSError:
        return b""


def renamed(lines: Sequence[Line]) -> list[Line]:
    """The lines with other ids and hashes in place of those that differ from run to run."""
    known: dict[str, str] = {}

    def other(match: re.Match[str]) -> str:
        return known.setdefault(match[0], _stand_in(match[0], len(known)))

    anew = []
    for line in lines:
        # One character for each cell, so that a place in the text is a place in the line.
        text = "".join(cell.sign[:1] or "\0" for cell in line)
        signs = zip(text, _NAMES.sub(other, text), line, strict=True)
        anew.append([cell if old == new else Cell(new, cell.style) for old, new, cell in signs])
    return anew


def _stand_in(name: str, number: int) -> str:
    digest = sha256(str(number).encode()).hexdigest() * 2
    if re.fullmatch("[k-z]{8}", name):
        return "".join(chr(ord("k") + int(sign, 16)) for sign in digest[:8])
    if re.fullmatch("[0-9a-f]{10}|[0-9a-f]{40}", name):
        return digest[: len(name)]
    return "".join(chr(ord("a") + int(sign, 16)) for sign in digest[:4]) + f"{number % 90 + 10}"


def pictures(names: Iterable[str]) -> Iterator[tuple[str, str]]:
    """The pictures of these screens, each made in a copy of the demo workspace."""
    SCRATCH.mkdir()
    try:
        home, kept = SCRATCH / "ana", SCRATCH / "kept"
        env = _environment(home)
        home.mkdir()
        output, code = typed(f"sh -eu '{DEMO}'", home, env)
        if code:
            raise SystemExit(output)
        home.rename(kept)
        for name in names:
            shutil.copytree(kept, home, symlinks=True)
            session = "".join(
                f"\x1b[2m$\x1b[0m {command}\r\n{typed(command, home / 'agent', env)[0]}\r\n"
                for command in SCREENS[name]
            )
            shutil.rmtree(home)
            yield name, drawn(renamed(screen(session)), f"clawgit {name}")
    finally:
        shutil.rmtree(SCRATCH)


def _environment(home: Path) -> dict[str, str]:
    """As for a new user: nothing of the caller's settings, and a clock that stands."""
    return {
        "HOME": str(home),
        "PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}",
        "LANG": "C.UTF-8",
        "TZ": "UTC",
        "TERM": "xterm-256color",
        "PAGER": "cat",
        "GIT_CONFIG_NOSYSTEM": "1",
        "CLAWGIT_NOW": NOW,
    }


def main() -> int:
    """Writes the pictures that changed; with `--check`, names them and exits with 1."""
    check = "--check" in sys.argv
    names = [name for name in sys.argv[1:] if not name.startswith("-")] or [*SCREENS]
    changed = []
    for name, picture in pictures(names):
        file = FOLDER / f"{name}.svg"
        if file.is_file() and file.read_text("utf-8") == picture:
            continue
        changed.append(name)
        if not check:
            file.write_text(picture, "utf-8")
    print("changed:" if changed else "nothing changed", *changed)
    return int(check and bool(changed))


if __name__ == "__main__":
    sys.exit(main())
