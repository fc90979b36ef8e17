"""What must not enter a file: one pure judgement, called by the transaction and by the hooks."""

import re

from clawgit.domain.entry import Problem, problems
from clawgit.errors import ClawgitError

_CLAW = re.compile(r"claw:[^\s>]*")


class InvalidEntryError(ClawgitError):
    """A change of ours that would write an entry nobody could read back."""

    kind = "invalid_entry"


def new_problems(path: str, before: bytes | None, after: bytes | None) -> tuple[Problem, ...]:
    """What a change makes wrong in a file, apart from what was wrong there already."""
    if after is None or not path.lower().endswith(".md"):
        return ()
    tail = _appended_entries(_text(before), _text(after))
    if tail is not None and not problems(path, tail):
        return ()
    found = problems(path, _text(after))
    known = {problem.message for problem in problems(path, _text(before))} if found else set()
    return tuple(problem for problem in found if problem.message not in known)


def _appended_entries(before: str, after: str) -> str | None:
    """Whole entries at the end, where that is all that is new and none of their ids is there already: what most writes
    are, and ten times quicker to read than the file.
    """
    tail = after[len(before) :]
    grown = after.startswith(before) and (not before or before.endswith("\n"))
    if not grown or not tail.lstrip("\n").startswith("- "):
        return None
    return None if any(ident in before for ident in _CLAW.findall(tail)) else tail


def refuse_invalid(path: str, before: bytes | None, after: bytes | None) -> None:
    """Raises for the first new problem; nothing has been written then."""
    for problem in new_problems(path, before, after):
        raise InvalidEntryError(f"{path}:{problem.line}: {problem.message}", hint=problem.hint)


def _text(data: bytes | None) -> str:
    return (data or b"").decode("utf-8", "surrogateescape")
