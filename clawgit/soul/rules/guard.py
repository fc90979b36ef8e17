"""Decides whether an edit of SOUL.md or IDENTITY.md is allowed, at a commit or before one; and
whether a line says the same as another, or takes it back.
"""

from collections import Counter
from collections.abc import Iterator
from functools import lru_cache

from clawgit.core import NamedTuple
from clawgit.core.layout import SOUL
from clawgit.core.markdown.scan import lines_of, scan
from clawgit.core.markdown.tag_table import visible
from clawgit.core.tokens import estimate_tokens
from clawgit.git.rules.authority import EVOLVE, LOCKED, REVIEW, Protected
from clawgit.language.clauses import negations
from clawgit.language.lazily import lazily
from clawgit.language.lexicon import content_words
from clawgit.talk.rules.corrections import Correction, cited
from clawgit.talk.rules.kept_line import read

_SHARE = 0.25
"""The share of the lines that an agent's edit may touch. One line it always may."""


class SoulEdit(NamedTuple):
    """An edit of one file; `before` or `after` is None if there was or will be no file.

    `operator`: the caller is the operator. `corrections`: those in history, since the caller could
    add one to CORRECTIONS.md in the same edit. `restores`: the text comes back from history, so
    limits do not apply.
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
    policy: str = EVOLVE
    max_tokens: int = 800


class Objection(NamedTuple):
    """`rule` is policy, deleted, size, share or protected.

    `line` is a line of `after`, or 0.
    """

    rule: str
    message: str
    hint: str
    line: int = 0


class GuardVerdict(NamedTuple):
    """`hold`: the edit must wait as a proposal for the operator; the warnings say why."""

    refusals: tuple[Objection, ...] = ()
    warnings: tuple[Objection, ...] = ()
    hold: bool = False


class _Line(NamedTuple):
    number: int
    section: str
    text: str
    shown: bool
    """Whether it is part of the page: no code, no HTML."""


def judge(edit: SoulEdit, rules: SoulRules) -> GuardVerdict:
    """Whether an edit may be made. The operator is only warned; an agent may be refused."""
    if edit.before == edit.after:
        return GuardVerdict()
    broken, theirs = tuple(_broken(edit, rules)), tuple(weakened(edit))
    if edit.operator:
        return GuardVerdict(warnings=(*broken, *theirs))
    policy = tuple(_policy(edit, rules.policy))
    if rules.policy == LOCKED:
        return GuardVerdict((*policy, *broken), theirs, hold=False)
    waiting = (*policy, *theirs)
    return GuardVerdict(broken, waiting, hold=bool(waiting) and not broken)


def _broken(edit: SoulEdit, rules: SoulRules) -> Iterator[Objection]:
    before, after = _lines(edit.before), _lines(edit.after)
    is_soul = edit.path.casefold() == SOUL.casefold()
    if before and not after:
        hint = "Change one principle at a time. Only the operator may remove the whole file."
        yield Objection("deleted", f"this removes all of {edit.path}", hint)
    elif after and is_soul and not edit.restores:
        yield from _size(edit, rules)
        if before:
            yield from _share(before, after)


def _policy(edit: SoulEdit, policy: str) -> Iterator[Objection]:
    if policy == LOCKED:
        hint = (
            "Ask the operator to make this change with `clawgit soul edit`, or to set "
            f"soul_policy to {REVIEW}."
        )
        yield Objection("policy", f"{edit.path} is locked: only the operator may change it", hint)
    if policy == REVIEW:
        message = f"changes to {edit.path} by an agent wait for the operator"
        yield Objection("policy", message, "The operator approves with `clawgit soul approve`.")


def _size(edit: SoulEdit, rules: SoulRules) -> Iterator[Objection]:
    size = estimate_tokens(edit.after or "")
    # An edit that makes a file smaller is allowed even if the file is still too large.
    if size > rules.max_tokens and size >= estimate_tokens(edit.before or ""):
        message = (
            f"{edit.path} would have {size} tokens, more than soul_max_tokens ({rules.max_tokens})"
        )
        yield Objection(
            "size", message, "Make it shorter, or first merge principles that say the same."
        )


def _share(before: list[_Line], after: list[_Line]) -> Iterator[Objection]:
    old, new = (Counter((line.section, line.text) for line in lines) for lines in (before, after))
    touched = max((old - new).total(), (new - old).total())
    if touched > max(1, int(_SHARE * len(before))):
        message = f"this changes {touched} lines of {len(before)}, more than {_SHARE:.0%}"
        yield Objection("share", message, "Make a smaller edit: one principle at a time.")


def weakened(edit: SoulEdit) -> Iterator[Objection]:
    """The operator's lines that an edit drops, rewords or turns round."""
    before, shown = _shown(edit.before), _shown(edit.after)
    homes = {line.text: line for line in reversed(before)}
    is_new = not _lines(edit.before)
    for protected in edit.protected:
        home = homes.get(protected.line.strip())
        # A line that was not there before cannot be weakened by this edit.
        if (home or is_new) and not _is_overruled(protected, edit):
            yield from _weaker(protected, home, shown)


def _shown(text: str | None) -> list[_Line]:
    return [line for line in _lines(text) if line.shown]


def _weaker(protected: Protected, home: _Line | None, shown: list[_Line]) -> Iterator[Objection]:
    """Nothing if the new text says the line, under a heading of the same sense."""
    section = home.section if home else ""
    keeping = [line for line in shown if says_the_same(protected.line, line.text)]
    if not keeping:
        yield _objection(protected, "is dropped or reworded")
    # “Never” above a list turns it round.
    elif home and all(negates(line.section) != negates(section) for line in keeping):
        moved = keeping[0]
        yield _objection(protected, f"is moved under “{moved.section}”", moved.number)


def _objection(protected: Protected, problem: str, line: int = 0) -> Objection:
    words = visible(protected.line).strip(" -*+")
    whose = "was written by the operator"
    if protected.correction:
        whose = f"comes from correction {protected.correction}"
    return Objection(
        "protected",
        f"“{words}” {whose} and {problem}",
        "Leave the line as it is and add one of your own; or cite a newer correction that "
        "contradicts it as evidence (CORRECTIONS.md#<id>); or ask the operator.",
        line,
    )


def _is_overruled(protected: Protected, edit: SoulEdit) -> bool:
    """Whether the evidence cites a newer, certain correction that contradicts the line."""
    cited_ids = {cited(evidence) for evidence in edit.evidence} - {"", protected.correction}
    return any(
        correction.id in cited_ids
        and correction.binds
        and correction.time is not None
        and protected.time is not None
        and correction.time > protected.time
        and contradicts(correction, protected.line)
        for correction in edit.corrections
    )


def _lines(text: str | None) -> list[_Line]:
    """The lines that are not blank, each with the title of its section.

    A section is the highest heading below the page's own title.
    """
    blocks = scan(text or "")
    titles = [block for block in blocks if block.level == 1]
    top = 1 if len(titles) == 1 else 0
    lines: list[_Line] = []
    for block in blocks:
        section = "".join(block.path[top : top + 1])
        shown = block.kind not in ("fence", "code", "html")
        rows = enumerate(lines_of(block.text), block.line)
        lines += [_Line(number, section, row.strip(), shown) for number, row in rows if row.strip()]
    return lines


# What a line is about.

_MATTERLESS = (
    "recurring",
    "henceforth",
    "first_person",
    "second_person",
    "auxiliaries",
    "lead_ins",
    "lead_outs",
)
"""Closed classes that do not say what an order is about."""

_STRUCK = "~~"
"""Markdown for text that is struck out."""

_MARKER = lazily(r"^[\s>]*(?:[-*+]|[0-9]{1,9}[.)]|#{1,6})[ \t]+")

_CJK = "\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af"

_WORD = lazily(
    rf"[{_CJK}]|(?:[^\W_{_CJK}]|[^\w\s\x00-\x2f:-@\[-`{{-~\u2000-\u206f\u3000-\u303f\uff00-\uff0f])+"
)


def says_the_same(old: str, new: str) -> bool:
    """Whether two lines differ in nothing but markers, emphasis, punctuation, case and comments."""
    return _STRUCK not in new and _words(old) == _words(new)


def _words(line: str) -> list[str]:
    found: list[str] = _WORD.findall(_MARKER.sub("", visible(line)).casefold())
    return found


def contradicts(correction: Correction, line: str) -> bool:
    """Whether a correction takes back what a line says. If in doubt, it does not.

    It does if its `Was` quotes the line. It also does if its `Correct` shares at least half of what
    the line is about (two words or more, unless there is only one) and negates what the line
    affirms, or the other way round. A new value (“answer in French”) contradicts only with a `Was`.
    """
    words = " ".join(_words(line))
    if words and f" {words} " in f" {' '.join(_words(correction.was))} ":
        return True
    about = matter(line)
    shared = len(about & matter(correction.correct))
    if not shared or shared < min(2, len(about)) or 2 * shared < len(about):
        return False
    return negates(correction.correct) != negates(line)


@lru_cache(maxsize=1 << 12)
def matter(line: str) -> frozenset[str]:
    """The words that say what a line is about."""
    words = read(line).words
    for denial in reversed(negations(words)):
        words = f"{words[: denial.start]} {words[denial.end :]}"
    return content_words(words, *_MATTERLESS)


def negates(line: str) -> bool:
    """Whether a line, or a heading, says what not to do; “never … without asking” affirms."""
    return len(negations(read(line).words)) % 2 == 1
