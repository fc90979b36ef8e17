"""What `serve` holds open: the search, the Chroma that it owns, and the intake of messages."""

from collections.abc import Callable, Mapping
from datetime import MAXYEAR, datetime
from threading import Thread
from typing import Any

from clawgit.domain.change.actors import Actor, caller_named
from clawgit.domain.change.ids import is_change_id
from clawgit.domain.facts.confidence import EXPLICIT, INFERRED
from clawgit.domain.workspace.limits import FIRST_YEAR
from clawgit.errors import UsageError
from clawgit.ops.context.asking import ContextRequest, brought_from
from clawgit.ops.context.context import context
from clawgit.ops.conversation.heartbeat import follow_up, heartbeat
from clawgit.ops.facts.remember import NewFact, remember
from clawgit.ops.search.search import Request, Searcher
from clawgit.ops.search.serve_client import git_standpoint
from clawgit.ops.search.vectors_owner import owner_of
from clawgit.ops.workspace.workspace import Workspace

_AS_THE_CLIENT = "Ask with `clawgit memory add`, which sends what is taken here."
_TEXTS = ("text", "tag", "to", "source", "session")


class Open:
    """Answers `search` with the fields of a `Request`, `heartbeat` with those of the command, and
    `context` with those of an `ContextRequest` and what was `brought` for it, `remember` with a
    `NewFact` and the `ident` of its change. It never writes as the operator.
    """

    def __init__(
        self, workspace: Workspace, clock: Callable[[], datetime], tell: Callable[[str], None]
    ) -> None:
        self._workspace, self._clock, self._tell = workspace, clock, tell
        self._owner = owner_of(workspace)
        self._searcher = Searcher(workspace, self._owner)
        self._called = False
        self._following: Thread | None = None
        self._written: Workspace | None = None
        """Whether replaced files must be checked once more: an editor may have saved into one."""

    def answer(self, op: str, arguments: Mapping[str, object], workspace: Workspace) -> object:
        if op == "search":
            self._searcher.now = workspace.now
            return self._searcher.answer(Request(**arguments))  # type: ignore[arg-type]  # a client of this version
        if op == "context":
            return self._context(arguments, workspace)
        if op == "heartbeat":
            told = {**arguments}
            if "actor" in told:
                caller = workspace.caller._replace(actor=_actor({"actor": told.pop("actor")}))
                workspace = workspace.asked_by(caller)
            done = heartbeat(workspace, **told)  # type: ignore[arg-type]
            self._called = self._called or bool(done.queued) or done.waiting > 0
            return done
        if op == "remember":
            return self._remember(arguments, workspace)
        raise UsageError(
            f"{op!r} is not answered here.",
            hint="clawgit memory search, clawgit context, clawgit heartbeat, clawgit memory add",
        )

    def _remember(self, arguments: Mapping[str, Any], workspace: Workspace) -> object:
        # The process may have been started at a terminal, and so by the operator. A client on the
        # socket is not the operator, whatever it says.
        if arguments.get("git") != git_standpoint(workspace.caller):
            raise UsageError("This is not written here.", hint="clawgit memory add")
        actor, now, ident = _actor(arguments), _moment(arguments), _ident(arguments)
        caller = workspace.caller._replace(actor=actor, now=now)
        fact = _fact(arguments)
        self._written = workspace
        # What holds a secret is not taken from here: `memory add` writes it itself.
        told = fact._replace(allow_secret=False)
        return remember(workspace.asked_by(caller), told, ident=ident)

    def _context(self, arguments: Mapping[str, object], workspace: Workspace) -> object:
        asking = {name: value for name, value in arguments.items() if name != "brought"}
        brought = brought_from(arguments["brought"])  # type: ignore[arg-type]
        request = ContextRequest(**asking)  # type: ignore[arg-type]
        return context(workspace, request, searcher=self._searcher, brought=brought)

    def freshen(self) -> None:
        """Starts the follow-up in its own thread: a script of the operator may be slow."""
        self._look_again()
        if not self._called or (self._following and self._following.is_alive()):
            return
        self._called = False
        self._following = Thread(target=self._follow, name="follow-up", daemon=True)
        self._following.start()

    def close(self) -> None:
        self._look_again()
        self._searcher.close()
        if self._following:
            self._following.join()
        if self._owner:
            self._owner.close()

    def _look_again(self) -> None:
        """Looks once more at the files that the last write replaced, and waits until it may: for
        50 ms. What earlier writes replaced was looked at by those after them.
        """
        space, self._written = self._written, None
        if space:
            space.close()

    def _follow(self) -> None:
        for trouble in follow_up(self._workspace, self._clock):
            self._tell(f"note: {trouble}")


def _actor(arguments: Mapping[str, Any]) -> Actor:
    """Who asks: a name that a caller may use, so never the operator or one of our own agents."""
    name = arguments.get("actor")
    actor = caller_named(name) if isinstance(name, str) else None
    if actor is None or actor.slug != name:
        raise UsageError("`actor` is not a name that a caller may have.", hint=_AS_THE_CLIENT)
    return actor


def _moment(arguments: Mapping[str, Any]) -> datetime:
    """The caller's time, as --now takes it: with a zone, and a year that git can store."""
    try:
        when = datetime.fromisoformat(arguments.get("now"))  # type: ignore[arg-type]  # caught below
    except (TypeError, ValueError) as error:
        raise UsageError("`now` is not a time.", hint=_AS_THE_CLIENT) from error
    if when.tzinfo is None or not FIRST_YEAR <= when.year < MAXYEAR:
        raise UsageError("Git cannot store the time in `now`.", hint=_AS_THE_CLIENT)
    return when


def _ident(arguments: Mapping[str, Any]) -> str:
    """The id of the change. It becomes a trailer, so it must have the form of our ids."""
    ident = arguments.get("ident")
    if not isinstance(ident, str) or not is_change_id(ident):
        raise UsageError("`ident` is not the id of a change.", hint=_AS_THE_CLIENT)
    return ident


def _fact(arguments: Mapping[str, Any]) -> NewFact:
    """The fact, each field of the type that it has on the command line."""
    given: dict[str, Any] = {name: arguments.get(name) for name in NewFact._fields}
    evidence = given["evidence"]
    texts = [given[name] for name in _TEXTS]
    is_sound = (
        isinstance(evidence, list)
        and all(isinstance(value, str) for value in [*evidence, *texts])
        and isinstance(given["allow_secret"], bool)
        and given["source"] in ("", EXPLICIT, INFERRED)
    )
    if not is_sound:
        raise UsageError("A field of the fact has the wrong type.", hint=_AS_THE_CLIENT)
    return NewFact(**{**given, "evidence": tuple(given["evidence"])})
