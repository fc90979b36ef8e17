"""Turns hits into what is shown: one line each, with the text beside it.

A neighbour that is a hit of its own, or was replaced, is never shown with another.
"""

from collections import defaultdict
from collections.abc import Container, Iterator, Mapping, Sequence
from contextlib import suppress
from functools import cached_property
from typing import Any

from clawgit.core.config.settings import Settings
from clawgit.core.disk.plainfile import part_at
from clawgit.core.errors import ClawgitError
from clawgit.core.limits import readable
from clawgit.core.markdown import frames
from clawgit.core.markdown.comment import CORRECTED, DISPUTED, REPLACED
from clawgit.core.markdown.decoding import text_of
from clawgit.core.markdown.entry import entries
from clawgit.core.markdown.item import Item
from clawgit.core.markdown.tag_table import is_struck
from clawgit.core.tiers import tier
from clawgit.git.batch import Batch
from clawgit.memory.rules import conflict_log
from clawgit.memory.rules.confidence import origins
from clawgit.safety.doubted import doubted
from clawgit.safety.masking import Coverage
from clawgit.safety.rules.masks import PLANTED
from clawgit.search.answer import Hit, Request
from clawgit.search.answering import Found
from clawgit.search.index.index import Index
from clawgit.search.rules.hit_line import HitLine, beginning, covers, follows, hit_line
from clawgit.search.rules.question import Asked
from clawgit.search.rules.row import correction_of
from clawgit.search.rules.standing import is_log, stale_reason
from clawgit.search.stores.access import Showing, record
from clawgit.talk.rules.corrections import CORRECTIONS, OPEN, corrections
from clawgit.talk.rules.quotes import is_quote, quotes_of
from clawgit.workspace.discover import SESSIONS
from clawgit.workspace.template_text import says_nothing
from clawgit.workspace.workspace import Workspace

PENDING = "pending"
"""The mark of an entry about which the operator is asked: an open correction, or a conflict."""

_FAINT = 0.1
"""With a lower score, a line is not even shown as one that comes near."""


class Sheets:
    """The files of a workspace, each read once, on disk or at a `commit`."""

    def __init__(self, workspace: Workspace, commit: str = "") -> None:
        self.workspace, self.commit = workspace, commit
        self._texts: dict[str, str] = {}

    def whole(self, path: str) -> str:
        """A file as text; "" if it does not exist."""
        if path not in self._texts:
            at = f"{self.commit}:{path}"
            data = readable(self._batch.data(at) or b"") if self.commit else self.on_disk(path)
            self._texts[path] = text_of(data)
        return self._texts[path]

    def on_disk(self, path: str) -> bytes:
        """Its bytes, which a reader with checks of its own reads itself."""
        return part_at(self.workspace.root / path)

    @cached_property
    def undecided(self) -> frozenset[str]:
        """The entries about which the operator has not decided yet, and the corrections."""
        asked = corrections(self.whole(CORRECTIONS))
        flagged = conflict_log.conflicts(self.whole(conflict_log.PATH))
        waiting = [each for each in asked if each.status == OPEN or each.is_quoted]
        keys = {key for each in waiting for key in (each.id, each.target)}
        for conflict in flagged:
            if conflict.open:
                keys |= {conflict.a.key, conflict.b.key}
        return frozenset(keys - {""})

    @cached_property
    def _batch(self) -> Batch:
        return Batch(self.workspace.cgit)


class HitView:
    """What is needed to show the hits of one question.

    Texts are masked before they are cut: half a secret is not recognised.
    """

    def __init__(self, index: Index, sheets: Sheets, asked: Asked) -> None:
        self._index, self._sheets, self._asked = index, sheets, asked
        self.doubted: set[str] = set()
        """The corrections among the hits that are not shown, since they are in doubt."""

        self._coverage = Coverage(sheets.workspace)
        self._claimed: defaultdict[str, list[Item]] = defaultdict(list)
        """The lines of each file that no later hit may repeat."""

    def shown(self, found: Sequence[Found], request: Request, settings: Settings) -> Sequence[Hit]:
        """As many hits as are shown, each line once.

        If a least score is asked for, only hits that reach it are left. Whether they are likely
        depends on the one that is set, however low the one that is asked for.
        """
        hits: list[Hit] = []
        sure = {one.row.id for one in found[: likely(found, settings.min_score)]}
        least = _FAINT if request.min_score is None else request.min_score
        for one in found:
            if one.score < least or len(hits) == settings.max_results:
                break
            row = one.row
            if covers(row.line, self._claimed[row.path]) or self._is_left_out(row):
                continue
            self._claimed[row.path].append(row)
            hits.append(self._hit(one, explain=request.explain, is_likely=row.id in sure))
        return hits

    def _is_left_out(self, row: Item) -> bool:
        """Whether it is a line of the log that the operator never confirmed."""
        is_left_out = is_log(row) and correction_of(row) in self._in_doubt
        if is_left_out:
            self.doubted.add(correction_of(row))
        return is_left_out

    @cached_property
    def _in_doubt(self) -> Container[str]:
        return doubted(self._sheets.workspace)

    def _hit(self, one: Found, *, explain: bool, is_likely: bool) -> Hit:
        """The hit of one line, where it stands. A message is cited as a whole, since it has no
        lines in a file.
        """
        row, mask = one.row, self._coverage.shown
        line = hit_line(mask(row.text), row.kind, self._asked)
        if not (line.before or line.after):
            line = self._beside(row, line)
        first = min(row.line + line.first, row.end_line)
        last = min(row.line + line.last, row.end_line)
        return Hit(
            path=row.path,
            startLine=first,
            endLine=last,
            score=round(one.score, 4),
            snippet=line.text,
            source=row.source,
            citation=row.path if row.source == SESSIONS else f"{row.path}#L{first}-L{last}",
            entryId=row.key,
            tier=tier(row.path),
            line=row.line,
            lastLine=row.end_line,
            explain=why_found(one) if explain else None,
            disputed=() if is_quote(row.text) else self._disputed(row),
            before=line.before,
            after=line.after,
            headings=tuple(map(mask, row.headings)),
            marks=tuple(dict.fromkeys(self._marks(one))),
            also=one.also,
            likely=is_likely,
        )

    def _beside(self, row: Item, line: HitLine) -> HitLine:
        """An item of one sentence is shown with the items before and after it in its section."""
        before = after = ""
        for item in self._index.rows(self._index.around(row.id)):
            if item.id == row.id or _stands_apart(item, row):
                continue
            if item.id < row.id and follows(item, row):
                before = beginning(self._coverage.shown(item.text))
            elif item.id > row.id and follows(row, item):
                after = beginning(self._coverage.shown(item.text))
        return line._replace(before=before, after=after)

    def _marks(self, one: Found) -> Iterator[str]:
        row = one.row
        if reason := stale_reason(row):
            yield reason
        # By the words of a correction, such as that of one that a later one has overtaken.
        if CORRECTED in dict(one.standing):
            yield CORRECTED
        key = correction_of(row) if is_log(row) else row.key
        if key in self._sheets.undecided:
            yield PENDING
        if self._coverage.is_planted(row.text):
            yield PLANTED

    def _disputed(self, row: Item) -> tuple[str, ...]:
        """The operator's sentences under an entry that is disputed."""
        if row.meta is None or row.meta.status != DISPUTED:
            return ()
        text, mask = self._sheets.whole(row.path), self._coverage.shown
        raws = (entry.raw for entry in entries(text) if entry.key == row.key)
        quotes = (quote for raw in raws for quote in quotes_of(raw))
        return tuple(
            frames.QUOTE.format(speaker=quote.speaker, words=mask(quote.words)) for quote in quotes
        )


def likely(found: Sequence[Found], least: float) -> int:
    """How many hits there are up to the last one that reaches the least score. Its standing may
    have put one before it that does not.
    """
    reaching = (at for at, one in enumerate(found, 1) if max(one.fits, one.score) >= least)
    return max(reaching, default=0)


def why_found(one: Found) -> dict[str, object]:
    """What the score of a hit is made of."""
    parts = {"words": one.words, "meaning": one.meaning, "reader": one.chance, "fits": one.fits}
    return {
        **{name: None if part is None else round(part, 4) for name, part in parts.items()},
        "factors": {name: round(factor, 3) for name, factor in one.standing},
    }


def _stands_apart(neighbour: Item, row: Item) -> bool:
    """Whether a line is never shown with another: it says nothing, not even of the list below it;
    or it was replaced, which the text beside a hit does not say; or it is a fact made from another
    line, and so a hit of its own.
    """
    is_bare = says_nothing(neighbour.path, neighbour.text, neighbour.kind)
    if is_bare or is_struck(neighbour.text):
        return True
    if neighbour.key == row.key or not neighbour.meta:
        return False
    return neighbour.meta.status in REPLACED or bool(origins(neighbour.meta))


def note_shown(workspace: Workspace, *showings: Showing) -> None:
    """Records the likely hits of some answers, in one transaction. An error is ignored, since the
    answers were already given.
    """
    told = [one._replace(results=[*filter(_counts, one.results)]) for one in showings]
    if any(one.results for one in told):
        with suppress(ClawgitError), workspace.state() as state:
            record(state, told, workspace.now)


def _counts(hit: Mapping[str, Any]) -> bool:
    """Whether a hit is of this memory. Promoting those of another agent is that agent's business,
    and messages are no memory.
    """
    return hit["likely"] and not hit["agent"] and hit["source"] != SESSIONS
