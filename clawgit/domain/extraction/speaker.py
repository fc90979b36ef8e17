"""Who speaks: the operator's name, and whether a session is private."""

import re

_NAMED = re.compile(
    r"^[-*+ \t]{0,4}\**(?:Name|What to call (?:them|me|him|her)|Call (?:me|them))\**\s?:\**[ "
    r"\t]*([^\n<]{1,60})",
    re.IGNORECASE | re.MULTILINE,
)
_OTHERS = re.compile(r":(?:group|channel|thread):|^(?:cron|hook):|:(?:cron|hook|subagent|acp):")


def operators_name(user_file: str) -> str:
    """The operator's name as USER.md has it, "" if it has none."""
    match = _NAMED.search(user_file)
    name = match[1].strip(" *_`") if match else ""
    # A value that begins like this is a hint of a template that nobody has filled in yet.
    return "" if name.startswith(("_", "(", "[", "<")) else name


def is_private(session: str) -> bool:
    """Whether only the operator speaks in a session. In a group anybody does, in a job nobody."""
    return not _OTHERS.search(session)
