"""What each tool does: one op, called with the checked parameters; the values come back as the ops
give them.
"""

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any, NamedTuple

from clawgit.domain.change.actors import Actor, actor_named, is_known
from clawgit.domain.markdown.amend import Amendment
from clawgit.domain.markdown.scan import lines_of
from clawgit.domain.model.tokens import estimate_tokens
from clawgit.errors import UsageError
from clawgit.ops.change import changes, history, proposals
from clawgit.ops.change.delta import LIMIT, delta
from clawgit.ops.change.past_lines import lines
from clawgit.ops.change.why import why
from clawgit.ops.claims.conflicts import conflicts
from clawgit.ops.context.asking import Asking
from clawgit.ops.context.context import context, whole
from clawgit.ops.corrections import corrections
from clawgit.ops.facts.remember import Fact, remember
from clawgit.ops.search.accesses import Showing
from clawgit.ops.search.search import Request, Searcher
from clawgit.ops.soul import changes as soul_changes
from clawgit.ops.soul import soul
from clawgit.ops.workspace.status import status
from clawgit.ops.workspace.workspace import Workspace
from clawgit.ops.workspace.workspaces import cited

AGENT = "agent"
_ASKED = ("at", "source", "explain", "category", "archived", "smart")
"""What a search and its tool call by the same name."""

_SLUG = 40
_FRAME = 100
"""Tokens that the members of an answer around its text take."""

Given = Mapping[str, Any]


class Bench(NamedTuple):
    """What a call works with. `shown` takes note of the hits that a caller gets to see."""

    workspace: Workspace
    searcher: Callable[[], Searcher]
    client: str
    budget: int
    encoded: Callable[[object], Any]
    shown: Callable[[Showing], None]


def actor_of(client: str) -> Actor:
    """Who calls, by the name that a client gives itself. It can never be the operator, nor one of
    clawgit's agents.
    """
    kept = "".join(sign if sign.isascii() and sign.isalnum() else "-" for sign in client.lower())
    slug = "-".join(filter(None, kept.split("-")))[:_SLUG].rstrip("-")
    return actor_named(AGENT if not slug or is_known(slug) else slug)


def memory_search(bench: Bench, given: Given) -> object:
    asked = Request(
        given["query"], given.get("maxResults"), given.get("minScore"),
        **{name: given[name] for name in _ASKED if name in given},
    )  # fmt: skip
    found = bench.encoded(bench.searcher().answer(asked))
    own = [hit for hit in found["results"] if not hit["agent"]]
    if own:
        bench.shown(Showing(asked.query, given.get("session", ""), own))
    return found


def memory_get(bench: Bench, given: Given) -> object:
    """Whole lines as far as there is room, and where to read on."""
    first = given.get("from", 1)
    whose, name = cited(bench.workspace, given["path"])
    found = dict(lines(whose, name, first, given.get("lines"), given.get("at")))
    text = lines_of(str(found["text"]))
    left, kept = bench.budget - _FRAME, 0
    for line in text:
        left -= estimate_tokens(line) + 1
        if left < 0:
            break
        kept += 1
    if kept in (0, len(text)):
        return found
    told = f"text: {len(text) - kept:,} of {len(text):,} lines; read on with from={first + kept}"
    return found | {"text": "".join(text[:kept]), "lines": kept, "dropped": [told]}


def memory_add(bench: Bench, given: Given) -> object:
    fact = Fact(
        given["text"], given.get("tag", ""), given.get("to", ""), given.get("source", ""),
            given.get("evidence", ()),
        given.get("session", ""),
    )  # fmt: skip
    return remember(bench.workspace, fact, dry_run=given.get("dryRun", False))


def memory_why(bench: Bench, given: Given) -> object:
    return why(bench.workspace, given["place"])


def memory_conflicts(bench: Bench, given: Given) -> object:
    return conflicts(bench.workspace, everything=given.get("all", False))


def correction_add(bench: Bench, given: Given) -> object:
    wanted = corrections.Wanted(
        given["text"], given.get("was", ""), given.get("evidence", ()), given.get("closes", "")
    )
    return corrections.add(bench.workspace, wanted, dry_run=given.get("dry_run", False))


def assembled(bench: Bench, given: Given) -> object:
    """The texts of the slots come as one, in `text`; it is no longer than there is room."""
    asked = {
        name: given[name]
        for name in ("message", "session", "at", "style", "explain")
        if name in given
    }
    settled = given.get("budget", bench.workspace.config.settings.context_budget_tokens)
    asking = Asking(**asked, budget=min(settled, bench.budget))
    found = context(bench.workspace, asking, searcher=bench.searcher())
    slots = tuple(replace(slot, text="") for slot in found.slots)
    shown = bench.encoded(replace(found, slots=slots))
    for slot in shown["slots"]:
        del slot["text"]
    return {"text": whole(found), **shown}


def soul_show(bench: Bench, given: Given) -> object:
    return soul.show(bench.workspace, _soul(given), given.get("at"))


def soul_log(bench: Bench, given: Given) -> object:
    return soul.log(bench.workspace, _soul(given), given.get("limit", 10))


def soul_diff(bench: Bench, given: Given) -> object:
    return soul.diff(bench.workspace, _soul(given), given.get("a"), given.get("b"))


def soul_propose(bench: Bench, given: Given) -> object:
    return proposals.propose(
        bench.workspace, _wish(given), given["reason"], path=_soul(given),
            evidence=given.get("evidence", ()),
        dry_run=given.get("dry_run", False),
    )  # fmt: skip


def history_log(bench: Bench, given: Given) -> object:
    return history.log(bench.workspace, given.get("path"), given.get("limit", 20))


def history_diff(bench: Bench, given: Given) -> object:
    words = [given[name] for name in ("a", "b", "path") if given.get(name)]
    if given.get("b") and not given.get("a"):
        raise UsageError(
            "b is compared with a; name a too.", hint="Alone, a is compared with the files on disk."
        )
    return history.diff(bench.workspace, words, patch=not given.get("stat", False))


def at_a_glance(bench: Bench, _: Given) -> object:
    return status(bench.workspace)


def changed_since(bench: Bench, given: Given) -> object:
    return delta(bench.workspace, given.get("since", ""), bench.client, given.get("limit", LIMIT))


def history_restore(bench: Bench, given: Given) -> object:
    return changes.restore(
        bench.workspace, given["path"], given.get("at"), dry_run=given.get("dry_run", False)
    )


def history_revert(bench: Bench, given: Given) -> object:
    return changes.undo(bench.workspace, given["id"], dry_run=given.get("dry_run", False))


def soul_revert(bench: Bench, given: Given) -> object:
    if bool(given.get("id")) == bool(given.get("to")):
        raise UsageError(
            "Name one change by id, or one version by to.", hint="soul_log lists both."
        )
    act = soul_changes.revert if given.get("id") else soul_changes.revert_to
    return act(
        bench.workspace, given.get("id") or given["to"], path=_soul(given),
            reason=given.get("reason", ""),
        dry_run=given.get("dry_run", False),
    )  # fmt: skip


def _soul(given: Given) -> str:
    return soul_changes.soul_path(identity=given.get("identity", False))


def _wish(given: Given) -> soul_changes.Wish:
    """The whole text, or one amendment of what stands there."""
    told = [name for name in ("add", "remove", "old", "text") if given.get(name)]
    if len(told) != 1 or ("old" in told) != bool(given.get("new")):
        raise UsageError(
            "Say one thing: add, or remove, or old and new, or the whole text.",
            hint='{"section": "Boundaries", "add": "Ask before deleting files.", "reason": "…"}',
        )
    if given.get("text"):
        return soul_changes.Wish(text=given["text"])
    pair = (given["old"], given["new"]) if given.get("old") else None
    return soul_changes.Wish(
        Amendment(given.get("add", ""), pair, given.get("remove", ""), given.get("section", ""))
    )
