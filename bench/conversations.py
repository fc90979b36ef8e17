"""Our labelled conversations: what a good assistant remembers of each, corrects, and finds
contradictory.
"""

import calendar
import json
import re
import unicodedata
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import date, datetime
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple
from zoneinfo import ZoneInfo

from clawgit.core.markdown.tag_table import visible
from clawgit.talk.rules.chat import Message, told

DEV, KEPT = "dev", "kept"
"""The half that may be looked at and tuned on, and the one that is for measuring only."""

STRANGERS, STRANGERS_KEPT = "strangers", "strangers-kept"
"""The same of people who had seen neither rules nor samples, and whose notes say things anew, in
other words."""

MORE = "more"
"""Exchanges with a correction in each, as different people type them; they may be learned from,
too."""

VALUE, NO_VALUE, NO_CORRECTION = "value", "none", "no_correction"
"""What a turn that sounds like a correction is: one that names the right value, one that names
none, or none at all."""

_CORPUS = Path(__file__).parent.parent / "tests" / "data"
_FILES = {
    DEV: "conversations.jsonl",
    KEPT: "conversations-kept.jsonl",
    STRANGERS: "conversations-strangers.jsonl",
    STRANGERS_KEPT: "conversations-strangers-kept.jsonl",
    MORE: "corrections-more.jsonl",
}
_LONGEST = 320
"""A longer text is a turn copied, not a memory."""

_MOST_AT_ONCE = 2
"""So many memories one sentence may hold."""

_DENIED = re.compile(
    r"\b(?:not|no longer|instead of|rather than|never)\b[^,.;!?]*|(?:不是|不用|不再|不要)[^,,。]*|\S+ 아니라",
    re.IGNORECASE,
)

Terms = tuple[tuple[str, ...], ...]
"""Words that must all be there; of each group, any one will do."""


class Wanted(NamedTuple):
    """A memory: its gist, the words by which it is known, the tags and the dates that are right,
    and its message."""

    text: str
    must: Terms
    tags: tuple[str, ...]
    message: int
    when: tuple[date, ...]


class Reproof(NamedTuple):
    """A turn that sounds like a correction, with the lines of MEMORY.md before it. `entry` is the
    one that it is about, None where the fact is new; `value` are words of the right fact, `wrong`
    of the old one.
    """

    message: int
    kind: str
    entries: tuple[str, ...]
    entry: int | None
    value: Terms
    wrong: Terms


class Pair(NamedTuple):
    """Two entries, and whether they contradict each other; `rule` says why, or which trap it is."""

    one: str
    other: str
    contradict: bool
    rule: str


class Conversation(NamedTuple):
    """`memories` are to be kept, `optional` ones may be."""

    id: str
    operator: str
    zone: ZoneInfo
    messages: tuple[Message, ...]
    memories: tuple[Wanted, ...]
    optional: tuple[Wanted, ...]
    reproofs: tuple[Reproof, ...]
    pairs: tuple[Pair, ...]


class Matched(NamedTuple):
    """What became of the texts that were kept of a conversation: `hits` by their number, each with
    the memories that it holds; the numbers of the `false` ones; the memories that are `missed`.
    Optional ones are in none of these.
    """

    hits: Mapping[int, tuple[Wanted, ...]]
    false: tuple[int, ...]
    missed: tuple[Wanted, ...]


@cache
def conversations(half: str) -> tuple[Conversation, ...]:
    lines = (_CORPUS / _FILES[half]).read_text(encoding="utf-8").splitlines()
    return tuple(_conversation(json.loads(line)) for line in lines)


def holds(text: str, terms: Terms) -> bool:
    """Whether each group of words is there, in what a reader sees. A number is not found within a
    longer one."""
    plain = _plain(visible(text))
    return all(any(_pattern(word).search(plain) for word in group) for group in terms)


def claims_any(text: str, terms: Terms) -> bool:
    """Whether one of the words is there and not denied: “in Berlin, not in Paris” does not claim
    Paris."""
    claimed = _DENIED.sub("", text)
    return any(holds(claimed, (group,)) for group in terms)


def matched(texts: Sequence[str], conversation: Conversation) -> Matched:
    """Matches the texts in order; one that says the same as an earlier one is false."""
    hits: dict[int, tuple[Wanted, ...]] = {}
    false: list[int] = []
    left = [*conversation.memories]
    for number, text in enumerate(texts):
        found = _held(text, left)
        if found:
            hits[number] = found
            left = [wanted for wanted in left if wanted not in found]
        elif not _held(text, conversation.optional):
            false.append(number)
    return Matched(hits, tuple(false), tuple(left))


def dates_right(text: str, wanted: Wanted) -> bool:
    """Whether the text names one of the days absolutely: as ISO date, or by day and month."""
    plain = _plain(visible(text))
    return any(any(form.search(plain) for form in _forms(day)) for day in wanted.when)


def _held(text: str, wanted: Iterable[Wanted]) -> tuple[Wanted, ...]:
    if len(visible(text)) > _LONGEST:
        return ()
    return tuple(one for one in wanted if holds(text, one.must))[:_MOST_AT_ONCE]


@cache
def _pattern(word: str) -> re.Pattern[str]:
    before, after = (
        (r"(?<!\d)" if word[0].isdigit() else ""),
        (r"(?!\d)" if word[-1].isdigit() else ""),
    )
    return re.compile(f"{before}{re.escape(_plain(word))}{after}")


@cache
def _forms(day: date) -> tuple[re.Pattern[str], ...]:
    month = calendar.month_name[day.month].casefold()
    named, number = rf"\b{month[:3]}(?:{month[3:]})?\b", rf"(?<!\d){day.day}(?:st|nd|rd|th)?\b"
    forms = (day.isoformat(), rf"{named}\.? {number}", rf"{number}(?: of)? {named}", _cjk(day))
    return tuple(re.compile(form) for form in forms)


def _cjk(day: date) -> str:
    return rf"(?<!\d){day.month} ?[月월] ?{day.day}(?!\d)"


def _plain(text: str) -> str:
    return " ".join(unicodedata.normalize("NFKC", text).casefold().replace("’", "'").split())


def _conversation(row: Mapping[str, Any]) -> Conversation:
    zone = ZoneInfo(row["zone"])
    return Conversation(
        row["id"],
        row["operator"],
        zone,
        tuple(_messages(row["id"], row["messages"], zone)),
        tuple(map(_wanted, row["memories"])),
        tuple(map(_wanted, row["optional"])),
        tuple(map(_reproof, row["corrections"])),
        tuple(
            Pair(pair["a"], pair["b"], pair["contradict"], pair["rule"])
            for pair in row["contradictions"]
        ),
    )


def _messages(session: str, rows: Iterable[Mapping[str, str]], zone: ZoneInfo) -> Iterator[Message]:
    for number, row in enumerate(rows):
        time = datetime.fromisoformat(row["time"]).astimezone(zone)
        yield told(session, row["role"], row["text"], time, str(number))


def _wanted(row: Mapping[str, Any]) -> Wanted:
    when = tuple(map(date.fromisoformat, row["when"] or ()))
    return Wanted(row["text"], _terms(row["must"]), tuple(row["tag"]), row["message"], when)


def _reproof(row: Mapping[str, Any]) -> Reproof:
    value, wrong = _terms(row["value"]), _terms(row["not"])
    return Reproof(row["message"], row["kind"], tuple(row["entries"]), row["entry"], value, wrong)


def _terms(groups: Iterable[str | list[str]]) -> Terms:
    return tuple((group,) if isinstance(group, str) else tuple(group) for group in groups)
