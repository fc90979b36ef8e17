"""Git's own bisect, one step at a time, in a temporary work tree."""

import re

from clawgit.stores.git.history.aside import Aside
from clawgit.values import NamedTuple

GOOD, BAD, SKIP = "good", "bad", "skip"

_FIRST = re.compile(r"^# first bad commit: \[([0-9a-f]+)\]", re.MULTILINE)
_POSSIBLE = re.compile(r"^# possible first bad commit: \[([0-9a-f]+)\]", re.MULTILINE)
_ONLY_SKIPPED = 2
"""The exit code of a bisect that has only skipped commits left."""


class Standing(NamedTuple):
    """Which commit to test next; "" if the bisect has ended.

    `found` is then the first bad commit, or several that it could be.
    """

    next: str
    found: tuple[str, ...] = ()


def begin(aside: Aside, good: str, bad: str) -> Standing:
    _cleaned(aside)
    aside.text("bisect", "start", bad, good)
    return _standing(aside)


def go_on(aside: Aside, verdict: str) -> Standing:
    """Records the verdict on the commit that is checked out, and checks out the next."""
    _cleaned(aside)
    aside.text("bisect", verdict, ok=(0, _ONLY_SKIPPED))
    return _standing(aside)


def check_out(aside: Aside, oid: str) -> None:
    _cleaned(aside)
    aside.text("checkout", "-q", "--detach", oid)


def _cleaned(aside: Aside) -> None:
    """Undoes changes of a check, which would stop the next checkout."""
    aside.text("reset", "-q", "--hard")
    aside.text("clean", "-ffdxq")


def _standing(aside: Aside) -> Standing:
    log = aside.text("bisect", "log")
    found = _FIRST.findall(log) or _POSSIBLE.findall(log)
    return (
        Standing("", tuple(found)) if found else Standing(aside.text("rev-parse", "HEAD").strip())
    )
