"""The sentence itself: without markup and lead-ins at its edges. Nothing inside is touched."""

import re

from clawgit.language.lexicon import Lexicon, lexicons_for
from clawgit.language.phrases import Match
from clawgit.language.spans import Span, trimmed
from clawgit.language.tokens import Token, is_cjk, tokens

_BLOCK = re.compile(r"(?:\s|>|#{1,6}\s|[-*+•·]\s+(?:\[[ xX]\]\s)?|\d{1,3}[.)]\s+)*")
_PAIRS = ("***", "**", "__", "~~", "*", "_")
_JOINT = re.compile(r"\s*(?:[,:，：、;!！]|[-–—]+\s|\.\.\.|…)\s*")
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
        block = _BLOCK.match(piece.text)
        start = piece.start + (block.end() if block and block.end() < len(piece.text) else 0)
        shorter = trimmed(text, start, piece.end)
        for mark in _PAIRS:
            inner = shorter.text[len(mark) : -len(mark)]
            if (
                shorter.text.startswith(mark)
                and shorter.text.endswith(mark)
                and inner.strip()
                and mark[0] not in inner
            ):
                shorter = trimmed(text, shorter.start + len(mark), shorter.end - len(mark))
                break
        if shorter == piece:
            return piece
        piece = shorter


def _without_lead_in(text: str, piece: Span, languages: tuple[Lexicon, ...]) -> Span:
    among = tokens(piece.text[:200])[:_FAR]
    if not among or among[0].start:
        return piece
    for language in languages:
        match = language.exact("lead_ins").at(piece.text, among, 0) or language.exact(
            "greetings"
        ).at(piece.text, among, 0)
        if match and (end := _end_of_lead_in(piece.text, among, match, language)):
            return trimmed(text, piece.start + end, piece.end)
    return piece


def _end_of_lead_in(
    text: str, among: tuple[Token, ...], match: Match[str], language: Lexicon
) -> int:
    """Where the sentence begins after a lead-in, 0 if this is not a lead-in."""
    joint = _JOINT.match(text, match.end)
    if joint:
        return joint.end()
    after = among[match.after] if match.after < len(among) else None
    if after is None:
        return 0
    if match.value.endswith(_BOUND) and after.folded not in language.words("lead_in_bars"):
        return after.start if text[match.end : after.start].isspace() else 0
    if match.value in language.rows("greetings"):
        return _end_of_name(text, among, match.after)
    return 0


def _end_of_name(text: str, among: tuple[Token, ...], index: int) -> int:
    """`Hey Claw, …`: a name of one or two words and a comma."""
    for count in (1, 2):
        if index + count <= len(among):
            last = among[index + count - 1]
            joint = re.compile(r"\s*[,:!，：！]\s*").match(text, last.end)
            if joint and (last.text[:1].isupper() or is_cjk(last.text)):
                return joint.end()
    return 0
