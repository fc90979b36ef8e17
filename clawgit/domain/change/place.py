"""Lines of a file as a search names them: PATH:LINE, PATH:LINE-LINE or PATH#LLINE-LLINE."""

import re
from typing import NamedTuple

_PLACE = re.compile(r"(?P<path>.+?)(?::|#L)(?P<line>[0-9]+)(?:-L?(?P<last>[0-9]+))?")


class Place(NamedTuple):
    path: str
    line: int
    last: int


def place_of(name: str) -> Place | None:
    """The place that a name is; None if it names no line."""
    found = _PLACE.fullmatch(name)
    if found is None:
        return None
    return Place(found["path"], int(found["line"]), int(found["last"] or found["line"]))
