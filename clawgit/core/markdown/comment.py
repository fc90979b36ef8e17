"""An entry's facts: where `<!-- claw:ID key=value … -->` stands in an item, and what it says.

    <!-- claw:m7k2q9 c=.95 n=2 last=2026-03-01 -->

`KEYS` are the facts, `ROWS` says what a status means.
"""

import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from datetime import date

from clawgit.core import NamedTuple
from clawgit.language.lazily import lazily

ACTIVE = "active"
CORRECTED = "corrected"
SUPERSEDED = "superseded"
ARCHIVED = "archived"
DISPUTED = "disputed"


class EntryStatus(NamedTuple):
    """One status. `is_in_use`: the entry counts as memory. `is_replaced`: something newer stands
    for it, which a search weighs instead.
    """

    name: str
    is_in_use: bool = False
    is_replaced: bool = False


ROWS = (
    EntryStatus(ACTIVE, is_in_use=True),
    EntryStatus(CORRECTED, is_replaced=True),
    EntryStatus(SUPERSEDED, is_replaced=True),
    EntryStatus(ARCHIVED),
    # The operator said something against the entry, and it is not settled what is right.
    EntryStatus(DISPUTED, is_in_use=True),
)

STATUSES = tuple(row.name for row in ROWS)
IN_USE = frozenset(row.name for row in ROWS if row.is_in_use)
REPLACED = frozenset(row.name for row in ROWS if row.is_replaced)


CONF, SRC, HAND = "conf", "src", "hand"

KEYS = (
    # Decay, promotion, compaction, context and search weigh it, of every entry and at once.
    CONF,
    # So do mentions; vectors of what was mentioned once go.
    "n",
    # Search by days. Of an entry that was mentioned once, it is the last one.
    "first",
    # From this day on confidence fades, and facts and vectors age.
    "last",
    # Whose word counts more. Where a confidence is known, no source means the operator's word.
    SRC,
    # The miner, the validator, conflicts, lessons and `doctor` see by it what was counted.
    "ev",
    # What was replaced, disputed or archived must show in the line itself, with nothing else at
    # hand.
    "status",
    "by",
    # A fact runs out by these two.
    "class",
    "expires",
    # The lines of notes that a fact was made from: it is withdrawn when they are gone.
    "of",
)
"""The facts we know, in the order in which they are written; `conf` is written `c`. What is usual
is left out: `n=1`, and of what has a confidence `src=explicit`. Others pass through as they are.
"""

CITED = 3
"""An entry cites at most this many pieces of evidence; the commits have the rest."""

_LETTERS = "abcdefghjkmnpqrstuvwxyz"
_SIGNS = _LETTERS + "23456789"
"""The characters of an id: none that looks like another."""

ENTRY_IDS = len(_LETTERS) * len(_SIGNS) ** 5

_ESCAPES = str.maketrans(
    {"%": "%25", " ": "%20", "<": "%3C", ">": "%3E", "\n": "%0A", "\r": "%0D", "\t": "%09"}
)
"""Characters that would end a value or its comment."""

_ESCAPED = lazily("%(25|20|3C|3E|0A|0D|09)")
_COMMENT = lazily(r"<!--[ \t]*claw:((?:(?!-->)[^<\n])*)-->(?=[ \t]*(?:\r?$|<!--))", re.MULTILINE)
_NEXT_BLOCK = lazily(r"\n[ \t]*(?:\r?\n|[-+*>][ \t]|[0-9]+[.)][ \t]|```|~~~)")
_NUMBER = lazily(r"[0-9]{1,9}(?:\.[0-9]{1,9})?|\.[0-9]{1,9}", re.ASCII)
_DAY = lazily(r"[0-9]{4}-[0-9]{2}-[0-9]{2}(?:$|T[0-9])")
_ID = lazily(r"[a-z][a-z0-9]{5}")
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
    """An entry's facts by their full names, in order, unknown ones too. `str` writes them short.

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
        """The day of the first mention. Where there was only one, the last is the first."""
        written = day(self.get("first"))
        return self.last if written is None and self.n == 1 else written

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
        """The value of a fact, "" if there is none."""
        begin = f"{key}="
        for fact in self.facts:  # a search asks tens of thousands of times
            if fact.startswith(begin):
                return _decoded(fact[len(begin) :])
        return ""

    def having(self, key: str, value: str) -> "Meta":
        """The facts with one of them set, in its place; "" removes it."""
        fresh = f"{key}={value.translate(_ESCAPES)}"
        others = tuple(fact for fact in self.facts if not fact.startswith(f"{key}="))
        if not value:
            return self._replace(facts=others)
        for at, fact in enumerate(self.facts):
            if fact.startswith(f"{key}="):
                return self._replace(facts=(*others[:at], fresh, *others[at:]))
        return self._with(fresh)

    def citing(self, *evidence: str) -> "Meta":
        """The facts with more evidence. Of many pieces, the first and the newest stay."""
        meta = self
        for piece in evidence:
            if piece not in meta.evidence:
                more = meta._with(f"ev={piece.translate(_ESCAPES)}")
                every = [fact for fact in more.facts if fact.startswith("ev=")]
                surplus = {*every} - {*first_and_newest(every)}
                meta = more._replace(
                    facts=tuple(each for each in more.facts if each not in surplus)
                )
        return meta

    def uncited(self, evidence: Collection[str]) -> "Meta":
        """The facts without these pieces of evidence."""
        gone = {f"ev={piece.translate(_ESCAPES)}" for piece in evidence}
        return self._replace(facts=tuple(fact for fact in self.facts if fact not in gone))

    @property
    def undisputed(self) -> "Meta":
        """The facts of an entry that nothing disputes or replaces."""
        return self.having("status", "").having("by", "")

    def has_counted(self, evidence: str, said_on: date) -> bool:
        """Whether something that was said is among its mentions.

        Where it may have dropped evidence, everything up to its last mention counts as cited.
        """
        if evidence in self.evidence:
            return True
        cited = len(self.evidence)
        # Fewer pieces than mentions: some were dropped. An entry that cites nothing never had any
        # to drop.
        may_have_dropped = cited >= CITED or 0 < cited < self.n
        return may_have_dropped and self.last is not None and said_on <= self.last

    def _with(self, fact: str) -> "Meta":
        """The facts with one more, in the order of `KEYS`, after others of its kind."""
        rank = _rank(fact)
        at = max((n + 1 for n, other in enumerate(self.facts) if _rank(other) <= rank), default=0)
        return self._replace(facts=(*self.facts[:at], fact, *self.facts[at:]))

    def __str__(self) -> str:
        return f"<!-- claw:{' '.join((self.id, *_short(self.facts)))} -->"


NO_FACTS = Meta("")


def first_and_newest(citations: Sequence[str]) -> Sequence[str]:
    """Of citations in order, those that an entry keeps: the first, and the newest."""
    return citations if len(citations) <= CITED else [citations[0], *citations[1 - CITED :]]


def read_meta(parts: CommentParts) -> Meta | None:
    """The facts in an item's comment, None without one."""
    if not parts.comment:
        return None
    ident, *facts = parts.body.split() or [""]
    return Meta(ident, _full(facts))


def split(item: str) -> CommentParts:
    """Cuts an item at its comment: the last one that ends a line of the item's own first paragraph.

    Without one, the cut is where a comment belongs: after that paragraph.
    """
    lead = lead_end(item)
    # A plain search spares most items the pattern.
    comments = [*_COMMENT.finditer(item, 0, lead)] if "claw:" in item else []
    if not comments:
        return CommentParts(item[:lead], "", item[lead:])
    before = item[: comments[-1].start()].rstrip(" \t")
    return CommentParts(before, item[len(before) : comments[-1].end()], item[comments[-1].end() :])


def entry_id(draw: int) -> str:
    """The id of a number from 0 to below `ENTRY_IDS`: a letter and five letters or digits."""
    draw, first = divmod(draw, len(_LETTERS))
    rest = [_SIGNS[draw // len(_SIGNS) ** n % len(_SIGNS)] for n in range(5)]
    return "".join([_LETTERS[first], *rest])


def is_id(text: str) -> bool:
    """Whether it is an id of an entry: any other finds nothing."""
    return _ID.fullmatch(text) is not None


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


def _full(facts: list[str]) -> tuple[str, ...]:
    """Facts as they stand in a comment, by their full names and with what was left out."""
    named = (f"conf={fact[2:]}" if fact.startswith("c=") else fact for fact in facts)
    meta = Meta("", tuple(named))
    source = meta.get(SRC)
    if source == HAND:
        meta = meta.having(SRC, "")
    elif not source and _has(meta.facts, CONF):
        meta = meta.having(SRC, "explicit")
    return meta.facts


def _short(facts: tuple[str, ...]) -> Iterator[str]:
    """Facts as a comment holds them, without the usual values."""
    has_conf = _has(facts, CONF)
    # Without a confidence, no source means written by hand, as it always did.
    usual = ("n=1", "src=explicit") if has_conf else ("n=1",)
    kept = tuple(fact for fact in facts if fact not in usual)
    if has_conf and not _has(facts, SRC):
        # Left out, it would be read as the operator's word. Placed among what is written: beside
        # facts that are left out it would stand elsewhere the next time.
        kept = Meta("", kept).having(SRC, HAND).facts
    for fact in kept:
        sure = fact.removeprefix("conf=")
        yield fact if sure == fact else f"c={plain_number(sure)}"


def _has(facts: Iterable[str], key: str) -> bool:
    return any(fact.startswith(f"{key}=") for fact in facts)


def plain_number(value: str) -> str:
    """A number without zeros that say nothing: `.95`, `1`, `0`."""
    if not _NUMBER.fullmatch(value):
        return value
    whole, dot, part = value.partition(".")
    part = part.rstrip("0") if dot else ""
    whole = whole.lstrip("0")
    return f"{whole}.{part}" if part else whole or "0"


def _decoded(value: str) -> str:
    if "%" not in value:
        return value
    return _ESCAPED.sub(lambda match: chr(int(match[1], 16)), value)


def _rank(fact: str) -> int:
    key = fact.partition("=")[0]
    return KEYS.index(key) if key in KEYS else len(KEYS)


def uncommented(text: str) -> str:
    """A text on one line, in which nothing opens a comment, which would hide what follows."""
    return " ".join(text.split()).replace("<!--", "<\\!--")
