"""A fact in the words of an entry: one line, one category."""

import re
import unicodedata
from typing import NamedTuple

from clawgit.domain.markdown.comment import Meta
from clawgit.domain.markdown.entry import entries, render
from clawgit.domain.markdown.tags import PRIMARY, tags_in
from clawgit.domain.workspace.routing import category
from clawgit.errors import UsageError

LONGEST = 4000


class Worded(NamedTuple):
    """`text` carries the tag."""

    text: str
    tag: str


def worded(text: str, tag: str = "") -> Worded:
    """The fact as an entry can hold it; UsageError where it cannot. Without a tag, told or written,
    rules find one.
    """
    line = _BULLET.sub("", " ".join(_printable(text).split()))
    if not line:
        raise UsageError(
            "There is nothing to remember.", hint='clawgit memory add "Billing uses PostgreSQL"'
        )
    if len(line) > LONGEST:
        raise UsageError(
            f"An entry is one fact; this has {len(line):,} characters.",
            hint="Keep the text in a file under memory/, and remember what matters of it.",
        )
    tags = tags_in(line)
    chosen = _chosen([one for one in tags if one in PRIMARY], tag.removeprefix("#")) or category(
        line
    )
    if chosen not in tags:
        line = f"{line} #{chosen}"
    if [(one.text, one.primary, one.meta) for one in entries(render(line, _ANY))] != [
        (line, chosen, _ANY)
    ]:
        raise UsageError(
            "This is not one list item.",
            hint="Leave out comments, fences and what opens another block.",
        )
    refuse_notes(line)
    return Worded(line, chosen)


def refuse_notes(text: str) -> None:
    """UsageError where a text brings along, whole or in part, what only clawgit notes about an
    entry.
    """
    if _NOTED.search(text):
        raise UsageError(
            "This holds what clawgit notes about an entry.",
            hint="Leave out `claw:` and what follows it.",
        )


def _printable(text: str) -> str:
    try:
        text.encode()
    except UnicodeEncodeError:
        raise UsageError(
            "The text is not UTF-8.", hint="Check the terminal's encoding, or pipe the text in."
        ) from None
    return "".join(sign for sign in text if sign.isspace() or unicodedata.category(sign) != "Cc")


def _chosen(written: list[str], told: str) -> str:
    if told and told not in PRIMARY:
        raise UsageError(
            f"#{told} is no category.", hint=f"One of {', '.join(f'#{tag}' for tag in PRIMARY)}."
        )
    among = dict.fromkeys([*written, *([told] if told else [])])
    if len(among) > 1:
        named = ", ".join(f"#{tag}" for tag in among)
        raise UsageError(
            f"An entry has one category, not {named}.", hint="Keep the one that fits best."
        )
    return next(iter(among), "")


_BULLET = re.compile(r"\A(?:[-+*•](?: +|\Z))+")
_ANY = Meta("aaaaaa")
_NOTED = re.compile(r"\bclaw:[a-z][a-z0-9]{5}(?: +[a-z]+=| *-->)")
"""The comment of an entry, also where its opening was lost: a text that was pasted, or forged."""
