"""How the Soul Keeper explains a change: a summary, and a reason with quotes."""

from clawgit.domain.soul.growth import CORRECTED, FAILED, ORDERED, PRAISED, PROVEN, Growth
from clawgit.values import NamedTuple

ADDED = "added"
REPLACED = "replaced"
COUNTED = "counted"
REMOVED = "removed"


class WordedChange(NamedTuple):
    """`kind` is one of those above; `was` is the line before, if there was one."""

    kind: str
    text: str
    was: str = ""


def summed_up(change: WordedChange) -> str:
    if change.kind == ADDED:
        return f"add “{change.text}”"
    return f"{_DOES[change.kind]} “{change.was}”"


def why(growth: Growth, change: WordedChange, doubt: str = "") -> str:
    """The kind of the evidence, then its words, the newest first."""
    instead = f" Now it says “{change.text}”." if change.was else ""
    days = " and ".join(day.isoformat() for day in growth.days[-_MOST_QUOTED:])
    quotes = [
        f"“{sign.quote}” ({sign.day.isoformat()}, {sign.evidence})"
        for sign in reversed(growth.signs)
    ]
    more = len(quotes) - _MOST_QUOTED
    evidence = "; ".join(quotes[:_MOST_QUOTED]) + (f"; and {more} more" if more > 0 else "")
    asked = f" It waits for you: {doubt}." if doubt else ""
    return f"{_SAID[growth.kind].format(days=days)}: {evidence}.{instead}{asked}"


def making_room(was: str, growth: Growth) -> str:
    return f"SOUL.md is full. “{was}” gives way to “{growth.rule}” ({cited(growth)})."


def cited(growth: Growth) -> str:
    """The evidence in a few words, for a note."""
    newest = growth.signs[-1]
    return f"{newest.evidence}, {newest.day.isoformat()}: “{newest.quote}”"


_MOST_QUOTED = 4
_DOES = {REPLACED: "replace", COUNTED: "count again", REMOVED: "make room: remove"}
_SAID = {
    CORRECTED: "The operator gave this order in a correction",
    ORDERED: "The operator gave this as a standing order",
    FAILED: "A mistake that came back ({days})",
    PRAISED: "The operator praised it more than once ({days})",
    PROVEN: "The operator praised what was done, more than once ({days})",
}
