"""What a change did to the text of a file."""

from collections.abc import Mapping
from typing import NamedTuple

from clawgit.domain.markdown.decoding import text_of


class TextChange(NamedTuple):
    """What a file said before and after a change; "" where there was none."""

    path: str
    before: str
    after: str


def texts_of(changes: Mapping[str, tuple[bytes | None, bytes | None]]) -> list[TextChange]:
    return [
        TextChange(path, text_of(before or b""), text_of(after or b""))
        for path, (before, after) in changes.items()
    ]
