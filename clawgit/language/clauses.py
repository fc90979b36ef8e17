"""Splits a text into sentences in one pass, with or without punctuation; and what a sentence leans
on: its lead-in, its denials, and whether it means nothing without its speaker.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from functools import cache

from clawgit.core import NamedTuple
from clawgit.language.files import SHARED, codes, listed
from clawgit.language.lazily import lazily
from clawgit.language.lexicon import Lexicon, Match, has_any, lexicons_for
from clawgit.language.tokens import Token, fold, is_cjk, tokens

_COMMENT = lazily(r"<!--.*?-->", re.DOTALL)
_FENCED = lazily(r"^[ \t>]*(```|~~~).*(?:\n(?![ \t>]*\1).*)*(?:\n.*)?", re.MULTILINE)
_SIGN = lazily(".")
_BLOCK = lazily(r"(?:\s|>|#{1,6}\s|[-*+•·]\s+(?:\[[ xX]\]\s)?|\d{1,3}[.)]\s+)*")
_RULE = lazily(r"[\s|:=+*_-]*$")
_ITEM = lazily(r"[ \t]*(?:[-*+•·>#|]|\d{1,3}[.)][ \t])")
# Possessive quantifiers (`++`) keep the time linear on rows of signs such as `!!!!…`.
_ENDS = lazily("[.!?…]++[\"'”’)\\]»*_]*+(?=\\s|\\Z)|[。！？｡]++[」』”’）】\"']*+")
_LAST_WORD = lazily(r"[^\s(\"“]{1,12}\Z")
_WRAPPED = 60
"""A line of at least this length may continue in the next one."""
_INITIAL = 2
_BLANKS = 3
"""More blanks than this between a word and a stop part them."""


class Span(NamedTuple):
    """`text` is always `source[start:end]`."""

    start: int
    end: int
    text: str


def span(source: str, start: int, end: int) -> Span:
    return Span(start, end, source[start:end])


def trimmed(source: str, start: int, end: int) -> Span:
    """The same piece without white space at its edges."""
    text = source[start:end]
    inner = text.strip()
    begin = start + len(text) - len(text.lstrip())
    return Span(begin, begin + len(inner), inner)


def sentences(text: str) -> tuple[Span, ...]:
    """The sentences of a text, without code fences and HTML comments."""
    # Up to the last end of a comment: each `<!--` beyond it would be followed to the end, in vain.
    end = text.rfind("-->") + len("-->")
    plain = _COMMENT.sub(_blank, text[:end]) + text[end:]
    if "```" in plain or "~~~" in plain:
        plain = _FENCED.sub(_blank, plain)
    return tuple(one for block in _blocks(plain) for one in _parted(text, plain, *block))


def _blank(hidden: re.Match[str]) -> str:
    """Blanks of the same length; line ends stay."""
    return _SIGN.sub(" ", hidden[0])


def _blocks(text: str) -> Iterator[tuple[int, int]]:
    """Runs of lines that belong together: an item, a row, a heading, a paragraph."""
    begin, at, last_line = -1, 0, ""
    for line in text.split("\n"):
        start, at = at, at + len(line) + 1
        if begin < 0 or not _goes_on(last_line, line):
            if begin >= 0:
                yield begin, start
            begin = start if line.strip() else -1
        last_line = line
    if begin >= 0:
        yield begin, len(text)


def _goes_on(before: str, line: str) -> bool:
    """Whether a line continues the one before: a long line without an end, then a small letter."""
    rest = line.strip()
    if len(before) < _WRAPPED or not rest:
        return False
    if _ITEM.match(line) or before.lstrip().startswith(("#", "|")):
        return False
    return before.rstrip()[-1:] not in ".!?:。！？" and rest[0].islower()


def _parted(text: str, plain: str, start: int, end: int) -> Iterator[Span]:
    block = plain[start:end]
    if _RULE.match(block):
        return
    begin = _behind_marks(text, block)
    if block[begin : begin + 1] == "|":
        yield _row(text, start + begin, start + len(block.rstrip()))
        return
    for stop in _ENDS.finditer(block):
        if stop.start() >= begin and not _is_inside(block, begin, stop):
            yield trimmed(text, start + begin, start + stop.end())
            begin = stop.end()
    if block[begin:].strip():
        yield trimmed(text, start + begin, start + begin + len(block[begin:].rstrip()))


def _behind_marks(text: str, line: str) -> int:
    """Where the words of a line begin. Of a single line, “28. Februar” is a day, and no item."""
    marks = _BLOCK.match(line)
    return marks.end() if marks and ("\n" in text or not line[:1].isdigit()) else 0


def _row(text: str, start: int, end: int) -> Span:
    """A row of a table without the bars at its edges."""
    inner = text[start:end].rstrip("| ")
    begin = len(inner) - len(inner.lstrip("| "))
    return trimmed(text, start + begin, start + len(inner))


def _is_inside(block: str, begin: int, stop: re.Match[str]) -> bool:
    """Whether a stop ends no sentence: one of an abbreviation, or with no word before it, as in a
    cell of dots; nor does one before a small letter, as an ellipsis has.
    """
    if _is_abbreviated(block, begin, stop):
        return True
    if not stop[0].startswith((".", "…")):
        return False
    before = block[max(begin, stop.start() - _BLANKS) : stop.start()].rstrip()
    is_long = stop[0].startswith(("..", "…"))
    goes_on = is_long and block[stop.end() : stop.end() + 2].strip()[:1].islower()
    return goes_on or before[-1:] in ("", "|", ".")


def _is_abbreviated(block: str, begin: int, stop: re.Match[str]) -> bool:
    """A stop after `e.g`, an initial or a number of a day does not end a sentence."""
    if not stop[0].startswith(".") or stop.end() >= len(block):
        return False
    before = _LAST_WORD.search(block, max(begin, stop.start() - 12), stop.start())
    if not before:
        return False
    word = before[0].casefold()
    if word in _abbreviations() or _is_initial(before[0]):
        return True
    if not word.isdecimal() or len(word) > _INITIAL:
        return False
    # `3. März` is a day. A number that is the whole sentence, behind a mark, is that of an item.
    is_item = 0 < begin == stop.start() - len(word)
    return not (is_item or block[stop.end() : stop.end() + 2].lstrip()[:1].isdecimal())


def _is_initial(word: str) -> bool:
    """Whether a word is a single capital, but not the English I."""
    return len(word) == 1 and word.isupper() and word != "I"


@cache
def _abbreviations() -> frozenset[str]:
    files = (SHARED, *codes())
    return frozenset(fold(word) for name in files for word in listed(name, "abbreviations"))


# ---- the sentence itself, without markup and lead-ins at its edges

_PAIRS = ("***", "**", "__", "~~", "*", "_")
_JOINT = lazily(r"\s*(?:[,:，：、;!！]|[-–—]+\s|\.\.\.|…)\s*")
_NAME_JOINT = lazily(r"\s*[,:!，：！]\s*")
_BOUND = "…"
"""Marks a lead-in in the lists that needs no comma after it."""
_MOST = 6
_FAR = 24
"""A lead-in has at most this many tokens."""


def core(text: str) -> Span:
    """One contiguous piece of a text. It never loses a negation, condition, hedge or `X says`."""
    piece = _bare(text, trimmed(text, 0, len(text)))
    languages = lexicons_for(piece.text)
    # Lead-ins come in rows: “Well, ok, so …”. The limit keeps a hostile text from taking long.
    for _ in range(_MOST):
        shorter = _bare(text, _without_lead_in(text, piece, languages))
        if shorter == piece or not any(sign.isalnum() for sign in shorter.text):
            break
        piece = shorter
    return piece


def _bare(text: str, piece: Span) -> Span:
    """The piece without a bullet, the quotation mark of a mail, and emphasis around all of it."""
    while True:
        behind = _behind_marks(text, piece.text)
        start = piece.start + (behind if behind < len(piece.text) else 0)
        shorter = trimmed(text, start, piece.end)
        for mark in _PAIRS:
            inner = shorter.text.removeprefix(mark).removesuffix(mark)
            is_around = len(inner) == len(shorter.text) - 2 * len(mark)
            if is_around and inner.strip() and mark[0] not in inner:
                shorter = trimmed(text, shorter.start + len(mark), shorter.end - len(mark))
                break
        if shorter == piece:
            return piece
        piece = shorter


def _without_lead_in(text: str, piece: Span, languages: Sequence[Lexicon]) -> Span:
    among = tokens(piece.text[:200])[:_FAR]
    if not among or among[0].start:
        return piece
    for language in languages:
        for name in ("lead_ins", "greetings"):
            match = language.exact(name).at(piece.text, among, 0)
            if match and (end := _end_of_lead_in(piece.text, among, match, language)):
                return trimmed(text, piece.start + end, piece.end)
    return piece


def _end_of_lead_in(text: str, among: Sequence[Token], match: Match[str], language: Lexicon) -> int:
    """Where the sentence begins after a lead-in, 0 if this is not a lead-in."""
    if joint := _JOINT.match(text, match.end):
        return joint.end()
    if match.after == len(among):
        return 0
    after = among[match.after]
    if match.value.endswith(_BOUND) and after.folded not in language.words("lead_in_bars"):
        return after.start if text[match.end : after.start].isspace() else 0
    if match.value in language.rows("greetings"):
        return _end_of_name(text, among[match.after : match.after + 2])
    return 0


def _end_of_name(text: str, among: Sequence[Token]) -> int:
    """`Hey Claw, …`: a name of one or two words and a comma."""
    for last in among:
        joint = _NAME_JOINT.match(text, last.end)
        if joint and (last.text[:1].isupper() or is_cjk(last.text)):
            return joint.end()
    return 0


_LONGEST_TALK = 80
_POLITE = ("greetings", "agreements", "courtesies", "lead_outs", "negations")


def is_asking(text: str) -> bool:
    return text.rstrip().endswith(("?", "？"))


def is_small_talk(message: str) -> bool:
    """Whether a short message greets, thanks, agrees, declines or says goodbye, and no more. A
    question is none: “ok?”.
    """
    if len(message) > _LONGEST_TALK or is_asking(message):
        return False
    among = tokens(message)
    polite = _covered(message, lexicons_for(message), *_POLITE, whole=True)
    return bool(among) and len(polite) == len(among)


def _covered(text: str, languages: Iterable[Lexicon], *names: str, whole: bool = False) -> set[int]:
    """The numbers of the tokens that belong to a listed word of these classes."""
    among = tokens(text)
    listed = [
        each.exact(name) if whole else each.phrases(name) for each in languages for name in names
    ]
    matches = (match for rows in listed for match in rows.every(text, among))
    return {at for match in matches for at in range(match.first, match.after)}


# ---- words that deny: `not`, `nie`, `不`

_NUMBER = lazily(r"no\.\s?\d", re.IGNORECASE)
"""`No` as it is short for a number: `No. 5`."""


def is_negated(text: str) -> bool:
    return bool(negations(text))


def negations(text: str) -> tuple[Span, ...]:
    """Every word that denies, once each, from left to right."""
    likeliest, *_ = languages = lexicons_for(text)
    places = {at for language in languages for at in _denials(text, language, likeliest)}
    return tuple(span(text, *at) for at in sorted(places))


def _denials(text: str, language: Lexicon, likeliest: Lexicon) -> Iterator[tuple[int, int]]:
    """What only looks like a negation in the likeliest language is none in another: `no` is “in
    the” in Portuguese.
    """
    among = tokens(text)
    spared = _covered(text, {language, likeliest}, "not_negations")
    for match in language.exact("negations").every(text, among):
        if match.first not in spared and not _NUMBER.match(text, match.start):
            yield match.start, match.end
    endings = language.rows("negation_endings")
    yield from ((at.start, at.end) for at in among if at.folded.endswith(endings))
    for part in language.rows("negation_parts"):
        yield from (at.span() for at in re.finditer(re.escape(part), text))


# ---- a sentence that says I, we or you

_CODE = lazily(r"```.*?(?:```|\Z)|`[^`\n]*`", re.DOTALL)
_PERSONS = ("first_person", "second_person")


def needs_speaker(text: str) -> bool:
    """Whether words need their speaker to be understood. In doubt they do: a quotation is never
    wrong.
    """
    said = _CODE.sub(" ", text) if "`" in text else text
    return has_any(said, *_PERSONS) or any(
        _is_begun(token.folded, language) or _ends_personally(token.folded, language)
        for language in lexicons_for(said)
        for token in tokens(said)
    )


def _is_begun(word: str, language: Lexicon) -> bool:
    """Whether a word begins with a pronoun, as `I'm` and `j'ai` do."""
    begin, mark, _ = word.partition("'")
    heads = (begin, begin + mark) if mark else ()
    return any(head in language.words(name) for head in heads for name in _PERSONS)


def _ends_personally(word: str, language: Lexicon) -> bool:
    endings = language.rows("first_person_endings")
    if len(word) < len("amos") or not word.endswith(endings):
        return False
    return word not in language.words("not_first_person") | language.words("function_words")
