"""The reranker of a workspace, and whether it reads a question."""

from functools import cached_property

from clawgit.domain.extraction.speaker import operators_name
from clawgit.errors import ClawgitError
from clawgit.ops.search.hit_text import Sheets
from clawgit.ops.search.preparing import PreparedQuestion
from clawgit.ops.search.reranking import PROFILE, Reranking, is_for_reading, remembered
from clawgit.ops.search.vector_search import is_wanted, with_hint
from clawgit.ops.workspace.workspace import Workspace
from clawgit.stores.models import lacking
from clawgit.stores.reranker import Reranker


class QuestionReranker:
    """What loads the reranker for a question when something is to be read. It gives none if the
    model does not know the letters, or cannot be used: `failure` says why.
    """

    def __init__(self, reranker: "WorkspaceReranker", asked: PreparedQuestion) -> None:
        self._reranker, self._asked = reranker, asked
        self.failure = ""

    def __call__(self) -> Reranking | None:
        asked = self._asked
        try:
            reranking = self._reranker.loaded
            if reranking.knows(asked.question.text):
                return reranking
        except ClawgitError as error:
            self.failure = f"no reranker: {with_hint(error)}"
        return None


class WorkspaceReranker:
    """The reranker of a workspace, loaded when the first question needs it: one of a single word
    does not.
    """

    def __init__(self, workspace: Workspace) -> None:
        self._workspace = workspace

    def for_question(self, asked: PreparedQuestion) -> QuestionReranker | None:
        """None if there is none, or the question needs none."""
        if not self.is_any or not is_for_reading(asked.question):
            return None
        return QuestionReranker(self, asked)

    @cached_property
    def is_any(self) -> bool:
        """Not where its model is not installed: what opens the embedder says so."""
        is_off = self._workspace.config.settings.search_mode == "vectors"
        return not is_off and is_wanted(self._workspace) and lacking() is None

    @cached_property
    def loaded(self) -> Reranking:
        """Raises ClawgitError if it cannot be used."""
        reranker = Reranker()
        operator = operators_name(Sheets(self._workspace).whole(PROFILE))
        return Reranking(remembered(reranker.relevance), reranker.knows, operator)
