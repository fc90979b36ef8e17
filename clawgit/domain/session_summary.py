"""A summary without a model: the sentences of a conversation that are most worth keeping, in their order."""

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from clawgit.domain.excerpt import in_a_line
from clawgit.domain.routing import DECISION, category
from clawgit.domain.session import ASSISTANT, NO_REPLY, SUMMARY, USER, Said, text_of
from clawgit.domain.tokens import estimate_tokens
from clawgit.language.calendar import month_forms, weekday_forms

HEAD = "What was said before, in short"
"""How a summary of ours begins."""

_LONGEST = 240
_SHORTEST = 3
_KEPT_BEFORE = 5
_MONTH = f"(?:{'|'.join(forms[0][:3] for forms in month_forms())})[a-z]*"
_WEEKDAY = "|".join(forms[0] for forms in weekday_forms())
_SIGNS = (
    (r"\bdecision\b|\b(?:we|let['’]?s|i)\b.{0,20}\b(?:use|choose|pick|switch|go with|ship)\b", 3),
    (r"\bno, (?:it|that|the)\b|\bwrong\b|\balready told\b|\bnot\b.{1,40}\bbut\b|\binstead\b", 3),
    (r"\b(?:never|always|must|don['’]?t|remember|important|note to self|to-?do)\b", 3),
    (r"\b(?:prefers?|likes?|loves?|hates?|allergic|favou?rite|birthday|deadline|due)\b", 3),
    (rf"\b\d{{4}}-\d\d-\d\d\b|\b\d{{1,2}}(?:st|nd|rd|th)? {_MONTH}\b|\b{_MONTH} \d{{1,2}}\b", 3),
    (r"决定|決定|记住|記住|不要|必须|喜欢|[0-9]+月|周[一二三四五六日]|결정|기억", 3),
    (rf"\b(?:{_WEEKDAY})\b|\btomorrow\b|\d{{1,2}}:\d{{2}}", 2),
    (r"\b(?:works?|fixed|failed|error|because|cause)\b", 1),
    (r"`[^`]+`|https?://|\b[\w-]+\.(?:md|py|js|ts|json|ya?ml|sh)\b", 1),
    (r"\d", 1),
)
_WORTH = tuple((re.compile(signs, re.IGNORECASE), worth) for signs, worth in _SIGNS)
"""What makes a sentence worth keeping, and how much."""

_SENTENCE = re.compile(r"(?<=[.!?])\s+|(?<=[。!?])|\n+")
_MARKS = re.compile(r"^\s*(?:[-*+>#]+|\d+[.)])\s+")
_QUESTION = ("?", "?")


class Line(NamedTuple):
    """A line that a summary may hold. `at` is its place among all."""

    at: int
    worth: int
    text: str


def summary_by_rules(messages: Sequence[Said], budget: int) -> str:
    """At most so many tokens of what was decided, put right, asked for, dated, counted and answered; "" of nothing."""
    lines = {line.text: line for line in _lines(messages)}
    best = sorted(lines.values(), key=lambda line: (-line.worth, -line.at))
    kept: list[Line] = []
    left = budget
    for line in best:
        left -= estimate_tokens(line.text) + 1
        if left < 0:
            break
        kept.append(line)
    return "\n".join(line.text for line in sorted(kept))


def _lines(messages: Sequence[Said]) -> Iterator[Line]:
    at = 0
    asked = ""
    for said in messages:
        if said.role == SUMMARY:
            told = [
                (_KEPT_BEFORE, f"- {in_a_line(one, _LONGEST)}") for one in _sentences(said) if not one.startswith(HEAD)
            ]
        elif said.role in (USER, ASSISTANT):
            told = [*_told(said, asked)]
            asked = _question(said) if said.role == USER else ""
        else:
            continue
        for worth, text in told:
            at += 1
            yield Line(at, worth, text)


def _told(said: Said, asked: str) -> Iterator[tuple[int, str]]:
    for number, sentence in enumerate(_sentences(said)):
        answers = asked and number == 0 and said.role == ASSISTANT
        worth = _worth(sentence) + (3 if answers else 0)
        if worth and (answers or not sentence.endswith(_QUESTION)):
            led = f"{in_a_line(asked, _LONGEST)} → " if answers else ""
            yield worth + (said.role == USER), f"- {said.role}: {led}{in_a_line(sentence, _LONGEST)}"


def _question(said: Said) -> str:
    return next((sentence for sentence in reversed(_sentences(said)) if sentence.endswith(_QUESTION)), "")


def _sentences(said: Said) -> list[str]:
    found = (" ".join(_MARKS.sub("", part).split()) for part in _SENTENCE.split(text_of(said)))
    return [one for one in found if one and one != NO_REPLY]


def _worth(sentence: str) -> int:
    if sentence.isascii() and len(sentence.split()) < _SHORTEST:
        return 0
    decided = 3 if category(sentence) == DECISION else 0
    return decided + sum(worth for pattern, worth in _WORTH if pattern.search(sentence))
