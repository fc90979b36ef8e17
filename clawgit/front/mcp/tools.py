"""The tools: each a function that calls one op, whose signature is what the tool takes, and whose
docstring tells a model when to use it.
"""

from collections.abc import Callable
from itertools import accumulate, takewhile
from typing import Annotated, Any

from annotated_types import Interval, MaxLen, MinLen

from clawgit.agents.frame import corrections
from clawgit.core.errors import UsageError
from clawgit.core.markdown.amend import Amendment
from clawgit.core.markdown.comment import STATUSES
from clawgit.core.markdown.scan import lines_of
from clawgit.core.markdown.tag_table import PRIMARY
from clawgit.core.tokens import estimate_tokens
from clawgit.front.mcp.worker import Bench, Tool, tool_of
from clawgit.health.overview import overview
from clawgit.history import log as history
from clawgit.history import proposals
from clawgit.history.comparing import diff
from clawgit.history.past_lines import asked_lines, lines
from clawgit.history.why import why
from clawgit.memory.conflicts import conflicts
from clawgit.memory.editing import edit, remove
from clawgit.memory.entries import ANY, EntryFilter, listed
from clawgit.memory.remember import NewFact, remember
from clawgit.search.search import Request
from clawgit.search.stores.access import Showing
from clawgit.soul import soul
from clawgit.talk.context.asking import ContextRequest
from clawgit.talk.context.context import context as context_of
from clawgit.talk.context.context import whole
from clawgit.terminal.output import jsonable
from clawgit.workspace.discover import SHARED, SOURCES
from clawgit.workspace.workspaces import cited

_MOST = Interval(ge=1, le=1000)
_OFTEN_EMPTY = ("marks", "headings", "also")

_FRAME = 100
"""Tokens for the other members of an answer, besides its text."""

Rev = Annotated[str, "A change id, a git revision, or a date or time."]
At = Annotated[str, "As it was at a change id, a git revision, or a date or time."]
Session = Annotated[str, "Key of the session that asks."]
Entry = Annotated[str, "As memory_list gives it in key, or PATH:LINE."]
Soul = Annotated[bool, "IDENTITY.md instead of SOUL.md."]
Limit = Annotated[int, "At most this many.", _MOST]
Evidence = Annotated[
    list[str], "Its source, such as memory/2026-02-14.md#L9 or chat:SESSION/MESSAGE."
]

TOOLS: dict[str, Tool] = {}
"""Every tool by name, in the order in which they are listed."""


def _tool(title: str, **traits: Any) -> Callable[[Callable[..., object]], object]:
    def add(act: Callable[..., object]) -> object:
        TOOLS[act.__name__] = tool_of(act, title, **traits)
        return act

    return add


@_tool("Search memory")
def memory_search(
    bench: Bench,
    query: Annotated[str, "The question, in your own words."],
    max_results: Annotated[int | None, "At most this many hits.", Interval(ge=1, le=200)] = None,
    min_score: Annotated[float | None, "Hits from this score on.", Interval(ge=0, le=1)] = None,
    at: At = "",
    source: Annotated[str, "Only this kind of file.", (*SOURCES, SHARED)] = "",
    category: Annotated[
        str, "Only one kind (decision, lessons, tasks, entities …), or what has this tag."
    ] = "",
    smart: Annotated[bool, "Work out from the question which category it asks for."] = False,
    archived: Annotated[bool, "Search expired facts too."] = False,
    explain: Annotated[bool, "Show what each score is made of."] = False,
    session: Session = "",
) -> object:
    """Find what is remembered. Use it before you answer anything about earlier work, decisions,
    dates, people, preferences or promises. Returns the best hits, each with the sentence that
    answers, its path and lines. Nothing has the words in `missing`; no hits mean that memory does
    not know, if `fallback` names nothing that could not be read. Cite a hit by its citation; read
    around it with memory_get, and learn where it came from with memory_why. Example: {"query":
    "what did we decide about billing"}
    """
    request = Request(
        query, max_results, min_score, at=at, source=source, category=category,
        smart=smart, archived=archived, explain=explain, session=session,
    )  # fmt: skip
    answer = jsonable(bench.searcher().answer(request))
    if min_score is None:
        answer["results"] = [hit for hit in answer["results"] if hit["likely"]]
    bench.shown(Showing(query, session, answer["results"]))
    return answer | {"results": [_lean(hit) for hit in answer["results"]]}


def _lean(hit: dict[str, Any]) -> dict[str, Any]:
    """A hit without the text beside it, which memory_get gives better, and without empty marks."""
    spared = {"before", "after", *(key for key in _OFTEN_EMPTY if not hit[key])}
    return {key: value for key, value in hit.items() if key not in spared}


@_tool("Read memory")
def memory_get(
    bench: Bench,
    path: Annotated[str, "MEMORY.md, a file below memory/, or another path from a hit."],
    from_: Annotated[int, "The first line.", Interval(ge=1)] = 1,
    lines_: Annotated[int | None, "How many lines; by default all.", Interval(ge=1)] = None,
    at: At = "",
) -> object:
    """Read lines of a memory file, as after a hit of memory_search. Returns path, text, and the
    lines it holds; a missing file has an empty text. Example: {"path": "memory/2026-02-14.md",
    "from": 9, "lines": 5}
    """
    # As many whole lines as there is room for, and where to read on.
    path, first, count = asked_lines(bench.workspace, path, from_, lines_)
    owner, path = cited(bench.workspace, path)
    answer = dict(lines(owner, path, first, count, at or None))
    text = lines_of(str(answer["text"]))
    room, used = bench.budget - _FRAME, accumulate(estimate_tokens(line) + 1 for line in text)
    # A first line that alone is too long is cut like any text.
    kept = max(1, sum(1 for _ in takewhile(room.__ge__, used)))
    if kept >= len(text):
        return answer
    dropped = f"text: {len(text) - kept:,} of {len(text):,} lines; read on with from={first + kept}"
    return answer | {"text": "".join(text[:kept]), "lines": kept, "dropped": [dropped]}


@_tool("Remember a fact", writes=True)
def memory_add(
    bench: Bench,
    text: Annotated[str, "The fact."],
    tag: Annotated[str, "Its category; by default, the words decide.", PRIMARY] = "",
    to: Annotated[str, "MEMORY.md or a file below memory/; by default, the tag decides."] = "",
    source: Annotated[
        str, "explicit if the operator said so in the message you cite; else inferred (usual).",
        ("explicit", "inferred"),
    ] = "",
    evidence: Evidence = (),  # type: ignore[assignment]  # nothing changes it
    session: Session = "",
) -> object:  # fmt: skip
    """Store one fact for good, as one commit. Use it when the operator asks you to remember, or
    states a decision, preference, date or name worth keeping. One fact a call, as a whole sentence
    that makes sense alone. Returns action added, merged (already known) or ignored (the operator
    corrected it before), with the entry. Example: {"text": "Billing uses PostgreSQL, not MySQL.",
    "tag": "decision"}
    """
    fact = NewFact(text, tag, to, source, tuple(evidence), session)
    return remember(bench.workspace, fact)


@_tool("List memory")
def memory_list(
    bench: Bench,
    tag: Annotated[str, "Only this tag."] = "",
    file: Annotated[str, "Only this file or folder."] = "",
    since: Annotated[str, "Only what was said from this day on."] = "",
    status: Annotated[
        str, "Only this status; by default, all that still hold.", (*STATUSES, ANY)
    ] = "",
    limit: Limit = 50,
) -> object:
    """List the entries of memory by file, each with the key that addresses it, its tags, day and
    status. Use it to see what is stored, or to find the entry to edit or remove.
    Example: {"tag": "decision"}
    """
    return listed(bench.workspace, EntryFilter(tag, file, since, status), limit)


@_tool("Reword an entry", writes=True, replaces=True)
def memory_edit(bench: Bench, id_: Entry, text: Annotated[str, "The new words."]) -> object:
    """Reword one entry, as one commit; it keeps its place and its tags. Only when the operator asks
    for it. What the operator corrected cannot be reworded. Example: {"id": "m7k2q9", "text":
    "Billing uses PostgreSQL 17."}
    """
    return edit(bench.workspace, id_, text)


@_tool("Remove entries", writes=True, replaces=True)
def memory_rm(
    bench: Bench,
    ids: Annotated[list[str], "As memory_list gives them in key, or PATH:LINE.", MinLen(1)],
) -> object:
    """Remove entries from memory, as one commit; history keeps them. Only when the operator asks
    for it. Example: {"ids": ["m7k2q9"]}
    """
    return remove(bench.workspace, tuple(ids))


@_tool("Why memory says so")
def memory_why(bench: Bench, place: Annotated[str, "PATH:LINE, or an entry id."]) -> object:
    """Show the history of one line or entry: each change to it, by whom, when, why, on what
    evidence. Use it when asked “why do you think so” or “since when”. Example: {"place":
    "MEMORY.md:3"}, or the entryId of a hit: {"place": "m7k2q9"}
    """
    return why(bench.workspace, place)


@_tool("Conflicts of memory")
def memory_conflicts(
    bench: Bench, all_: Annotated[bool, "Also the decided ones."] = False
) -> object:
    """List where two memories contradict each other and nobody has decided. Use it before you rely
    on a fact that looks disputed; ask the operator which side holds, then send it with
    correction_add. Example: {}
    """
    return conflicts(bench.workspace, everything=all_)


@_tool("Correct memory", writes=True, replaces=True)
def correction_add(
    bench: Bench,
    text: Annotated[str, "What is true."],
    was: Annotated[str, "The wrong entry, by id or text."] = "",
    evidence: Annotated[list[str], "The operator's message: chat:SESSION/MESSAGE."] = (),  # type: ignore[assignment]  # nothing changes it
    closes: Annotated[str, "Id of the open correction that this answers."] = "",
) -> object:
    """Correct memory after the operator said that something is wrong. Give what is true as a whole
    sentence, the entry that is wrong, and the message in which the operator said so; without that
    message it is logged as open until the operator confirms. Example: {"text": "The office is in
    Berlin.", "was": "The office is in Paris.", "evidence": ["chat:agent:main:main/m42"]}
    """
    return corrections.add(bench.workspace, text, was, tuple(evidence), closes)


@_tool("Context for a conversation", prose="text")
def context(
    bench: Bench,
    message: Annotated[str, "What the conversation is about."] = "",
    session: Annotated[str, "Its key; a group chat gets no private notebook."] = "",
    budget: Annotated[int | None, "Tokens in total.", Interval(ge=0, le=1_000_000)] = None,
    at: At = "",
    explain: Annotated[bool, "Show what each slot took and left, and why."] = False,
) -> object:
    """Build what a conversation should start with: who you are, whom you help, corrections, the
    last days, what memory says about the message, lasting facts; within a token budget. Use it once
    at the start of a session. Returns the text to read. Example: {"message": "Is billing ready for
    the audit?", "budget": 3000}
    """
    usual = bench.workspace.settings.context_budget_tokens
    room = min(usual if budget is None else budget, bench.budget)
    asking = ContextRequest(message, session=session, budget=room, at=at, explain=explain)
    built = context_of(bench.workspace, asking, searcher=bench.searcher())
    answer = jsonable(built)
    for slot in answer["slots"]:
        del slot["text"]
    return {"text": whole(built), **answer}


@_tool("Show the soul")
def soul_show(bench: Bench, at: At = "", identity: Soul = False) -> object:
    """Read SOUL.md (or IDENTITY.md) with its size, its limit, and the change that made it so.
    Example: {}, or as it was: {"at": "2026-02-01"}
    """
    return soul.show(bench.workspace, proposals.soul_path(identity=identity), at or None)


@_tool("History of the soul")
def soul_log(bench: Bench, limit: Limit = 10, identity: Soul = False) -> object:
    """List every version of the soul: what changed, who did it, why, on what evidence; newest
    first. Use it when asked how or why you have changed. Example: {"limit": 5}
    """
    return soul.log(bench.workspace, proposals.soul_path(identity=identity), limit)


@_tool("Compare souls")
def soul_diff(bench: Bench, a: Rev = "", b: Rev = "", identity: Soul = False) -> object:
    """Compare two versions of the soul by section and word. With a alone: against the file; with
    neither: the last change. Example: {"a": "2026-02-01", "b": "yesterday"}
    """
    path = proposals.soul_path(identity=identity)
    return soul.diff(bench.workspace, path, a or None, b or None)


@_tool("Propose a change to the soul", writes=True)
def soul_propose(
    bench: Bench,
    reason: Annotated[str, "Why."],
    section: Annotated[str, "The heading above the line."] = "",
    add: Annotated[str, "A line to add."] = "",
    remove: Annotated[str, "A line to remove."] = "",
    old: Annotated[str, "A line to reword, as it is now."] = "",
    new: Annotated[str, "What old should say instead."] = "",
    text: Annotated[str, "The whole new text.", MaxLen(100_000)] = "",
    evidence: Evidence = (),  # type: ignore[assignment]  # nothing changes it
    identity: Soul = False,
) -> object:
    """Propose a change to SOUL.md; nothing changes until the operator approves. Never edit SOUL.md
    yourself. Say one thing: add, or remove, or old and new, or the whole text; and why. Returns the
    id of the proposal: tell the operator. Example: {"section": "Boundaries", "add": "Ask before
    deleting files.", "reason": "asked twice"}
    """
    if sum(map(bool, (add, remove, old, text))) != 1 or bool(old) != bool(new):
        raise UsageError(
            "Say one thing: add, or remove, or old and new, or the whole text.",
            hint='{"section": "Boundaries", "add": "Ask before deleting files.", "reason": "…"}',
        )
    wish = text or Amendment(add, (old, new) if old else None, remove, section)
    path = proposals.soul_path(identity=identity)
    return proposals.propose(bench.workspace, wish, reason, path=path, evidence=tuple(evidence))


@_tool("History")
def history_log(
    bench: Bench, path: Annotated[str, "A file or folder; else everything."] = "", limit: Limit = 20
) -> object:
    """List changes of the workspace, or of one file or folder, newest first: id, time, actor,
    summary, reason, evidence, files; undone_by where it was taken back. Use it for “what happened
    to …”. Example: {"path": "MEMORY.md", "limit": 5}
    """
    return history.log(bench.workspace, path or None, limit)


@_tool("Compare states")
def history_diff(
    bench: Bench,
    a: Rev = "",
    b: Rev = "",
    path: Annotated[str, "Only this file or folder."] = "",
    stat: Annotated[bool, "Only names and counts of lines."] = False,
) -> object:
    """Compare two states of the workspace, with patches. With a alone: against the files on disk;
    with neither: what is not committed yet. Example: {"a": "yesterday", "path": "memory"}
    """
    if b and not a:
        raise UsageError(
            "b is compared with a; name a too.",
            hint="With a alone, a is compared with the files on disk.",
        )
    return diff(bench.workspace, [*filter(None, (a, b, path))], patch=not stat)


@_tool("Status")
def status(bench: Bench) -> object:
    """Show the workspace at a glance: alerts and what to do about each, files not committed, jobs,
    the index. Use it when something seems wrong, and tell the operator about alerts. Example: {}
    """
    return overview(bench.workspace)
