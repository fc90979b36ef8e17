"""What an entry states: its first paragraph on one line, without comments and categories."""

import re

from clawgit.domain.markdown.comment import lead_end
from clawgit.domain.markdown.entry import Entry
from clawgit.domain.markdown.tags import CATEGORY, visible

_BULLET = re.compile(r"\ufeff? {0,3}(?:[-+*]|[0-9]{1,9}[.)])(?:[ \t]+|(?=\r?$))", re.MULTILINE)


def statement(entry: Entry) -> str:
    lead = _BULLET.sub("", visible(entry.raw[: lead_end(entry.raw)]), count=1)
    return " ".join(CATEGORY.sub(" ", lead).split())
