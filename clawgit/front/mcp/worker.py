"""What a tool takes, what a server holds open between calls, and the answer to one call: a result
or an error, within its budget.
"""

import inspect
import json
import re
from bisect import bisect_left
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from datetime import datetime
from functools import cache, partial
from pathlib import Path
from typing import Annotated, Any, Literal, get_args

from annotated_types import Interval, MaxLen
from pydantic import BaseModel, ConfigDict, Field, ValidationError, create_model
from pydantic.alias_generators import to_camel

from clawgit.core import NamedTuple
from clawgit.core.disk.failures import explained
from clawgit.core.errors import BusyError, ClawgitError, NotFoundError, UsageError, near
from clawgit.core.tokens import fits
from clawgit.git.rules.actors import AGENT, LONGEST_NAME, Actor, caller_named
from clawgit.language.terms import folded
from clawgit.safety.masking import cover, cover_of
from clawgit.safety.rules.masks import covered
from clawgit.search.search import Searcher
from clawgit.search.shown_hits import note_shown
from clawgit.search.stores.access import Showing
from clawgit.terminal import output
from clawgit.workspace.workspace import Caller, Workspace, open_workspace

_LONGEST = MaxLen(20_000)
_MOST_TEXTS = MaxLen(50)
_NONE = type(None)

_Room = Annotated[int, "Room for the answer, in tokens.", Interval(ge=200, le=1_000_000)]

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
    """What the command line passes in: where the workspace is, who started the server, the
    time.
    """

    start: Path
    caller: Caller
    clock: Callable[[], datetime]


class Bench(NamedTuple):
    """What a call works with. `shown` records the hits that the caller sees."""

    workspace: Workspace
    searcher: Callable[[], Searcher]
    budget: int
    shown: Callable[[Showing], None]


class Tool(NamedTuple):
    """One tool.

    `model` checks its parameters. `writes` (it changes files) and `replaces` (it removes existing
    text) are hints for the client. `prose` names the member of the answer that a model reads
    instead of JSON.
    """

    title: str
    act: Callable[..., object]
    model: type[BaseModel]
    writes: bool = False
    replaces: bool = False
    prose: str = ""

    @property
    def name(self) -> str:
        return self.act.__name__

    @property
    def about(self) -> str:
        return " ".join(inspect.cleandoc(self.act.__doc__ or "").split())

    @property
    def params(self) -> list[str]:
        """Its parameters, as a caller spells them; the last is the room for the answer."""
        return [field.alias or name for name, field in self.model.model_fields.items()]

    @property
    def schema(self) -> dict[str, Any]:
        """The JSON schema of an object with these members and no other."""
        made = self.model.model_json_schema()
        for member in made["properties"].values():
            for word in ("title", "default"):
                member.pop(word, None)
        made.pop("title")
        return made

    def taken(self, given: Mapping[str, Any]) -> dict[str, Any]:
        """The parameters of a call, checked; UsageError says what the tool takes. null counts as
        not given.
        """
        told = {name: value for name, value in given.items() if value is not None}
        try:
            return self.model.model_validate(told).model_dump(exclude_unset=True)
        except ValidationError as error:
            raise self._refusal(error) from error

    def _refusal(self, error: ValidationError) -> UsageError:
        # A misspelt name first: the parameter that is missing may be the one that was meant.
        wrong = min(error.errors(), key=lambda one: one["type"] != "extra_forbidden")
        name, takes = str(wrong["loc"][0]), f"{self.name} takes {', '.join(self.params)}."
        if wrong["type"] == "extra_forbidden":
            hint = f"{near(name, self.params)} {takes}".lstrip()
            return UsageError(f"{self.name} has no parameter {name[:80]!r}.", hint=hint)
        if wrong["type"] == "missing":
            about = self.schema["properties"][name]["description"]
            return UsageError(f"{self.name} needs {name}: {about}", hint=takes)
        return UsageError(f"{name}: {wrong['msg']}.", hint=takes)


def tool_of(act: Callable[..., object], title: str, **traits: Any) -> Tool:
    """A tool from a function. A parameter is `Annotated[type, text, limit]`; a limit that is a
    tuple lists the values to choose from. What writes takes `dry_run` too.
    """
    # Memory tools are spelt as OpenClaw's are.
    spelt = to_camel if act.__name__.startswith("memory_") else str
    fields = {
        name: (_kind(*get_args(param.annotation)), ... if param.default is param.empty else None)
        for name, param in inspect.signature(act).parameters.items()
        if name != "bench"
    }
    strict = ConfigDict(
        extra="forbid", allow_inf_nan=False, alias_generator=lambda name: spelt(name.rstrip("_"))
    )
    if traits.get("writes"):
        fields["dry_run"] = (_kind(bool, "Only show what would change."), None)
    fields["max_tokens"] = (_kind(*get_args(_Room)), None)
    return Tool(title, act, create_model(act.__name__, __config__=strict, **fields), **traits)  # type: ignore[call-overload]


def _kind(kind: Any, about: str, *limits: Any) -> Any:
    """The type of a field as pydantic has it; None is never sent."""
    kind = next(iter(get_args(kind)), kind) if _NONE in get_args(kind) else kind
    if limits and isinstance(limits[0], tuple):
        return Annotated[Literal[limits[0]], Field(description=about)]
    if kind is str:
        limits = limits or (_LONGEST,)
    elif kind == list[str]:
        kind, limits = list[Annotated[str, _LONGEST]], (*limits, _MOST_TEXTS)
    return Annotated[kind, Field(description=about), *limits]


def actor_of(client: str) -> Actor:
    """The actor for the name that a client gives itself.

    It is never the operator or one of clawgit's own agents, whatever the client says.
    """
    slug = re.sub(r"[^a-z0-9]+", "-", folded(client)).strip("-")[:LONGEST_NAME].rstrip("-")
    return caller_named(slug) or AGENT


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
        return failure(explained(error) or output.keep_bug(error))

    def _tidied(self) -> None:
        if self._showings:
            note_shown(self._opened(""), *self._showings)
        for workspace in self._used:
            with suppress(ClawgitError):  # what fails now is tried again by the next call
                workspace.close()

    def _found(self, client: str, tool: Tool, arguments: Mapping[str, Any]) -> ToolAnswer:
        words = tool.taken(arguments)
        workspace = self._opened(client, dry_run=words.pop("dry_run", False))
        budget = words.pop("max_tokens", _ROOM)
        search = partial(self._open_search, workspace)
        bench = Bench(workspace, search, budget, self._showings.append)
        made = output.jsonable(tool.act(bench, **words))
        # Each text once: every entry of a list has the same names.
        value = covered(made, cache(cover_of(workspace)))
        return said(tool, value, budget)

    def _opened(self, client: str, *, dry_run: bool = False) -> Workspace:
        now, actor = self._front.clock(), actor_of(client)
        caller = self._front.caller._replace(actor=actor, now=now, dry_run=dry_run)
        workspace = open_workspace(self._front.start, caller)
        self._used.append(workspace)
        return workspace

    def _open_search(self, workspace: Workspace) -> Searcher:
        """The open search. It is opened again when the settings or the day have changed."""
        stance = workspace.root, workspace.settings, workspace.now.date()
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
        texts.append(
            f"Left out, for {budget:,} tokens: {'; '.join(dropped)}. "
            f"Ask more narrowly, or raise {tool.params[-1]}."
        )
    return ToolAnswer(tuple(texts), {tool.prose: prose, **value} if tool.prose else value)


def failure(error: ClawgitError) -> ToolAnswer:
    """An error as an answer.

    All that looks like a secret or planted is covered, since what the operator allows may not be
    known yet.
    """
    shape = covered(output.error_shape(error), cover)
    fitted(shape, _ROOM_FOR_ERRORS)
    message, hint = shape["message"], shape["hint"]
    text = f"{message}\nNext: {hint}" if hint else message
    return ToolAnswer((text,), {"error": shape}, failed=True)


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
        place = max(_places(value), key=lambda at: len(compact(at[1][at[2]])), default=None)
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

_Place = tuple[str, Any, Any]
"""Where a list or a text is that may be cut: its path, its container, its key in there."""


def _places(holder: Any, path: str = "") -> Iterator[_Place]:
    """All that can be cut and still says something, wherever it is."""
    in_list = isinstance(holder, list)
    for key, member in enumerate(holder) if in_list else holder.items():
        there = f"{path}[{key}]" if in_list else f"{path}.{key}".lstrip(".")
        if _may_give(member):
            yield there, holder, key
        if isinstance(member, (list, dict)):
            yield from _places(member, there)


def _may_give(member: Any) -> bool:
    if isinstance(member, list):
        return len(member) > 1
    return isinstance(member, str) and member not in ("", _CUT)


def _cut(value: Any, place: _Place, room: int) -> str:
    """Cuts as little as will do, or all that may go; says in words what is gone."""
    path, holder, key = place
    whole = holder[key]
    # A list that is cut keeps its first entry.
    least = int(isinstance(whole, list))

    def is_too_long(count: int) -> bool:
        holder[key] = _beginning(whole, count)
        return not _fits(value, room)

    count = max(bisect_left(range(len(whole)), True, key=is_too_long) - 1, least)
    holder[key] = _beginning(whole, count)
    kept, noun = len(holder[key]), "entries"
    if isinstance(whole, str):
        kept, noun = kept - len(_CUT), "characters"
    return f"{path}: {len(whole) - kept:,} of {len(whole):,} {noun}"


def _beginning(whole: Any, count: int) -> Any:
    """So many entries, or the whole lines of so many characters."""
    kept = whole[:count]
    if isinstance(whole, str) and count < len(whole):
        return (kept[: kept.rfind("\n") + 1] or kept) + _CUT
    return kept
