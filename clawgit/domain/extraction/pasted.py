"""Which lines of a message are its writer's own: not those that were quoted or pasted in.

A paste is known by how it begins: a rule or a fence, the head of a mail, a line of a chat or of a
shell, or a lead such as “The mail says:”. Where its end is not certain, all that follows is part
of it.
"""

import re

from clawgit.language.lexicon import has_any
from clawgit.language.notes import MARKS, matcher

_LINE = re.compile(
    r"[ \t]*>"
    r"|(?: {4}|\t)(?![ \t]*(?:[-*+•·]|\d{1,3}[.)])[ \t])"
    r"|[ \t]*(?:[$%]|\w+@[\w.-]+[^\n$#]{0,40}[$#])[ \t]"
)
"""A line that is quoted, code by how far it is indented, or typed into a shell."""

_RULE = re.compile(r"[ \t]*(([-=*_~#+`\"'])\2\2)(?:\2*|[\w-]*)[ \t]*\Z")
_TAG = re.compile(r"[ \t]*<([a-zA-Z][\w-]*)[^<>]*>[ \t]*\Z")
_FORWARDED = re.compile(r"[ \t]*[-_=*]{2,}[ \t]*[^\W\d_][^\n]*?[-_=*]{2,}[ \t]*\Z")
_STAMPED = re.compile(
    r"[ \t]*(?:\[[^\]\n]*\d:\d\d|\d+[-./]\d+[-./]\d+[^\w\n]+\d+:\d\d)[^\n]{0,60}?:[ \t]"
)
_HEAD = re.compile(r"[ \t]*[*#<|]{0,4}[ \t]*([^\W\d_][^:：\n]{0,20}?)[*|>]{0,3}[:：]")

_A_BLANK_LINE, _NOTHING = "", "\n"
"""What ends a paste, if not another rule: a blank line, or nothing."""


def own(text: str) -> str:
    """The text with blanks in place of what is not its writer's own."""
    lines = list[str]()
    end: str | None = None
    for line in text.split("\n"):
        if end is None:
            end = _end_of(line)
            is_own = end is None and not _LINE.match(line)
            lines.append(line if is_own or _leads(line) else " " * len(line))
            continue
        lines.append(" " * len(line))
        words = line.strip()
        if words.startswith(end) if end else not words:
            end = None
    return "\n".join(lines)


def _end_of(line: str) -> str | None:
    """What ends the paste that begins with a line; None if none begins there."""
    if rule := _RULE.match(line):
        return rule[1]
    if tag := _TAG.match(line):
        return f"</{tag[1]}"
    if _FORWARDED.match(line) or _leads(line):
        return _NOTHING
    if _STAMPED.match(line):
        return _A_BLANK_LINE
    return _end_of_headed(line)


def _end_of_headed(line: str) -> str | None:
    """What ends the mail or the chat whose head a line is: “From: Ana”, “User: hello”."""
    head = _HEAD.match(line)
    if head is None:
        return None
    if matcher(MARKS, "mail_heads").fullmatch(head[1]):
        return _NOTHING
    if matcher(MARKS, "chat_roles").fullmatch(head[1]):
        return _A_BLANK_LINE
    return None


def _leads(line: str) -> bool:
    """Whether others' words follow: “The mail says:”. “Remember what she said:” asks for them."""
    if not line.rstrip().endswith((":", "：")) or has_any(line, "requests"):
        return False
    return has_any(line, "reports") or matcher(MARKS, "texts").search(line) is not None
