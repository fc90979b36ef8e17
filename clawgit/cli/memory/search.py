"""`memory search`: the lines that answer a question."""

import sys
from collections.abc import Mapping
from typing import Any

import click

from clawgit.cli import output
from clawgit.cli.command import Share, command, workspace
from clawgit.cli.lazy import load
from clawgit.cli.options import options
from clawgit.cli.output import dim, shown
from clawgit.cli.outside_text import outside_text
from clawgit.domain.search.question import read_question
from clawgit.domain.search.snippet import matches
from clawgit.errors import UsageError
from clawgit.ops.search.accesses import note_shown
from clawgit.ops.search.serve_client import asked as ask_warm
from clawgit.ops.workspace.workspace import Workspace

Hits = Mapping[str, Any]
"""An answer in its JSON shape: the process that answers may be another one."""


@command("search")
@click.argument("query", nargs=-1, required=True)
@click.option(
    "-n", "--top", "limit", type=click.IntRange(1, 200), help="Hits at most; else max_results."
)
@click.option("--min-score", type=Share(), help="The least score of a hit; else min_score.")
@click.option(
    "--at",
    metavar="REV",
    default="",
    help="Search the memory as it was at an id, a revision or a date.",
)
@click.option(
    "--source", metavar="S", default="", help="Only memory, archive, expired, corrections, extra …"
)
@click.option(
    "--category",
    metavar="C",
    default="",
    help="Only one kind: lessons, tasks, decision, entities …",
)
@click.option(
    "--smart", is_flag=True, help="Read into the question whom, when and what kind it is after."
)
@click.option("--archived", is_flag=True, help="Look at facts that have run out, too.")
@click.option(
    "--verbose", is_flag=True, help="Say what was read into the question, and how long it took."
)
@click.option(
    "--session", metavar="S", default="", help="The session that asks, for what is retrieved often."
)
@click.option(
    "--agent",
    metavar="A",
    default="",
    help="Search the memory of another agent, where that is allowed.",
)
@click.option(
    "--all-agents",
    "everybody",
    is_flag=True,
    help="Search the memory of every agent that may be read.",
)
@click.option("--explain", is_flag=True, help="Show what each score is made of.")
def search(
    query: tuple[str, ...], limit: int | None, min_score: float | None, at: str, source: str,
        session: str,
    agent: str, category: str, *, everybody: bool, smart: bool, archived: bool, verbose: bool,
        explain: bool,
) -> None:  # fmt: skip
    """Find the lines that answer a question.

    The files are searched as they lie on disk, edits that are not committed included. Where nothing
    fits, the answer is empty.

    Example: clawgit memory search "what did we decide about billing"
    """
    if agent and everybody:
        raise UsageError(
            "--agent names one, --all-agents means all.", hint="Leave one of them out."
        )
    question = " ".join(query)
    request = {
        "query": question,
        "limit": limit,
        "min_score": min_score,
        "at": at,
        "source": source,
        "explain": explain,
        "category": category,
        "smart": smart,
        "archived": archived,
    }
    as_json = options().as_json
    with workspace() as ws:
        hits = _answer(ws, request, agent, everybody=everybody)
        output.emit(
            hits, lambda shown_hits: _answer_text(ws, question, shown_hits), as_json=as_json
        )
        if not as_json and hits["outside"]:
            output.note(outside_text(hits["outside"]))
        if not as_json and hits["fallback"]:
            output.note(f"note: {shown(hits['fallback'])}")
        if not as_json and verbose:
            output.note(_verbose_text(hits))
        _record(ws, question, session, hits)


def _answer(ws: Workspace, request: Mapping[str, Any], agent: str, *, everybody: bool) -> Hits:
    """The hits, from the process that `clawgit serve` keeps open if there is one, else from here.

    Another agent's memory is never searched by that process: who asks decides what may be read,
    and only this process knows.
    """
    if not (agent or everybody):
        answer = ask_warm(ws, "search", request)
        if answer:
            return dict(answer)
    # A warm answer takes some milliseconds in all; loading the search would take 150 ms more.
    if agent or everybody:
        return dict(load("memory.search_here:search_agents")(ws, request, agent))
    return dict(load("memory.search_here:search_own")(ws, request))


def _record(ws: Workspace, query: str, session: str, hits: Hits) -> None:
    """Notes which hits were shown, after the answer: what is found often may be promoted.

    Hits from another agent's memory are left out; promoting those is that agent's business.
    """
    own = [hit for hit in hits["results"] if not hit["agent"]]
    if own:
        note_shown(ws, query, session, own)


def _answer_text(ws: Workspace, query: str, answer: Hits) -> str:
    hits = [_hit_text(ws, query, hit) for hit in answer["results"]]
    if hits:
        return "\n\n".join(hits)
    return dim("nothing fits" if answer["searched"] else "nothing fits: no file is searched here")


def _verbose_text(answer: Hits) -> str:
    intent = answer["intent"] or {}
    read = [f"{name} {value}" for name, value in intent.items() if name != "read by"]
    by = f", by {intent['read by']}" if intent else ""
    parts = (
        f"read into the question: {', '.join(read) or 'nothing'}{by}",
        f"{answer['mode']}: {answer['provider']} {answer['model']}",
        f"{answer['elapsedMs']:.0f} ms",
    )
    return dim(shown("; ".join(parts)))


def _hit_text(ws: Workspace, query: str, hit: Hits) -> str:
    facts = [f"{hit['score']:.2f}", hit["source"], hit["entryId"]]
    if hit["disputed"]:
        facts.append("disputed")
    about = "  ".join(filter(None, facts))
    snippet = _marked(ws, query, hit["snippet"]).split("\n")
    lines = [f"{_place(ws, hit)}  {dim(shown(about))}", *_pointed(hit, snippet)]
    if hit["explain"]:
        lines.append(_explained_text(hit["explain"]))
    return "\n".join(lines)


def _place(ws: Workspace, hit: Hits) -> str:
    """Where a hit is: a link to the file, or a citation where the file is another agent's."""
    if hit["agent"]:
        path = hit["citation"].rpartition("#")[0]
        return click.style(f"{shown(path)}:{hit['line']}", bold=True)
    place = f"{shown(hit['path'])}:{hit['line']}"
    return click.style(output.linked(place, ws.root / hit["path"]), bold=True)


def _pointed(hit: Hits, lines: list[str]) -> list[str]:
    """The lines of a snippet, with a sign before those that match if it holds others too."""
    is_whole = len(lines) == hit["endLine"] - hit["startLine"] + 1
    matching = range(hit["line"], hit["lastLine"] + 1)
    # A snippet that was shortened no longer has a line for each number: nothing can be pointed at.
    points = is_whole and len(lines) > len(matching)
    pointed = []
    for number, line in enumerate(lines, hit["startLine"]):
        sign = click.style("  › ", bold=True) if points and number in matching else "    "
        pointed.append(sign + line)
    return pointed


def _marked(ws: Workspace, query: str, text: str) -> str:
    """A snippet with the matching words in colour, where the output takes colour."""
    text = shown(text)
    if not output.use_color(sys.stdout):
        return text
    # From the end, so that the positions of the matches before stay right.
    for start, end in reversed(matches(text, read_question(query, ws.now, ws.zone))):
        text = text[:start] + click.style(text[start:end], fg="yellow") + text[end:]
    return text


def _explained_text(parts: Hits) -> str:
    near = ", ".join(f"{word} {closeness:.2f}" for word, closeness in parts["near"].items())
    cosine = "" if parts["cosine"] is None else f" (cosine {parts['cosine']:.2f})"
    rows = {
        "words": f"{parts['words']:.2f}  {near}",
        "meaning": f"{parts['meaning']:.2f}{cosine}",
        "fits": f"{parts['fits']:.2f}" + ("  every word stands here" if parts["exact"] else ""),
        "factors": ", ".join(f"{name} × {factor:.2f}" for name, factor in parts["factors"].items())
        or "none",
    }
    return "\n".join(f"      {dim(f'{name:<8}')} {shown(value)}" for name, value in rows.items())
