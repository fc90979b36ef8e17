"""Which rerankers read a question: the one that is set or, with `quick`, the two that come with
clawgit, one after the other.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cached_property
from importlib.util import find_spec

from clawgit.config.settings import BUILT_IN, QUICK
from clawgit.domain.search.ranking_weights import BELIEVED_QUICK
from clawgit.errors import ClawgitError
from clawgit.ops.search.preparing import PreparedQuestion
from clawgit.ops.search.reranking import Reranking, is_english, is_in_a_language, remembered
from clawgit.ops.search.vector_search import is_wanted, with_hint
from clawgit.ops.workspace.reach import expanded
from clawgit.ops.workspace.workspace import Workspace
from clawgit.stores.embed.reader import shipped_reader
from clawgit.stores.reranker import Reranker


class InTurn(Iterable[Reranking]):
    """The rerankers that read a question, one after the other; each is loaded when its turn comes.
    `failure` says then why one cannot be. It is false if there is none for any question.
    """

    def __init__(
        self, in_turn: Callable[[], Iterator[Reranking]], asked: PreparedQuestion, *, are_any: bool
    ) -> None:
        self._in_turn, self._asked, self._are_any = in_turn, asked, are_any
        self.failure = ""

    def __bool__(self) -> bool:
        return self._are_any

    def __iter__(self) -> Iterator[Reranking]:
        asked = self._asked
        try:
            for each in self._in_turn():
                if each.reads(asked.question, asked.words):
                    yield each._replace(operator=asked.book.operator)
        except ClawgitError as error:
            self.failure = f"no reranker: {with_hint(error)}"


class Rerankers:
    """The rerankers of a workspace. Each is loaded when the first question needs it: one of a
    single word needs none.
    """

    def __init__(self, workspace: Workspace) -> None:
        self._workspace = workspace

    def for_question(self, asked: PreparedQuestion) -> InTurn:
        return InTurn(self._in_turn, asked, are_any=self._is_named or self._are_both)

    def load(self) -> bool:
        """Loads all that a question may ask; whether there are any. Raises ClawgitError if one
        cannot be used.
        """
        # Whether it knows the letters of a question, a reranker can only tell once it is loaded.
        loaded = [each.knows("") for each in self._in_turn()]
        return any(loaded)

    def _in_turn(self) -> Iterator[Reranking]:
        if self._is_named:
            yield self._whole
        elif self._are_both:
            yield self._quick
            if find_spec("onnxruntime") is not None:
                yield self._beside_quick

    @cached_property
    def _is_named(self) -> bool:
        return self._workspace.config.settings.reranker not in {"", QUICK}

    @cached_property
    def _are_both(self) -> bool:
        if self._workspace.config.settings.reranker != QUICK:
            return False
        return is_wanted(self._workspace) and find_spec("numpy") is not None

    @cached_property
    def _quick(self) -> Reranking:
        return Reranking(
            remembered(lambda question, texts: shipped_reader().relevance(question, texts)),
            is_asked_in=is_english,
            is_quick=True,
            finds=False,
            belief=BELIEVED_QUICK,
        )

    @cached_property
    def _beside_quick(self) -> Reranking:
        """The large one, which sorts what the quick one has put first."""
        return Reranking(
            self._relevance,
            knows=self._knows,
            is_asked_in=is_in_a_language,
            is_quick=True,
        )

    @cached_property
    def _whole(self) -> Reranking:
        named = self._workspace.config.settings.reranker
        files = () if named in {QUICK, BUILT_IN} else (expanded(self._workspace, named),)
        reranker = Reranker(*files)
        return Reranking(remembered(reranker.relevance), knows=reranker.knows)

    def _relevance(self, question: str, texts: Sequence[str]) -> list[float]:
        return self._whole.relevance(question, texts)

    def _knows(self, question: str) -> bool:
        return self._whole.knows(question)
