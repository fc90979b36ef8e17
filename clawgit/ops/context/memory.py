"""The files of a workspace in passages, without what the operator has corrected."""

from collections.abc import Iterable

from clawgit.domain.context.corrected_lines import wrong_by
from clawgit.domain.context.passage import ContextPassage, passages, standing
from clawgit.domain.conversation.dump import as_turns
from clawgit.domain.corrections.corrections import ARCHIVE, CORRECTIONS, Correction, corrections
from clawgit.ops.context.files import Files, Moment


class MemoryFiles:
    """Each file is read and cut once."""

    def __init__(self, files: Files, when: Moment) -> None:
        self._files, self.today, self.notebook = files, when.now.date(), files.notebook
        self._put_right: dict[str, tuple[Correction, ...]] = {}
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
        """The passages as they are written; of a saved session, what was said."""
        return passages(path, as_turns(self._files.text(path)), self.today)

    def standing(self, found: Iterable[ContextPassage]) -> list[ContextPassage]:
        return standing(found, self._wrong)

    def of(self, path: str) -> list[ContextPassage]:
        return self.standing(self.passages(path))

    def holds(self, correction: Correction) -> bool:
        """Whether no later correction overrules this one."""
        return not self._wrong.overrules(correction)

    def corrections(self, path: str) -> tuple[Correction, ...]:
        if path not in self._put_right:
            self._put_right[path] = corrections(self._files.text(path))
        return self._put_right[path]
