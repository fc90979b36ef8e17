"""A text as plain clauses to be read: no questions, no reasons, and one wording for what is said in many."""

import re
import unicodedata
from collections.abc import Iterator

from clawgit.domain.tags import visible

ENDED, INSTEAD = "nolonger", "insteadof"
"""The words that stand in a clause for `no longer` and for `instead of`, in whatever way these are said."""


def clauses(text: str) -> Iterator[str]:
    """What a text states, piece by piece. A sentence that is too long to be one fact is passed over."""
    plain = _TAG.sub(" ", visible(text)).replace("`", " ").replace("*", " ")
    plain = unicodedata.normalize("NFKC", plain).replace("’", "'")
    for sentence in (" ".join(piece.split()) for piece in _SENTENCE.split(plain)):
        if sentence.endswith(("?", "？")) or len(sentence) > _LONGEST:
            continue
        for clause in _CLAUSE.split(_REASON.split(sentence, maxsplit=1)[0]):
            if clause.strip(" .!,-"):
                yield clause.strip()


def reworded(clause: str) -> str:
    """An English clause with its short forms and its turns of phrase made alike."""
    for pattern, full in _REWRITTEN:
        clause = pattern.sub(full, clause)
    return clause


def is_definite(clause: str) -> bool:
    """Whether it begins with one certain thing: the, my, our, somebody's."""
    return _DEFINITE.match(clause) is not None


_LONGEST = 600

_TAG = re.compile(r"(?<!\S)#[^\W\d_][\w/-]*")
_SENTENCE = re.compile(r"(?<=[\w)'\"]{3}[.!])(?<!Mrs\.)(?<!Prof\.)\s+(?=[^a-z\s])|(?<=[?？。！])|[;；\n]")
_CLAUSE = re.compile(
    r",?\s+(?:but|while|whereas|although|though)\s+|\s+[–—]\s+|,?\s+and\s+(?=(?:the|my|our|we|i|they|he|she|it)\b)",
    re.IGNORECASE,
)
_REASON = re.compile(
    r",?\s+(?:because|so that|in order to|due to|thanks to|which|since (?:it|we|they|he|she|the)\b)", re.IGNORECASE
)
_DEFINITE = re.compile(r"\W*(?:the|my|our|your|their|his|her|its|\w+['’]s)\b", re.IGNORECASE)
_MOVED = (
    r"\b(?:is|are|was|were|has been|have been|got|been) (?=(?:now )?(?:switched|moved|migrated|changed|pushed|"
    r"postponed|rescheduled|shifted|renamed|upgraded|relocated|raised|lowered|increased|reduced)\b)"
)
"""`The launch was moved to May` says when it is."""

_REWRITTEN = tuple(
    (re.compile(pattern, re.IGNORECASE), full)
    for pattern, full in (
        (r"\bwon't\b", "will not"),
        (r"\bcan't\b|\bcannot\b", "can not"),
        (r"n't\b", " not"),
        (r"\b(i'm|we're|they're|you're|he's|she's|it's)(?=\W)", r"\1 is"),
        (r"\b(?:rather than|instead of|in place of|as opposed to)\b|, not\b(?! only)", f" {INSTEAD} "),
        (r"\bno longer\b|\bnot (?=[^.]{0,80}\bany ?more\b)", f" {ENDED} "),
        (r"\bany ?more\b", " "),
        (r"\b(?:stopped|quit|ceased|gave up|given up)\b (?=\w{1,20}ing\b)", f" {ENDED} "),
        (r"\b(?:dropped|abandoned|retired|deprecated|ditched|got rid of|did away with)\b", f" {ENDED} use "),
        (r"\bdoes not\b|\bdo not\b", " not "),
        (r"\bused to\b", " formerly "),
        (r"\b(?:(?:has|have|had) )?(?:decided|agreed|chose|chosen|settled|opted)(?: (?:that|to|on|for|with))*\b", " "),
        (r"^\W*(?:on )?\d{4}-\d{2}-\d{2}\W+(?=we\b|i\b)", ""),
        (r"\b(?:go|goes|going|went) with\b|\bgo for\b", " use "),
        (r"\b(?:replaced|swapped(?: out)?) ([\w.-]{1,40}) (?:with|by|for)\b", r" switched from \1 to "),
        (_MOVED, " "),
        (r"\b(pushed|moved|shifted) (?:back|forward|up|out|over|on) (?=to\b)", r"\1 "),
        (r"\b(?:is|are) (?:called|named)\b|\bgoes by\b", " name is "),
        (r"\b(?:is|are) (?:based|located|situated|headquartered|housed) (?=in|at|on|under|near)", " is "),
        (r"\b(?:is|are) due\b(?: (?:on|by))?", " deadline is "),
        (r"\b(?:was|were|is) born (?=on|in)", " birthday is "),
        (r"\bdue date\b", "deadline"),
        (r"\btime ?zone\b", "timezone"),
        (r"\b(we|i|it|they|he|she) may\b", r"\1 might"),
        (r"\b(?:in|on)[ -](?:person|site)\b", "onsite"),
        (r"\b(?:has|have) (?:already )?(?=\w{2,20}ed\b)", " is "),
        (r"\b(?:went|goes|gone) (?:up|down) to\b", " is "),
        (r"\bin use\b", "in-use"),
        (r"\bout of (?:use|order|service)\b", "out-of-use"),
        (r"\bthis (?:season|year|month|term|semester|quarter)\b", " "),
        (r"\bthis (?=(?:week|weekend|morning|afternoon|evening)\b)", " during "),
        (r"\bcalled off\b", "cancelled"),
        (r"\bon hold\b", "paused"),
        (r"\btakes? place\b", "happens"),
        (r"\btook place\b", "was"),
        (r"\b(?:leads|heads|manages|maintains|handles|oversees|looks after|takes care of)\b", "is the lead of"),
        (r"\bgithub actions\b", "github-actions"),
        (r"\bgitlab ci\b", "gitlab-ci"),
        (r"\bvs ?code\b|\bvisual studio code\b", "vscode"),
        (r"\btimes? out after\b", "timeout is"),
        (r"\b(costs?)\b(?= (?:about |around )?[$€£¥\d])", " price is "),
        (r"\b(?:is|are) (?:open|available|closed) (?=from|until|till)", " is hours "),
        (r"\b(?:in charge of|responsible for)\b", " owner of "),
    )
)
