"""What a server holds open between calls, and the answer to one call: a result or an error."""

import json
from bisect import bisect_left
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from datetime import datetime
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from clawgit.domain.model.tokens import fits
from clawgit.domain.safety.masks import covered
from clawgit.errors import BusyError, ClawgitError, NotFoundError, UsageError
from clawgit.mcp.params import Bench, Tool
from clawgit.mcp.tools import actor_of
from clawgit.ops.safety.masking import cover, cover_of
from clawgit.ops.search.accesses import note_shown
from clawgit.ops.search.search import Searcher
from clawgit.ops.workspace.workspace import Caller, Workspace, open_workspace
from clawgit.stores.failures import explained

if TYPE_CHECKING:
    from clawgit.stores.access import Showing

_ROOM = 6000
"""How many tokens an answer may have; it names what it leaves out."""

_ROOM_FOR_ERRORS = 2000
"""How many tokens an error may have; a conflict shows both of its sides."""

_ROOM_TO_SAY = 40
"""Tokens reserved for the sentence about what was left out."""

_CUT = "…"

_HARMLESS_ERRORS = (UsageError, NotFoundError, BusyError)
"""Errors after which the open index can still be trusted."""


class Front(NamedTuple):
    """What the front end passes in: where the workspace is, who started the server, the time, how a
    result becomes JSON, and how a bug is logged.
    """

    start: Path
    caller: Caller
    clock: Callable[[], datetime]
    encoded: Callable[[object], Any]
    keep_bug: Callable[[Exception], ClawgitError]


class ToolAnswer(NamedTuple):
    """The texts that a model reads, and the same content as JSON."""

    texts: tuple[str, ...]
    value: dict[str, Any]
    failed: bool = False


class Worker:
    """Answers calls in one thread: SQLite connections belong to the thread that opened them."""

    def __init__(self, front: Front) -> None:
        self._front = front
        self._searcher: Searcher | None = None
        self._stance: object = None
        self._used: list[Workspace] = []
        self._showings: list[Showing] = []

    def answer(self, client: str, tool: Tool, arguments: Mapping[str, Any]) -> ToolAnswer:
        """One call. An error is an answer too, and says what to do."""
        made: ToolAnswer = self._bordered(lambda: self._found(client, tool, arguments))
        return made

    def tidy(self) -> None:
        """Closes the workspaces of past calls, and records which hits were shown; it runs after
        the caller has the answer.
        """
        self._bordered(self._tidied)
        self._used, self._showings = [], []

    def close(self) -> None:
        self.tidy()
        self._close_search()

    def _bordered(self, act: Callable[[], Any]) -> Any:
        try:
            return act()
        except Exception as error:  # noqa: BLE001 - the border of a request: a bug is logged and reported, and the server goes on
            return self.failed(error)

    def failed(self, error: Exception) -> ToolAnswer:
        """The answer for an error; what nobody expected is logged."""
        if not isinstance(error, _HARMLESS_ERRORS):
            # Whatever is open may be in an unknown state.
            self._close_search()
        known = error if isinstance(error, ClawgitError) else explained(error)
        if known:
            return failure(known, self._front.encoded(known.data))
        return failure(self._front.keep_bug(error), {})

    def _tidied(self) -> None:
        if self._showings:
            note_shown(self._opened(""), *self._showings)
        for workspace in self._used:
            with suppress(ClawgitError):  # what fails now is tried again by the next call
                workspace.close()

    def _found(self, client: str, tool: Tool, arguments: Mapping[str, Any]) -> ToolAnswer:
        given = tool.taken(arguments)
        workspace = self._opened(client)
        budget = given.pop(tool.room, _ROOM)
        bench = Bench(
            workspace,
            lambda: self._open_search(workspace),
            workspace.caller.actor.slug,
            budget,
            self._front.encoded,
            self._showings.append,
        )
        # Each text once: every entry of a list has the same names.
        words = {tool.params[name]: value for name, value in given.items()}
        made = self._front.encoded(tool.act(bench, **words))
        value = covered(made, cache(cover_of(workspace)))
        return said(tool, value, budget)

    def _opened(self, client: str) -> Workspace:
        caller = self._front.caller._replace(actor=actor_of(client), now=self._front.clock())
        workspace = open_workspace(self._front.start, caller)
        self._used.append(workspace)
        return workspace

    def _open_search(self, workspace: Workspace) -> Searcher:
        """The open search. It is opened again when the settings or the day have changed."""
        stance = workspace.root, workspace.config.settings, workspace.now.date()
        if self._searcher is None or stance != self._stance:
            self._close_search()
            self._searcher, self._stance = Searcher(workspace), stance
        self._searcher.now = workspace.now
        return self._searcher

    def _close_search(self) -> None:
        if self._searcher is not None:
            self._searcher.close()
            self._searcher = None


def said(tool: Tool, value: dict[str, Any], budget: int) -> ToolAnswer:
    """A result within its budget: as JSON, or as prose if the tool has a text to show."""
    prose = value.pop(tool.prose, "") if tool.prose else ""
    dropped = [*value.pop("dropped", ()), *fitted(value, budget)]
    if dropped:
        value["dropped"] = dropped
    texts = [prose if tool.prose else compact(value)]
    if dropped:
        left_out = "; ".join(dropped)
        texts.append(
            f"Left out, for {budget:,} tokens: {left_out}. Ask more narrowly, or raise {tool.room}."
        )
    return ToolAnswer(tuple(texts), {tool.prose: prose, **value} if tool.prose else value)


def failure(error: ClawgitError, more: Mapping[str, Any]) -> ToolAnswer:
    """An error as an answer.

    All that looks like a secret or planted is covered, since what the operator allows may not be
    known yet.
    """
    shape = covered(
        {"kind": error.kind, "message": error.message, "hint": error.hint, **more}, cover
    )
    fitted(shape, _ROOM_FOR_ERRORS)
    message, hint = shape["message"], shape["hint"]
    text = f"{message}\nNext: {hint}" if hint else message
    return ToolAnswer((text,), {"error": shape}, failed=True)


class _Place(NamedTuple):
    """Where a list or a text is that may be cut: its path, its container, its key in there."""

    path: str
    holder: Any
    key: Any

    @property
    def whole(self) -> Any:
        return self.holder[self.key]

    @property
    def is_long(self) -> bool:
        """Whether it can be cut and still says something."""
        if isinstance(self.whole, list):
            return len(self.whole) > 1
        return isinstance(self.whole, str) and self.whole not in ("", _CUT)

    def keep(self, whole: Any, count: int) -> None:
        """Leaves so many entries, or the whole lines of so many characters."""
        kept = whole[:count]
        if isinstance(whole, str) and count < len(whole):
            kept = (kept[: kept.rfind("\n") + 1] or kept) + _CUT
        self.holder[self.key] = kept


def compact(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def fitted(value: dict[str, Any], budget: int) -> list[str]:
    """Cuts a value to a budget, in place; says in words what is gone.

    The longest list or text gives way first, from its end. A list keeps its first entry, as long as
    there is something to cut in that.
    """
    room, dropped = budget, []
    while not _fits(value, room):
        room = budget - _ROOM_TO_SAY
        place = _longest(value)
        if place is None:
            break
        dropped.append(_cut(value, place, room))
    return dropped


def _fits(value: Any, budget: int) -> bool:
    text = compact(value)
    # Counting the tokens of a long text is slow.
    return len(text) <= budget * _CHARS_A_TOKEN and fits(text, budget)


_CHARS_A_TOKEN = 12
"""More than any text worth reading has."""


def _longest(holder: Any, path: str = "") -> _Place | None:
    """What gives way next; None if nothing is left to give."""
    for place in sorted(_members(holder, path), key=lambda place: -len(compact(place.whole))):
        if place.is_long:
            return place
        deeper = _longest(place.whole, place.path)
        if deeper:
            return deeper
        if isinstance(place.whole, list) and place.whole:
            return place
    return None


def _members(holder: Any, path: str) -> Iterator[_Place]:
    if isinstance(holder, list):
        yield from (_Place(f"{path}[{at}]", holder, at) for at in range(len(holder)))
    elif isinstance(holder, dict):
        yield from (_Place(f"{path}.{name}".lstrip("."), holder, name) for name in holder)


def _cut(value: Any, place: _Place, room: int) -> str:
    """Cuts as little as will do, or all that may go; says in words what is gone."""
    whole = place.whole
    least = int(isinstance(whole, list) and len(whole) > 1)

    def is_too_long(count: int) -> bool:
        place.keep(whole, count)
        return not _fits(value, room)

    place.keep(whole, max(bisect_left(range(len(whole)), True, key=is_too_long) - 1, least))
    kept, noun = len(place.whole), "entries"
    if isinstance(whole, str):
        kept, noun = kept - len(_CUT), "characters"
    return f"{place.path}: {len(whole) - kept:,} of {len(whole):,} {noun}"
