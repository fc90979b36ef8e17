"""What a server keeps open between calls, and the answer to one call: found, fitted into its
budget, or an error.
"""

from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import replace
from datetime import date, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from clawgit.domain.safety.covered import covered
from clawgit.domain.safety.secrets import masked
from clawgit.errors import BusyError, ClawgitError, NotFoundError, UsageError
from clawgit.mcp.calls import Bench, actor_of
from clawgit.mcp.fitting import compact, fitted
from clawgit.mcp.params import taken
from clawgit.mcp.tools import HARMLESS, TOOLS, Tool
from clawgit.ops.safety.masking import mask_of
from clawgit.ops.search.accesses import Showing, note_all
from clawgit.ops.search.search import WARM, Searcher
from clawgit.ops.workspace.workspace import Caller, Workspace, open_workspace

if TYPE_CHECKING:
    from clawgit.config.settings import Settings

_MOST_SHOWINGS = 200
_ROOM_FOR_ERRORS = 2000
"""Tokens: a conflict shows both its sides."""


_HARMLESS_ERRORS = (UsageError, NotFoundError, BusyError)
"""Those that say nothing against the index that is open."""


class NotAllowedError(ClawgitError):
    """A tool that the operator keeps to himself."""

    kind = "not_allowed"


class Front(NamedTuple):
    """What a front end knows: where the workspace is, who started the server, what time it is, how
    a result becomes JSON, and where a bug is written down.
    """

    start: Path
    caller: Caller
    clock: Callable[[], datetime]
    encoded: Callable[[object], Any]
    keep_bug: Callable[[Exception], str]


class Answer(NamedTuple):
    """The texts that a model reads, and the same as JSON."""

    texts: tuple[str, ...]
    value: dict[str, Any]
    failed: bool = False


class Desk:
    """Works in one thread: the connections that it keeps open belong to that."""

    def __init__(self, front: Front) -> None:
        self._front = front
        self._searcher: Searcher | None = None
        self._stance: tuple[Path, Settings, date] | None = None
        self._used: list[Workspace] = []
        self._showings: list[Showing] = []

    def tools(self) -> tuple[Tool, ...]:
        """Those that may be called, as the settings are now; where there are none to be had, the
        harmless ones.
        """
        try:
            allowed = self._opened("").config.settings.mcp_allow_restore
        except ClawgitError:
            allowed = False
        return tuple(TOOLS.values()) if allowed else HARMLESS

    def answer(self, client: str, tool: Tool, arguments: Mapping[str, Any]) -> Answer:
        """One call. What can be expected to go wrong is an answer too, with its remedy."""
        try:
            return self._found(client, tool, arguments)
        except ClawgitError as error:
            if not isinstance(error, _HARMLESS_ERRORS):
                self._close_search()
            return failure(error, self._front.encoded(error.data))

    def bug(self, error: Exception) -> Answer:
        """What nobody expected: written down, said, and nothing that was open is trusted any
        more.
        """
        self._close_search()
        where = self._front.keep_bug(error)
        told = ClawgitError(
            f"This is a bug in clawgit: {type(error).__name__}: {error}",
            hint=f"Its log is {where}.",
        )
        return failure(told, {})

    def tidy(self) -> None:
        """What can wait until the caller has his answer."""
        used, self._used = self._used, []
        for workspace in used:
            with suppress(ClawgitError):  # where it cannot look a second time, the next call does
                workspace.close()
        if len(self._showings) >= _MOST_SHOWINGS:
            self.note()

    def note(self) -> None:
        """What can wait until nobody asks: which hits were shown, in one go."""
        if not self._showings:
            return
        showings, self._showings = self._showings, []
        with suppress(ClawgitError):  # the workspace is gone, say, and what was shown of it with it
            note_all(self._opened(""), showings)

    def close(self) -> None:
        self.note()
        self.tidy()
        self._close_search()

    def _found(self, client: str, tool: Tool, arguments: Mapping[str, Any]) -> Answer:
        given = taken(tool.name, tool.all_params, arguments)
        workspace = self._opened(client)
        settings = workspace.config.settings
        if tool.restores and not settings.mcp_allow_restore:
            raise NotAllowedError(
                f"{tool.name} is the operator's.",
                hint="The operator allows it: clawgit config set mcp_allow_restore true",
            )
        budget = given.pop(tool.room.name, settings.mcp_result_tokens)
        actor = workspace.caller.actor.slug
        bench = Bench(
            workspace,
            lambda: self._open_search(workspace),
            actor,
            budget,
            self._front.encoded,
            self._showings.append,
        )
        value = covered(self._front.encoded(tool.act(bench, given)), mask_of(workspace))
        return said(tool, value, budget)

    def _opened(self, client: str) -> Workspace:
        caller = replace(self._front.caller, actor=actor_of(client), now=self._front.clock())
        workspace = open_workspace(self._front.start, caller)
        self._used.append(workspace)
        return workspace

    def _open_search(self, workspace: Workspace) -> Searcher:
        """The one that is open, while settings and day are those it was opened with."""
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


def said(tool: Tool, value: dict[str, Any], budget: int) -> Answer:
    """A result within its budget: as JSON, or by its prose where a tool has that to show."""
    prose = value.pop(tool.prose, "") if tool.prose else ""
    told = tuple(value.pop("dropped", ()))
    shown, more = fitted(value, tool.gives, budget)
    dropped = (*told, *more)
    if dropped:
        shown["dropped"] = list(dropped)
    texts = [prose if tool.prose else compact(shown)]
    if dropped:
        left_out = "; ".join(dropped)
        texts.append(
            f"Left out, for {budget:,} tokens: {left_out}. Ask more narrowly, or raise "
            f"{tool.room.name}."
        )
    return Answer(tuple(texts), {tool.prose: prose, **shown} if tool.prose else shown)


def failure(error: ClawgitError, more: Mapping[str, Any]) -> Answer:
    """Masked whatever the operator allows: which workspace it is may be what is wrong."""
    shape = covered(
        {"kind": error.kind, "message": error.message, "hint": error.hint, **more}, masked
    )
    value = fitted({"error": shape}, (), _ROOM_FOR_ERRORS).value
    message, hint = value["error"]["message"], value["error"]["hint"]
    return Answer((f"{message}\nNext: {hint}" if hint else message,), value, failed=True)
