"""The guard of the soul: one judgement over an edit of SOUL.md or IDENTITY.md, for transaction,
hook and agents.
"""

from collections import Counter
from collections.abc import Callable, Iterator
from datetime import datetime
from typing import NamedTuple

from clawgit.domain.change.authority import EVOLVE, LOCKED, REVIEW, SOUL
from clawgit.domain.corrections.corrections import Correction, cited
from clawgit.domain.markdown.scan import lines_of, scan
from clawgit.domain.markdown.tags import visible
from clawgit.domain.safety.injection import findings
from clawgit.domain.soul.principle import contradicts, negates, says_the_same, weakens


class Protected(NamedTuple):
    """A line of the version before the edit that an operator's correction brought: its id, and when
    it was made.
    """

    line: str
    correction: str
    time: datetime | None


class SoulEdit(NamedTuple):
    """An edit of one file; `before` and `after` are None where there is none.

    `operator`: the caller is the operator. `corrections`: those known now, as history vouches for
    them, not as the caller's own edit of CORRECTIONS.md has them. `restores`: the text comes back
    from history, so limits do not count.
    """

    path: str
    before: str | None
    after: str | None
    operator: bool = False
    evidence: tuple[str, ...] = ()
    protected: tuple[Protected, ...] = ()
    corrections: tuple[Correction, ...] = ()
    restores: bool = False


class SoulRules(NamedTuple):
    """`tokens` estimates a text. `max_change`: the share of the lines an agent's edit may touch;
    one it always may.
    """

    tokens: Callable[[str], int]
    policy: str = EVOLVE
    max_tokens: int = 800
    max_change: float = 0.25


class Objection(NamedTuple):
    """`rule` is policy, deleted, size, sections, share, protected or poison. `line` counts in
    `after`; 0 is nowhere.
    """

    rule: str
    message: str
    hint: str
    line: int = 0
    section: str = ""


class Verdict(NamedTuple):
    """`hold`: the edit is not refused, but must wait as a proposal for the operator; the warnings
    say why.
    """

    refusals: tuple[Objection, ...] = ()
    warnings: tuple[Objection, ...] = ()
    hold: bool = False


class _Line(NamedTuple):
    number: int
    section: str
    text: str
    shown: bool
    """Whether it is part of the page: no code, no HTML."""


def judge(edit: SoulEdit, rules: SoulRules) -> Verdict:
    """Whether an edit may be made. The operator is only ever warned; an agent is refused, or held,
    or warned.
    """
    if edit.before == edit.after:
        return Verdict()
    broken, poison = tuple(_broken(edit, rules)), tuple(_poison(edit))
    if edit.operator:
        return Verdict(warnings=tuple(found for found in (*broken, *(one for one, _ in poison))))
    refusals = tuple(found for found in (*_policy(edit, rules), *broken))
    waiting = tuple(_review(edit, rules))
    held = bool(waiting) or any(hold for _, hold in poison)
    return Verdict(refusals, (*waiting, *(one for one, _ in poison)), hold=held and not refusals)


def _broken(edit: SoulEdit, rules: SoulRules) -> Iterator[Objection]:
    if not (edit.after or "").strip():
        yield from _deleted(edit)
        return
    before, after = _lines(edit.before or ""), _lines(edit.after or "")
    if edit.path.casefold() == SOUL.casefold() and not edit.restores:
        yield from _size(edit, rules)
        if before:
            yield from _sections(before, after)
            yield from _share(before, after, rules.max_change)
    yield from _protected(edit, before, after)


def _policy(edit: SoulEdit, rules: SoulRules) -> Iterator[Objection]:
    if rules.policy == LOCKED:
        hint = (
            "Ask the operator to make this change with `clawgit soul edit`, or to set "
            f"soul_policy to {REVIEW}."
        )
        yield Objection("policy", f"{edit.path} is locked: only the operator changes it", hint)


def _review(edit: SoulEdit, rules: SoulRules) -> Iterator[Objection]:
    if rules.policy == REVIEW:
        message = f"changes of {edit.path} by an agent wait for the operator"
        yield Objection("policy", message, "The operator approves with `clawgit soul approve`.")


def _deleted(edit: SoulEdit) -> Iterator[Objection]:
    if (edit.before or "").strip():
        hint = "Change one principle at a time. Only the operator takes the whole file away."
        yield Objection("deleted", f"this takes away all of {edit.path}", hint)


def _size(edit: SoulEdit, rules: SoulRules) -> Iterator[Objection]:
    size = rules.tokens(edit.after or "")
    if size > rules.max_tokens and size >= rules.tokens(edit.before or ""):
        message = (
            f"{edit.path} would have {size} tokens, more than soul_max_tokens ({rules.max_tokens})"
        )
        yield Objection(
            "size", message, "Say it shorter, or first merge principles that say the same."
        )


def _sections(before: list[_Line], after: list[_Line]) -> Iterator[Objection]:
    """A line that only moved touches no section: its words are the same."""
    left, came = _differing(before, after), _differing(after, before)
    touched = list(dict.fromkeys(line.section for line in (*came, *left)))
    if len(touched) > 1:
        names = ", ".join(
            f"“{name}”" if name else "the text above the first heading" for name in touched
        )
        hint = "Change one section at a time, each for a reason of its own."
        line = came[0].number if came else 0
        yield Objection(
            "sections", f"this touches {len(touched)} sections: {names}", hint, line, touched[0]
        )


def _share(before: list[_Line], after: list[_Line], most: float) -> Iterator[Objection]:
    old, new = (Counter((line.section, line.text) for line in lines) for lines in (before, after))
    touched = max((old - new).total(), (new - old).total())
    if touched > max(1, int(most * len(before))):
        message = (
            f"this changes {touched} lines of {len(before)}, more than soul_max_change ({most:.0%})"
        )
        yield Objection("share", message, "Make a smaller edit: one principle at a time.")


def _protected(edit: SoulEdit, before: list[_Line], after: list[_Line]) -> Iterator[Objection]:
    wordings = [(line, line.text) for line in after if line.shown] + _whole_items(edit.after or "")
    left = [line.text for line in _differing(before, after)]
    for kept in edit.protected:
        home = next(
            (line for line in before if line.shown and line.text == kept.line.strip()), None
        )
        if (before and home is None) or _is_overruled(kept, edit):
            continue
        beside = [text for text in left if text != kept.line.strip()]
        yield from _weaker(kept, home, wordings, beside)


def _weaker(
    kept: Protected, home: _Line | None, wordings: list[tuple[_Line, str]], beside: list[str]
) -> Iterator[Objection]:
    """The objection unless one wording of the new text keeps the line, under a heading that does
    not turn it round.
    """
    section = home.section if home else ""
    same = [line for line, text in wordings if says_the_same(kept.line, text)]
    reasons = (
        [(weakens(kept.line, text, beside), line) for line, text in wordings] if not same else []
    )
    held = same or [line for reason, line in reasons if not reason]
    if any(
        home is None or line.section == section or negates(line.section) == negates(section)
        for line in held
    ):
        return
    said = "the principle" if held else _closest(kept.line, reasons)
    what = f"is moved under “{held[0].section}”" if held else said
    hint = (
        "Leave the line as it is and add one of your own; or cite a newer correction that "
        "contradicts it as evidence "
        "(CORRECTIONS.md#<id>); or ask the operator."
    )
    message = (
        f"“{visible(kept.line).strip(' -*+')}” comes from correction {kept.correction} and {what}"
    )
    yield Objection("protected", message, hint, held[0].number if held else 0, section)


def _closest(old: str, reasons: list[tuple[str, _Line]]) -> str:
    """How the new text fails a line: what happened to the wording most like it, else that the line
    is gone.
    """
    words = set(old.casefold().split())
    likeness = [
        (len(words & set(line.text.casefold().split())), reason) for reason, line in reasons
    ]
    best, reason = max(likeness, default=(0, ""))
    return reason if 2 * best >= len(words) else "is dropped"


def _is_overruled(kept: Protected, edit: SoulEdit) -> bool:
    """Whether the evidence names a correction that is newer than the line's own, certain, and
    contradicts it.
    """
    named = {cited(evidence) for evidence in edit.evidence} - {""}
    newer = (
        one for one in edit.corrections if one.id in named and one.binds and _is_newer(one, kept)
    )
    return any(contradicts(one, kept.line) for one in newer)


def _is_newer(one: Correction, kept: Protected) -> bool:
    return (
        one.id != kept.correction
        and one.time is not None
        and kept.time is not None
        and one.time > kept.time
    )


def _poison(edit: SoulEdit) -> Iterator[tuple[Objection, bool]]:
    """What the poison guard finds, and whether it must be held."""
    sections = {line.number: line.section for line in _lines(edit.after or "")}
    for found in findings(edit.before or "", edit.after or ""):
        message = f"line {found.line} {found.kind}: {found.reason} ({found.excerpt})"
        hint = "If this is wanted, the operator approves it with `clawgit soul approve`."
        yield (
            Objection("poison", message, hint, found.line, sections.get(found.line, "")),
            found.hold,
        )


def _lines(text: str) -> list[_Line]:
    """The lines that are not blank, each under the title of its section: the highest heading below
    the page's own.
    """
    blocks = scan(text)
    titles = [block for block in blocks if block.level == 1]
    top = 1 if len(titles) == 1 else 0
    found: list[_Line] = []
    for block in blocks:
        section = "".join(block.path[top : top + 1])
        shown = block.kind not in ("fence", "code", "html")
        rows = enumerate(lines_of(block.text), block.line)
        found += [_Line(number, section, row.strip(), shown) for number, row in rows if row.strip()]
    return found


def _whole_items(text: str) -> list[tuple[_Line, str]]:
    """Blocks of several lines, as one wording each."""
    by_number = {line.number: line for line in _lines(text)}
    blocks = [
        block
        for block in scan(text)
        if block.kind in ("item", "para", "quote") and "\n" in block.text.strip()
    ]
    return [
        (by_number[block.line], " ".join(visible(block.text).split()))
        for block in blocks
        if block.line in by_number
    ]


def _differing(lines: list[_Line], others: list[_Line]) -> list[_Line]:
    """The lines whose text the others do not have, or not as often."""
    there = Counter(line.text for line in others)
    found: list[_Line] = []
    for line in lines:
        if there[line.text]:
            there[line.text] -= 1
        else:
            found.append(line)
    return found
