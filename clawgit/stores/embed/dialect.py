"""The differences between services: the form of a request, and where the answer has the vectors."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from clawgit.values import NamedTuple

Json = dict[str, Any]


class Dialect(NamedTuple):
    """How one service is asked.

    `root` is the path if an address names none. One request holds at most `most_texts` texts and
    `most_characters` characters; a text is cut at `longest` characters.
    """

    provider: str
    url: str
    root: str
    model: str
    keys: tuple[str, ...]
    headers: Callable[[str], Mapping[str, str]]
    question: Callable[[str, Sequence[str], bool], tuple[str, Json]]
    vectors: Callable[[Json], list[Any]]
    most_texts: int
    most_characters: int
    longest: int
    needs_key: bool = True
