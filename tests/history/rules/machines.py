"""Machines that write to copies of one memory and meet, with git's choice of a merge base."""

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property, reduce

from hypothesis import strategies as st

from clawgit.core.markdown.comment import Meta
from clawgit.core.markdown.entry import entries, render
from clawgit.history.rules.memory import merge_memory

PATH = "MEMORY.md"
IDS = tuple(f"k{letter}2345" for letter in "abc")
SAYINGS = tuple(f"{who} likes {what}" for who in ("Ana", "Ben", "Cem") for what in ("tea", "rye"))

Entries = dict[str, tuple[str, str, str]]
"""What a memory says: by id the text, the status and the heading."""

Edit = tuple[str, str, str]
"""What is done to one entry: a verb, its id, and a word."""

STATUSES = st.sampled_from(["", "", "", "superseded", "disputed", "archived"])


def written(memory: Entries, counts: dict[str, int] | None = None) -> str:
    lines = ["# Memory", ""]
    for heading in ("Facts", "People"):
        lines += [f"## {heading}", ""]
        for ident, (text, status, under) in memory.items():
            if under == heading:
                facts = ("conf=0.9", "src=explicit", f"n={(counts or {}).get(ident, 1)}")
                meta = Meta(ident, facts).having("status", status)
                lines.append(render(text, meta))
        lines.append("")
    return "\n".join(lines)


@st.composite
def memories(draw: st.DrawFn) -> Entries:
    chosen = draw(st.lists(st.sampled_from(IDS), unique=True, max_size=4))
    return {
        ident: (f"{draw(st.sampled_from(SAYINGS))} {ident}", draw(STATUSES), "Facts")
        for ident in chosen
    }


VERBS = ("reword", "reword", "correct", "remove", "count", "mark", "settle", "move", "add", "note")
EDITS = st.lists(
    st.tuples(
        st.sampled_from(VERBS), st.sampled_from(IDS), st.sampled_from(["one", "two", "three"])
    ),
    max_size=4,
)


def _did(said: tuple[str, str, str], verb: str, word: str) -> tuple[str, str, str]:
    text, status, under = said
    return {
        "reword": (f"{text} {word}", status, under),
        "correct": (f"{text} {word} #correction", "", under),
        "mark": (text, "superseded", under),
        "settle": (text, "", under),
        "move": (text, status, "People"),
    }.get(verb, said)


def edited(memory: Entries, edits: Iterable[Edit], who: str) -> str:
    memory, counts = dict(memory), dict.fromkeys(memory, 1)
    for verb, ident, word in edits:
        if verb == "add":
            memory[f"n{who}{len(word)}222"] = (f"New {word} of {who}", "", "People")
        elif verb == "note":
            # The same words on several machines, each with an id of its own.
            memory[f"m{who}{len(word)}222"] = (f"Noted {word}", "", "People")
        elif verb == "remove":
            memory.pop(ident, None)
        elif ident in memory:
            memory[ident] = _did(memory[ident], verb, word)
            counts[ident] += len(word) * (verb == "count")
    return written(memory, counts)


def said(text: str) -> dict[str, tuple[str, str]]:
    """Each entry of a memory by its id: its text and its status."""
    return {
        entry.key: (entry.text, entry.meta.status if entry.meta else "") for entry in entries(text)
    }


@dataclass(frozen=True, eq=False)
class Commit:
    text: str
    parents: tuple["Commit", ...] = ()

    @cached_property
    def past(self) -> frozenset["Commit"]:
        return frozenset([self]).union(*(parent.past for parent in self.parents))


def merged(base: str, ours: str, theirs: str) -> str:
    joined = merge_memory(PATH, *(text.encode() for text in (base, ours, theirs)))
    assert joined.data is not None
    assert not joined.conflict
    return joined.data.decode()


def met(ours: Commit, theirs: Commit) -> Commit:
    """What is there after one machine has pulled from another."""
    if theirs in ours.past:
        return ours
    if ours in theirs.past:
        return theirs
    return Commit(merged(base_of(ours, theirs).text, ours.text, theirs.text), (ours, theirs))


def base_of(ours: Commit, theirs: Commit) -> Commit:
    """The merge base; of several, as after a criss-cross, what git makes of them."""
    common = ours.past & theirs.past
    best = [one for one in common if not any(one in other.past for other in common - {one})]
    best.sort(key=lambda commit: (len(commit.past), commit.text))
    return reduce(met, best)
