"""`memory search`, `memory index` and `memory bench`: finding what is remembered."""

import sys
from collections.abc import Mapping
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from clawgit.cli import output
from clawgit.cli.command import Share, command, options, workspace
from clawgit.cli.output import dim, shown
from clawgit.errors import UsageError

if TYPE_CHECKING:
    from clawgit.ops.search.memory_bench import Figures
    from clawgit.ops.search.memory_index import Indexed
    from clawgit.ops.workspace.workspace import Workspace


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
    asked = {
        "query": question,
        "limit": limit,
        "min_score": min_score,
        "at": at,
        "source": source,
        "explain": explain,
    }
    asked |= {"category": category, "smart": smart, "archived": archived}
    with workspace() as ws:
        found = _of_agents(ws, asked, agent) if agent or everybody else _answer(ws, asked)
        output.emit(
            found, lambda answer: _answer_text(ws, question, answer), as_json=options().as_json
        )
        if not options().as_json and found["fallback"]:
            output.note(f"note: {shown(found['fallback'])}")
        if verbose and not options().as_json:
            output.note(_verbose_text(found))
        _record(ws, question, session, found)


@command("index")
@click.option(
    "--force",
    is_flag=True,
    help="Read everything anew, and put the new index in place of the old at once.",
)
def index(force: bool) -> None:
    """Bring the index up to date, with a vector for each text.

    A search does this by itself for what has changed. This is for the first time, and for models
    that cost time.

    Example: clawgit memory index --force
    """
    from clawgit.ops.search.memory_index import index as op  # noqa: PLC0415 - a command loads what it needs

    with workspace() as ws:
        with output.progress("indexing") as bar:
            done = op(ws, force=force, **({"progress": bar} if bar else {}))
        output.emit(done, _indexed_text, as_json=options().as_json)


@command("bench")
@click.argument("fixture", type=click.Path(path_type=Path))
@click.option(
    "-n",
    "limit",
    type=click.IntRange(1, 200),
    default=10,
    show_default=True,
    help="Hits for each question.",
)
def bench(fixture: Path, limit: int) -> None:
    """Measure the search on questions of your own.

    FIXTURE has a JSON line for each: {"query": "…", "expect": [{"path": "MEMORY.md", "line": 12}]}.

    Example: clawgit memory bench questions.jsonl -n 10
    """
    from clawgit.ops.search.memory_bench import bench as op  # noqa: PLC0415 - a command loads what it needs

    with workspace() as ws:
        with output.progress("asking") as bar:
            done = op(ws, fixture, limit, bar)
        output.emit(done, _figures_text, as_json=options().as_json)


def _answer(ws: "Workspace", asked: Mapping[str, Any]) -> dict[str, Any]:
    """From the process that is warm, where there is one; else from our own, with the same
    result.
    """
    from clawgit.ops.search.serve_client import asked as asked_warm  # noqa: PLC0415 - a command loads what it needs

    if warm := asked_warm(ws, "search", asked):
        return dict(warm)
    from clawgit.ops.search.search import Request  # noqa: PLC0415
    from clawgit.ops.search.search import search as op  # noqa: PLC0415

    found: dict[str, Any] = output.jsonable(op(ws, Request(**asked)))
    return found


def _of_agents(ws: "Workspace", asked: Mapping[str, Any], agent: str) -> dict[str, Any]:
    """Never from the warm process: who asks decides what may be read, and that is known here
    alone.
    """
    from clawgit.ops.search import agents_search as op  # noqa: PLC0415 - a command loads what it needs
    from clawgit.ops.search.search import Request  # noqa: PLC0415

    request = Request(**asked)
    answer = op.search_agent(ws, request, agent) if agent else op.search_agents(ws, request)
    found: dict[str, Any] = output.jsonable(answer)
    return found


def _record(ws: "Workspace", query: str, session: str, found: Mapping[str, Any]) -> None:
    """Notes what was shown, once it was shown: what is asked for often may be promoted. What is
    another agent's is his to promote.
    """
    own = [hit for hit in found["results"] if not hit["agent"]]
    if not own:
        return
    from clawgit.ops.search.accesses import note_shown  # noqa: PLC0415 - after the answer

    note_shown(ws, query, session, own)


def _answer_text(ws: "Workspace", query: str, answer: Mapping[str, Any]) -> str:
    hits = [_hit_text(ws, query, hit) for hit in answer["results"]]
    return "\n\n".join(hits) or dim("nothing fits")


def _verbose_text(answer: Mapping[str, Any]) -> str:
    read = answer["intent"] or {}
    told = (
        ", ".join(f"{name} {value}" for name, value in read.items() if name != "read by")
        or "nothing"
    )
    by = f", by {read['read by']}" if read else ""
    parts = (
        f"read into the question: {told}{by}",
        f"{answer['mode']}: {answer['provider']} {answer['model']}",
    )
    return dim(shown("; ".join((*parts, f"{answer['elapsedMs']:.0f} ms"))))


def _hit_text(ws: "Workspace", query: str, hit: Mapping[str, Any]) -> str:
    place = hit["citation"].rpartition("#")[0] if hit["agent"] else hit["path"]
    text = f"{shown(place)}:{hit['line']}"
    where = click.style(
        text if hit["agent"] else output.linked(text, ws.root / hit["path"]), bold=True
    )
    mark = "disputed" if hit["disputed"] else ""
    about = "  ".join(filter(None, (f"{hit['score']:.2f}", hit["source"], hit["entryId"], mark)))
    lines = [
        f"{where}  {dim(shown(about))}",
        *_pointed(hit, _marked(ws, query, hit["snippet"]).split("\n")),
    ]
    return "\n".join(lines) + ("\n" + _explained_text(hit["explain"]) if hit["explain"] else "")


def _pointed(hit: Mapping[str, Any], lines: list[str]) -> list[str]:
    """The lines of a snippet; those that were found have a sign before them, where others stand
    around them.
    """
    is_whole = len(lines) == hit["endLine"] - hit["startLine"] + 1
    found = (
        range(hit["line"], hit["lastLine"] + 1)
        if is_whole and len(lines) > hit["lastLine"] - hit["line"] + 1
        else ()
    )
    signs = (
        click.style("  › ", bold=True) if at in found else "    " for at in count(hit["startLine"])
    )
    return [sign + line for sign, line in zip(signs, lines, strict=False)]


def _marked(ws: "Workspace", query: str, text: str) -> str:
    """A snippet with the words that match; looked for only where somebody sees the difference."""
    text = shown(text)
    if not output.use_color(sys.stdout):
        return text
    from clawgit.domain.search.question import read_question  # noqa: PLC0415 - see above
    from clawgit.domain.search.snippet import matches  # noqa: PLC0415

    for start, end in reversed(matches(text, read_question(query, ws.now, ws.zone))):
        text = text[:start] + click.style(text[start:end], fg="yellow") + text[end:]
    return text


def _explained_text(parts: Mapping[str, Any]) -> str:
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


def _indexed_text(done: "Indexed") -> str:
    vectors = f", {done.vectors:,} vectors by {done.provider} {done.model}" if done.vectors else ""
    said = (
        f"{done.items:,} items of {done.files:,} files{vectors}; {done.changed:,} files read "
        f"in {done.seconds:.1f} s"
    )
    return said + (f"\nnote: {shown(done.note)}" if done.note else "")


def _figures_text(found: "Figures") -> str:
    missed = [f"  missed  {shown(one.query)}" for one in found.queries if not one.rank]
    asked = len(found.queries)
    return "\n".join([
        f"{asked} {'question' if asked == 1 else 'questions'}, {found.k} hits each",
        (f"recall {found.recall:.3f}   MRR {found.mrr:.3f}   p50 {found.p50_ms:.1f} ms   p95 "
        f"{found.p95_ms:.1f} ms"),
        *missed,
    ])  # fmt: skip
