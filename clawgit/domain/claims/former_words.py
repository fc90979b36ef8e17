"""What an entry said before its clause was exchanged. Read after each merge, so it loads little."""

import re

from clawgit.domain.corrections.corrections import old_value, read_old_value
from clawgit.domain.markdown.entry import Entry

_OLD_VALUE = "<!-- was:"
_TAGS = re.compile(r"(?<!\s)(?:\s+#[^\s#]+)+\s*\Z")


def restored(entry: Entry) -> str | None:
    """The entry as it was before its clause was exchanged; None if it does not say."""
    words, old = untagged(_lead(entry)), read_old_value(entry.raw)
    # The old words may hold the new ones, which then stand twice in the whole.
    lead, mark, rest = entry.raw.partition(_OLD_VALUE)
    if not old or lead.count(words) != 1:
        return None
    raw = lead.replace(words, old, 1) + mark + rest
    return re.sub(rf" ?{re.escape(old_value(old))}", "", raw, count=1)


def words_before(entry: Entry) -> str:
    """What the entry said before its clause was exchanged, with its tags."""
    old, lead = read_old_value(entry.raw), _lead(entry)
    return old + lead[len(untagged(lead)) :] if old else ""


def untagged(text: str) -> str:
    return _TAGS.sub("", text)


def _lead(entry: Entry) -> str:
    return entry.text.split("\n", 1)[0]
