"""All printing. stdout is the answer, stderr the commentary; colour only on a terminal, decided
once, here.

Everything printed is masked here, so that commands need not do it: first the values, so that text
that is cut or wrapped afterwards has no half of a secret, then the rendered text.
"""

import json
import os
import re
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from datetime import date, datetime
from functools import cache
from pathlib import Path, PurePath
from typing import Any, Protocol, TextIO

from clawgit.cli import pager
from clawgit.cli.columns import terminal_width
from clawgit.cli.fitting import ESCAPE, fitted
from clawgit.cli.given import options
from clawgit.cli.ticker import Ticker
from clawgit.cli.writing import UnwrittenError, write
from clawgit.domain.safety import visible
from clawgit.domain.safety.covered import covered, covered_by_field
from clawgit.domain.safety.masks import Mask
from clawgit.domain.safety.secrets import masked
from clawgit.domain.safety.visible import in_json, shown_by_field
from clawgit.doors import dataclasses
from clawgit.errors import ClawgitError
from clawgit.errors import counted as counted  # noqa: PLC0414 - commands take both from here
from clawgit.errors import first_of as first_of  # noqa: PLC0414
from clawgit.stores.bugs import keep_bug as log_bug

shown, inline = visible.shown, visible.inline
"""For text that a renderer makes itself; the values that it gets are made visible already."""


class _Veil:
    """How the output of this command is masked.

    `cover` makes the mask for the values of an answer, which also withholds planted text. `exact`:
    the answer is for the operator, and is shown as it is.
    """

    def __init__(self) -> None:
        self.mask: Mask = masked
        self.cover: Callable[[Any], Mask] = lambda _: masked
        self.exact = False


_veil = _Veil()

_PLAIN = frozenset({str, int, float, bool, type(None)})
"""Types that are JSON already, as most values are."""


def mask_by(
    mask: Mask = masked, *, cover: Callable[[Any], Mask] | None = None, exact: bool = False
) -> None:
    """Sets the mask of a workspace; without a `mask`, everything that looks like a secret is
    masked. `cover` does more to the values of an answer.
    """
    _veil.mask, _veil.cover, _veil.exact = mask, cover or (lambda _: mask), exact


def emit(
    value: Any,
    render: Callable[[Any], str],
    *,
    verbatim: bool = False,
    paged: bool = False,
    rendered: bool = False,
) -> None:
    """Prints a result: with --json its JSON shape (the field names are the contract), else, or if
    `rendered`, what `render` makes of it. Long lines are wrapped at a terminal, and control
    characters are made visible, except with `verbatim`, for programs. With `paged`, an answer
    longer than the terminal goes through the operator's pager.
    """
    as_json = options().as_json and not rendered
    cover = plain if _veil.exact else _veil.cover(value)
    if as_json:
        text = _json(covered(value, cover))
    elif verbatim:
        text = _bare(render(covered(value, cover)))
    else:
        # Here rather than in each renderer, so that none can forget it.
        text = _tamed(_bare(render(covered_by_field(value, shown_by_field(cover)))))
    if text:
        text = text if as_json or verbatim else fitted(text, terminal_width())
        _print(text.rstrip("\n"), paged=paged and not as_json)


def _print(text: str, *, paged: bool) -> None:
    color = use_color(sys.stdout)
    command = pager.pager(text, os.environ) if paged else ""
    if command:
        pager.show(f"{text if color else unstyled(text)}\n", command)
    else:
        _write(sys.stdout, text)


def _write(stream: TextIO, text: str) -> None:
    """Writes lines; with colours only where they are wanted."""
    write(stream, f"{text if use_color(stream) else unstyled(text)}\n")


def unstyled(text: str) -> str:
    """A text without colours."""
    return _STYLE.sub("", text) if "\x1b" in text else text


_STYLE = re.compile(r"\x1b\[[0-9;]*m")


def line(value: str | Mapping[str, Any]) -> None:
    """Prints one line of an answer that goes on, or is for a program; a mapping is a line of
    JSON.
    """
    if isinstance(value, str):
        _write(sys.stdout, _tamed(_masked(value)))
    else:
        _write(
            sys.stdout, in_json(json.dumps(covered(value, _veil.cover(value)), ensure_ascii=False))
        )


def note(*lines: str) -> None:
    """Prints a note next to the answer.

    Each line is an argument, so that a name in it cannot begin another line.
    """
    text = "\n".join(_tamed(line, inline) for line in lines)
    text = fitted(_masked(text), terminal_width(sys.stderr))
    _write(sys.stderr, text)


def safe(text: str) -> str:
    """A text for another program to print: the shell that completes."""
    return _tamed(_masked(text))


class Progress(Protocol):
    """Called with how much of a job is done, of how much, and with each phase that begins."""

    def __call__(self, done: int, total: int) -> None: ...
    def phase(self, label: str) -> None: ...


class _Unseen:
    """The progress of a job that nobody watches."""

    def __call__(self, done: int, total: int) -> None:
        pass

    def phase(self, label: str) -> None:
        pass


@contextmanager
def progress(label: str) -> Iterator[Progress]:
    """Shows progress on standard error, if that is a terminal, after the first second until the job
    ends. Meanwhile nothing else may be printed or asked.
    """
    if not sys.stderr.isatty() or is_dumb(os.environ):
        yield _Unseen()
        return
    ticker = Ticker(label, sys.stderr, lambda text: _masked(shown(text)))
    ticker.start()
    try:
        yield ticker
    finally:
        ticker.end()


def fail(failure: ClawgitError, *, as_json: bool) -> int:
    """Prints an error with its next step, and returns the exit code."""
    if as_json and not isinstance(failure, UnwrittenError):
        shape = {
            "kind": failure.kind,
            "message": failure.message,
            "hint": failure.hint,
            **jsonable(failure.data),
        }
        _write(sys.stdout, _json({"error": covered(shape, _veil.cover(shape))}))
    else:
        note(*_indented(_mark("error: "), _veil.cover(None)(failure.message)))
        if failure.hint:
            note(*_indented(key(" next: "), failure.hint))
    return failure.exit_code


def _bare(text: str) -> str:
    return text if _veil.exact else _masked(text)


def _indented(mark: str, text: str) -> Iterator[str]:
    """A message with all lines indented deeper than our own: a name in it may have newlines."""
    first, *more = shown(text).split("\n")
    yield mark + first
    yield from (_BELOW + row for row in more)


_BELOW = " " * len("error: ")


def _tamed(text: str, tame: Mask = shown) -> str:
    """A text in which only our own colours and links have an effect."""
    pieces = ESCAPE.split(text)
    pieces[::2] = map(tame, pieces[::2])
    return "".join(pieces)


def _masked(text: str) -> str:
    """A text, masked for printing.

    Colours and links may begin within a secret, and are not part of it.
    """
    if "\x1b" not in text:
        return _veil.mask(text)
    pieces = ESCAPE.split(text)
    bare = "".join(pieces[::2])
    hidden = _veil.mask(bare)
    return text if hidden == bare else _styled_anew(text.split("\n"), hidden.split("\n"))


def _styled_anew(styled: list[str], hidden: list[str]) -> str:
    """The styled lines, but without style if something in them was masked."""
    rows = zip(styled, hidden, strict=True)
    return "\n".join(row if ESCAPE.sub("", row) == mask else mask for row, mask in rows)


def _json(value: Any) -> str:
    """Bytes of a file name that are no UTF-8 become escapes, which JSON has for any code unit."""
    text = json.dumps(jsonable(value), ensure_ascii=False, indent=2)
    return in_json(text.encode("utf-8", "backslashreplace").decode())


def jsonable(value: Any) -> Any:
    """Frozen values as JSON: times ISO 8601 with zone, paths as text, tuples as lists."""
    kind: Any = type(value)
    if kind in _PLAIN:
        return value
    if (names := _fields(kind)) is not None:
        return {name: jsonable(getattr(value, name)) for name in names}
    if isinstance(value, Mapping):
        return {str(key): jsonable(item) for key, item in value.items()}
    if isinstance(value, (list, tuple, set, frozenset)):
        return [jsonable(item) for item in value]
    return _as_text(value)


def _as_text(value: Any) -> Any:
    if isinstance(value, (datetime, date)):
        return value.isoformat()
    return str(value) if isinstance(value, PurePath) else value


@cache
def _fields(kind: type) -> tuple[str, ...] | None:
    """The names of the fields of a dataclass or a named tuple; None for anything else."""
    if hasattr(kind, "__dataclass_fields__"):
        return tuple(field.name for field in dataclasses.fields(kind))
    return getattr(kind, "_fields", None)


def use_color(stream: Any) -> bool:
    """NO_COLOR and FORCE_COLOR (0 is no) decide, else whether it is a terminal that has colours."""
    if os.environ.get("NO_COLOR"):
        return False
    forced = os.environ.get("FORCE_COLOR")
    if forced:
        return forced != "0"
    return stream.isatty() and not is_dumb(os.environ)


def is_dumb(env: Mapping[str, str]) -> bool:
    """Whether the terminal can only print: no colour, and no overwriting of lines."""
    return env.get("TERM") in ("dumb", "unknown")


def beside(text: str) -> None:
    """Prints a remark on the answer to standard error; nothing if it is empty."""
    if text:
        note(dim(f"note: {inline(text)}"))


def linked(text: str, path: PurePath) -> str:
    """A text that opens a local file when it is clicked, if the terminal supports links."""
    if not takes_links(sys.stdout.isatty(), os.environ):
        return text
    return f"\x1b]8;;{Path(path).absolute().as_uri()}\x1b\\{text}\x1b]8;;\x1b\\"


def takes_links(on_terminal: bool, env: Mapping[str, str]) -> bool:
    """Whether hyperlinks may be printed: FORCE_HYPERLINK decides (0 is no), else the kind of
    terminal.
    """
    forced = env.get("FORCE_HYPERLINK")
    if forced:
        return forced != "0"
    term = env.get("TERM", "")
    if (
        not on_terminal
        or env.get("NO_COLOR")
        or term.startswith(("dumb", "linux", "screen", "tmux"))
    ):
        return False
    vte = env.get("VTE_VERSION", "")
    known = any(
        name in env for name in ("WT_SESSION", "KONSOLE_VERSION", "KITTY_WINDOW_ID", "WEZTERM_PANE")
    )
    named = env.get("TERM_PROGRAM") in _LINKING or term.startswith(
        ("xterm-kitty", "alacritty", "foot", "xterm-ghostty")
    )
    return known or named or (vte.isdigit() and int(vte) >= _FIRST_VTE)


_LINKING = ("iTerm.app", "WezTerm", "vscode", "ghostty", "Hyper", "zed")
_FIRST_VTE = 5000
"""The first release of GNOME's terminal widget that supports links without crashing."""


def keep_bug(failure: Exception) -> str:
    """Writes the traceback of a bug to the log; returns where that is."""
    return log_bug(failure, os.environ, Path.home())


# The palette: every colour that clawgit prints, by what it means. Most of a screen has none.

_BOLD, _DIM, _STRUCK = 1, 2, 9
_RED, _GREEN, _YELLOW, _BLUE, _MAGENTA, _CYAN = range(31, 37)


def _styled(text: str, *codes: int) -> str:
    """A text that a terminal shows with these attributes of ECMA-48."""
    return "".join(f"\x1b[{code}m" for code in codes) + f"{text}\x1b[0m"


def plain(text: str) -> str:
    """Everything else."""
    return text


def heading(text: str) -> str:
    """What a screen or a block is about: a file, a branch, a title."""
    return _styled(text, _BOLD)


def ident(text: str) -> str:
    """An id or a hash: what can be typed as ID."""
    return _styled(text, _YELLOW)


def key(text: str) -> str:
    """A name in a list, a command to type, an actor."""
    return _styled(text, _CYAN)


def path(text: str) -> str:
    """The path of a file within a text that is about something else."""
    return _styled(text, _BLUE)


def dim(text: str) -> str:
    """Secondary text: times, explanations, surroundings."""
    return _styled(text, _DIM)


def good(text: str) -> str:
    """A good outcome."""
    return _styled(text, _GREEN)


def warning(text: str) -> str:
    """Something that may need the user's attention."""
    return _styled(text, _YELLOW)


def error(text: str) -> str:
    """A bad outcome."""
    return _styled(text, _RED)


added, removed = good, error
moved = key
"""Where a diff goes on."""


def match(text: str) -> str:
    """What a search matched."""
    return _styled(text, _YELLOW)


def struck(text: str) -> str:
    """What no longer holds: undone, superseded."""
    return _styled(text, _DIM, _STRUCK)


def guarded(text: str) -> str:
    """Something that needs care: only the operator may change it, or it is disputed."""
    return _styled(text, _MAGENTA)


def colored_diff(text: str) -> str:
    """A unified diff with git's colours."""
    return "\n".join(
        heading(line) if line.startswith(("+++", "---")) else diff_line(line)
        for line in text.splitlines()
    )


def diff_line(text: str) -> str:
    """A line of the body of a diff; there, one of dashes is a line that was removed."""
    style = _DIFF_STYLES.get(text[:1])
    return style(text) if style else text


_DIFF_STYLES = {"+": added, "-": removed, "@": moved}


def named(name: str | None, sha: str) -> str:
    return ident(name or sha[:8])


def one_line(text: str) -> str:
    """Foreign text on one line, safe for a terminal."""
    return inline(" ".join(text.split()))


def notes(texts: Iterable[str]) -> list[str]:
    """The lines about side effects, below an answer."""
    return [dim(f"note: {inline(text)}") for text in texts]


def after_colon(text: str) -> str:
    """What went wrong, to put after an outcome; "" if nothing did."""
    return f": {inline(text)}" if text else ""


def tell(text: str) -> None:
    """Prints a remark with foreign text in it."""
    note(inline(text))


def warned(text: str) -> str:
    return _mark("! ") + text


def _mark(text: str) -> str:
    """The mark at the beginning of an important line."""
    return _styled(text, _RED, _BOLD)


def next_step(text: str) -> str:
    """What to type next, below the line that it belongs to."""
    return f"  {key('→')} {text}"


def commit_line(commit: str | None, name: str | None, summary: str) -> str:
    """A commit that a command made, or the change that waits for the operator."""
    if commit is None:
        return f"{name}  waits for the operator: {one_line(summary)}"
    return f"{named(name, commit)}  {one_line(summary)}"


def scope_text(patterns: Iterable[str], most: int = sys.maxsize) -> str:
    """The first patterns of a scope, without the fixed exclusions."""
    patterns_text = first_of((pattern for pattern in patterns if not pattern.startswith("!")), most)
    return (
        f"{shown(patterns_text)}, and what clawgit writes itself"
        if patterns_text
        else "what clawgit writes itself, and nothing else"
    )
