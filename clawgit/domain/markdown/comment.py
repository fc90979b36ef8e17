"""An entry's facts: where `<!-- claw:ID key=value … -->` stands in an item, and what it says."""

import re
from collections.abc import Collection, Sequence
from datetime import date
from typing import NamedTuple

from clawgit.domain.markdown.statuses import ACTIVE
from clawgit.language.lazily import lazily

KEYS = ("conf", "n", "first", "last", "src", "ev", "status", "by", "class", "expires")
"""The facts we know, in the order in which they are written."""

CITED = 3
"""Pieces of evidence that an entry cites: the commits tell of the rest."""

_LETTERS = "abcdefghjkmnpqrstuvwxyz"
_SIGNS = _LETTERS + "23456789"
"""What an id is made of: nothing that looks like something else."""

ENTRY_IDS = len(_LETTERS) * len(_SIGNS) ** 5

_ESCAPES = str.maketrans(
    {"%": "%25", " ": "%20", "<": "%3C", ">": "%3E", "\n": "%0A", "\r": "%0D", "\t": "%09"}
)
"""Signs that would end a value or its comment."""

_ESCAPED = lazily("%(25|20|3C|3E|0A|0D|09)")
_COMMENT = lazily(r"<!--[ \t]*claw:((?:(?!-->)[^<\n])*)-->(?=[ \t]*(?:\r?$|<!--))", re.MULTILINE)
_NEXT_BLOCK = lazily(r"\n[ \t]*(?:\r?\n|[-+*>][ \t]|[0-9]+[.)][ \t]|```|~~~)")
_NUMBER = lazily(r"[0-9]{1,9}(?:\.[0-9]{1,9})?|\.[0-9]{1,9}", re.ASCII)
_DAY = lazily(r"[0-9]{4}-[0-9]{2}-[0-9]{2}(?:$|T[0-9])")
_LONGEST_COUNT = 10


class CommentParts(NamedTuple):
    """An item's text in three pieces that join to the whole. `comment` begins with its blanks, and
    is "" if absent.
    """

    before: str
    comment: str
    after: str

    @property
    def visible(self) -> str:
        return self.before + self.after

    @property
    def body(self) -> str:
        """What stands between `claw:` and the comment's end."""
        match = _COMMENT.search(self.comment)
        return match[1].strip() if match else ""

    @property
    def id(self) -> str:
        return next(iter(self.body.split()), "")


class Meta(NamedTuple):
    """An entry's facts as they are written, in order, unknown ones too.

    What cannot be read counts as absent. `conf` is the value at `last`: the reader computes decay.
    """

    id: str
    facts: tuple[str, ...] = ()

    @property
    def conf(self) -> float | None:
        value = number(self.get("conf"))
        return value if value is not None and 0 <= value <= 1 else None

    @property
    def n(self) -> int:
        """How often it was mentioned; once is the least."""
        value = self.get("n")
        return max(int(value), 1) if is_count(value) else 1

    @property
    def first(self) -> date | None:
        return day(self.get("first"))

    @property
    def last(self) -> date | None:
        return day(self.get("last"))

    @property
    def expires(self) -> date | None:
        return day(self.get("expires"))

    @property
    def src(self) -> str:
        return self.get("src")

    @property
    def status(self) -> str:
        return self.get("status") or ACTIVE

    @property
    def by(self) -> str:
        return self.get("by")

    @property
    def class_(self) -> str:
        return self.get("class")

    @property
    def evidence(self) -> tuple[str, ...]:
        return tuple(_decoded(fact[3:]) for fact in self.facts if fact.startswith("ev="))

    def get(self, key: str) -> str:
        """The value of a fact, "" where there is none."""
        return next(
            (_decoded(fact[len(key) + 1 :]) for fact in self.facts if fact.startswith(f"{key}=")),
            "",
        )

    def having(self, key: str, value: str) -> "Meta":
        """With a fact set in its place; "" takes it away."""
        fresh = f"{key}={value.translate(_ESCAPES)}"
        others = tuple(fact for fact in self.facts if not fact.startswith(f"{key}="))
        if not value:
            return self._replace(facts=others)
        for at, fact in enumerate(self.facts):
            if fact.startswith(f"{key}="):
                return self._replace(facts=(*others[:at], fresh, *others[at:]))
        return self._with(fresh)

    def citing(self, evidence: str) -> "Meta":
        """With one more piece of evidence. Of many, the first and the newest stay."""
        if evidence in self.evidence:
            return self
        more = self._with(f"ev={evidence.translate(_ESCAPES)}")
        every = [fact for fact in more.facts if fact.startswith("ev=")]
        surplus = {*every} - {*first_and_newest(every)}
        return more._replace(facts=tuple(fact for fact in more.facts if fact not in surplus))

    def uncited(self, evidence: Collection[str]) -> "Meta":
        """Without these pieces of evidence."""
        gone = {f"ev={piece.translate(_ESCAPES)}" for piece in evidence}
        return self._replace(facts=tuple(fact for fact in self.facts if fact not in gone))

    def has_counted(self, evidence: str, said: date) -> bool:
        """Whether something that was said is among its mentions.

        Where it may have dropped evidence, everything up to its last mention counts as cited.
        """
        if evidence in self.evidence:
            return True
        cited = len(self.evidence)
        may_have_dropped = cited >= CITED or 0 < cited < self.n
        return may_have_dropped and self.last is not None and said <= self.last

    def _with(self, fact: str) -> "Meta":
        """With one more fact, behind those that come before it and those of its kind."""
        rank = _rank(fact)
        at = max((n + 1 for n, other in enumerate(self.facts) if _rank(other) <= rank), default=0)
        return self._replace(facts=(*self.facts[:at], fact, *self.facts[at:]))

    def __str__(self) -> str:
        return f"<!-- claw:{' '.join((self.id, *self.facts))} -->"


def first_and_newest(told: Sequence[str]) -> Sequence[str]:
    """As many as an entry cites, of what is told in its order."""
    return told if len(told) <= CITED else [told[0], *told[1 - CITED :]]


def read_meta(parts: CommentParts) -> Meta | None:
    """The facts in an item's comment, None without one."""
    if not parts.comment:
        return None
    ident, *facts = parts.body.split() or [""]
    return Meta(ident, tuple(facts))


def split(item: str) -> CommentParts:
    """Cuts an item at its comment: the last one that ends a line of the item's own first paragraph.

    Without one, the cut is where a comment belongs: behind that paragraph.
    """
    lead = lead_end(item)
    found = [*_COMMENT.finditer(item, 0, lead)] if "claw:" in item else []
    if not found:
        return CommentParts(item[:lead], "", item[lead:])
    before = item[: found[-1].start()].rstrip(" \t")
    return CommentParts(before, item[len(before) : found[-1].end()], item[found[-1].end() :])


def entry_id(draw: int) -> str:
    """The id of a number from 0 to below `ENTRY_IDS`: a letter and five letters or digits."""
    draw, first = divmod(draw, len(_LETTERS))
    rest = [_SIGNS[draw // len(_SIGNS) ** n % len(_SIGNS)] for n in range(5)]
    return "".join([_LETTERS[first], *rest])


def number(text: str) -> float | None:
    return float(text) if _NUMBER.fullmatch(text) else None


def is_count(text: str) -> bool:
    return text.isascii() and text.isdecimal() and len(text) < _LONGEST_COUNT


def day(text: str) -> date | None:
    """A date, or the date of a time."""
    if not _DAY.match(text):
        return None
    try:
        return date.fromisoformat(text[:10])
    except ValueError:
        return None


def lead_end(item: str) -> int:
    """Where the item's own first paragraph ends: before a blank line or any other block."""
    behind = _NEXT_BLOCK.search(item)
    return len(item[: behind.start() if behind else len(item)].rstrip())


def _decoded(value: str) -> str:
    if "%" not in value:
        return value
    return _ESCAPED.sub(lambda match: chr(int(match[1], 16)), value)


def _rank(fact: str) -> int:
    key = fact.partition("=")[0]
    return KEYS.index(key) if key in KEYS else len(KEYS)
