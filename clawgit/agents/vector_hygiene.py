"""Vector hygiene names the texts that will soon be found by their words alone.

Which vectors exist follows from the entries and the day, in every index: no file says it, and what
follows a run removes the others (`health.memory_index:sweep`).
"""

from collections.abc import Iterator
from datetime import timedelta

from clawgit.agents.contract import ChangeSet, Skipped, Snapshot
from clawgit.core.markdown.entry import entries, holds_entries
from clawgit.core.markdown.excerpt import in_a_line
from clawgit.memory.rules.confidence import Aging, aging, old_value_aging, roomy_from
from clawgit.talk.rules.corrections import replaced_text, statement

_EXCERPT = 160


def propose(snapshot: Snapshot) -> ChangeSet:
    """No step: the texts whose grace has begun are named, with the last day of their vectors."""
    today, rules = snapshot.today, snapshot.settings
    vectors = [*_vectors(snapshot)]
    roomy = roomy_from([each.since for _, each in vectors if not each.corrected])
    grace = timedelta(days=rules.corrected_embedding_grace_days)
    flagged = (
        Skipped(what, f"flagged: its vector is kept up to {last}")
        for what, each in vectors
        if (each.corrected or each.since < roomy)
        and today <= (last := each.last_day(rules)) < today + grace
    )
    return ChangeSet(skipped=tuple(flagged))


def _vectors(snapshot: Snapshot) -> Iterator[tuple[str, Aging]]:
    """The texts whose vectors age, in words: of entries, and of what they said before they were
    corrected.
    """
    known = {each.evidence: each for each in snapshot.corrections if each.binds}
    places = (
        (path, entry)
        for path in filter(holds_entries, snapshot.files)
        if "claw:" in snapshot.files[path]
        for entry in entries(snapshot.files[path])
    )
    for path, entry in places:
        told = f"{path}#{entry.key}"
        if own := aging(entry.facts, entry.tags):
            yield f"{told} “{in_a_line(entry.text, _EXCERPT)}”", own
        old = replaced_text(entry.facts.evidence, known)
        past = old_value_aging(entry.facts)
        if past and old not in ("", statement(entry)):
            yield f"{told} before it was corrected: “{in_a_line(old, _EXCERPT)}”", past
