"""Other names that the memory itself gives: `Robert (aka Bob)`, `- WB = workbench`."""

import re
from collections import defaultdict
from collections.abc import Mapping

from clawgit.domain.search.terms import queried
from clawgit.language.lazily import lazily

_NAME = r"([^\W\d_][\w.'-]{0,40}(?: [^\W\d_][\w.'-]{0,40}){0,2})"

_SAYS = r"(?:aka|a\.k\.a\.|also known as|also called|nickname|short for|known as|又名|별명)"

_BETWEEN = lazily(r",| or |、")

_PATTERNS = (
    re.compile(rf"{_NAME} ?\((?i:{_SAYS}):? ([^()\n]{{1,80}})\)"),
    re.compile(rf"^[-*+] {_NAME} = {_NAME}[ \t]*(?:<!--.*)?$", re.MULTILINE),
)


def aliases_in(text: str) -> Mapping[str, tuple[str, ...]]:
    """For each word of a name, the words of its other names, in both directions."""
    aliases: defaultdict[str, list[str]] = defaultdict(list)
    for pattern in _PATTERNS:
        for name, others in pattern.findall(text):
            for other in _BETWEEN.split(others):
                _join(aliases, queried(name), queried(other))
    return {word: tuple(dict.fromkeys(others)) for word, others in aliases.items()}


def _join(
    aliases: defaultdict[str, list[str]], name: tuple[str, ...], other: tuple[str, ...]
) -> None:
    for words, other_words in ((name, other), (other, name)):
        for word in words:
            aliases[word] += [alias for alias in other_words if alias not in words]
