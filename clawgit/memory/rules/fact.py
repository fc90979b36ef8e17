"""A fact in the words of an entry: one line, one category; how an entry is listed; and what becomes
of a new fact: it is added, counted as a mention, or ignored.
"""

import unicodedata
from collections.abc import Iterable, Sequence
from datetime import date

from clawgit.core import NamedTuple
from clawgit.core.config.settings import Settings
from clawgit.core.errors import UsageError
from clawgit.core.markdown.comment import ACTIVE, ARCHIVED, CORRECTED, DISPUTED, SUPERSEDED, Meta
from clawgit.core.markdown.entry import Entry, entries, render
from clawgit.core.markdown.excerpt import in_a_line, one_line
from clawgit.core.markdown.tag_table import PRIMARY, tags_in
from clawgit.language.lazily import lazily
from clawgit.memory.rules.confidence import INFERRED, confidence
from clawgit.memory.rules.likeness import Same, refuted, same_fact, words
from clawgit.talk.rules.corrections import Correction
from clawgit.talk.rules.quotes import undisputed
from clawgit.workspace.rules.routing import category

ADDED = "added"
MERGED = "merged"
IGNORED = "ignored"

_SHARED = 2
"""Two texts about the same thing share at least this many words."""


class Claim(NamedTuple):
    """A fact and where it would go. `binding`: the operator says so, and their newest
    word counts.
    """

    text: str
    source: str
    path: str
    binding: bool = False


def judged(
    claim: Claim,
    known: Sequence[Entry],
    corrections: Sequence[Correction] = (),
    same: Same = same_fact,
) -> tuple[str, str, Entry | None]:
    """What becomes of a fact, why, and the entry that says the same, if there is one: a mention if
    there is, else a new entry.

    It is ignored if the operator said that it is wrong, or if it is only inferred and something
    newer has replaced it. A mention brings an archived entry back.
    """
    # Reversed, so that of several entries with one status the first stays.
    saying = {
        entry.status: entry for entry in reversed(known) if same(undisputed(entry), claim.text)
    }
    against = _why_wrong(claim, known, corrections, same)
    if against and not claim.binding:
        return IGNORED, against, saying.get(CORRECTED)
    if disputed := saying.get(DISPUTED):
        return IGNORED, f"{disputed} already says so, and the operator disputes it", disputed
    if told := saying.get(ACTIVE) or saying.get(ARCHIVED):
        return MERGED, f"{told} already says so", told
    if (old := saying.get(SUPERSEDED)) and claim.source == INFERRED:
        return IGNORED, f"{old} was superseded by something newer", old
    though = f", though {against}" if against else ""
    return ADDED, f"new in {claim.path}{though}", None


def _why_wrong(
    claim: Claim, known: Iterable[Entry], corrections: Sequence[Correction], same: Same
) -> str:
    """Why a fact is wrong by the operator's corrections, "" if it is not."""
    if found := refuted(claim.text, corrections, same) or _contradicted(claim, corrections, same):
        return f"the operator corrected this ({found.evidence}): {one_line(found.correct)}"
    for entry in known:
        if entry.status == CORRECTED and same(entry.text, claim.text):
            return f"{entry} was corrected: {entry.text}"
    return ""


def _contradicted(claim: Claim, corrections: Iterable[Correction], same: Same) -> Correction | None:
    """The newest correction that gives another value. The operator's own later words may give one
    too, unless it is certain that only one of the two can hold.
    """
    if claim.binding:
        return None
    is_guess = claim.source == INFERRED
    for correction in reversed([correction for correction in corrections if correction.binds]):
        if same(claim.text, correction.correct):
            return None
        shared = {*words(claim.text)}.intersection(words(correction.correct))
        if len(shared) >= _SHARED:
            from clawgit.memory.rules import contradicting  # noqa: PLC0415 - 30 ms of each write

            sides = correction.correct, claim.text
            found = contradicting.dispute(*sides)
            if is_guess and (found or contradicting.ends_otherwise(*sides)):
                return correction
            if found and found.is_exclusive:
                return correction
    return None


LONGEST = 4000
"""The most characters of an entry. A longer text is not a single fact."""


class ListedEntry(NamedTuple):
    """An entry. `key` addresses it: its id, else `h` and seven digits of the hash of its text. One
    that is not written has no line.

    `day` is when it was last said, else the day of its note; `source` is explicit, inferred,
    correction, or empty for an entry written by hand; `confidence` is that of today.
    """

    key: str
    id: str | None
    text: str
    tag: str
    tags: tuple[str, ...]
    path: str
    line: int | None
    day: date | None
    confidence: float
    mentions: int
    first: date | None
    last: date | None
    source: str
    status: str
    evidence: tuple[str, ...]


def as_listed(entry: Entry, dynamics: Settings, today: date) -> ListedEntry:
    meta = entry.facts
    return ListedEntry(
        key=entry.key,
        id=meta.id or None,
        text=entry.text,
        tag=entry.primary,
        tags=entry.tags,
        path=entry.path,
        line=entry.line or None,
        day=entry.day,
        confidence=confidence(entry.meta, dynamics, today),
        mentions=meta.n,
        first=meta.first,
        last=meta.last,
        source=meta.src,
        status=entry.status,
        evidence=meta.evidence,
    )


_BULLET = lazily(r"\A(?:[-+*•](?: +|\Z))+")
_TAGS_BEHIND = lazily(r"(?:\s+#[^\s#]+)+\s*\Z")
_ANY = Meta("aaaaaa")
_SHOWN = 60
_NOTED = lazily(r"\bclaw:[a-z][a-z0-9]{5}(?: +[a-z]+=| *-->)")
"""The comment of an entry, even without its opening: in a text that was pasted or forged."""


def worded(text: str, tag: str = "") -> tuple[str, str]:
    """The fact as an entry can hold it, with its tag, and the tag; UsageError if it cannot.

    If neither the caller nor the text gives a tag, rules choose one.
    """
    line = _line_of(text)
    chosen = _chosen(line, tag.removeprefix("#")) or category(line)
    if chosen not in tags_in(line):
        line = f"{line} #{chosen}"
    return _one_entry(line, chosen), chosen


def reworded(text: str, entry: Entry) -> str:
    """Other words for an entry, with its own tags; a category in the text replaces its own."""
    line = _line_of(text)
    chosen = _chosen(line, "")
    behind = _TAGS_BEHIND.search(entry.text.partition("\n")[0])
    kept = dict.fromkeys((entry.primary, *(tags_in(behind[0]) if behind else ())))
    dropped = {"", *tags_in(line), *(PRIMARY if chosen else ())}
    line = " ".join([line, *(f"#{tag}" for tag in kept if tag not in dropped)])
    return _one_entry(line, chosen or entry.primary)


def _line_of(text: str) -> str:
    """A text on one line, without a bullet; UsageError if that is nothing or too long."""
    line = _BULLET.sub("", one_line(_printable(text)))
    if not line:
        raise UsageError(
            "There is nothing to remember.", hint='clawgit memory add "Billing uses PostgreSQL"'
        )
    if len(line) > LONGEST:
        raise UsageError(
            f"An entry is one fact; this has {len(line):,} characters.",
            hint="Keep the text in a file under memory/, and remember only what matters.",
        )
    return line


def _one_entry(line: str, tag: str) -> str:
    """The line, if it is read as one entry with the same words and tag once it is written."""
    refuse_notes(line)
    # The scanner itself decides, so that no rule here can disagree with what is read later.
    read = [(entry.text, entry.primary, entry.meta) for entry in entries(render(line, _ANY))]
    if read == [(line, tag, _ANY)]:
        return line
    raise UsageError(
        f"This is not a single list item: {in_a_line(line, _SHOWN)}",
        hint="Leave out fences, headings, HTML comments and whatever else opens another block.",
    )


def refuse_notes(text: str) -> None:
    """UsageError if a text holds a claw comment or a part of one, which only clawgit writes."""
    if _NOTED.search(text):
        raise UsageError(
            "This contains a `claw:` comment, which only clawgit may write.",
            hint="Leave out `claw:` and what follows it.",
        )


def _printable(text: str) -> str:
    try:
        text.encode()
    except UnicodeEncodeError:
        raise UsageError(
            "The text is not UTF-8.", hint="Check the terminal's encoding, or pipe the text in."
        ) from None
    return "".join(sign for sign in text if sign.isspace() or unicodedata.category(sign) != "Cc")


def _chosen(line: str, given: str) -> str:
    """The one category that stands in the line or that the caller gives, "" if there is none."""
    if given and given not in PRIMARY:
        raise UsageError(f"#{given} is not a category.", hint=f"One of {_with_signs(PRIMARY)}.")
    written = (tag for tag in tags_in(line) if tag in PRIMARY)
    chosen = [*dict.fromkeys(filter(None, (*written, given)))]
    if len(chosen) > 1:
        raise UsageError(
            f"An entry has one category, not {_with_signs(chosen)}.",
            hint="Keep the one that fits best.",
        )
    return chosen[0] if chosen else ""


def _with_signs(tags: Iterable[str]) -> str:
    return ", ".join(f"#{tag}" for tag in tags)
