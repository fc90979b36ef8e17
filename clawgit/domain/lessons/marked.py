"""Lessons that a person marked: `**Lesson:** …`, `[lesson] …`, “Lessons learned”, LEARNINGS.md."""

from collections.abc import Iterator
from typing import NamedTuple

from clawgit.domain.compaction.compaction import is_correction
from clawgit.domain.markdown.comment import lead_end, read_meta, split
from clawgit.domain.markdown.scan import Block
from clawgit.domain.markdown.statuses import ACTIVE
from clawgit.domain.markdown.tags import untagged
from clawgit.domain.promotion.marks import LESSON, kinds_of, label, marks
from clawgit.domain.promotion.promotion import LONGEST, units
from clawgit.domain.promotion.shape import danger, unfit
from clawgit.domain.runner.run_marks import digest
from clawgit.judges.judging import worth

LEARNINGS = "learnings.md"
"""The name of files in which every line is meant as a lesson."""

_WORTH = 0.5


class Marked(NamedTuple):
    """`words` are those of the note, unchanged, after the label. `evidence` is their line."""

    words: str
    evidence: str
    name: str


def marked(path: str, text: str) -> Iterator[Marked]:
    """The lessons of a note, in their order."""
    in_file = path.rpartition("/")[2].casefold() == LEARNINGS
    for unit in units(path, text):
        lead = untagged(unit.text[:LONGEST][: lead_end(unit.text)])
        # A lesson is shown in later sessions, so orders and secrets in it would be shown too.
        if not _counts(unit.block) or danger(unit.text):
            continue
        if LESSON in marks(lead):
            mark = label(lead)
            words = lead[mark.end if mark else 0 :].strip(" *_")
            fits = not unfit(words, marked=True)
        else:
            words = lead
            fits = (in_file or LESSON in kinds_of(unit.heading)) and _says_one(words, unit.heading)
        if fits:
            yield Marked(words, unit.evidence, digest(path, words))


def _counts(block: Block) -> bool:
    meta = read_meta(split(block.text))
    return not is_correction(block) and (meta is None or meta.status == ACTIVE)


def _says_one(words: str, heading: str) -> bool:
    """Whether a line under a heading is a lesson. There may be anything: fields, logs, steps."""
    return not unfit(words) and worth(words, heading, place="note") >= _WORTH
