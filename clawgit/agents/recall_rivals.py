"""Corrections of the two texts that a merge left of one entry: one may be right, or neither is."""

from collections.abc import Sequence

from clawgit.agents.contract import Call
from clawgit.agents.recall_draft import settles
from clawgit.agents.recall_judging import Ruling, ruled, talk_before
from clawgit.domain.claims.rivals import Rivals, of_entry
from clawgit.domain.corrections.deciding import LEFT, PUT_RIGHT, is_repetition
from clawgit.domain.corrections.statement import statement
from clawgit.domain.facts.fact_verdict import EntryPlace
from clawgit.domain.facts.same_fact import same_fact


def chosen(call: Call, places: Sequence[EntryPlace], pairs: Sequence[Rivals]) -> Ruling | None:
    """The ruling on a call that says which of two texts that a merge left is right, or that
    neither is.
    """
    if not pairs:
        return None
    # Each text is looked at without the other: what corrects one fits the other as well.
    for absent in ([pair.b for pair in pairs], [pair.a for pair in pairs]):
        alone = [place for place in places if place not in absent]
        ruling = ruled(call, talk_before(call), alone)
        if rival := _rival_of(ruling, pairs):
            return _in_favour(ruling, rival)
    return None


def _rival_of(ruling: Ruling, pairs: Sequence[Rivals]) -> EntryPlace | None:
    """The rival about which a ruling decides, too: by an exchange, or since it leaves the other
    text as it is.
    """
    if ruling.place is None or (ruling.change is None and ruling.kind != LEFT):
        return None
    rivals = of_entry(pairs, ruling.place)
    return next((rival for rival in rivals if settles(ruling, rival)), None)


def _in_favour(ruling: Ruling, rival: EntryPlace) -> Ruling:
    """A ruling that leaves the text as it is that says what is right already."""
    if ruling.kind == LEFT and ruling.place:
        right = statement(ruling.place.entry)
        return ruling._replace(kind=PUT_RIGHT, why="it says which text is right", right=right)
    said = statement(rival.entry)
    if not same_fact(said, ruling.right):
        return ruling
    return ruling._replace(right=said, place=rival, change=None)


def text_of_a_merge(right: str, pairs: Sequence[Rivals]) -> EntryPlace | None:
    """The text that a merge left and that says so already."""
    texts = (place for pair in pairs for place in (pair.a, pair.b))
    return next((place for place in texts if is_repetition(right, statement(place.entry))), None)


def one_of(fitting: Sequence[EntryPlace], pairs: Sequence[Rivals]) -> EntryPlace | None:
    """The only one of these, where the two texts that a merge left of one entry count as one."""
    if not fitting:
        return None
    alike = (fitting[0], *of_entry(pairs, fitting[0]))
    return fitting[0] if all(place in alike for place in fitting) else None
