"""Reads the lines of a snippet from the files of the hits."""

from clawgit.domain.conversation.dump import as_turns
from clawgit.domain.markdown.decoding import text_of
from clawgit.domain.markdown.scan import lines_of
from clawgit.domain.markdown.tags import visible
from clawgit.domain.search.snippet import Snippet
from clawgit.domain.workspace.limits import readable
from clawgit.language.lazily import lazily
from clawgit.ops.workspace.workspace import Workspace
from clawgit.stores.git.batch import Batch
from clawgit.stores.git.cgit import CGit
from clawgit.stores.plainfile import part_at

_GAP = lazily(r"\n{4,}")


class Sheets:
    """The files of one search, each read once.

    `commit` is the state to read, "" for the files on disk.
    """

    def __init__(self, workspace: Workspace, commit: str = "") -> None:
        self._workspace, self._commit = workspace, commit
        self._root = str(workspace.root)
        self._texts: dict[str, str] = {}
        self._lines: dict[str, list[str]] = {}
        self._batch: Batch | None = None

    def text(self, path: str, snippet: Snippet) -> str:
        """The lines of a snippet in the file, without metadata comments.

        If the file has changed since it was indexed, the text is the index's.
        """
        if path not in self._lines:
            self._lines[path] = lines_of(as_turns(self.whole(path)))
        lines = self._lines[path][snippet.line - 1 : snippet.end_line]
        stands = visible("".join(lines)).replace("\r\n", "\n")
        shown = "\n".join(line.rstrip() for line in stands.strip("\n").split("\n"))
        # The parts left out of a saved session become empty lines, so that line numbers stay.
        shown = _GAP.sub("\n\n", shown)
        return shown if _says(shown, snippet.text) else snippet.text

    def whole(self, path: str) -> str:
        """A file as text; "" if it does not exist."""
        if path not in self._texts:
            self._texts[path] = text_of(self._read(path))
        return self._texts[path]

    def _read(self, path: str) -> bytes:
        if self._commit:
            return self._then(path)
        return part_at(f"{self._root}/{path}")

    def _then(self, path: str) -> bytes:
        self._batch = self._batch or Batch(CGit(self._workspace.root, self._workspace.caller.env))
        return readable(self._batch.data(f"{self._commit}:{path}") or b"")


def _says(shown: str, text: str) -> bool:
    """Whether all words of a text are in what is shown, in this order."""
    at = 0
    for word in text.split():
        at = shown.find(word, at)
        if at < 0:
            return False
        at += len(word)
    return True
