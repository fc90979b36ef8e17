"""The labelled text that the judges learn from and are measured on: models/judges/, and our
older conversations."""

import json
import os
import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, NamedTuple
from zlib import crc32

from clawgit.language.clauses import core, sentences
from clawgit.talk.rules.passages import passages

_MODELS = Path(__file__).parents[1]
_DATA = _MODELS.parent / "tests" / "data"
TRAINING = Path(os.environ.get("JUDGES_DATA") or _MODELS / "judges")
RELABELLED = _DATA / "judges-kept" / "a"
ACTS = ("corrects", "orders", "praises", "complains", "chats")
TAGS = ("event", "knowledge", "skill", "decision")
LASTING = ("fact", "preference", "decision", "lesson")
POISON = ("overrides", "hides", "leaks", "obeys", "acts", "persists", "steers")
OLD = {
    "old-dev": "conversations",
    "old-strangers": "conversations-strangers",
    "old-more": "corrections-more",
}
OLD_SHARE = 0.5
"""The weight of an old item, written by people who knew the product."""
HELD, _TOUCHED = 0.7, 0.2
"""A passage that holds so much of a span is kept with it; one that touches less of every span is
not. What lies between teaches nothing.
"""
HARMLESS = 9
"""One in so many chat messages is used as honest text: they repeat each other."""
_OLD_POISON = {"instructs": "overrides", "hides": "hides", "exfiltrates": "leaks"}


class Said(NamedTuple):
    """A message with the turn before it, what memory has, and what the message does."""

    id: str
    writer: str
    lang: str
    text: str
    before: str
    act: str
    memory: tuple[str, ...] = ()
    entry: int | None = None
    plain: bool = False
    group: str = ""


class Line(NamedTuple):
    """A sentence or a line, and whether it is worth keeping. `item` tells which text it is from."""

    writer: str
    lang: str
    item: str
    text: str
    before: str
    place: str
    keep: bool
    tag: str | None


class Later(NamedTuple):
    """What the operator said, what he said later, and whether the first is false or misleads if it
    is read without the second.
    """

    writer: str
    lang: str
    text: str
    later: str
    undoes: bool


class Text(NamedTuple):
    """A text that an agent would read. `kind` is that of planted text, "" if it is honest; `sort`
    says where it is from: look-alike, note, rule, page, chat, first corpus, workspace.
    """

    writer: str
    lang: str
    text: str
    kind: str
    sort: str


def rows_of(path: Path) -> Iterator[dict[str, Any]]:
    if path.is_file():
        for line in path.read_text("utf-8").splitlines():
            if line.strip():
                yield json.loads(line)


def writers(root: Path = TRAINING) -> list[Path]:
    return sorted(folder for folder in root.iterdir() if folder.is_dir()) if root.is_dir() else []


def messages(folder: Path) -> Iterator[Said]:
    for row in rows_of(folder / "messages.jsonl"):
        before = [text for role, text in row["before"] if role == "assistant"]
        yield Said(
            row["id"], folder.name, row["lang"], row["text"], before[-1] if before else "",
                row["act"],
            tuple(row["memory"]), row["entry"], row.get("old") is not None, row.get("group") or "",
        )  # fmt: skip


def ordinary(folder: Path) -> Iterator[Said]:
    path = folder / "ordinary.tsv"
    if not path.is_file():
        return
    for number, line in enumerate(path.read_text("utf-8").splitlines()):
        if line.count("\t") == 2:
            lang, before, text = line.split("\t")
            yield Said(f"{folder.name}-o{number}", folder.name, lang, text, before, "chats")


def lines(folder: Path) -> Iterator[Line]:
    """The passages of the chats, as the miner reads them, and the lines of the notes. A passage is
    kept that holds most of a span that is.
    """
    for row in rows_of(folder / "keep.jsonl"):
        spans = [(row["text"].find(span), len(span), tag) for span, tag in row["keep"]]
        place = "assistant" if row["role"] == "assistant" else "chat"
        here = (folder.name, row["lang"], row["id"])
        for passage in passages(row["text"]):
            held = [
                (min(passage.end, at + length) - max(passage.start, at)) / length
                for at, length, _ in spans
            ]
            most = max(held, default=0.0)
            keep = most >= HELD
            if keep or most <= _TOUCHED:
                tag = spans[held.index(most)][2] if keep else None
                yield Line(*here, core(passage.text).text, row["before"] or "", place, keep, tag)
    for row in rows_of(folder / "notes.jsonl"):
        yield Line(
            folder.name,
            row["lang"],
            row["id"],
            row["line"],
            row["under"] or "",
            "note",
            row["keep"],
            row["tag"],
        )


def later(folder: Path) -> Iterator[Later]:
    for row in rows_of(folder / "later.jsonl"):
        undoes = row["act"] == "undoes"
        yield Later(folder.name, row["lang"], row["text"], row["later"], undoes)


def daily(folder: Path) -> Iterator[Line]:
    """Lines of daily notes, under their nearest heading: what lasts is kept, and neither what was
    done, nor what ends by itself, nor fragments.
    """
    for row in rows_of(folder / "daily.jsonl"):
        keep = row["kind"] in LASTING
        here = (folder.name, row["lang"], row["id"])
        yield Line(*here, row["line"], row["under"], "daily", keep, None)


def planted(path: Path) -> Iterator[Text]:
    """Planted texts and their honest neighbours, by one writer."""
    for row in rows_of(path):
        kind = row["kind"] if row["planted"] else ""
        yield Text(path.stem, row["lang"], row["text"], kind, "look-alike")


def pages() -> Iterator[Text]:
    """Paragraphs of our own documentation, as they were once: dense, technical and harmless."""
    for row in rows_of(TRAINING / "pages.jsonl"):
        yield Text(row["page"], "en", row["text"], "", "note")


def own_lines() -> Iterator[Text]:
    """Lines of our own templates and pages, and plain rules: they order, forbid and instruct, and
    nothing is planted in them.
    """
    for row in rows_of(TRAINING / "lines.jsonl"):
        sort = "rule" if row["page"] in ("rules", "templates") else "page"
        yield Text(row["page"], "en", row["text"], "", sort)


def old_planted() -> Iterator[Text]:
    """The half of our first corpus that may be learned from."""
    for row in rows_of(_DATA / "poison.jsonl"):
        if not row["held_out"]:
            kind = _OLD_POISON[row["kind"]] if row["poison"] else ""
            yield Text("old-poison", row["lang"], row["text"], kind, "first corpus")


def harmless(folder: Path) -> Iterator[Text]:
    """Harmless text of the other writers: notes, wishes, chats."""
    for row in rows_of(folder / "notes.jsonl"):
        yield Text(folder.name, row["lang"], row["line"], "", "note")
    for said in (*messages(folder), *ordinary(folder)):
        if said.act in ("orders", "chats") and not crc32(said.text.encode()) % HARMLESS:
            yield Text(folder.name, said.lang, said.text, "", "chat")


def old_messages() -> Iterator[Said]:
    for writer, name in OLD.items():
        for row in rows_of(_DATA / f"{name}.jsonl"):
            turns = row["messages"]
            for case in row["corrections"]:
                at = case["message"]
                before = [turn["text"] for turn in turns[:at] if turn["role"] == "assistant"]
                yield Said(
                    f"{row['id']}-{at}", writer, row["language"], turns[at]["text"],
                        before[-1] if before else "",
                    "chats" if case["kind"] == "no_correction" else "corrects",
                    tuple(map(_untagged, case["entries"])), case["entry"],
                )  # fmt: skip


def triage() -> Iterator[Said]:
    """Messages that open with the words of a correction: they are one, or a trap."""
    for number, row in enumerate(rows_of(_DATA / "triage.jsonl")):
        if not row["kept"] and row["routes"] in ([], ["recall-validator"]):
            act = "corrects" if row["routes"] else "chats"
            yield Said(f"triage-{number}", "old-triage", "en", row["text"], "", act, group="trap")


def old_lines() -> Iterator[Line]:
    for writer, name in OLD.items():
        if writer == "old-more":
            continue
        for row in rows_of(_DATA / f"{name}.jsonl"):
            yield from _old_lines(writer, row)
    for number, row in enumerate(rows_of(_DATA / "promotion.jsonl")):
        if row["half"] == "dev":
            yield Line(
                "old-dev", "en", f"promotion{number}", row["text"], "", "note", row["promote"], None
            )


def _old_lines(writer: str, row: dict[str, Any]) -> Iterator[Line]:
    turns = row["messages"]
    for number, turn in enumerate(turns):
        if turn["role"] != "user":
            continue
        before = (
            turns[number - 1]["text"] if number and turns[number - 1]["role"] == "assistant" else ""
        )
        kept = [wanted for wanted in row["memories"] if wanted["message"] == number]
        perhaps = [wanted for wanted in row["optional"] if wanted["message"] == number]
        for _, _, text in sentences(turn["text"]):
            held = [wanted for wanted in kept if _holds(text, wanted["must"])]
            if not held and any(_holds(text, wanted["must"]) for wanted in perhaps):
                continue
            tag = held[0]["tag"][0] if held else None
            yield Line(
                writer,
                row["language"],
                f"{row['id']}-{number}",
                text,
                before,
                "chat",
                bool(held),
                tag,
            )


def _holds(text: str, must: Iterable[str | list[str]]) -> bool:
    folded = text.casefold()
    return all(
        any(word.casefold() in folded for word in ([group] if isinstance(group, str) else group))
        for group in must
    )


def _untagged(entry: str) -> str:
    return re.sub(r"\s+#\w+$", "", entry)
