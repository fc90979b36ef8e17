"""`memory search`: the lines that answer a question."""

from collections.abc import Iterator, Mapping
from functools import partial
from pathlib import PurePath
from typing import Any

import click

from clawgit.core.errors import UsageError, first_of
from clawgit.safety.masking import mask_of
from clawgit.safety.rules.masks import PLANTED
from clawgit.search.serve_client import asked as ask_warm
from clawgit.terminal import output
from clawgit.terminal.command import SHARE, Answers, command, option, revision_option
from clawgit.terminal.command_table import load
from clawgit.terminal.output import dim
from clawgit.terminal.text import cut, options, terminal_width
from clawgit.workspace.workspace import Workspace

MOST = 200
"""Hits that may be asked for."""

_INDENT = "    "
_WIDEST = 200
"""Columns for the headings above a hit and for the text around it, in a pipe too."""

_FEW = 2
"""How many places with the same text are named, and how many lines where none answers."""

_MOST_MISSING = 3
"""How many words of a question that are in no line are named."""

_SEARCHING = "searching"

Hits = Mapping[str, Any]
"""An answer in its JSON shape: the process that answers may be another one."""


@command("search")
@click.argument("words", nargs=-1, metavar="QUERY")
@option("--query QUERY", "The question, instead of QUERY.")
@option(
    "-n --top --limit limit",
    "Show at most this many hits.  [setting: max_results]",
    type=click.IntRange(1, MOST),
)
@option("--min-score", "Show hits with at least this score.  [setting: min_score]", type=SHARE)
@revision_option("Search the memory as it was at an id, a revision or a date.")
@option("--source S", "Only memory, archive, corrections, sessions, extra …")
@option(
    "--tag --category TAG category",
    "Only one kind (decision, lessons, tasks, entities …), or what has this tag.",
)
@option("--smart", "Work out from the question which category it asks for.")
@option("--archived", "Include facts that have expired.")
@option("--verbose", "Say how the question was understood, and how long the search took.")
@option("--session S", "The session that asks, which promotion counts; a group gets no MEMORY.md.")
@option("--agent A", "Search the memory of another agent, where that is allowed.")
@option("--all-agents everybody", "Search the memory of every agent that may be read.")
@option("--explain", "Show each score, and what it is made of.")
def search(
    ws: Workspace, words: tuple[str, ...], query: str, agent: str, *, everybody: bool,
    verbose: bool, **asked: Any,
) -> Answers:  # fmt: skip
    """Find the lines that answer a question.

    The files are searched as they are on disk, including edits that are not committed. Lines that
    only come near the question follow under a line that says so; --min-score leaves them out.

    Example: clawgit memory search "what did we decide about billing"
    """
    if agent and everybody:
        raise UsageError(
            "--agent names one agent, --all-agents means all.", hint="Leave one of them out."
        )
    question = " ".join([*words, *([query] if query else [])])
    if not (words or query):
        raise click.UsageError("Missing argument 'QUERY'.", click.get_current_context())
    request = {"query": question, **asked}
    warm = None if agent or everybody else _warm(ws, request)
    hits = _answer(ws, request, agent, everybody=everybody) if warm is None else warm
    yield hits, lambda answer: _answer_text(answer, verbose=verbose)
    if not options().as_json:
        for line in _notes(output.tame(hits), verbose=verbose):
            output.note(line)
    if warm is None:
        # After the answer: what is found often may be promoted.
        showing = load("search.stores.access:Showing")(question, asked["session"], hits["results"])
        load("search.shown_hits:note_shown")(ws, showing)


def _warm(ws: Workspace, request: Mapping[str, Any]) -> Hits | None:
    """The hits from the process that `clawgit run --serve` keeps open, which notes what it showed;
    None if it does not answer.

    It never searches another agent's memory: what may be read depends on who asks, and only this
    process knows that.
    """
    answer = ask_warm(ws, "search", request)
    if not answer:
        return None
    # Text that the operator may read is withheld from others, and so from this answer.
    if ws.actor.is_operator and any(PLANTED in hit["marks"] for hit in answer["results"]):
        return None
    # Its values were covered where they were found; what is printed is masked as ever.
    output.mask_by(mask_of(ws), cover=output.plain)
    return answer


def _answer(ws: Workspace, request: Mapping[str, Any], agent: str, *, everybody: bool) -> Hits:
    """The hits, found here."""
    # Loaded here: not needed for a warm answer.
    wanted = load("search.answer:Request")(**request)
    with output.progress(_SEARCHING) as progress:
        if agent:
            found = load("search.search:search_agent")(ws, wanted, agent)
        elif everybody:
            found = load("search.search:search_agents")(ws, wanted)
        else:
            told = partial(_indexing, progress)
            found = load("search.search:search")(ws, wanted, told)
    hits: Hits = output.jsonable(found)
    return hits


def _indexing(progress: output.Progress, done: int, total: int) -> None:
    """Says what the first search after a change waits for: the files that are not indexed yet."""
    progress.label = "indexing" if done < total else _SEARCHING
    progress(done, total)


def _answer_text(answer: Hits, *, verbose: bool) -> str:
    found = answer["results"]
    if not found:
        if answer["behind"]:
            return dim("no match in what could be read")
        return dim("no match" if answer["searched"] else "there is nothing to search yet")
    likely = sum(hit["likely"] for hit in found)
    # Where nothing answers, more than the nearest lines would only look like an answer.
    listed = found[: len(found) if likely else _FEW]
    texts = [_hit_text(hit, verbose=verbose) for hit in listed]
    if likely < len(found):
        texts.insert(likely, _less_likely(answer, likely))
    return "\n".join(texts)


def _less_likely(answer: Hits, likely: int) -> str:
    """What stands above the lines that only come near."""
    if likely:
        return "Less likely:"
    words = _missing_words(answer)
    none = f", and none has {words}" if words else ""
    return f"No line answers this{none}. The nearest:"


def _missing_words(answer: Hits) -> str:
    """The words of a question that are in no line."""
    words = answer["missing"] if answer["searched"] else ()
    return first_of((f"“{word}”" for word in words), _MOST_MISSING)


def _notes(answer: Hits, *, verbose: bool) -> Iterator[str]:
    """The lines below the hits."""
    words = _missing_words(answer)
    if words and (not answer["results"] or any(hit["likely"] for hit in answer["results"])):
        yield f"no line has {words}"
    if answer["fallback"]:
        yield f"note: {answer['fallback']}"
    if verbose:
        yield _verbose_text(answer)


def _verbose_text(answer: Hits) -> str:
    intent = answer["intent"] or {}
    read = ", ".join(f"{name} {value}" for name, value in intent.items()) or "nothing"
    used = f"{answer['mode']}: {answer['provider']} {answer['model']}"
    return dim(f"understood from the question: {read}; {used}; {answer['elapsedMs']:.0f} ms")


def _hit_text(hit: Hits, *, verbose: bool) -> str:
    room = min(terminal_width(), _WIDEST) - len(_INDENT)
    lines = [_head_text(hit, room, verbose=verbose), _INDENT + _plain(hit["snippet"])]
    around = _plain(f"{hit['before']} … {hit['after']}").strip()
    if around != "…":
        lines.append(_INDENT + dim(cut(around, room)))
    lines += [f"{_INDENT}{quote}" for quote in hit["disputed"]]
    if hit["also"]:
        lines.append(dim(f"{_INDENT}also in {first_of(hit['also'], _FEW)}"))
    if hit["explain"]:
        parts = {"score": hit["score"], **hit["explain"]}
        lines += [f"      {line}" for line in output.told(parts).split("\n")]
    return "\n".join(lines)


def _head_text(hit: Hits, room: int, *, verbose: bool) -> str:
    """Where a hit is: its file and line, the headings above it, and its marks."""
    # A heading that only repeats the name of the file says nothing.
    stem = PurePath(hit["path"]).stem.casefold()
    above = [_plain(title) for title in hit["headings"] if not title.casefold().startswith(stem)]
    facts = [hit["source"], hit["entryId"]] if verbose or hit["explain"] else []
    parts = [
        dim(cut(" › ".join(filter(None, above)), room // 2)),
        *map(output.guarded, hit["marks"]),
        *map(dim, filter(None, facts)),
    ]
    return "  ".join([output.heading(_place(hit)), *filter(output.unstyled, parts)])


def _place(hit: Hits) -> str:
    """The file and line, or the citation of another agent's file; of a message, its key."""
    if hit["citation"] == hit["path"]:
        return str(hit["path"])
    path = hit["citation"].rpartition("#")[0] if hit["agent"] else hit["path"]
    return f"{path}:{hit['startLine']}"


def _plain(text: str) -> str:
    """A text as it is printed: without the stars of bold words, which only a renderer needs."""
    return text.replace("**", "")
