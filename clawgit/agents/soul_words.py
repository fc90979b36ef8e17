"""How the Soul Keeper explains a change: its summary, and a reason that quotes what it rests on."""

from typing import NamedTuple

from clawgit.domain.growth import CORRECTED, FAILED, ORDERED, PRAISED, PROVEN, WISHED, Growth
from clawgit.domain.growth_room import Merge


class Change(NamedTuple):
    """`kind` is added, reinforced, made exact, merged or replaced; `was` is the principle before, if there was one."""

    kind: str
    text: str
    was: str = ""


def summed_up(change: Change) -> str:
    if change.kind == "added":
        return f"add “{change.text}”"
    if change.kind == "merged":
        return f"merge into “{change.text}”"
    return f"{_DOES[change.kind]} “{change.was}”"


def why(growth: Growth, change: Change) -> str:
    """The kind of the evidence, then its words, the newest first."""
    instead = f" Now it says “{change.text}”." if change.was else ""
    days = " and ".join(day.isoformat() for day in growth.days[-_MOST_QUOTED:])
    quotes = [f"“{sign.quote}” ({sign.day.isoformat()}, {sign.evidence})" for sign in reversed(growth.signs)]
    more = len(quotes) - _MOST_QUOTED
    told = "; ".join(quotes[:_MOST_QUOTED]) + (f"; and {more} more" if more > 0 else "")
    return f"{_SAID[growth.kind].format(days=days)}: {told}.{instead}"


def merging(merge: Merge, growth: Growth) -> str:
    return (
        f"SOUL.md is full, and these two say what one line can: “{merge.one.text}” and “{merge.other.text}”. "
        f"It makes room for “{growth.rule}”."
    )


def cited(growth: Growth) -> str:
    """The evidence in a few words, for a note."""
    newest = growth.signs[-1]
    return f"{newest.evidence}, {newest.day.isoformat()}: “{newest.quote}”"


_MOST_QUOTED = 4
_DOES = {"reinforced": "reinforce", "made exact": "make exact", "replaced": "replace"}
_SAID = {
    CORRECTED: "The operator corrected this",
    ORDERED: "The operator gave this as a standing order",
    FAILED: "A mistake that came again ({days})",
    WISHED: "The operator asked for it more than once ({days})",
    PRAISED: "The operator praised it more than once ({days})",
    PROVEN: "Proven on {days}, and confirmed",
}
