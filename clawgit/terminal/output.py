"""All printing. stdout is the answer, stderr the commentary; colour only on a terminal, decided
once, here.

Everything printed is masked here, so that commands need not do it: first the values, so that text
that is cut or wrapped afterwards has no half of a secret, then the rendered text.
"""

import os
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import date, datetime
from functools import partial
from time import monotonic
from typing import Any, TextIO

import click

from clawgit.core.doors import json
from clawgit.core.errors import ClawgitError, StorageError
from clawgit.core.errors import counted as counted  # noqa: PLC0414 - commands take both from here
from clawgit.core.errors import few as few  # noqa: PLC0414
from clawgit.core.errors import first_of as first_of  # noqa: PLC0414
from clawgit.safety.rules import visible
from clawgit.safety.rules.masks import Mask, covered, covered_by_field
from clawgit.safety.rules.secrets import masked
from clawgit.safety.rules.visible import in_json, shown_by_field
from clawgit.terminal.command_table import load
from clawgit.terminal.text import ESCAPE, options, table, terminal_width

shown, inline = visible.shown, visible.inline
"""For text that a renderer makes itself; the values that it gets are made visible already."""


class _Veil:
    """How the output of this command is masked.

    `cover` makes the mask for the values of an answer, which also withholds planted text. `exact`:
    the answer is for the operator, and is shown as it is.
    """

    def __init__(self) -> None:
        self.mask: Mask = masked
        self.cover: Mask = masked
        self.exact = False


_veil = _Veil()


def mask_by(mask: Mask = masked, *, cover: Mask | None = None, exact: bool = False) -> None:
    """Sets the mask of a workspace; without a `mask`, everything that looks like a secret is
    masked. `cover` does more to the values of an answer.
    """
    _veil.mask, _veil.cover, _veil.exact = mask, cover or mask, exact


def emit(value: Any, render: Callable[[Any], str], *, verbatim: bool = False) -> None:
    """Prints a result: with --json its JSON shape (the field names are the contract), else
    what `render` makes of it. Control characters are made visible, here and so in no renderer,
    except with `verbatim`, for programs.
    """
    as_json = options().as_json
    cover = plain if _veil.exact else _veil.cover
    if as_json:
        text = _json(covered(value, cover))
    elif verbatim:
        text = _bare(render(covered(value, cover)))
    else:
        # Here rather than in each renderer, so that none can forget it.
        text = _tamed(_bare(render(covered_by_field(value, shown_by_field(cover)))))
    if text:
        _write(sys.stdout, text.rstrip("\n"))


def tame(value: Any) -> Any:
    """A value whose texts are visible, for a note, a line or a question: `emit` does it itself."""
    return covered_by_field(value, shown_by_field(plain))


class ReaderGoneError(Exception):
    """Nobody reads the answer any more, as with `| head`. No OSError: click would end the process
    with 1 then.
    """


class UnwrittenError(StorageError):
    """The answer could not be written, and neither could this error, there."""


def _write(stream: TextIO, text: str) -> None:
    """Writes lines; with colours only where they are wanted."""
    lines = f"{text if use_color(stream) else unstyled(text)}\n"
    try:
        try:
            stream.write(lines)
        except UnicodeEncodeError:
            # The stream, or a file's name, is not UTF-8.
            as_bytes = lines.encode(stream.encoding, "backslashreplace")
            stream.write(as_bytes.decode(stream.encoding))
        stream.flush()
    except BrokenPipeError as error:
        raise ReaderGoneError from error
    except OSError as error:
        raise UnwrittenError(
            f"The answer could not be written: {error.strerror or error}.",
            hint="The command came to its end: see `clawgit log -n 1` before you repeat a change.",
        ) from error


def unstyled(text: str) -> str:
    """A text without colours."""
    return ESCAPE.sub("", text)


def line(text: str) -> None:
    """Prints one line of an answer that goes on, or is for a program."""
    _write(sys.stdout, _tamed(_masked(text)))


def unmasked(text: str) -> None:
    """Prints what holds nothing but our own words, such as help: no secret is looked for."""
    _write(sys.stdout, text)


def note(*lines: str) -> None:
    """Prints a note next to the answer.

    Each line is an argument, so that a name in it cannot begin another line.
    """
    text = "\n".join(_tamed(line, inline) for line in lines)
    _write(sys.stderr, _masked(text))


_PATIENCE = 1.0
"""Seconds before the line of a job appears."""

_PACE = 0.2
_ERASE = "\r\x1b[K"


class Progress:
    """The progress line of a terminal: called with how much of a job is done, of how much.

    It appears after a second, and disappears when the job ends. `stream`: None where nobody
    watches.
    """

    def __init__(self, label: str, stream: TextIO | None) -> None:
        self.label, self._stream = label, stream
        self._next = monotonic() + _PATIENCE

    def __call__(self, done: int, total: int) -> None:
        if self._stream and monotonic() >= self._next:
            self._next = monotonic() + _PACE
            amount = f"  {done:,} of {total:,}" if done < total else ""
            line = _masked(shown(self.label)) + amount
            self._stream.write(_ERASE + line[: terminal_width(self._stream) - 1])
            self._stream.flush()

    def phase(self, label: str) -> None:
        """A new part of the job begins."""
        self.label = label
        self(0, 0)


@contextmanager
def progress(label: str) -> Iterator[Progress]:
    """Shows progress on standard error, if that is a terminal. Meanwhile nothing else may be
    printed or asked.
    """
    stream = sys.stderr if sys.stderr.isatty() and not is_dumb() else None
    try:
        yield Progress(label, stream)
    finally:
        if stream:
            stream.write(_ERASE)
            stream.flush()


def fail(failure: ClawgitError, *, as_json: bool) -> int:
    """Prints an error with its next step, and returns the exit code."""
    if as_json and not isinstance(failure, UnwrittenError):
        _write(sys.stdout, _json({"error": covered(error_shape(failure), _veil.cover)}))
    else:
        note(*_indented(_mark("error: "), _veil.cover(failure.message)))
        if failure.hint:
            note(*_indented(key(" next: "), failure.hint))
    return failure.exit_code


def error_shape(failure: ClawgitError) -> dict[str, Any]:
    """An error as JSON has it."""
    told = {"kind": failure.kind, "message": failure.message, "hint": failure.hint}
    return told | dict(jsonable(failure.data))


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
    """A text, masked for printing; without its colours, which may begin within a secret, if
    something is.
    """
    bare = unstyled(text)
    hidden = _veil.mask(bare)
    return text if hidden == bare else hidden


def _json(value: Any) -> str:
    """Bytes of a file name that are no UTF-8 become escapes, which JSON has for any code unit."""
    text = json.dumps(jsonable(value), ensure_ascii=False, indent=2)
    return in_json(text.encode("utf-8", "backslashreplace").decode())


def jsonable(value: Any) -> Any:
    """Frozen values as JSON: times ISO 8601 with zone, paths as text, tuples as lists."""
    if (named := fields_of(value)) is not None:
        return {name: jsonable(part) for name, part in named.items()}
    if isinstance(value, (list, tuple, set, frozenset)):
        return [jsonable(item) for item in value]
    if isinstance(value, (datetime, date)):
        return value.isoformat()
    return str(value) if isinstance(value, os.PathLike) else value


def fields_of(value: Any) -> dict[str, Any] | None:
    """A record's values by their names in JSON; None of what is no record."""
    if isinstance(value, Mapping):
        return {str(name): part for name, part in value.items()}
    if not hasattr(value, "_asdict"):
        return None
    told: dict[str, Any] = value._asdict()
    # What each change tells stands beside what one of this kind adds.
    return {**told.pop("change")._asdict(), **told} if "change" in told else told


def use_color(stream: Any) -> bool:
    """NO_COLOR and FORCE_COLOR (0 is no) decide, else whether it is a terminal that has colours."""
    if os.environ.get("NO_COLOR"):
        return False
    forced = os.environ.get("FORCE_COLOR")
    if forced:
        return forced != "0"
    return stream.isatty() and not is_dumb()


def is_dumb() -> bool:
    """Whether the terminal can only print: no colour, and no overwriting of lines."""
    return os.environ.get("TERM") in ("dumb", "unknown")


def beside(text: str) -> None:
    """Prints a remark on the answer to standard error; nothing if it is empty."""
    if text:
        note(dim(f"note: {inline(text)}"))


class BugError(ClawgitError):
    """A bug of ours; the log has its traceback."""

    exit_code = 3


def keep_bug(failure: Exception) -> BugError:
    """Writes the traceback of a bug to the log; returns what is said of it."""
    # Loaded here: it takes 5 ms of `--help`.
    log = load("core.disk.failures:keep_bug")(failure, os.environ, os.path.expanduser("~"))  # noqa: PTH111 - pathlib is loaded with it
    return BugError(
        f"This is a bug in clawgit: {type(failure).__name__}: {failure}", hint=f"Its log is {log}."
    )


# The palette: every colour that clawgit prints, by what it means. Most of a screen has none.


def plain(text: str) -> str:
    """Everything else."""
    return text


heading = partial(click.style, bold=True)
"""What a screen or a block is about: a file, a branch, a title."""

ident = partial(click.style, fg="yellow")
"""An id or a hash: what can be typed as ID."""

key = partial(click.style, fg="cyan")
"""A name in a list, a command to type, an actor."""

dim = partial(click.style, dim=True)
"""Secondary text: times, explanations, surroundings."""

good = partial(click.style, fg="green")
error = partial(click.style, fg="red")
warning = partial(click.style, fg="yellow")
"""Something that may need the user's attention."""

added, removed, moved = good, error, key
"""The lines of a diff, and where it goes on."""

struck = partial(click.style, dim=True, strikethrough=True)
"""What no longer holds: undone, superseded."""

guarded = partial(click.style, fg="magenta")
"""Something that needs care: only the operator may change it, or it is disputed."""


def colored_diff(text: str) -> str:
    """A unified diff with git's colours."""
    return "\n".join(
        heading(line) if line.startswith(("+++", "---")) else _DIFF.get(line[:1], plain)(line)
        for line in text.splitlines()
    )


_DIFF = {"+": added, "-": removed, "@": moved}


def named(name: str | None, sha: str) -> str:
    return ident(name or sha[:8])


def one_line(text: str) -> str:
    """Foreign text on one line, safe for a terminal."""
    return inline(" ".join(text.split()))


def notes(texts: Iterable[str]) -> list[str]:
    """The lines about side effects, below an answer."""
    return [dim(f"note: {inline(text)}") for text in texts]


def tell(text: str) -> None:
    """Prints a remark with foreign text in it."""
    note(inline(text))


def warned(text: str) -> str:
    return _mark("! ") + text


def _mark(text: str) -> str:
    """The mark at the beginning of an important line."""
    return click.style(text, fg="red", bold=True)


def next_step(text: str) -> str:
    """What to type next, below the line that it belongs to."""
    return f"  {key('→')} {text}"


def told(value: Any, without: str = "", nothing: str = "nothing") -> str:
    """What an answer says, by the names of its JSON: for answers that need no words of their own.

    What a record holds is a line for each; below it, records of one kind are a table. `without`
    names what is left out.
    """
    parts = _record(value)
    for name in without.split():
        parts.pop(name, None)
    tried = [dim("a dry run: nothing was changed")] if parts.pop("dry_run", False) else []
    tables = (_table_of(name, part, without) for name, part in parts.items() if _is_records(part))
    blocks = [[*tried, *table([*_lines_of(parts)])], *tables]
    text = "\n\n".join(map("\n".join, filter(None, blocks)))
    return text or (dim(nothing) if nothing else "")


def _lines_of(parts: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    for name, part in parts.items():
        if not _is_records(part):
            yield from _rows_of(dim(_words(name)), part)


def _rows_of(name: str, part: Any) -> Iterator[tuple[str, str]]:
    """What is in a field: a list has a row for each."""
    is_list = isinstance(part, (list, tuple)) and fields_of(part) is None
    for each in part if is_list else [part]:
        if text := _cell(each):
            yield name, text
            name = ""


def _table_of(of: str, records: Sequence[Any], without: str) -> list[str]:
    """The records as a table. The column of their names is called as they are together."""
    known = [*map(_record, records)]
    filled = {name for record in known for name, value in record.items() if value}
    columns = [*filter(filled.difference(without.split()).__contains__, known[0])]
    heads = [dim(_words(of if name == "name" else name)) for name in columns]
    return table([heads, *([_cell(record[name]) for name in columns] for record in known)])


def _words(name: str) -> str:
    return name.replace("_", " ")


def _record(value: Any) -> dict[str, Any]:
    return fields_of(value) or {}


def _is_records(part: Any) -> bool:
    return isinstance(part, (list, tuple)) and bool(part) and bool(fields_of(part[0]))


def _cell(value: Any) -> str:
    """A value in one line; what says nothing is empty."""
    named = fields_of(value)
    if named is not None:
        return ", ".join(f"{_words(name)} {_cell(part)}" for name, part in named.items() if part)
    if isinstance(value, (list, tuple)):
        return ", ".join(map(_cell, value))
    # A share of 0 is a figure, too.
    if value or isinstance(value, float):
        return one_line(_FORMS.get(type(value), "{}").format(value))
    return ""


_FORMS = {datetime: "{:%Y-%m-%d %H:%M}", int: "{:,}", float: "{:,.3g}", bool: "yes"}
