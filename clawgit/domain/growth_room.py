"""A principle's place in the soul: where it goes, what it says anew, and how room is made by saying twice-said once."""

import re
from collections.abc import Iterator, Sequence
from itertools import combinations
from typing import NamedTuple

from clawgit.domain.amend import Amendment, amend
from clawgit.domain.authority import SOUL
from clawgit.domain.growth import PROVEN, Growth, opposes
from clawgit.domain.growth_order_words import EXACTER, EXCEPTION, NARROWER, SAME
from clawgit.domain.growth_orders import permits, same, stands
from clawgit.domain.growth_wording import is_told
from clawgit.domain.guard import Protected, SoulEdit, SoulRules, judge
from clawgit.domain.principle import negates, says_the_same, weakens
from clawgit.domain.scan import Block, lines_of, scan
from clawgit.domain.soul import sections

SKILLS = "Skills"


class Line(NamedTuple):
    """A principle that is one list item of one line: its words, how it stands in the file, and where."""

    text: str
    raw: str
    number: int
    section: str


class Merge(NamedTuple):
    """Two principles told as one, and the soul that has it so."""

    one: Line
    other: Line
    text: str
    after: str


def lines(soul: str) -> tuple[Line, ...]:
    return tuple(_line(block) for block in scan(soul) if _is_simple(block))


def said_already(soul: str, growth: Growth) -> Line | None:
    """The principle by which the soul asks for that behaviour already. What only touches on it asks for nothing."""
    known = [line for line in lines(soul) if growth.kind == PROVEN or is_told(line.text)]
    how = {line: stands(growth.rule, _PROOF.sub("", line.text)) for line in known}
    found = next((line for one in (SAME, EXACTER, NARROWER) for line in known if how[line] == one), None)
    return found or next((line for line in known if _holds(line.text, growth.rule)), None)


def _holds(line: str, rule: str) -> bool:
    """Whether a line that tells several things together tells this one, too: it may be that they were merged."""
    return _JOINT.search(line) is not None and not _BOLD.search(line) and not weakens(rule, line, [line])


def opposed(soul: str, rule: str) -> Line | None:
    """The principle that a rule takes back."""
    return next((line for line in lines(soul) if is_told(line.text) and opposes(rule, line.text)), None)


def lifts_nothing(soul: str, rule: str) -> bool:
    """Whether a rule allows what no principle forbids."""
    return permits(rule) and all(stands(rule, line.text) != EXCEPTION for line in lines(soul))


def with_principle(soul: str, growth: Growth) -> str:
    """The soul with one more line, where its like stand; a skill with the day on which it was proven."""
    if growth.kind != PROVEN:
        return amend(soul, Amendment(add=growth.rule, section=_home(soul, growth)))
    proven = f"{growth.rule.rstrip('.')} ({growth.days[0].isoformat()})."
    if title := _titled(soul, (SKILLS,)):
        return amend(soul, Amendment(add=proven, section=title))
    newline = "\r\n" if "\r\n" in soul else "\n"
    return f"{soul.rstrip()}{newline * 2}## {SKILLS}{newline * 2}- {proven}{newline}"


def with_wording(soul: str, line: Line, text: str) -> str:
    """The soul with other words in one line; its marker and all else stay. No words take the line out."""
    rows = lines_of(soul)
    row = rows[line.number - 1]
    marker = row[: len(row) - len(_MARKER.sub("", row, count=1))]
    rows[line.number - 1] = f"{marker}{text}{row[len(row.rstrip(_ENDS)) :]}" if text else ""
    return "".join(rows)


def reinforced(line: str) -> str:
    """A principle in words that bind more, "" where they bind enough."""
    if (
        _BOLD.search(line)
        or not line.isascii()
        or not is_told(line)
        or negates(line)
        or line.lower().startswith(("always ", "never ", "do not ", "no "))
        or permits(line)
    ):
        return ""
    return f"Always {line[0].lower()}{line[1:]}"


def is_exacter(rule: str, line: str) -> bool:
    """Whether a rule gives a measure to what a principle leaves open."""
    return stands(rule, line) == EXACTER and not _BOLD.search(line)


def merges(soul: str, rules: SoulRules, protected: Sequence[Protected] = ()) -> tuple[Merge, ...]:
    """Each way to say in one line what two say, that loses nothing of either: what saves most comes first. Where two
    say the same in other words, one of them goes, and never one that is `protected`.
    """
    found: list[tuple[int, Merge]] = []
    known = lines(soul)
    kept = tuple(Protected(line.raw, "kept", None) for line in known)
    for one, other in combinations(known, 2):
        text = merged(one.text, other.text) if one.section == other.section else ""
        if text:
            tried = [(Merge(one, other, text, with_wording(with_wording(soul, other, ""), one, text)), kept)]
        else:
            tried = [(merge, tuple(protected)) for merge in _halves(soul, one, other)]
        for merge, guarded in tried:
            verdict = judge(SoulEdit(SOUL, soul, merge.after, protected=guarded), rules)
            if not verdict.refusals and not verdict.hold:
                found.append((rules.tokens(soul) - rules.tokens(merge.after), merge))
                break
    found.sort(key=lambda pair: -pair[0])
    return tuple(merge for saved, merge in found if saved > 0)


def _halves(soul: str, one: Line, other: Line) -> Iterator[Merge]:
    """One of two lines that say the same, the longer one first; what is emphasised is the operator's own."""
    told = is_told(one.text) and is_told(other.text) and not _BOLD.search(one.text + other.text)
    if not told or not same(one.text, other.text):
        return
    for stays, goes in sorted(((one, other), (other, one)), key=lambda pair: -len(pair[0].text)):
        yield Merge(stays, goes, stays.text, with_wording(soul, goes, ""))


def merged(one: str, other: str) -> str:
    """One line that says all that two say, "" where there is none: the stronger of two that say the same, else both
    tails behind the words with which both begin.
    """
    if says_the_same(one, other) or not weakens(other, one):
        return one
    if not weakens(one, other):
        return other
    return _joined(one, other) if not (_BOLD.search(one) or _BOLD.search(other)) else ""


def _joined(one: str, other: str) -> str:
    mine, theirs = one.rstrip(".").split(), other.rstrip(".").split()
    pairs = zip(mine, theirs, strict=False)
    head = next((at for at, (a, b) in enumerate(pairs) if a.lower() != b.lower()), 0)
    longest = max(len(mine), len(theirs)) - head
    if head < _HEAD or longest > _TAIL or _CLAUSES.search(one) or _CLAUSES.search(other):
        return ""
    joint = "or" if negates(one) else "and"
    return f"{' '.join(mine)} {joint} {' '.join(theirs[head:])}."


def _home(soul: str, growth: Growth) -> str:
    """The section for a principle: that of its like by name, else the one that holds most principles."""
    wanted = _BOUNDS if negates(growth.rule) or _CAREFUL.search(growth.rule) else _TRUTHS
    if growth.theme in _STYLES:
        wanted = _MANNERS
    return _titled(soul, wanted) or _titled(soul, _TRUTHS) or _fullest(soul)


def _titled(soul: str, names: Sequence[str]) -> str:
    titles = [title for title in _addressable(soul) if title]
    return next((title for name in names for title in titles if name.lower() in title.lower()), "")


def _fullest(soul: str) -> str:
    counts = {title: sum(line.section == title for line in lines(soul)) for title in _addressable(soul)}
    best = max(counts, key=lambda title: counts[title], default="")
    return best if counts.get(best) else ""


def _addressable(soul: str) -> list[str]:
    """Titles of which there is one, and that can be told by name."""
    titles = [section.title for section in sections(soul)]
    folded = [title.casefold() for title in titles]
    return [title for title in titles if title == title.lstrip("# ").strip() and folded.count(title.casefold()) == 1]


def _is_simple(block: Block) -> bool:
    return block.kind == "item" and "\n" not in block.text.strip() and "<!--" not in block.text


def _line(block: Block) -> Line:
    raw = block.text.strip()
    return Line(" ".join(_MARKER.sub("", raw, count=1).split()), raw, block.line, block.path[-1] if block.path else "")


_MANNERS = ("Vibe", "Tone", "Style", "Voice", "Manner")
_BOUNDS = ("Boundar", "Limits", "Rules", "Guardrail")
_TRUTHS = ("Core truth", "Principle", "Values", "How you work", "Core")
_STYLES = frozenset({"emoji", "short", "preamble", "flattery", "apology", "plain-words"})
_CAREFUL = re.compile(r"^(?:Always )?(?:ask|confirm|check with)\b", re.IGNORECASE)
_PROOF = re.compile(r" \(\d{4}-\d{2}-\d{2}\)\.?$")
_BOLD = re.compile(r"[*_`<~]")
_JOINT = re.compile(r"\b(?:and|or)\b")
_CLAUSES = re.compile(r"[.;:!?,—–]\s|[;:!?,—–]$")
_MARKER = re.compile(r"^\s*(?:[-*+]|\d{1,9}[.)])[ \t]+")
_ENDS = " \t\r\n"
_HEAD, _TAIL = 2, 8
