"""What a server holds open between calls, and the answer to one call: a result or an error."""

from collections.abc import Callable, Mapping
from contextlib import suppress
from datetime import date, datetime
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from clawgit.domain.safety.covered import covered
from clawgit.errors import BusyError, ClawgitError, NotFoundError, UsageError
from clawgit.mcp.fitting import compact, fitted
from clawgit.mcp.params import Bench, Tool
from clawgit.mcp.tools import HARMLESS, TOOLS, actor_of
from clawgit.ops.safety.masking import cover, cover_of
from clawgit.ops.search.accesses import Showing, note_all
from clawgit.ops.search.search import WARM, Searcher
from clawgit.ops.workspace.workspace import Caller, Workspace, open_workspace
from clawgit.stores.failures import explained

if TYPE_CHECKING:
    from clawgit.config.settings import Settings

_MOST_SHOWINGS = 200
"""After this many answers their hits are recorded, even if more calls come."""

_ROOM = 6000
"""How many tokens an answer may have; it names what it leaves out."""

_ROOM_FOR_ERRORS = 2000
"""How many tokens an error may have; a conflict shows both of its sides."""

_HARMLESS_ERRORS = (UsageError, NotFoundError, BusyError)
"""Errors after which the open index can still be trusted."""


class NotAllowedError(ClawgitError):
    """A tool that only the operator may allow."""

    kind = "not_allowed"


class Front(NamedTuple):
    """What the front end passes in: where the workspace is, who started the server, the time, how a
    result becomes JSON, and how a bug is logged.
    """

    start: Path
    caller: Caller
    clock: Callable[[], datetime]
    encoded: Callable[[object], Any]
    keep_bug: Callable[[Exception], str]


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
        self._stance: tuple[Path, Settings, date] | None = None
        self._used: list[Workspace] = []
        self._showings: list[Showing] = []

    def tools(self) -> tuple[Tool, ...]:
        """The tools that the settings allow; without settings, those that need no permission."""
        try:
            allowed = self._opened("").config.settings.mcp_allow_restore
        except ClawgitError:
            allowed = False
        return tuple(TOOLS.values()) if allowed else HARMLESS

    def answer(self, client: str, tool: Tool, arguments: Mapping[str, Any]) -> ToolAnswer:
        """One call. An expected error is an answer too, and says what to do."""
        try:
            return self._found(client, tool, arguments)
        except ClawgitError as error:
            if not isinstance(error, _HARMLESS_ERRORS):
                self._close_search()
            return failure(error, self._front.encoded(error.data))

    def bug(self, error: Exception) -> ToolAnswer:
        """The answer for an error that nobody expected. It is logged."""
        # Whatever is open may be in an unknown state.
        self._close_search()
        if known := explained(error):
            return failure(known, {})
        log = self._front.keep_bug(error)
        bug = ClawgitError(
            f"This is a bug in clawgit: {type(error).__name__}: {error}", hint=f"Its log is {log}."
        )
        return failure(bug, {})

    def tidy(self) -> None:
        """Closes the workspaces of past calls; it runs after the caller has the answer."""
        used, self._used = self._used, []
        for workspace in used:
            with suppress(ClawgitError):  # what fails now is tried again by the next call
                workspace.close()
        if len(self._showings) >= _MOST_SHOWINGS:
            self.note()

    def note(self) -> None:
        """Records which hits were shown, all at once, while no call waits."""
        if not self._showings:
            return
        showings, self._showings = self._showings, []
        with suppress(ClawgitError):  # the workspace may be gone by now
            note_all(self._opened(""), showings)

    def close(self) -> None:
        self.note()
        self.tidy()
        self._close_search()

    def _found(self, client: str, tool: Tool, arguments: Mapping[str, Any]) -> ToolAnswer:
        given = tool.taken(arguments)
        workspace = self._opened(client)
        settings = workspace.config.settings
        if tool.restores and not settings.mcp_allow_restore:
            raise NotAllowedError(
                f"Only the operator can allow {tool.name}.",
                hint="The operator allows it: clawgit config set mcp_allow_restore true",
            )
        budget = given.pop(tool.room, _ROOM)
        actor = workspace.caller.actor.slug
        bench = Bench(
            workspace,
            lambda: self._open_search(workspace),
            actor,
            budget,
            self._front.encoded,
            self._showings.append,
        )
        # Each text once: every entry of a list has the same names.
        words = {tool.params[name]: value for name, value in given.items()}
        made = self._front.encoded(tool.act(bench, **words))
        value = covered(made, cache(cover_of(workspace, made)))
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
            self._searcher, self._stance = Searcher(workspace, patience=WARM), stance
        self._searcher.now = workspace.now
        return self._searcher

    def _close_search(self) -> None:
        if self._searcher is not None:
            self._searcher.close()
            self._searcher = None


def said(tool: Tool, value: dict[str, Any], budget: int) -> ToolAnswer:
    """A result within its budget: as JSON, or as prose if the tool has a text to show."""
    prose = value.pop(tool.prose, "") if tool.prose else ""
    dropped_before = tuple(value.pop("dropped", ()))
    shown, cut = fitted(value, tool.gives, budget)
    dropped = (*dropped_before, *cut)
    if dropped:
        shown["dropped"] = list(dropped)
    texts = [prose if tool.prose else compact(shown)]
    if dropped:
        left_out = "; ".join(dropped)
        texts.append(
            f"Left out, for {budget:,} tokens: {left_out}. Ask more narrowly, or raise {tool.room}."
        )
    return ToolAnswer(tuple(texts), {tool.prose: prose, **shown} if tool.prose else shown)


def failure(error: ClawgitError, more: Mapping[str, Any]) -> ToolAnswer:
    """An error as an answer.

    All that looks like a secret or planted is covered, since what the operator allows may not be
    known yet.
    """
    shape = covered(
        {"kind": error.kind, "message": error.message, "hint": error.hint, **more}, cover
    )
    value = fitted({"error": shape}, (), _ROOM_FOR_ERRORS).value
    message, hint = value["error"]["message"], value["error"]["hint"]
    return ToolAnswer((f"{message}\nNext: {hint}" if hint else message,), value, failed=True)
