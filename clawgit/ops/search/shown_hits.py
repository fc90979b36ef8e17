"""Turns hits into what is shown: one line each, with the text around it if that is asked for.

A neighbour that is a hit of its own, or was replaced, is never shown with another.
"""

import sys
from collections import defaultdict
from collections.abc import Callable, Container, Iterator, Sequence
from functools import cached_property, partial
from itertools import takewhile
from typing import Protocol

from clawgit.config.settings import Settings
from clawgit.domain.claims import conflicts
from clawgit.domain.corrections.corrections import CORRECTIONS, Correction, corrections
from clawgit.domain.corrections.disputed import quoted_words, quotes_of
from clawgit.domain.facts.confidence import origins
from clawgit.domain.markdown import frames
from clawgit.domain.markdown.entry import entries
from clawgit.domain.markdown.front import title_in
from clawgit.domain.markdown.label import leads
from clawgit.domain.markdown.scan import lines_of
from clawgit.domain.markdown.statuses import DISPUTED, REPLACED
from clawgit.domain.markdown.struck import is_struck
from clawgit.domain.safety.masks import PLANTED, Mask
from clawgit.domain.search.fold import plain
from clawgit.domain.search.hit_line import HitLine, beginning, hit_line
from clawgit.domain.search.question import Asked
from clawgit.domain.search.snippet import FRONT, Snippet, covers, follows, grown
from clawgit.domain.search.standing import is_bookkeeping, is_log, stale_reason
from clawgit.domain.workspace.tiers import tier
from clawgit.ops.safety.masking import TextGuard
from clawgit.ops.search.answer import Hit, OtherLine, Request
from clawgit.ops.search.answering import Found
from clawgit.ops.search.filled import says_nothing
from clawgit.ops.search.hit_text import Sheets
from clawgit.stores.index.index import Index
from clawgit.stores.index.sources import SESSIONS
from clawgit.stores.index.tables import ItemRow

PENDING = "pending"
"""The mark of an entry about which the operator is asked: an open correction, or a conflict."""

_WIDEST = 400
"""Tokens of a hit with the text around it."""

_FAINT = 0.1
"""With a lower score, a line is not even shown as one that comes near."""

MOST_TOGETHER = 4
"""So many lines of a section are shown as one hit; the next of them begins another."""

_REACHES = (8, 40)
"""How many neighbours on each side are looked at; the further ones if all the near ones fit."""


class Place(Protocol):
    """The place of a hit's text."""

    @property
    def path(self) -> str: ...
    @property
    def line(self) -> int: ...
    @property
    def end_line(self) -> int: ...
    @property
    def source(self) -> str: ...
    @property
    def key(self) -> str: ...


def section(row: ItemRow) -> tuple[str, tuple[str, ...]]:
    return row.path, row.headings


def planted_marks(guard: TextGuard, text: str) -> tuple[str, ...]:
    return (PLANTED,) if guard.is_planted(text) else ()


class _Shown:
    """The lines of the hits so far, by the path of their file.

    What stands around them is read when a hit in the same file asks for it: most searches do not.
    """

    def __init__(self, index: Index, tokens: int) -> None:
        self._index, self._tokens = index, tokens
        self._hits: defaultdict[str, list[tuple[ItemRow, Snippet]]] = defaultdict(list)
        self._around: defaultdict[str, list[Snippet]] = defaultdict(list)

    def add(self, row: ItemRow, lines: Snippet) -> None:
        self._hits[row.path].append((row, lines))

    def lines(self, path: str) -> Sequence[Snippet]:
        return [lines for _, lines in self._hits[path]]

    def around(self, path: str) -> Sequence[Snippet]:
        """The lines, and behind each the text around it."""
        known = self._around[path]
        for row, lines in self._hits[path][len(known) // 2 :]:
            known += [lines, grown_hit(self._index, row, self._tokens, known)]
        return known


class _Page:
    """The hits so far, at most so many. Further lines of their sections join them, unless the text
    around each is shown, `whole`.
    """

    def __init__(self, most: int, shown: _Shown, *, whole: bool) -> None:
        self.hits: list[Hit] = []
        self._most, self._shown, self._whole = most, shown, whole
        self._by_section: dict[tuple[str, tuple[str, ...]], int] = {}
        self._said: set[str] = set()

    def covers(self, row: ItemRow) -> bool:
        """Whether a line is shown already."""
        claimed = self._shown.around if self._whole else self._shown.lines
        return covers(row.line, claimed(row.path))

    def says(self, sentence: str) -> bool:
        return _words(sentence) in self._said

    def has_room(self, row: ItemRow) -> bool:
        """For a hit, or for a further line of its section."""
        return len(self.hits) < self._most or section(row) in self._by_section

    def add(self, row: ItemRow, lines: Snippet, hit: Hit) -> None:
        at = self._by_section.get(section(row))
        joined = None if at is None else _joined(self.hits[at], hit)
        if at is not None and joined:
            self.hits[at] = joined
        elif len(self.hits) == self._most:
            return
        else:
            if not self._whole and _may_be_joined(row, hit):
                self._by_section[section(row)] = len(self.hits)
            self.hits.append(hit)
        self._said.add(_words(hit.snippet))
        self._shown.add(row, lines)


class HitView:
    """What is needed to show the hits of one question.

    Texts are masked before they are cut: half a secret is not recognised.
    """

    def __init__(
        self,
        index: Index,
        sheets: Sheets,
        asked: Asked,
        judged: Callable[[Callable[[], str]], TextGuard],
        doubts: Callable[[], Container[str]],
    ) -> None:
        self._index, self._sheets, self._doubts = index, sheets, doubts
        self.doubted: set[str] = set()
        """The corrections among the hits that are not shown, since they are in doubt."""
        self._asked, self._judged = asked, judged
        self._guards: dict[str, TextGuard] = {}

    def _guard(self, path: str) -> TextGuard:
        """The guard of what is shown of a file."""
        if path not in self._guards:
            self._guards[path] = self._judged(partial(self._sheets.whole, path))
        return self._guards[path]

    def _covered(self, row: ItemRow) -> str:
        return self._guard(row.path).shown(row.text, _lines(row))

    def shown(
        self, found: Sequence[Found], request: Request, settings: Settings, most: int
    ) -> Sequence[Hit]:
        """At most this many hits, each line once; further lines of a hit's section go with it.

        If a least score is asked for, only hits that reach it are left. Whether they are likely
        depends on the one that is set, however low the one that is asked for.
        """
        shown = _Shown(self._index, _WIDEST)
        page = _Page(most, shown, whole=request.full)
        sure = {one.row.id for one in found[: likely(found, settings.min_score)]}
        least = _FAINT if request.min_score is None else request.min_score
        for one in found:
            # A later line of a section that is shown fits no better than this one, which is not.
            if one.score < least or not page.has_room(one.row):
                break
            row = one.row
            if self._is_left_out(row) or page.covers(row):
                continue
            hit, lines = self._hit(one, beside=request.beside)
            # The log repeats what the entry says since it was put right.
            if is_log(row) and page.says(hit.snippet):
                continue
            why = why_found(one) if request.explain else None
            page.add(row, lines, hit._replace(explain=why, likely=row.id in sure))
            if request.full:
                page.hits[-1] = self._with_text(page.hits[-1], shown.around(row.path)[-1])
        return page.hits

    def _is_left_out(self, row: ItemRow) -> bool:
        """Whether a line of the log is no statement, or one that the operator never confirmed."""
        if not is_log(row):
            return False
        logged, _ = self._logged(row)
        if logged and logged.binds and logged.id in self._in_doubt:
            self.doubted.add(logged.id)
            return True
        return is_bookkeeping(row)

    @cached_property
    def _in_doubt(self) -> Container[str]:
        return self._doubts()

    def _hit(self, one: Found, *, beside: bool) -> tuple[Hit, Snippet]:
        """The hit, and the lines that later hits must not repeat."""
        row = one.row
        mask = self._guard(row.path).mask
        line = hit_line(self._covered(row), row.kind, self._asked)
        whole = Snippet(row.line, row.end_line, row.text)
        marks = [*self._marks(row)]
        if is_log(row):
            logged, whole = self._logged(row)
            if logged:
                line = self._of_correction(logged, mask)
                marks = [PENDING] if logged.waits else []
        elif beside and not (line.before or line.after):
            line = self._beside(row, line)
        hit = hit_at(row, line, one.score, self._headings(row))
        hit = hit._replace(
            also=one.also, disputed=self._disputed(row), marks=tuple(dict.fromkeys(marks))
        )
        return hit, whole

    def _with_text(self, hit: Hit, lines: Snippet) -> Hit:
        return hit._replace(
            startLine=lines.line,
            endLine=lines.end_line,
            citation=f"{hit.path}#L{lines.line}-L{lines.end_line}",
            text=self._guard(hit.path).part(
                self._sheets.text(hit.path, lines), range(lines.line, lines.end_line + 1)
            ),
        )

    def _beside(self, row: ItemRow, line: HitLine) -> HitLine:
        """An item of one sentence is shown with the items before and after it."""
        above, below = beside_hit(self._index, row)
        return line._replace(
            before=beginning(self._covered(above)) if above else "",
            after=beginning(self._covered(below)) if below else "",
        )

    def _headings(self, row: ItemRow) -> tuple[str, ...]:
        """The headings above an item, after the title that the front matter gives the note."""
        shown = self._guard(row.path).heading
        above = tuple(map(shown, row.headings))
        [opening] = self._index.rows([row.first]) or [row]
        if opening.kind != FRONT or row.kind == FRONT:
            return above
        lines = lines_of(self._sheets.whole(row.path))[opening.line - 1 : opening.end_line]
        title = shown(title_in(lines, opening.text))
        return tuple(dict.fromkeys((title, *above))) if title else above

    def _marks(self, row: ItemRow) -> Iterator[str]:
        if reason := stale_reason(row):
            yield reason
        if row.key and row.key in self._pending:
            yield PENDING
        guard = self._guard(row.path)
        if guard.is_planted(row.text) or guard.is_held(row.text, _lines(row)):
            yield PLANTED

    @cached_property
    def _pending(self) -> frozenset[str]:
        """The entries about which the operator has not decided yet."""
        asked = corrections(self._sheets.whole(CORRECTIONS))
        flagged = conflicts.conflicts(self._sheets.whole(conflicts.PATH))
        keys = {each.target for each in asked if each.waits}
        for conflict in flagged:
            if conflict.open:
                keys |= {conflict.a.key, conflict.b.key}
        return frozenset(keys - {""})

    def _logged(self, row: ItemRow) -> tuple[Correction | None, Snippet]:
        """The correction in whose section a line of the log is, and the section's lines.

        The section is one hit, however many of its fields were found.
        """
        lines = Snippet(row.line, row.end_line, row.text)
        logged = None
        for each in corrections(self._sheets.whole(row.path)):
            if each.line > row.line:
                return logged, lines._replace(end_line=each.line - 1)
            logged, lines = each, Snippet(each.line, sys.maxsize, row.text)
        return logged, lines

    def _of_correction(self, logged: Correction, mask: Mask) -> HitLine:
        """What is right and what was said, without the other fields."""
        right, words = mask(logged.correct), mask(logged.words)
        if not right:
            return HitLine(text=hit_line(words, "para", self._asked).text)
        line = hit_line(right, "para", self._asked)
        quoted = frames.QUOTE.format(speaker=frames.OPERATOR, words=beginning(words))
        is_news = words and words != right
        return line._replace(first=0, last=0, after=quoted if is_news else line.after)

    def _disputed(self, row: ItemRow) -> tuple[str, ...]:
        """The operator's sentences under an entry that is disputed."""
        if row.meta is None or row.meta.status != DISPUTED:
            return ()
        text, mask = self._sheets.whole(row.path), self._guard(row.path).mask
        raws = (entry.raw for entry in entries(text) if entry.key == row.key)
        quotes = (quote for raw in raws for quote in quotes_of(raw))
        return tuple(
            frames.QUOTE.format(speaker=quote.speaker, words=mask(quote.words)) for quote in quotes
        )


def _lines(row: ItemRow) -> range:
    return range(row.line, row.end_line + 1)


def _may_be_joined(row: ItemRow, hit: Hit) -> bool:
    """Whether lines of its section join a hit. None joins one with marks, which are its alone."""
    return not (hit.marks or is_log(row) or row.source == SESSIONS)


def _joined(hit: Hit, line: Hit) -> Hit | None:
    """A hit with another line of its section; None if that is to be a hit of its own."""
    if line.marks or line.disputed:
        return None
    if _words(line.snippet) == _words(hit.snippet):
        return hit._replace(also=(*hit.also, *_places(line)))
    for at, other in enumerate(hit.more):
        if _words(line.snippet) == _words(other.snippet):
            twice = other._replace(also=(*other.also, *_places(line)))
            return hit._replace(more=(*hit.more[:at], twice, *hit.more[at + 1 :]))
    if hit.likely is not line.likely or len(hit.more) + 1 == MOST_TOGETHER:
        return None
    other = OtherLine(
        line.startLine, line.endLine, line.snippet, line.entryId, line.score, line.also
    )
    return hit._replace(more=tuple(sorted((*hit.more, other))))


def _places(line: Hit) -> tuple[str, ...]:
    """Where a line stands, and the places of those that say the same."""
    return f"{line.path}:{line.startLine}", *line.also


def _words(text: str) -> str:
    """The words of a text, without its categories and who is quoted."""
    quoted = quoted_words(text)
    return plain(text if quoted is None else quoted)


def hit_at(row: Place, line: HitLine, score: float, headings: tuple[str, ...]) -> Hit:
    """The hit of one line, where it stands; its marks and the text around it come from elsewhere.

    A message is cited as a whole, since it has no lines in a file.
    """
    first = min(row.line + line.first, row.end_line)
    last = min(row.line + line.last, row.end_line)
    return Hit(
        path=row.path,
        startLine=first,
        endLine=last,
        score=round(score, 4),
        snippet=line.text,
        source=row.source,
        citation=row.path if row.source == SESSIONS else f"{row.path}#L{first}-L{last}",
        entryId=row.key,
        tier=tier(row.path),
        line=row.line,
        lastLine=row.end_line,
        before=line.before,
        after=line.after,
        headings=headings,
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


def grown_hit(index: Index, row: ItemRow, tokens: int, shown: Sequence[Snippet]) -> Snippet:
    """The snippet of a hit; `shown` are those of earlier hits in its file."""
    for reach in _REACHES:
        around = _beside(row, index.rows(index.around(row.id, reach)), shown)
        snippet = grown(around, row.id - around[0].id, tokens)
        more_before = around[0].id > row.first and snippet.line == around[0].line
        more_behind = around[-1].id < row.last and snippet.end_line == around[-1].end_line
        if not (more_before or more_behind):
            break
    return snippet


def beside_hit(index: Index, row: ItemRow) -> tuple[ItemRow | None, ItemRow | None]:
    """The items right before and after a hit in its section."""
    around = index.rows(ident for ident in index.around(row.id) if ident != row.id)
    beside = {item.id - row.id: item for item in around if _is_beside(item, row)}
    return beside.get(-1), beside.get(1)


def _is_beside(item: ItemRow, row: ItemRow) -> bool:
    if _stands_apart(item, row, ()):
        return False
    if item.id > row.id:
        return follows(row, item)
    return item.kind != FRONT and follows(item, row)


def _beside(row: ItemRow, around: Sequence[ItemRow], shown: Sequence[Snippet]) -> list[ItemRow]:
    """The neighbours that may be shown with a hit, up to the first that may not."""
    at = row.id - around[0].id

    def is_part(neighbour: ItemRow) -> bool:
        return not _stands_apart(neighbour, row, shown)

    before = [*takewhile(is_part, reversed(around[:at]))]
    return [*reversed(before), around[at], *takewhile(is_part, around[at + 1 :])]


def _stands_apart(neighbour: ItemRow, row: ItemRow, shown: Sequence[Snippet]) -> bool:
    """Whether a line is never part of another hit's snippet.

    It was shown before; or it says nothing; or it was replaced, which a snippet does not say; or it
    is a fact made from another line, and so a hit of its own.
    """
    if covers(neighbour.line, shown) or _is_unfilled(neighbour) or is_struck(neighbour.text):
        return True
    if neighbour.key == row.key or not neighbour.meta:
        return False
    return neighbour.meta.status in REPLACED or bool(origins(neighbour.meta))


def _is_unfilled(neighbour: ItemRow) -> bool:
    """Whether a line says nothing. `Before each task:` says something of the list below it."""
    is_lead = neighbour.kind == "para" and leads(neighbour.text)
    return says_nothing(neighbour) and not is_lead
