"""Estimates how many tokens a text has for a language model.

An estimate is enough for budgets; a vocabulary would cost megabytes and a slow start.
"""

from functools import lru_cache

from clawgit.language.lazily import lazily

_MARGIN = 1.05
"""A guess that is too low breaks a budget, so estimates lie a little above the average count."""

_WORD_LENGTH = 3
"""If the pieces of a long run have fewer characters on average, it is noise and not words."""

_NOISE = 0.72
"""Tokens of a character in a hash or base64."""

_SIGN = 0.35
"""Tokens of each further different sign in a row of signs."""

_LONGEST = 100
"""Characters of a rule (`-----`) or of blanks that are one token."""

_AFTER_SPACE = (7, 0.14)
_ELSEWHERE = (4, 0.17)
_CAPITALS = (2, 0.2)
"""Letters that the first token of a word covers, and tokens of each further letter. Vocabularies
know words after a space best, and capitals in a row least."""

_SCRIPTS = (
    ("\u024f", 1.2, 0.2),
    ("\u1fff", 0.6, 0.25),
    ("\u2bff", 0.85, 0.15),
    ("\u303f", 1.0, 0.0),
    ("\u30ff", 0.3, 0.57),
    ("\u9fff", 0.2, 0.71),
    ("\ud7af", 0.3, 0.46),
    ("\uffff", 1.0, 0.0),
    ("\U0001f5ff", 1.9, 0.0),
    ("\U0001f64f", 1.3, 0.0),
    ("\U0001f6ff", 1.9, 0.0),
    ("\U0010ffff", 2.5, 0.0),
)
"""Up to this last character: tokens of the piece, and of each of its characters."""

_UPPER = "A-Z\u00c0-\u00d6\u00d8-\u00de"
_LOWER = "a-z\u00df-\u00f6\u00f8-\u024f"
_JOINT = "[^A-Za-z0-9\r\n\u0080-\U0010ffff]?"
_PIECE = (
    rf"{_JOINT}[{_UPPER}]*[{_LOWER}]+(?:'(?:[stmd]|re|ve|ll)\b)?|{_JOINT}[{_UPPER}]+"
    r"|[0-9]{1,3}"
    r"| ?[!-/:-@\[-`{-~]+[\r\n]*"
    r"|\s*[\r\n]+|[ \t]+(?=[ \t])"
    r"| ?(?:[\u3400-\u9fff]+|[\u3040-\u30ff]+|[\uac00-\ud7af]+|[^\W\d_]+)"
    r"| ?[\u2000-\u2bff]+| ?[^\s\w]|\s|."
)
"""What a tokenizer splits a text into before it looks up a piece: a word with the sign before it,
up to three digits, signs, blanks, a run of one script."""

_RUN = lazily("[A-Za-z0-9+/]{20,}={0,2}")
_PIECES = lazily(f"{_RUN.pattern}|{_PIECE}")
_IN_A_RUN = lazily(_PIECE)


def estimate_tokens(text: str) -> int:
    """For a paragraph or more, at most 5 % under and 20 % over what o200k_base counts.

    That holds in English, Markdown, code, Chinese, Japanese, Korean, emoji, URLs, numbers, hashes
    and base64. Other languages are estimated more coarsely.
    """
    return round(_MARGIN * sum(map(_cost, _PIECES.findall(text))))


def fits(text: str, budget: int) -> bool:
    """Whether a text has at most this many tokens. Of ASCII, no character is more than one."""
    if text.isascii() and _MARGIN * len(text) <= budget:
        return True
    return estimate_tokens(text) <= budget


@lru_cache(maxsize=1 << 14)
def _cost(piece: str) -> float:
    return _run_cost(piece) if _RUN.fullmatch(piece) else _piece_cost(piece)


def _run_cost(run: str) -> float:
    """A long row of letters and digits: words in camel case, a path, or noise such as a hash."""
    pieces = _IN_A_RUN.findall(run)
    as_words = sum(map(_piece_cost, pieces))
    is_noise = len(pieces) * _WORD_LENGTH > len(run) and not run.isdigit()
    return max(as_words, len(run) * _NOISE) if is_noise else as_words


def _piece_cost(piece: str) -> float:
    """What a piece costs on average: most are one token, long and rare ones more."""
    if not piece.isascii():
        return next(
            first + rate * len(piece) for last, first, rate in _SCRIPTS if piece[-1] <= last
        )
    return _word_cost(piece) if piece[-1].isalpha() else _sign_cost(piece)


def _word_cost(piece: str) -> float:
    word = piece if piece[0].isalpha() else piece[1:]
    if word[1:].islower():
        covered, rate = _AFTER_SPACE if piece[0] == " " else _ELSEWHERE
    else:
        covered, rate = _CAPITALS
    return 1 + rate * max(0, len(word) - covered)


def _sign_cost(piece: str) -> float:
    """Digits, blanks and signs: a rule is one token, a mixture of brackets several."""
    signs = piece.strip()
    mixture: float = 0
    if not piece.isdigit():
        mixture = len(signs) - len(signs) / max(1, len(set(signs)))
    return 1 + _SIGN * max(0, mixture - 1) + len(piece) / _LONGEST
