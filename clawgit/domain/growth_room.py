"""A principle's place in the soul: where it goes, what it says anew, and how room is made by saying twice-said once."""

import re
from collections.abc import Sequence
from typing import NamedTuple

from clawgit.domain.amend import Amendment, amend
from clawgit.domain.authority import SOUL
from clawgit.domain.growth import PROVEN, Growth, opposes, same_rule
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
    known = (line for line in lines(soul) if growth.kind == PROVEN or is_told(line.text))
    return next((line for line in known if same_rule(_PROOF.sub("", line.text), growth.rule)), None)


def opposed(soul: str, rule: str) -> Line | None:
    """The principle that a rule takes back."""
    return next((line for line in lines(soul) if opposes(rule, line.text)), None)


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
        or line.lower().startswith("always ")
    ):
        return ""
    return f"Always {line[0].lower()}{line[1:]}"


def is_exacter(rule: str, line: str) -> bool:
    """Whether a rule gives a measure to what a principle leaves open."""
    return bool(re.search(r"\d", rule)) and not re.search(r"\d", line) and not _BOLD.search(line)


def merges(soul: str, rules: SoulRules) -> tuple[Merge, ...]:
    """Each way to say in one line what two say, that loses nothing of either: what saves most comes first."""
    found: list[tuple[int, Merge]] = []
    known = lines(soul)
    kept = tuple(Protected(line.raw, "kept", None) for line in known)
    for at, one in enumerate(known):
        for other in known[at + 1 :]:
            if one.section == other.section and (text := merged(one.text, other.text)):
                after = with_wording(with_wording(soul, other, ""), one, text)
                verdict = judge(SoulEdit(SOUL, soul, after, protected=kept), rules)
                if not verdict.refusals and not verdict.hold:
                    found.append((rules.tokens(soul) - rules.tokens(after), Merge(one, other, text, after)))
    found.sort(key=lambda pair: -pair[0])
    return tuple(merge for saved, merge in found if saved > 0)


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
_CLAUSES = re.compile(r"[.;:!?,—–]\s|[;:!?,—–]$")
_MARKER = re.compile(r"^\s*(?:[-*+]|\d{1,9}[.)])[ \t]+")
_ENDS = " \t\r\n"
_HEAD, _TAIL = 2, 8
