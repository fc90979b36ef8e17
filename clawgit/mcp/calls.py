"""What each tool does: one op, called with the checked parameters. It returns the op's result."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

from clawgit.domain.change.actors import AGENT, LONGEST_NAME, Actor, caller_named
from clawgit.domain.markdown.amend import Amendment
from clawgit.domain.markdown.scan import lines_of
from clawgit.domain.model.tokens import estimate_tokens
from clawgit.errors import UsageError
from clawgit.ops.change import changes, history, proposals
from clawgit.ops.change.delta import LIMIT, delta
from clawgit.ops.change.past_lines import asked_lines, lines
from clawgit.ops.change.undo import undo
from clawgit.ops.change.why import why
from clawgit.ops.claims.conflicts import conflicts
from clawgit.ops.context.asking import ContextRequest
from clawgit.ops.context.context import context, whole
from clawgit.ops.corrections import corrections
from clawgit.ops.facts.editing import edit, remove
from clawgit.ops.facts.entries import EntryFilter, listed
from clawgit.ops.facts.remember import NewFact, remember
from clawgit.ops.search.accesses import Showing
from clawgit.ops.search.search import Request, Searcher
from clawgit.ops.soul import changes as soul_changes
from clawgit.ops.soul import soul
from clawgit.ops.workspace.status import status
from clawgit.ops.workspace.workspace import Workspace
from clawgit.ops.workspace.workspaces import cited

_SAME_NAMES = ("at", "source", "explain", "category", "archived", "smart", "full")
"""Parameters of memory_search that a `Request` has under the same name."""

_BESIDE = ("before", "after")
_OFTEN_EMPTY = ("marks", "text", "headings", "also", "more")

_ENTRIES = 50
"""How many entries memory_list lists by default."""

_FRAME = 100
"""Tokens for the other members of an answer, besides its text."""

Given = Mapping[str, Any]


class Bench(NamedTuple):
    """What a call works with. `shown` records the hits that the caller sees."""

    workspace: Workspace
    searcher: Callable[[], Searcher]
    client: str
    budget: int
    encoded: Callable[[object], Any]
    shown: Callable[[Showing], None]


def actor_of(client: str) -> Actor:
    """The actor for the name that a client gives itself.

    It is never the operator or one of clawgit's own agents, whatever the client says.
    """
    letters = [char if char.isascii() and char.isalnum() else "-" for char in client.lower()]
    slug = "-".join(filter(None, "".join(letters).split("-")))[:LONGEST_NAME].rstrip("-")
    return caller_named(slug) or AGENT


def memory_search(bench: Bench, given: Given) -> object:
    same = {name: given[name] for name in _SAME_NAMES if name in given}
    request = Request(
        given["query"], given.get("maxResults"), given.get("minScore"), beside=False, **same
    )
    answer = bench.encoded(bench.searcher().answer(request))
    bench.shown(Showing(request.query, given.get("session", ""), answer["results"]))
    return answer | {"results": [_lean(hit) for hit in answer["results"]]}


def _lean(hit: Given) -> dict[str, Any]:
    """A hit without the text around it, which `full` gives better, and without empty marks."""
    spared = {*_BESIDE, *(key for key in _OFTEN_EMPTY if not hit[key])}
    return {key: value for key, value in hit.items() if key not in spared}


def memory_get(bench: Bench, given: Given) -> object:
    """Returns as many whole lines as there is room for, and where to read on."""
    path, first, count = asked_lines(
        bench.workspace, given["path"], given.get("from", 1), given.get("lines")
    )
    owner, path = cited(bench.workspace, path)
    answer = dict(lines(owner, path, first, count, given.get("at")))
    text = lines_of(str(answer["text"]))
    kept = _lines_within(text, bench.budget - _FRAME)
    if kept in (0, len(text)):  # with 0, the first line alone is too long, and is cut like any text
        return answer
    dropped = f"text: {len(text) - kept:,} of {len(text):,} lines; read on with from={first + kept}"
    return answer | {"text": "".join(text[:kept]), "lines": kept, "dropped": [dropped]}


def _lines_within(lines: Sequence[str], budget: int) -> int:
    """How many of the first lines fit into this many tokens."""
    used = 0
    for count, line in enumerate(lines):
        used += estimate_tokens(line) + 1
        if used > budget:
            return count
    return len(lines)


def memory_add(bench: Bench, given: Given) -> object:
    fact = NewFact(
        given["text"],
        given.get("tag", ""),
        given.get("to", ""),
        given.get("source", ""),
        given.get("evidence", ()),
        given.get("session", ""),
    )
    return remember(bench.workspace, fact, dry_run=given.get("dryRun", False))


def memory_list(bench: Bench, given: Given) -> object:
    names = ("tag", "file", "since", "status")
    wanted = EntryFilter(**{name: given[name] for name in names if name in given})
    return listed(bench.workspace, wanted, given.get("limit", _ENTRIES))


def memory_edit(bench: Bench, given: Given) -> object:
    return edit(bench.workspace, given["id"], given["text"], dry_run=given.get("dryRun", False))


def memory_rm(bench: Bench, given: Given) -> object:
    return remove(bench.workspace, given["ids"], dry_run=given.get("dryRun", False))


def memory_why(bench: Bench, given: Given) -> object:
    return why(bench.workspace, given["place"])


def memory_conflicts(bench: Bench, given: Given) -> object:
    return conflicts(bench.workspace, everything=given.get("all", False))


def correction_add(bench: Bench, given: Given) -> object:
    correction = corrections.TypedCorrection(
        given["text"], given.get("was", ""), given.get("evidence", ()), given.get("closes", "")
    )
    return corrections.add(bench.workspace, correction, dry_run=given.get("dry_run", False))


def assembled(bench: Bench, given: Given) -> object:
    """The context as one `text`, which always fits into the answer."""
    names = ("message", "session", "at", "explain")
    request = {name: given[name] for name in names if name in given}
    budget = given.get("budget", bench.workspace.config.settings.context_budget_tokens)
    asking = ContextRequest(**request, budget=min(budget, bench.budget))
    built = context(bench.workspace, asking, searcher=bench.searcher())
    slots = tuple(replace(slot, text="") for slot in built.slots)
    answer = bench.encoded(replace(built, slots=slots))
    for slot in answer["slots"]:
        del slot["text"]
    return {"text": whole(built), **answer}


def soul_show(bench: Bench, given: Given) -> object:
    return soul.show(bench.workspace, _soul(given), given.get("at"))


def soul_log(bench: Bench, given: Given) -> object:
    return soul.log(bench.workspace, _soul(given), given.get("limit", 10))


def soul_diff(bench: Bench, given: Given) -> object:
    return soul.diff(bench.workspace, _soul(given), given.get("a"), given.get("b"))


def soul_propose(bench: Bench, given: Given) -> object:
    return proposals.propose(
        bench.workspace,
        _wish(given),
        given["reason"],
        path=_soul(given),
        evidence=given.get("evidence", ()),
        dry_run=given.get("dry_run", False),
    )


def history_log(bench: Bench, given: Given) -> object:
    return history.log(bench.workspace, given.get("path"), given.get("limit", 20))


def history_diff(bench: Bench, given: Given) -> object:
    if given.get("b") and not given.get("a"):
        raise UsageError(
            "b is compared with a; name a too.",
            hint="With a alone, a is compared with the files on disk.",
        )
    words = [given[name] for name in ("a", "b", "path") if given.get(name)]
    return history.diff(bench.workspace, words, patch=not given.get("stat", False))


def at_a_glance(bench: Bench, _: Given) -> object:
    return status(bench.workspace, everything=True)


def changed_since(bench: Bench, given: Given) -> object:
    return delta(bench.workspace, given.get("since", ""), bench.client, given.get("limit", LIMIT))


def history_restore(bench: Bench, given: Given) -> object:
    return changes.restore(
        bench.workspace, given["path"], given.get("at"), dry_run=given.get("dry_run", False)
    )


def history_revert(bench: Bench, given: Given) -> object:
    return undo(bench.workspace, given["id"], dry_run=given.get("dry_run", False))


def soul_revert(bench: Bench, given: Given) -> object:
    if bool(given.get("id")) == bool(given.get("to")):
        raise UsageError(
            "Name one change by id, or one version by to.", hint="soul_log lists both."
        )
    revert = soul_changes.revert if given.get("id") else soul_changes.revert_to
    return revert(
        bench.workspace,
        given.get("id") or given["to"],
        path=_soul(given),
        reason=given.get("reason", ""),
        dry_run=given.get("dry_run", False),
    )


def _soul(given: Given) -> str:
    return soul_changes.soul_path(identity=given.get("identity", False))


def _wish(given: Given) -> soul_changes.SoulWish:
    """The change that is wanted: the whole new text, or one line added, removed or reworded."""
    ways = [name for name in ("add", "remove", "old", "text") if given.get(name)]
    if len(ways) != 1 or ("old" in ways) != bool(given.get("new")):
        raise UsageError(
            "Say one thing: add, or remove, or old and new, or the whole text.",
            hint='{"section": "Boundaries", "add": "Ask before deleting files.", "reason": "…"}',
        )
    if given.get("text"):
        return soul_changes.SoulWish(text=given["text"])
    pair = (given["old"], given["new"]) if given.get("old") else None
    return soul_changes.SoulWish(
        Amendment(given.get("add", ""), pair, given.get("remove", ""), given.get("section", ""))
    )
