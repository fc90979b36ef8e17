"""The files of a workspace cut into passages, without what the operator has corrected."""

from collections.abc import Iterable, Iterator
from datetime import date
from functools import cache, cached_property, lru_cache

from clawgit.domain.change.authority import SOUL
from clawgit.domain.claims import conflicts
from clawgit.domain.context.corrected_lines import wrong_by
from clawgit.domain.context.passage import (
    ContextPassage,
    filled_in,
    passages,
    pending,
    session_passages,
    standing,
)
from clawgit.domain.conversation.dump import as_turns, is_session
from clawgit.domain.corrections.corrections import (
    ARCHIVE,
    CORRECTIONS,
    Correction,
    corrections,
    doubting,
)
from clawgit.domain.markdown.entry import entries, holds_entries
from clawgit.domain.markdown.placeholders import is_form, text_key
from clawgit.domain.workspace.tiers import NOTEBOOKS
from clawgit.ops.context.files import Files, Moment
from clawgit.ops.workspace.template_text import openclaws, template


class MemoryFiles:
    """Each file is read and cut once."""

    def __init__(self, files: Files, when: Moment) -> None:
        self._files, self.today, self.notebook = files, when.now.date(), files.notebook
        self.commit = when.commit
        self._undecided_lines: dict[str, frozenset[int]] = {}
        self._corrections_in: dict[str, tuple[Correction, ...]] = {}
        self.archived = tuple(
            correction
            for path in files.paths
            if path.startswith(ARCHIVE)
            for correction in self.corrections(path)
        )
        notebook = self.passages(files.notebook)
        was = {passage.was: passage.source for passage in notebook if passage.was}
        self._wrong = wrong_by((*self.corrections(CORRECTIONS), *self.archived), was)

    def passages(self, path: str) -> tuple[ContextPassage, ...]:
        """The passages without the template's text about how to fill it in; of a saved session,
        only what was said.
        """
        text = self._files.text(path)
        if path not in NOTEBOOKS and is_session(text):
            return session_passages(path, as_turns(text), self.today)
        return _filled_in(path, as_turns(text), self.today)

    def standing(self, read: Iterable[ContextPassage]) -> list[ContextPassage]:
        """The passages, each marked if it is wrong or undecided."""
        return [*map(self._marked, standing(read, self._wrong))]

    def of(self, path: str) -> list[ContextPassage]:
        """The passages of a file, each marked if it is wrong or undecided."""
        return self.standing(self.passages(path))

    def holds(self, correction: Correction) -> bool:
        """Whether no later correction overrules this one."""
        return not self._wrong.overrules(correction)

    def corrections(self, path: str) -> tuple[Correction, ...]:
        if path not in self._corrections_in:
            read = corrections(self._files.text(path))
            self._corrections_in[path] = doubting(read, self._files.doubted)
        return self._corrections_in[path]

    def _marked(self, passage: ContextPassage) -> ContextPassage:
        is_undecided = passage.kind == "item" and passage.line in self._undecided_in(passage.path)
        return pending(passage) if is_undecided else passage

    def _undecided_in(self, path: str) -> frozenset[int]:
        """The lines at which entries begin about which the operator is asked."""
        if not self._undecided or not holds_entries(path):
            return frozenset()
        if path not in self._undecided_lines:
            self._undecided_lines[path] = frozenset(
                entry.line
                for entry in entries(self._files.text(path))
                if entry.key in self._undecided
            )
        return self._undecided_lines[path]

    @cached_property
    def _undecided(self) -> frozenset[str]:
        """The keys of the entries about which the operator is asked, as a search marks them."""
        return frozenset(filter(None, self._asked_about()))

    def _asked_about(self) -> Iterator[str]:
        yield from (each.target for each in self.corrections(CORRECTIONS) if each.waits)
        for conflict in conflicts.conflicts(self._files.text(conflicts.PATH)):
            if conflict.open:
                yield from (conflict.a.key, conflict.b.key)


def _filled_in(path: str, text: str, today: date) -> tuple[ContextPassage, ...]:
    """The passages of a file without those of its template."""
    if path in NOTEBOOKS:
        return _without(path, text, today, "MEMORY.md")
    if is_form(path):
        return _without(path, text, today, path.rpartition("/")[2])
    return passages(path, text, today)


@lru_cache(maxsize=32)
def _without(path: str, text: str, today: date, name: str) -> tuple[ContextPassage, ...]:
    """The passages of a file without those of the template of that name.

    Cached, since a server reads files again.
    """
    written = passages(path, text, today)
    return tuple(filled_in(written, _template_keys(name), is_form=is_form(name)))


@cache
def _template_keys(name: str) -> frozenset[str]:
    """The keys of the passages of a file's templates: ours, and OpenClaw's."""
    ours: Iterable[ContextPassage] = _ours(name)
    if name == SOUL:
        # The lines of our soul template count as content; only a paragraph below a heading explains
        # a section.
        ours = (passage for passage in ours if passage.kind == "para" and passage.heads[1:])
    return _keys(ours) | openclaws(name)


def _ours(name: str) -> tuple[ContextPassage, ...]:
    return passages(name, template(name), date.min)


def _keys(read: Iterable[ContextPassage]) -> frozenset[str]:
    return frozenset(text_key(passage.text) for passage in read)
