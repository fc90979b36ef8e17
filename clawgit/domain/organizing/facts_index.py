"""memory/INDEX.md and the pages of memory/entities/, derived from the facts and the files."""

import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from datetime import date
from functools import cache
from typing import NamedTuple

from clawgit.domain.facts.same_fact import words
from clawgit.domain.markdown import frames
from clawgit.domain.markdown.tag_table import EVENT, PRIMARY
from clawgit.domain.markdown.tags import tags_in, untagged, visible
from clawgit.domain.organizing.classes import CLASSES
from clawgit.domain.organizing.organize import LESSONS, is_note
from clawgit.domain.search.question_words import STOP
from clawgit.domain.workspace.layers import ENTITIES, EVENT_PAGES, INDEXED, layer_of
from clawgit.domain.workspace.tiers import dated
from clawgit.errors import counted
from clawgit.language.files import codes
from clawgit.language.lexicon import lexicon
from clawgit.language.names import names as proper_names

LARGEST = 2048
"""The most bytes of the index."""

FEWEST = 3
"""How many facts have to name somebody or something before it gets a page."""

_OPEN = "<!-- organizer:facts -->"
_CLOSE = "<!-- /organizer:facts -->"

_PART = r"[^\W\u1100-\u11ff\u3040-\u30ff\u3400-\u9fff\uac00-\ud7a3]"
"""A character of a name. A script without capitals puts particles right after it."""

_WORD = re.compile(rf"[A-Za-z](?:{_PART}|[&-])*{_PART}")
_SEEN = 2
"""A word is a name if it is inside a sentence in this many facts."""
_SHORTEST_NAME = 3
_TITLE = 0.6
"""If more than this share of the words have capitals, a text is written like a title."""
_SHORT_TITLE = 5
_ACRONYM = re.compile(r"[a-z]?[A-Z]+s?")
_TOPICS = 6
_SHOWN = 20
_SHORTEST = 2
_LONGEST = 60
_WIDEST = 150


class IndexedFact(NamedTuple):
    """An active fact as the index counts it."""

    class_: str
    text: str
    id: str
    last: date | None


def index(facts: Sequence[IndexedFact], paths: Collection[str]) -> str:
    """The whole text of memory/INDEX.md. What does not fit is left out, topic files first."""
    rows = [*_classes(facts), *_layers(paths)]
    topics = sorted(path for path in paths if is_note(path) and not dated(path))
    for shown in range(len(topics), -1, -1):
        text = "\n".join([*frames.INDEX, *rows, *_topics(topics, shown), ""])
        if len(text.encode()) <= LARGEST:
            return text
    return "\n".join([*frames.INDEX, *(row[:_WIDEST] for row in rows), ""])


def _topics(topics: Sequence[str], shown: int) -> Iterator[str]:
    """The rows of the first topic files, and how many more there are."""
    for path in topics[:shown]:
        yield frames.INDEX_TOPIC.format(link=_link(path))
    if shown < len(topics):
        yield frames.INDEX_MORE.format(count=len(topics) - shown)


def entities(facts: Iterable[IndexedFact]) -> Mapping[str, tuple[str, tuple[IndexedFact, ...]]]:
    """Path → name and facts of each person or thing that several facts name."""
    every = [*facts]
    naming = _naming(every, _proper_names(every))
    return {
        f"{ENTITIES}{slug}.md": (name, tuple(named))
        for slug, (name, named) in _by_slug(naming).items()
        if len(named) >= FEWEST
    }


def _proper_names(facts: Sequence[IndexedFact]) -> list[str]:
    """The names in facts, in alphabetical order.

    A word that is somewhere in small letters is not a name, nor is one in capitals only, which are
    for kinds of things.
    """
    counted: Counter[str] = Counter()
    common: set[str] = set()
    for fact in facts:
        counted.update(set(names(fact.text)))
        common.update(filter(str.islower, _WORD.findall(fact.text)))
    often = (name for name, count in counted.items() if count >= _SEEN)
    return sorted(name for name in often if _is_proper(name, common))


def _naming(facts: Iterable[IndexedFact], proper: Iterable[str]) -> dict[str, list[IndexedFact]]:
    """The facts that name each of these names, wherever in the fact it stands."""
    # By their first word, so that each fact is only compared with names that it can hold.
    by_first: dict[str, list[str]] = {}
    for name in proper:
        by_first.setdefault(_WORD.findall(name)[0], []).append(name)
    # A name may stand in a fact where the reader of names does not see it: at its beginning.
    naming: dict[str, list[IndexedFact]] = {}
    for fact in facts:
        for word in dict.fromkeys(_WORD.findall(fact.text)):
            for name in by_first.get(word, ()):
                if _stands_in(name, fact.text):
                    naming.setdefault(name, []).append(fact)
    return naming


def _by_slug(naming: Mapping[str, list[IndexedFact]]) -> dict[str, tuple[str, list[IndexedFact]]]:
    """The names and facts by the names of their pages. Of two names with one page, the
    last counts.
    """
    return {_slug(name): (name, named) for name, named in sorted(naming.items()) if _slug(name)}


def _is_proper(name: str, common: Collection[str]) -> bool:
    parts = _WORD.findall(name)
    if not parts or name.casefold() in _numbered():
        return False
    if len(parts) == 1 and not _may_be_alone(name):
        return False
    return not all(part.lower() in common or part.isupper() for part in parts)


def _may_be_alone(name: str) -> bool:
    """Whether one word can be a name by itself: no acronym, no version, not too short."""
    if len(name) < _SHORTEST_NAME or _ACRONYM.fullmatch(name):
        return False
    return not any(map(str.isdigit, name))


@cache
def _numbered() -> frozenset[str]:
    """Words that only a number makes a name, as in `Phase 2` or `Stage 1`, and the tags."""
    return frozenset(PRIMARY).union(*(lexicon(code).words("numbered") for code in codes()))


def _stands_in(name: str, text: str) -> bool:
    """Whether a name stands in a text as a whole word."""
    at = text.find(name)
    if at < 0 or text[at - 1 : at].isalnum():
        return False
    behind = text[at + len(name) : at + len(name) + 1]
    # A letter of another script is a particle: it does not make the name a part of a word.
    return not (behind.isalnum() and behind.isascii())


def events(facts: Iterable[IndexedFact]) -> Mapping[str, tuple[str, tuple[IndexedFact, ...]]]:
    """Path → month and facts of each month in which something happened."""
    months: dict[str, list[IndexedFact]] = {}
    for fact in facts:
        if fact.last and EVENT in tags_in(fact.text):
            months.setdefault(f"{fact.last:%Y-%m}", []).append(fact)
    return {
        f"{EVENT_PAGES}{month}.md": (month, tuple(happened)) for month, happened in months.items()
    }


def with_passage(text: str, said: str) -> str:
    """A page with the organizer's paragraph as it is now. Everything else stays."""
    passage = f"{_OPEN}\n{said}\n{_CLOSE}"
    start, end = text.find(_OPEN), text.find(_CLOSE)
    if 0 <= start < end:
        return f"{text[:start]}{passage}{text[end + len(_CLOSE) :]}"
    if not text or text.endswith("\n\n"):
        gap = ""
    elif text.endswith("\n"):
        gap = "\n"
    else:
        gap = "\n\n"
    return f"{text}{gap}{passage}\n"


def has_passage(text: str) -> bool:
    return 0 <= text.find(_OPEN) < text.find(_CLOSE)


def names(text: str) -> Iterator[str]:
    """The proper names of a text. A text in capitals, or written like a title, has none."""
    plain = visible(text)
    capital = [word[0].isupper() for word in _WORD.findall(plain)]
    if len(capital) > _SHORT_TITLE and sum(capital) > _TITLE * len(capital):
        return
    for name in proper_names(plain):
        is_label = name.text.isupper() and plain[name.end : name.end + 1] == ":"
        if not is_label:
            yield name.text


def frequent(texts: Iterable[str], most: int) -> list[str]:
    """The words that most texts have, the most frequent first."""
    empty = frozenset().union(*(lexicon(code).known for code in codes()))
    word_sets = (
        {word.removesuffix("'s") for word in words(text)} - STOP - empty - {*PRIMARY}
        for text in texts
    )
    counted = Counter(word for telling in word_sets for word in telling if _says_something(word))
    ranked = sorted(counted.items(), key=lambda pair: (-pair[1], pair[0]))
    return [word for word, _ in ranked[:most]]


def happened(month: str, facts: Sequence[IndexedFact]) -> str:
    """What the page of a month says: a line for each event, in the order of days."""
    if not facts:
        return frames.NOTHING_HAPPENED.format(month=month)
    lines = {f"{fact.last}: {' '.join(untagged(visible(fact.text)).split())}" for fact in facts}
    return "\n\n".join(sorted(lines))


def named_in(name: str, facts: Sequence[IndexedFact]) -> str:
    """What the page of an entity says: where the facts are that name it."""
    if not facts:
        return frames.NOT_NAMED.format(name=name)
    days = sorted(fact.last for fact in facts if fact.last)
    latest = frames.LATEST.format(day=days[-1]) if days else ""
    places = (
        _place(class_, [fact.id for fact in facts if fact.class_ == class_]) for class_ in CLASSES
    )
    where = "; ".join(filter(None, places))
    return frames.NAMED.format(name=name, count=len(facts), latest=latest, where=where)


def _place(class_: str, ids: Sequence[str]) -> str:
    if not ids:
        return ""
    more = [frames.AND_MORE.format(count=len(ids) - _SHOWN)] if len(ids) > _SHOWN else []
    return frames.NAMED_IN.format(name=class_, ids=" ".join([*ids[:_SHOWN], *more]))


def _classes(facts: Sequence[IndexedFact]) -> Iterator[str]:
    for class_ in CLASSES:
        mine = [fact for fact in facts if fact.class_ == class_]
        if mine:
            about = ", ".join(frequent((fact.text for fact in mine), _TOPICS))
            yield frames.INDEX_CLASS.format(
                name=class_, counted=counted(len(mine), "fact"), about=about
            )


def _layers(paths: Collection[str]) -> Iterator[str]:
    days = sorted(filter(None, (dated(path) for path in paths if is_note(path))))
    if days:
        notes = counted(len(days), "note")
        yield frames.INDEX_DAYS.format(counted=notes, first=days[0], last=days[-1])
    if LESSONS in paths:
        yield frames.INDEX_LESSONS
    for layer in INDEXED:
        yield from _layer(layer, paths)
    if _is_any_below("memory/archive/", paths):
        yield frames.INDEX_OLD_NOTES
    if _is_any_below("Archive/Facts/", paths):
        yield frames.INDEX_OLD_FACTS


def _is_any_below(folder: str, paths: Iterable[str]) -> bool:
    return any(path.startswith(folder) for path in paths)


def _layer(layer: str, paths: Iterable[str]) -> Iterator[str]:
    inside = sorted(path for path in paths if layer_of(path) == layer)
    if inside:
        first = ", ".join(map(_stem, inside[:_TOPICS]))
        files = counted(len(inside), "file")
        yield frames.INDEX_LAYER.format(name=layer, counted=files, first=first)


def _link(path: str) -> str:
    return f"[{_stem(path)}]({path.removeprefix('memory/')})".replace("|", "\\|")


def _stem(path: str) -> str:
    return path.rpartition("/")[2][: -len(".md")].replace("|", " ")


def _slug(name: str) -> str:
    return re.sub(r"[^\w-]+", "-", name.casefold()).strip("-_")[:_LONGEST]


def _says_something(word: str) -> bool:
    return len(word) > _SHORTEST and word[0].isalpha()
