"""Who speaks: the operator's name, and whether a session is his own."""

import re


def operators_name(user_file: str) -> str:
    """What the operator is called, as USER.md has it."""
    found = _NAMED.search(user_file)
    name = found[1].strip(" *_`") if found else ""
    return name if name and not name.startswith(("_", "(", "[", "<")) else ""


def is_private(session: str) -> bool:
    """Whether a session is the operator's own: in a group anybody speaks, in a job or a hook nobody
    does.
    """
    return not _OTHERS.search(session)


_NAMED = re.compile(
    r"^[-*+ \t]{0,4}\**(?:Name|What to call (?:them|me|him|her)|Call (?:me|them))\**\s?:\**[ "
    r"\t]*([^\n<]{1,60})",
    re.IGNORECASE | re.MULTILINE,
)
_OTHERS = re.compile(r":(?:group|channel|thread):|^(?:cron|hook):|:(?:cron|hook|subagent|acp):")
