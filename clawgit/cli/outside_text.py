"""What no search covers, in words."""

from collections.abc import Mapping
from typing import Any

from clawgit.cli.output import counted, inline, next_step
from clawgit.domain.change.actors import OPERATOR, Actor


def outside_text(outside: Mapping[str, Any], actor: Actor) -> str:
    """How much is not searched, where most of it is, and how to add it; to a program, also who
    may.
    """
    places = outside["places"]
    named = sum(place["files"] for place in places)
    where = ", ".join(_place_text(place) for place in places)
    more = " and more" if named < outside["files"] else ""
    are = "is" if outside["files"] == 1 else "are"
    count = counted(outside["files"], "Markdown file")
    text = f"{count} {are} not searched: {where}{more}"
    who = "" if actor == OPERATOR else "The operator runs this at a terminal: "
    return f"{text}\n{next_step(who + inline(outside['next']))}"


def _place_text(place: Mapping[str, Any]) -> str:
    path = inline(place["path"])
    return f"{path} ({place['files']:,})" if place["path"].endswith("/") else path
