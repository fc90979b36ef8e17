"""memory/INDEX.md and the pages of memory/entities/: where things stand, derived from the facts and
the files.
"""

import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from datetime import date
from functools import cache
from typing import NamedTuple

from clawgit.domain.facts.same_fact import words
from clawgit.domain.markdown import frames
from clawgit.domain.markdown.tag_table import PRIMARY
from clawgit.domain.markdown.tags import visible
from clawgit.domain.organizing.classes import CLASSES
from clawgit.domain.organizing.organize import LESSONS, is_note
from clawgit.domain.search.question_words import STOP
from clawgit.domain.workspace.layers import ENTITIES, INDEXED, layer_of
from clawgit.domain.workspace.tiers import dated
from clawgit.language.files import codes
from clawgit.language.lexicon import lexicon
from clawgit.language.names import names as proper_names

LARGEST = 2048
"""Bytes that the index may have."""

FEWEST = 3
"""Facts that name somebody or something before it gets a page of its own."""

_OPEN = "<!-- organizer:facts -->"
_CLOSE = "<!-- /organizer:facts -->"


class Told(NamedTuple):
    """An active fact as the index counts it."""

    class_: str
    text: str
    id: str
    last: date | None


def index(facts: Sequence[Told], paths: Collection[str]) -> str:
    """The whole text of memory/INDEX.md; what does not fit is left out from the end, topic files
    first.
    """
    rows = [*_classes(facts), *_layers(paths)]
    topics = sorted(path for path in paths if is_note(path) and not dated(path))
    for shown in range(len(topics), -1, -1):
        told = [frames.INDEX_TOPIC.format(link=_link(path)) for path in topics[:shown]]
        rest = [frames.INDEX_MORE.format(count=len(topics) - shown)] if shown < len(topics) else []
        text = "\n".join([*frames.INDEX, *rows, *told, *rest, ""])
        if len(text.encode()) <= LARGEST:
            return text
    return "\n".join([*frames.INDEX, *(row[:_WIDEST] for row in rows), ""])


def entities(facts: Iterable[Told]) -> Mapping[str, tuple[str, tuple[Told, ...]]]:
    """Path → the name and the facts of whoever and whatever is named in several facts. A word that
    stands anywhere in small letters, too, is no name, nor is one in capitals throughout: these are
    for things of which there are many.
    """
    all_ = [*facts]
    counted = Counter(name for fact in all_ for name in dict.fromkeys(names(fact.text)))
    common = {word for fact in all_ for word in _WORD.findall(fact.text) if word.islower()}
    proper = sorted(
        name for name, count in counted.items() if count >= _SEEN and _is_proper(name, common)
    )
    by_first: dict[str, list[str]] = {}
    for name in proper:
        by_first.setdefault(_WORD.findall(name)[0], []).append(name)
    naming: dict[str, list[Told]] = {}
    for fact in all_:
        for word in dict.fromkeys(_WORD.findall(fact.text)):
            for name in by_first.get(word, ()):
                if _stands_in(name, fact.text):
                    naming.setdefault(name, []).append(fact)
    found = {
        f"{ENTITIES}{_slug(name)}.md": (name, tuple(some))
        for name, some in sorted(naming.items())
        if _slug(name)
    }
    return {path: (name, some) for path, (name, some) in found.items() if len(some) >= FEWEST}


def _is_proper(name: str, common: Collection[str]) -> bool:
    parts = _WORD.findall(name)
    if not parts or name.casefold() in _numbered():
        return False
    if len(parts) == 1 and (
        _ACRONYM.fullmatch(name) or any(map(str.isdigit, name)) or len(name) < _SHORTEST_NAME
    ):
        return False
    return not all(part.lower() in common or part.isupper() for part in parts)


@cache
def _numbered() -> frozenset[str]:
    """What is told apart by a number only: `Phase 2`, `Stage 1`; and the tags."""
    return frozenset(PRIMARY).union(*(lexicon(code).words("numbered") for code in codes()))


def _stands_in(name: str, text: str) -> bool:
    """Whether a name stands in a text as a whole word."""
    at = text.find(name)
    end = at + len(name)
    return at >= 0 and not (
        text[at - 1 : at].isalnum() or (text[end : end + 1].isalnum() and text[end].isascii())
    )


def with_passage(text: str, name: str, facts: Sequence[Told]) -> str:
    """A page with the organizer's own paragraph as it is now; all else stays. Without facts it says
    so.
    """
    passage = f"{_OPEN}\n{_passage(name, facts)}\n{_CLOSE}"
    start, end = text.find(_OPEN), text.find(_CLOSE)
    if 0 <= start < end:
        return f"{text[:start]}{passage}{text[end + len(_CLOSE) :]}"
    gap = "" if text.endswith("\n\n") or not text else "\n" if text.endswith("\n") else "\n\n"
    return f"{text}{gap}{passage}\n"


def has_passage(text: str) -> bool:
    return 0 <= text.find(_OPEN) < text.find(_CLOSE)


def names(text: str) -> Iterator[str]:
    """The proper names of a text; what is shouted all through, or written like a title, has
    none.
    """
    plain = visible(text)
    capital = [word[0].isupper() for word in _WORD.findall(plain)]
    if len(capital) > _SHORT_TITLE and sum(capital) > _TITLE * len(capital):
        return
    for name in proper_names(plain):
        is_label = name.text.isupper() and plain[name.end : name.end + 1] == ":"
        if not is_label:
            yield name.text


def frequent(texts: Iterable[str], most: int) -> list[str]:
    """The words that most of the texts speak of, the commonest first."""
    empty = frozenset().union(*(lexicon(code).known for code in codes()))
    plain = (
        {word.removesuffix("'s") for word in words(text)} - STOP - empty - {*PRIMARY}
        for text in texts
    )
    counted = Counter(word for some in plain for word in some if _says_something(word))
    ranked = sorted(counted.items(), key=lambda pair: (-pair[1], pair[0]))
    return [word for word, _ in ranked[:most]]


def _passage(name: str, facts: Sequence[Told]) -> str:
    if not facts:
        return frames.NOT_NAMED.format(name=name)
    days = sorted(fact.last for fact in facts if fact.last)
    latest = frames.LATEST.format(day=days[-1]) if days else ""
    places = (
        _place(class_, [one.id for one in facts if one.class_ == class_]) for class_ in CLASSES
    )
    where = "; ".join(filter(None, places))
    return frames.NAMED.format(name=name, count=len(facts), latest=latest, where=where)


def _place(class_: str, ids: Sequence[str]) -> str:
    if not ids:
        return ""
    more = [frames.AND_MORE.format(count=len(ids) - _SHOWN)] if len(ids) > _SHOWN else []
    return frames.NAMED_IN.format(name=class_, ids=" ".join([*ids[:_SHOWN], *more]))


def _classes(facts: Sequence[Told]) -> Iterator[str]:
    for class_ in CLASSES:
        mine = [fact for fact in facts if fact.class_ == class_]
        if mine:
            about = ", ".join(frequent((fact.text for fact in mine), _TOPICS))
            yield frames.INDEX_CLASS.format(
                name=class_, counted=_many(len(mine), "fact"), about=about
            )


def _layers(paths: Collection[str]) -> Iterator[str]:
    days = sorted(day for path in paths if is_note(path) and (day := dated(path)))
    if days:
        yield frames.INDEX_DAYS.format(
            counted=_many(len(days), "note"), first=days[0], last=days[-1]
        )
    if LESSONS in paths:
        yield frames.INDEX_LESSONS
    for layer in INDEXED:
        inside = [path for path in paths if layer_of(path) == layer]
        if inside:
            first = ", ".join(map(_stem, sorted(inside)[:_TOPICS]))
            yield frames.INDEX_LAYER.format(
                name=layer, counted=_many(len(inside), "file"), first=first
            )
    if any(path.startswith("memory/archive/") for path in paths):
        yield frames.INDEX_OLD_NOTES
    if any(path.startswith("Archive/Facts/") for path in paths):
        yield frames.INDEX_OLD_FACTS


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
_SEEN = 2
"""Facts that show that a name is one, by standing inside of a sentence."""
_SHORTEST_NAME = 3
_TITLE = 0.6
_SHORT_TITLE = 5
_ACRONYM = re.compile(r"[a-z]?[A-Z]+s?")
_TOPICS = 6
_SHOWN = 20
_SHORTEST = 2
_LONGEST = 60
_WIDEST = 150
