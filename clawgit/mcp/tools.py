"""The table of tools: name, parameters, and the text that tells a model when to use each."""

from collections.abc import Callable, Mapping
from typing import NamedTuple

from clawgit.domain.markdown.statuses import STATUSES
from clawgit.domain.markdown.tag_table import PRIMARY
from clawgit.mcp import calls
from clawgit.mcp.calls import Bench, Given
from clawgit.mcp.params import NUMBER, SWITCH, TEXT, TEXTS, WHOLE, Param
from clawgit.ops.facts.entries import ANY
from clawgit.stores.index.sources import SHARED, SOURCES


class Tool(NamedTuple):
    """One tool.

    `gives` names what is cut first from an answer that is too long. `writes` (it changes files) and
    `replaces` (it removes existing text) are hints for the client. A tool that `restores` is
    offered only if the operator allows it. `prose` names the member of the answer that a model
    reads instead of JSON.
    """

    name: str
    title: str
    act: Callable[[Bench, Given], object]
    about: str
    params: tuple[Param, ...]
    gives: tuple[str, ...] = ()
    writes: bool = False
    replaces: bool = False
    restores: bool = False
    prose: str = ""

    @property
    def room(self) -> Param:
        """The parameter that every tool has; memory tools are spelled as OpenClaw's are."""
        name = "maxTokens" if self.name.startswith("memory_") else "max_tokens"
        return Param(name, WHOLE, "Room for the answer, in tokens.", least=200, most=1_000_000)

    @property
    def all_params(self) -> tuple[Param, ...]:
        return (*self.params, self.room)


_REV = "a change id, a git revision, or a date or time"
_DRY = "Only show what would change."
_ENTRY = "As memory_list gives it in key, or PATH:LINE."
_IDENTITY = Param("identity", SWITCH, "IDENTITY.md instead of SOUL.md.")
_DRY_RUN = Param("dry_run", SWITCH, _DRY)
_SESSION = Param("session", TEXT, "Key of the session that asks.", longest=200)

_TOOLS = (
    Tool(
        "memory_search", "Search memory", calls.memory_search,
        "Find what is remembered. Use it before you answer anything about earlier work, "
        "decisions, dates, people, preferences or promises. Returns the best hits, each with the "
        "sentence that answers, its path and lines; `more` are further lines of its section that "
        "answer. A hit that is not `likely` only comes near; nothing has the words in `missing`; "
        "no hits mean that memory does not know. Cite a hit by its citation; read around it with "
        'memory_get, and learn where it came from with memory_why. '
        'Example: {"query": "what did we decide about billing"}',
        (
            Param("query", TEXT, "The question, in your own words.", required=True, longest=10_000),
            Param("maxResults", WHOLE, "At most this many hits.", least=1, most=200),
            Param("minScore", NUMBER, "The least score of a hit, 0 to 1.", least=0, most=1),
            Param("at", TEXT, f"Search memory as it was at {_REV}.", longest=200),
            Param("source", TEXT, "Only this kind of file.", choices=(*SOURCES, SHARED)),
            Param("category", TEXT,
                "Only one kind (decision, lessons, tasks, entities …), or what has this tag.",
                longest=100),
            Param("smart", SWITCH,
                "Work out from the question which person, time and category it asks for."),
            Param("archived", SWITCH, "Search expired facts too."),
            Param("explain", SWITCH, "Show what each score is made of."),
            Param("full", SWITCH, "Add the text around each hit."),
            _SESSION,
        ),
        ("results",),
    ),
    Tool(
        "memory_get", "Read memory", calls.memory_get,
        "Read lines of a memory file, as after a hit of memory_search. Returns path, text, and "
        'the lines it holds; a missing file has an empty text. Example: {"path": '
        '"memory/2026-02-14.md", "from": 9, "lines": 5}',
        (
            Param("path", TEXT, "MEMORY.md, a file below memory/, or another path from a hit.",
            required=True,
                  longest=1000),
            Param("from", WHOLE, "The first line.", least=1),
            Param("lines", WHOLE, "How many lines; by default all.", least=1),
            Param("at", TEXT, f"As it was at {_REV}.", longest=200),
        ),
        ("text",),
    ),
    Tool(
        "memory_add", "Remember a fact", calls.memory_add,
        "Store one fact for good, as one commit. Use it when the operator asks you to remember, "
        "or states a decision, preference, date or name worth keeping. One fact a call, as a "
        "whole sentence that makes sense alone. Returns action added, merged (already known) or "
        'ignored (the operator corrected it before), with the entry. Example: {"text": "Billing '
        'uses PostgreSQL, not MySQL.", "tag": "decision"}',
        (
            Param("text", TEXT, "The fact.", required=True),
            Param("tag", TEXT, "Its category; by default, the words decide.",
                  choices=PRIMARY),
            Param("to", TEXT, "MEMORY.md or a file below memory/; by default, the tag decides.",
            longest=1000),
            Param("source", TEXT, "explicit if the operator said so, inferred if you concluded it "
                                  "(usual).",
                  choices=("explicit", "inferred")),
            Param("evidence", TEXTS,
                "Its source, such as memory/2026-02-14.md#L9 or chat:SESSION/MESSAGE.",
                  longest=1000),
            _SESSION,
            Param("dryRun", SWITCH, _DRY),
        ),
        ("preview",), writes=True,
    ),
    Tool(
        "memory_list", "List memory", calls.memory_list,
        "List the entries of memory by file, each with the key that addresses it, its tags, day "
        "and status. Use it to see what is stored, or to find the entry to edit or remove. "
        'Example: {"tag": "decision"}',
        (
            Param("tag", TEXT, "Only this tag.", longest=100),
            Param("file", TEXT, "Only this file or folder.", longest=1000),
            Param("since", TEXT, "Only what was said from this day on.", longest=200),
            Param("status", TEXT, "Only this status; by default, all that still hold.",
                choices=(*STATUSES, ANY)),
            Param("limit", WHOLE, "At most this many entries; 50 if left out.", least=1, most=1000),
        ),
        ("entries",),
    ),
    Tool(
        "memory_edit", "Reword an entry", calls.memory_edit,
        "Reword one entry, as one commit; it keeps its place and its tags. Only when the operator "
        'asks for it. What the operator corrected cannot be reworded. Example: {"id": "m7k2q9", '
        '"text": "Billing uses PostgreSQL 17."}',
        (
            Param("id", TEXT, _ENTRY, required=True, longest=1000),
            Param("text", TEXT, "The new words.", required=True),
            Param("dryRun", SWITCH, _DRY),
        ),
        ("preview",), writes=True, replaces=True,
    ),
    Tool(
        "memory_rm", "Remove entries", calls.memory_rm,
        "Remove entries from memory, as one commit; history keeps them. Only when the operator "
        'asks for it. Example: {"ids": ["m7k2q9"]}',
        (
            Param("ids", TEXTS, _ENTRY, required=True, longest=1000),
            Param("dryRun", SWITCH, _DRY),
        ),
        ("preview",), writes=True, replaces=True,
    ),
    Tool(
        "memory_why", "Why memory says so", calls.memory_why,
        "Show the history of one line or entry: each change to it, by whom, when, why, on what "
        'evidence. Use it when asked “why do you think so” or “since when”. Example: {"place": '
        '"MEMORY.md:3"}, or the entryId of a hit: {"place": "m7k2q9"}',
        (Param("place", TEXT, "PATH:LINE, or an entry id.", required=True, longest=1000),),
        ("changes",),
    ),
    Tool(
        "memory_conflicts", "Conflicts of memory", calls.memory_conflicts,
        "List where two memories contradict each other and nobody has decided. Use it before you "
        "rely on a fact that looks disputed; ask the operator which side holds, then send it with "
        "correction_add. Example: {}",
        (Param("all", SWITCH, "Also the decided ones."),),
        ("conflicts",),
    ),
    Tool(
        "correction_add", "Correct memory", calls.correction_add,
        "Correct memory after the operator said that something is wrong. Give what is true as a "
        "whole sentence, the entry that is wrong, and the message in which the operator said so; "
        'without that message it is logged as open until the operator confirms. Example: {"text": '
        '"The office is in Berlin.", "was": "The office is in Paris.", "evidence": '
        '["chat:agent:main:main/m42"]}',
        (
            Param("text", TEXT, "What is true.", required=True),
            Param("was", TEXT, "The wrong entry, by id or text."),
            Param("evidence", TEXTS, "The operator's message: chat:SESSION/MESSAGE.", longest=1000),
            Param("closes", TEXT, "Id of the open correction that this answers.", longest=100),
            _DRY_RUN,
        ),
        ("preview",), writes=True, replaces=True,
    ),
    Tool(
        "context", "Context for a conversation", calls.assembled,
        "Build what a conversation should start with: who you are, whom you help, corrections, "
        "the last days, what memory says about the message, lasting facts; within a token budget. "
        'Use it once at the start of a session. Returns the text to read. Example: {"message": '
        '"Is billing ready for the audit?", "budget": 3000}',
        (
            Param("message", TEXT, "What the conversation is about."),
            Param("session", TEXT, "Its key; a group chat gets no private notebook.", longest=200),
            Param("budget", WHOLE, "Tokens in total.", least=0, most=1_000_000),
            Param("at", TEXT, f"As of {_REV}.", longest=200),
            Param("explain", SWITCH, "Show what each slot took and left, and why."),
        ),
        ("slots.left", "slots.taken", "slots.truncated", "slots.sources"), prose="text",
    ),
    Tool(
        "soul_show", "Show the soul", calls.soul_show,
        "Read SOUL.md (or IDENTITY.md) with its size, its limit, and the change that made it so. "
        'Example: {}, or as it was: {"at": "2026-02-01"}',
        (Param("at", TEXT, f"As it was at {_REV}.", longest=200), _IDENTITY),
        ("text", "sections"),
    ),
    Tool(
        "soul_log", "History of the soul", calls.soul_log,
        "List every version of the soul: what changed, who did it, why, on what evidence; newest "
        'first. Use it when asked how or why you have changed. Example: {"limit": 5}',
        (
            Param("limit", WHOLE, "At most this many versions; 10 if left out.", least=1,
                most=1000),
            _IDENTITY,
        ),
        ("versions",),
    ),
    Tool(
        "soul_diff", "Compare souls", calls.soul_diff,
        "Compare two versions of the soul by section and word. With a alone: against the file; "
        'with neither: the last change. Example: {"a": "2026-02-01", "b": "yesterday"}',
        (
            Param("a", TEXT, f"The older: {_REV}.", longest=200),
            Param("b", TEXT, f"The newer: {_REV}.", longest=200),
            _IDENTITY,
        ),
        ("sections.reworded", "sections"),
    ),
    Tool(
        "soul_propose", "Propose a change to the soul", calls.soul_propose,
        "Propose a change to SOUL.md; nothing changes until the operator approves. Never edit "
        "SOUL.md yourself. Say one thing: add, or remove, or old and new, or the whole text; and "
        'why. Returns the id of the proposal: tell the operator. Example: {"section": '
        '"Boundaries", "add": "Ask before deleting files.", "reason": "asked twice"}',
        (
            Param("reason", TEXT, "Why.", required=True),
            Param("section", TEXT, "The heading above the line.", longest=500),
            Param("add", TEXT, "A line to add."),
            Param("remove", TEXT, "A line to remove."),
            Param("old", TEXT, "A line to reword, as it is now."),
            Param("new", TEXT, "What old should say instead."),
            Param("text", TEXT, "The whole new text.", longest=100_000),
            Param("evidence", TEXTS,
                "Its source, such as memory/2026-02-14.md#L9 or CORRECTIONS.md#k7.", longest=1000),
            _IDENTITY,
            _DRY_RUN,
        ),
        ("preview",), writes=True,
    ),
    Tool(
        "history_log", "History", calls.history_log,
        "List changes of the workspace, or of one file or folder, newest first: id, time, actor, "
        "summary, reason, evidence, files; undone_by where it was taken back. Use it for “what "
        'happened to …”. Example: {"path": "MEMORY.md", "limit": 5}',
        (
            Param("path", TEXT, "A file or folder; else everything.", longest=1000),
            Param("limit", WHOLE, "At most this many changes; 20 if left out.", least=1, most=1000),
        ),
        ("commits",),
    ),
    Tool(
        "history_diff", "Compare states", calls.history_diff,
        "Compare two states of the workspace, with patches. With a alone: against the files on "
        'disk; with neither: what is not committed yet. Example: {"a": "yesterday", "path": '
        '"memory"}',
        (
            Param("a", TEXT, f"The older: {_REV}.", longest=200),
            Param("b", TEXT, f"The newer: {_REV}.", longest=200),
            Param("path", TEXT, "Only this file or folder.", longest=1000),
            Param("stat", SWITCH, "Only names and counts of lines."),
        ),
        ("files.patch", "files"),
    ),
    Tool(
        "status", "Status", calls.at_a_glance,
        "Show the workspace at a glance: alerts and what to do about each, files not committed, "
        "jobs, the index. Use it when something seems wrong, and tell the operator about alerts. "
        "Example: {}",
        (),
        ("dirty", "deleted", "skipped", "jobs", "alerts"),
    ),
    Tool(
        "delta", "What changed since", calls.changed_since,
        "Show what changed since a commit or a time; without since: since your own last delta, or "
        "else a day ago. Use it at the start of a session to catch up. Returns commits, files, "
        "and the memory entries that are new or gone, edits on disk included. Example: {}, or "
        '{"since": "yesterday"}',
        (
            Param("since", TEXT, f"{_REV[0].upper()}{_REV[1:]}.", longest=200),
            Param("limit", WHOLE, "At most this many commits; 50 if left out.", least=1, most=1000),
        ),
        ("commits", "files", "removed", "added"),
    ),
    Tool(
        "history_restore", "Restore a file", calls.history_restore,
        "Bring a file back as it was, with a new commit; without at, a deleted file as it last "
        'was. Only when the operator asks for it. Example: {"path": "MEMORY.md", "at": '
        '"yesterday", "dry_run": true}',
        (
            Param("path", TEXT, "The file.", required=True, longest=1000),
            Param("at", TEXT, f"As it was at {_REV}.", longest=200),
            _DRY_RUN,
        ),
        ("preview",), writes=True, replaces=True, restores=True,
    ),
    Tool(
        "history_revert", "Take a change back", calls.history_revert,
        "Take one change back with a new commit; what came later stays, and a conflict changes "
        'nothing. Only when the operator asks for it. Example: {"id": "k2mq9x4w"}',
        (Param("id", TEXT, "The change: its id or a git revision.", required=True, longest=200),
            _DRY_RUN),
        ("preview",), writes=True, replaces=True, restores=True,
    ),
    Tool(
        "soul_revert", "Take a change to the soul back", calls.soul_revert,
        "Take one change to the soul back (id), or bring the whole soul back as it was (to). Only "
        'when the operator asks for it. Example: {"to": "2026-02-01", "reason": "she prefers it"}',
        (
            Param("id", TEXT, "The change to take back.", longest=200),
            Param("to", TEXT, f"The version to go back to: {_REV}.", longest=200),
            Param("reason", TEXT, "Why."),
            _IDENTITY,
            _DRY_RUN,
        ),
        ("preview",), writes=True, replaces=True, restores=True,
    ),
)  # fmt: skip

TOOLS: Mapping[str, Tool] = {tool.name: tool for tool in _TOOLS}
"""Every tool by name, in the order in which they are listed."""

HARMLESS = tuple(tool for tool in _TOOLS if not tool.restores)
"""The tools that the operator need not allow first."""
