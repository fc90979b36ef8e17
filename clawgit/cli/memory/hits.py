"""What `memory search` prints: the lines that answer a question."""

import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import partial
from pathlib import PurePath
from typing import Any, NamedTuple

from clawgit.cli import columns, output
from clawgit.cli.given import options
from clawgit.cli.loading import load
from clawgit.cli.opening import workspace
from clawgit.cli.output import dim, shown
from clawgit.cli.outside_text import outside_text
from clawgit.domain.change.actors import OPERATOR, Actor
from clawgit.domain.safety.masks import PLANTED
from clawgit.domain.search.question import SearchQuestion, read_question
from clawgit.domain.search.snippet import matches
from clawgit.errors import UsageError, first_of
from clawgit.ops.search.accesses import SESSIONS, note_shown
from clawgit.ops.search.serve_client import asked as ask_warm
from clawgit.ops.workspace.workspace import Workspace

_INDENT = "    "
_HEADINGS = " › "

_ROWS = 2
"""How many rows of the terminal a sentence and the text around it fill; a long one takes three."""

_GAPS = 8
"""Columns for the blanks and signs between the parts of a row."""

_LEAST_BESIDE = 12
"""With fewer columns than this, nothing is shown around the sentence: it would be half a word."""

_MOST_MISSING = 3
"""How many words of a question that are in no line are named."""

_NONE_LIKELY = "Nothing here says so outright. The nearest:"
_LESS_LIKELY = "Less likely:"

Hits = Mapping[str, Any]
"""An answer in its JSON shape: the process that answers may be another one."""


class Typed(NamedTuple):
    """A search as it was typed."""

    query: tuple[str, ...]
    limit: int | None = None
    min_score: float | None = None
    at: str = ""
    source: str = ""
    session: str = ""
    agent: str = ""
    category: str = ""
    everybody: bool = False
    smart: bool = False
    archived: bool = False
    verbose: bool = False
    explain: bool = False
    full: bool = False


MOST = 200
"""Hits that may be asked for."""

_SEARCHING = "searching"

_ASKED = ("limit", "min_score", "at", "source", "explain", "category", "smart", "archived", "full")
"""The options that are passed on to the search itself."""


def search(typed: Typed) -> None:
    """Prints the hits."""
    if typed.agent and typed.everybody:
        raise UsageError(
            "--agent names one agent, --all-agents means all.", hint="Leave one of them out."
        )
    question = " ".join(typed.query)
    request = {"query": question, **{name: getattr(typed, name) for name in _ASKED}}
    with workspace() as ws:
        hits = _answer(ws, request, typed.agent, everybody=typed.everybody)
        output.emit(hits, lambda answer: _answer_text(ws, question, answer, verbose=typed.verbose))
        if not options().as_json:
            for line in _notes(hits, ws.caller.actor, verbose=typed.verbose):
                output.note(line)
        # After the answer: what is found often may be promoted.
        note_shown(ws, question, typed.session, hits["results"])


def _answer(ws: Workspace, request: Mapping[str, Any], agent: str, *, everybody: bool) -> Hits:
    """The hits, from the process that `clawgit run serve` keeps open, else from here.

    That process never searches another agent's memory: what may be read depends on who asks, and
    only this process knows that.
    """
    if not (agent or everybody):
        answer = ask_warm(ws, "search", request)
        if answer and not (ws.caller.actor == OPERATOR and _is_withheld(answer)):
            return dict(answer)
    # Loaded here: not needed for a warm answer.
    wanted = load("clawgit.ops.search.answer:Request")(**request)
    with output.progress(_SEARCHING) as progress:
        if agent:
            found = load("clawgit.ops.search.agents_search:search_agent")(ws, wanted, agent)
        elif everybody:
            found = load("clawgit.ops.search.agents_search:search_agents")(ws, wanted)
        else:
            told = partial(_indexing, progress)
            found = load("clawgit.ops.search.search:search")(ws, wanted, told)
    hits: Hits = output.jsonable(found)
    return hits


def _indexing(progress: output.Progress, done: int, total: int) -> None:
    """Says what the first search after a change waits for: the files that are not indexed yet."""
    progress.phase("indexing" if done < total else _SEARCHING)
    progress(done, total)


def _is_withheld(answer: Hits) -> bool:
    """Whether the answer lacks text that the operator may read."""
    return any(PLANTED in hit["marks"] for hit in answer["results"])


def _answer_text(ws: Workspace, question: str, answer: Hits, *, verbose: bool) -> str:
    found = [*_without_echoes(answer["results"])]
    hits = [_hit_text(ws, question, hit, verbose=verbose) for hit in found]
    if not hits:
        nothing = "no match: there is nothing to search here"
        return dim("no match" if answer["searched"] else nothing)
    between = "\n\n" if any(hit["text"] is not None for hit in found) else "\n"
    return between.join(_parted(hits, sum(hit["likely"] for hit in found)))


def _parted(hits: Sequence[str], likely: int) -> list[str]:
    """The hits, and before those that are less likely a line that says so."""
    if likely == len(hits):
        return [*hits]
    line = _LESS_LIKELY if likely else _NONE_LIKELY
    return [*hits[:likely], line, *hits[likely:]]


def _notes(answer: Hits, actor: Actor, *, verbose: bool) -> Iterator[str]:
    """The lines below the hits."""
    if answer["missing"] and answer["searched"]:
        named = first_of((f"“{shown(word)}”" for word in answer["missing"]), _MOST_MISSING)
        yield f"In no line that was searched: {named}"
    if answer["outside"]:
        yield from outside_text(answer["outside"], actor).split("\n")
    if answer["fallback"]:
        yield f"note: {shown(answer['fallback'])}"
    if verbose:
        yield _verbose_text(answer)


def _without_echoes(hits: Sequence[Hits]) -> Iterator[Hits]:
    """The hits, without neighbours and quotes that are on the screen as sentences already."""
    for hit in hits:
        beside = [other for other in hits if other["path"] == hit["path"]]
        sentences = [
            _plain(line["snippet"]) for other in beside for line in (other, *other["more"])
        ]
        quotes = [quote for quote in hit["disputed"] if not _is_in(_plain(quote), sentences)]
        on_screen = [*sentences, *map(_plain, quotes)]
        # A part is compared, without the sign where it was cut: a sentence may be cut elsewhere.
        before, after = _plain(hit["before"]).strip("…")[-_ECHO:], _plain(hit["after"])[:_ECHO]
        yield {
            **hit,
            "before": "" if _is_in(before, on_screen) else hit["before"],
            "after": "" if _is_in(after, on_screen) else hit["after"],
            "disputed": quotes,
        }


_MOST_ABOVE = 200
"""Columns for the headings above a hit, in a pipe too: some are a paragraph long."""

_ALSO = 2
"""How many of the places with the same text are named."""

_ECHO = 40
"""How many characters identify a neighbour."""


def _is_in(text: str, texts: Iterable[str]) -> bool:
    return any(text in other for other in texts if text)


def _verbose_text(answer: Hits) -> str:
    intent = answer["intent"] or {}
    read = [f"{name} {value}" for name, value in intent.items() if name != "read by"]
    by = f", by {intent['read by']}" if intent else ""
    parts = (
        f"understood from the question: {', '.join(read) or 'nothing'}{by}",
        f"{answer['mode']}: {answer['provider']} {answer['model']}",
        f"{answer['elapsedMs']:.0f} ms",
    )
    return dim(shown("; ".join(parts)))


def _hit_text(ws: Workspace, question: str, hit: Hits, *, verbose: bool) -> str:
    asked = read_question(question)
    lines = [_head_text(ws, hit, verbose=verbose)]
    if hit["text"] is None:
        lines += _sentence_text(asked, hit)
    else:
        lines += _full_text(asked, hit)
    lines += [f"{_INDENT}{shown(quote)}" for quote in hit["disputed"]]
    # What is said of the best line stands before the other lines.
    if hit["also"]:
        lines.append(dim(f"{_INDENT}{_also_text(hit['also'])}"))
    if hit["explain"]:
        lines += _score_rows(_explained(hit))
    for line in hit["more"]:
        lines += _other_text(asked, line)
        # A copy of the section is named once.
        if not _files(line["also"]) <= _files(hit["also"]):
            lines.append(dim(f"{_INDENT}  {_also_text(line['also'])}"))
        if hit["explain"]:
            lines += _score_rows({"score": f"{line['score']:.2f}"})
    return "\n".join(lines)


def _files(places: Iterable[str]) -> frozenset[str]:
    return frozenset(place.rpartition(":")[0] for place in places)


def _also_text(places: Sequence[str]) -> str:
    """Where else the same text is: the first places, and how many more there are."""
    named = ", ".join(map(shown, places[:_ALSO]))
    more = len(places) - _ALSO
    return f"also in {named}" + (f" and {more} more" if more > 0 else "")


def _head_text(ws: Workspace, hit: Hits, *, verbose: bool) -> str:
    """Where a hit is: its file and line, the headings above it, and its marks."""
    place = _place(hit)
    marks = "  ".join(hit["marks"])
    facts = [hit["source"], hit["entryId"]] if verbose or hit["explain"] else []
    room = columns.terminal_width() - columns.width(place) - columns.width(marks) - _GAPS
    above = _above(hit, min(room, _MOST_ABOVE))
    parts = [
        (above, dim),
        (marks, output.guarded),
        (shown("  ".join(filter(None, facts))), dim),
    ]
    is_file = not (hit["agent"] or hit["source"] == SESSIONS)
    opening = _linked(ws, hit, place) if is_file else output.heading(place)
    return "  ".join([opening, *(style(text) for text, style in parts if text)])


def _above(hit: Hits, room: int) -> str:
    """The nearest headings, as many as there is room for; a part of the nearest at least."""
    titles = [_plain(title) for title in _telling(hit)]
    while len(titles) > 1 and columns.width(_HEADINGS.join(titles)) > room:
        del titles[0]
    return columns.cut(_HEADINGS.join(titles), room) if room > _GAPS else ""


def _place(hit: Hits) -> str:
    """The file and line, or the citation of another agent's file; of a message, its key."""
    if hit["source"] == SESSIONS:
        return shown(hit["path"])
    path = hit["citation"].rpartition("#")[0] if hit["agent"] else hit["path"]
    return f"{shown(path)}:{hit['startLine'] if hit['text'] is None else hit['line']}"


def _linked(ws: Workspace, hit: Hits, place: str) -> str:
    return output.heading(output.linked(place, ws.root / hit["path"]))


def _telling(hit: Hits) -> list[str]:
    """The headings that say more than the name of the file."""
    path = PurePath(hit["path"])
    titles = [title for title in hit["headings"] if title]
    return [
        title
        for title in titles
        if title.casefold() != path.stem.casefold()
        and not title.casefold().startswith(path.name.casefold())
    ]


def _sentence_text(asked: SearchQuestion, hit: Hits) -> list[str]:
    """The sentence, wrapped to the terminal, with as much text around it as fills the rows."""
    room = columns.terminal_width() - len(_INDENT)
    sentence = _plain(hit["snippet"])
    left = _ROWS * room - columns.width(sentence)
    before, after = _fitting(_plain(hit["before"]), _plain(hit["after"]), left - _ROWS * _GAPS)
    rows = columns.wrapped(
        [
            columns.Styled(_before(before), dim),
            *_marked(asked, sentence),
            columns.Styled(f" · {after}" if after else "", dim),
        ],
        room,
    )
    return [_INDENT + row for row in rows]


def _other_text(asked: SearchQuestion, line: Hits) -> list[str]:
    """Another line of the section: its number, and its sentence."""
    number, room = f":{line['startLine']} ", columns.terminal_width() - len(_INDENT)
    parts = [columns.Styled(number, dim), *_marked(asked, _plain(line["snippet"]))]
    return [_INDENT + row for row in columns.wrapped(parts, room)]


def _before(text: str) -> str:
    """The text before the sentence. Without colour, a sign shows where the sentence begins."""
    if not text:
        return ""
    return f"{text} · " if output.use_color(sys.stdout) else f"{text} › "


def _fitting(before: str, after: str, room: int) -> tuple[str, str]:
    """As much of both sides as there is room for; the text after the sentence has priority."""
    if room < _LEAST_BESIDE:
        return "", ""
    after = columns.cut(after, room)
    room -= columns.width(after)
    return (columns.cut_front(before, room) if room >= _LEAST_BESIDE else ""), after


def _full_text(asked: SearchQuestion, hit: Hits) -> list[str]:
    """The lines around a hit, with a sign before those that match if there are others too."""
    lines = hit["text"].split("\n")
    is_whole = len(lines) == hit["endLine"] - hit["startLine"] + 1
    matching = range(hit["line"], hit["lastLine"] + 1)
    # A shortened text no longer has all lines, so no line can be marked.
    points = is_whole and len(lines) > len(matching)
    pointed = []
    for number, line in enumerate(lines, hit["startLine"]):
        text = "".join(part.style(part.text) for part in _marked(asked, shown(line)))
        sign = output.heading("  › ") if points and number in matching else _INDENT
        pointed.append(sign + text)
    return pointed


def _marked(asked: SearchQuestion, text: str) -> Iterator[columns.Styled]:
    """A text in parts: the words that match are in colour."""
    at = 0
    for start, end in matches(text, asked):
        yield columns.Styled(text[at:start], str)
        yield columns.Styled(text[start:end], output.match)
        at = end
    yield columns.Styled(text[at:], str)


def _plain(text: str) -> str:
    """A text as it is printed: without the stars of bold words, which only a renderer needs."""
    return shown(text.replace("**", ""))


def _explained(hit: Hits) -> dict[str, str]:
    parts = hit["explain"]
    near = ", ".join(f"{word} {closeness:.2f}" for word, closeness in parts["near"].items())
    cosine = "" if parts["cosine"] is None else f" (cosine {parts['cosine']:.2f})"
    rows = {
        "score": f"{hit['score']:.2f}",
        "words": f"{parts['words']:.2f}  {near}",
        "meaning": f"{parts['meaning']:.2f}{cosine}",
        "fits": f"{parts['fits']:.2f}" + ("  it has every word" if parts["exact"] else ""),
        "factors": ", ".join(f"{name} × {factor:.2f}" for name, factor in parts["factors"].items())
        or "none",
    }
    if parts["reranker"] is not None:
        rows["reranker"] = f"{parts['reranker']:.2f}"
    return rows


def _score_rows(parts: Mapping[str, str]) -> Iterator[str]:
    return (f"      {dim(f'{name:<8}')} {shown(value)}" for name, value in parts.items())
