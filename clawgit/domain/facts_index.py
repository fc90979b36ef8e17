"""memory/INDEX.md and the pages of memory/entities/: where things stand, derived from the facts and the files."""

import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from datetime import date
from itertools import chain
from typing import NamedTuple

from clawgit.domain.layers import ENTITIES, layer_of
from clawgit.domain.mention import words
from clawgit.domain.organize import CLASSES, LESSONS, is_note
from clawgit.domain.question_words import STOP
from clawgit.domain.tags import PRIMARY, visible
from clawgit.domain.tiers import dated
from clawgit.language.calendar import month_forms, weekday_forms

LARGEST = 2048
"""Bytes that the index may have."""

FEWEST = 3
"""Facts that name somebody or something before it gets a page of its own."""

_OPEN, _CLOSE = "<!-- organizer:facts -->", "<!-- /organizer:facts -->"


class Told(NamedTuple):
    """An active fact as the index counts it."""

    class_: str
    text: str
    id: str
    last: date | None


def index(facts: Sequence[Told], paths: Collection[str]) -> str:
    """The whole text of memory/INDEX.md; what does not fit is left out from the end, topic files first."""
    rows = [*_classes(facts), *_layers(paths)]
    topics = sorted(path for path in paths if is_note(path) and not dated(path))
    head = ["# Memory index", "", "| where | what |", "| --- | --- |"]
    for shown in range(len(topics), -1, -1):
        told = [f"| {_link(path)} | topic |" for path in topics[:shown]]
        rest = [f"| … | {len(topics) - shown} more topic files |"] if shown < len(topics) else []
        text = "\n".join([*head, *rows, *told, *rest, ""])
        if len(text.encode()) <= LARGEST:
            return text
    return "\n".join([*head, *(row[:_WIDEST] for row in rows), ""])


def entities(facts: Iterable[Told]) -> Mapping[str, tuple[str, tuple[Told, ...]]]:
    """Path → the name and the facts of whoever and whatever is named in several facts."""
    all_ = [*facts]
    known = {name for fact in all_ for name in names(fact.text)}
    naming: dict[str, list[Told]] = {}
    for fact in all_:
        for name in dict.fromkeys(word for word in _WORD.findall(fact.text) if word in known):
            naming.setdefault(name, []).append(fact)
    found = {f"{ENTITIES}{_slug(name)}.md": (name, tuple(some)) for name, some in sorted(naming.items()) if _slug(name)}
    return {path: (name, some) for path, (name, some) in found.items() if len(some) >= FEWEST}


def with_passage(text: str, name: str, facts: Sequence[Told]) -> str:
    """A page with the organizer's own paragraph as it is now; all else stays. Without facts it says so."""
    passage = f"{_OPEN}\n{_passage(name, facts)}\n{_CLOSE}"
    start, end = text.find(_OPEN), text.find(_CLOSE)
    if 0 <= start < end:
        return f"{text[:start]}{passage}{text[end + len(_CLOSE) :]}"
    gap = "" if text.endswith("\n\n") or not text else "\n" if text.endswith("\n") else "\n\n"
    return f"{text}{gap}{passage}\n"


def has_passage(text: str) -> bool:
    return 0 <= text.find(_OPEN) < text.find(_CLOSE)


def names(text: str) -> Iterator[str]:
    """What is written like a name elsewhere than where a sentence begins, for there anything is."""
    plain = visible(text)
    for found in _NAME.finditer(plain):
        before = plain[: found.start()].rstrip(" *_`\"'“”(")
        opens = not before or before[-1] in ".!?:\n-"
        if (not opens or found[0][1:] != found[0][1:].lower()) and found[0].casefold() not in _NO_NAMES:
            yield found[0].removesuffix("'s").removesuffix("’s")


def frequent(texts: Iterable[str], most: int) -> list[str]:
    """The words that most of the texts speak of, the commonest first."""
    plain = ({word.removesuffix("'s") for word in words(text)} - STOP - _NO_NAMES for text in texts)
    counted = Counter(word for some in plain for word in some if _says_something(word))
    ranked = sorted(counted.items(), key=lambda pair: (-pair[1], pair[0]))
    return [word for word, _ in ranked[:most]]


def _passage(name: str, facts: Sequence[Told]) -> str:
    if not facts:
        return f"No fact names {name} now."
    days = sorted(fact.last for fact in facts if fact.last)
    when = f", the latest of {days[-1]}" if days else ""
    places = (_place(class_, [one.id for one in facts if one.class_ == class_]) for class_ in CLASSES)
    where = "; ".join(filter(None, places))
    return f"{name} is named in {len(facts)} facts{when}: {where}."


def _place(class_: str, ids: Sequence[str]) -> str:
    if not ids:
        return ""
    more = f" and {len(ids) - _SHOWN} more" if len(ids) > _SHOWN else ""
    return f"[{class_}](../structured/{class_}.md) {' '.join(ids[:_SHOWN])}{more}"


def _classes(facts: Sequence[Told]) -> Iterator[str]:
    for class_ in CLASSES:
        mine = [fact for fact in facts if fact.class_ == class_]
        if mine:
            about = ", ".join(frequent((fact.text for fact in mine), _TOPICS))
            yield f"| [{class_}](structured/{class_}.md) | {_many(len(mine), 'fact')}: {about} |"


def _layers(paths: Collection[str]) -> Iterator[str]:
    days = sorted(day for path in paths if is_note(path) and (day := dated(path)))
    if days:
        yield f"| memory/YYYY-MM-DD.md | {_many(len(days), 'note')}, {days[0]} to {days[-1]} |"
    if LESSONS in paths:
        yield "| [lessons](lessons.md) | what went wrong, what worked, and why |"
    for layer in ("entities", "patterns", "summaries", "events"):
        inside = [path for path in paths if layer_of(path) == layer]
        if inside:
            first = ", ".join(map(_stem, sorted(inside)[:_TOPICS]))
            yield f"| memory/{layer}/ | {_many(len(inside), 'file')}: {first} |"
    if any(path.startswith("memory/archive/") for path in paths):
        yield "| memory/archive/ | old notes by quarter |"
    if any(path.startswith("Archive/Facts/") for path in paths):
        yield "| Archive/Facts/ | facts that ran out: search with --archived |"


def _link(path: str) -> str:
    return f"[{_stem(path)}]({path.removeprefix('memory/')})".replace("|", "\\|")


def _stem(path: str) -> str:
    return path.rpartition("/")[2][: -len(".md")].replace("|", " ")


def _many(count: int, what: str) -> str:
    return f"{count:,} {what}{'' if count == 1 else 's'}"


def _slug(name: str) -> str:
    return re.sub(r"[^\w-]+", "-", name.casefold()).strip("-_")[:_LONGEST]


def _says_something(word: str) -> bool:
    return len(word) > _SHORTEST and word[0].isalpha()


_PART = r"[^\W\u1100-\u11ff\u3040-\u30ff\u3400-\u9fff\uac00-\ud7a3]"
"""A sign of a name; what a script without capitals puts right behind it is a particle."""

_WORD = re.compile(rf"[A-Za-z](?:{_PART}|[&-])*{_PART}")
_NAME = re.compile(rf"[A-Z](?:{_PART}|[&-])*{_PART}|[a-z]+[A-Z]{_PART}*")
_NO_NAMES = frozenset((
    *PRIMARY, "correction", "operator", "todo", *chain(*weekday_forms()), *(forms[0] for forms in month_forms()),
    "i", "ok", "am", "pm", "important", "critical", "urgent", "warning", "attention", "note", "remember", "decision", "decided", "must", "never", "always", "not",
))  # fmt: skip
_TOPICS, _SHOWN, _SHORTEST, _LONGEST, _WIDEST = 6, 20, 2, 60, 150
