"""The shapes of secrets: what the keys of each vendor look like, one row each of a table that is
split at tabs, since a reader of TOML takes 15 ms and more, in every commit.
"""

import re
from functools import cache
from typing import NamedTuple

from clawgit.language.rows import rows_of

ALONE = "(?<![A-Za-z0-9])"


class Shape(NamedTuple):
    """A secret that shows what it is: one of its `marks`, then `body`. `before` is what must
    precede the mark, `lead` how many characters of that are part of the secret.
    """

    rule: str
    marks: tuple[str, ...]
    body: str
    before: str = ALONE
    lead: int = 0


SHORTEST = 20
"""No shape is shorter, and none has a blank in it: what is shorter between two blanks need not be
looked at."""

_HEX = "[0-9a-fA-F]"
_A = "[A-Za-z0-9]"
_W = "[A-Za-z0-9_-]"
_B = "[A-Za-z0-9+/]"
_END = "(?![A-Za-z0-9])"
_W_END = "(?![A-Za-z0-9_-])"
_UUID = f"{_HEX}{{8}}-{_HEX}{{4}}-{_HEX}{{4}}-{_HEX}{{4}}-{_HEX}{{12}}{_END}"
_MIXED = "(?=[A-Za-z_-]{0,300}+[0-9])(?=[0-9_-]{0,300}+[A-Za-z])"
_RICH = "(?=[A-Z0-9_-]{0,80}+[a-z])(?=[a-z0-9_-]{0,80}+[A-Z])(?=[A-Za-z_-]{0,80}+[0-9])"
"""What must follow a short mark: capitals, small letters and digits."""

_WORD = "(?:[a-z]{1,30}+[0-9]{0,2}+|[0-9]{1,4}+)"
_NO_WORDS = f"(?!(?:{_WORD}[_-]){{1,30}}{_WORD}(?![A-Za-z0-9_-]))"
"""Words joined by signs are the name of a style or of a model."""


_PATTERNS = {
    "<HEX>": _HEX,
    "<A>": _A,
    "<W>": _W,
    "<B>": _B,
    "<END>": _END,
    "<W_END>": _W_END,
    "<UUID>": _UUID,
    "<MIXED>": _MIXED,
    "<RICH>": _RICH,
    "<NO_WORDS>": _NO_WORDS,
}


def _shape(rule: str, marks: str, body: str, before: str = ALONE, lead: str = "0") -> Shape:
    for name, pattern in _PATTERNS.items():
        body, before = body.replace(name, pattern), before.replace(name, pattern)
    return Shape(rule, tuple(marks.split()), body, "" if before == "-" else before, int(lead))


SHAPES = tuple(_shape(*row) for row in rows_of("_secret_shapes"))

KEY_BLOCK = Shape(
    "private-key",
    ("-----BEGIN ",),
    r"(?:[A-Z0-9]{1,12} ){0,3}PRIVATE KEY(?: BLOCK)?-----(?:\\+[rn]|\s|>){1,6}"
    r"(?:[A-Za-z-]{4,20}: [^\n]{0,80}\n\s{0,4}){0,4}((?:[A-Za-z0-9+/=]|\\+[rn]|[\s>]){60,400})",
    "",
)
"""Its header alone is no secret: the key is known by how its own text begins."""

URL = r"(?<=[A-Za-z0-9])://([^\s/:@'\"<>\\]{0,64}+):([^\s/@'\"<>\\]{3,128}+)@[\w.\[-]"


@cache
def compiled(pattern: str) -> re.Pattern[str]:
    """The pattern, compiled on first use: compiling all would take longer than reading most
    texts.
    """
    return re.compile(pattern)
