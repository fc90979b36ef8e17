"""Whose rules count: those of SOUL.md and AGENTS.md, and elsewhere what the operator wrote or
adopted. A program may write `## CRITICAL` too. A question for permission is answered by the rule
that shares its words.
"""

import re
from collections.abc import Callable, Iterable, Iterator
from functools import cache

from clawgit.domain.change.authority import SOUL, made_by_operator
from clawgit.domain.context.rules import asks_permission, is_rule
from clawgit.domain.markdown.decoding import text_of
from clawgit.domain.markdown.tags import visible
from clawgit.domain.search.question import Asked
from clawgit.domain.search.standing import stale_reason
from clawgit.ops.search import answering
from clawgit.ops.search.answering import Found, Memory
from clawgit.ops.workspace.workspace import Workspace
from clawgit.stores.git.batch import Batch
from clawgit.stores.git.place import is_commit_id
from clawgit.stores.index.tables import ItemRow
from clawgit.stores.trust import ADOPTED, accepted_rows, trust_file

GUIDE = "AGENTS.md"

_WORDED = re.compile(r"^([0-9a-f]{40,64}) .*\n(?:[^\t].*\n)*\t(.*)$", re.MULTILINE)
"""What git blames for a line: the commit that worded it, and the line."""


class Rules:
    """The rules of a workspace now, or at a commit. Each file is traced once."""

    def __init__(self, workspace: Workspace, commit: str = "") -> None:
        self._workspace, self._commit = workspace, commit or "HEAD"
        self._own = cache(self._own_lines)

    def holds(self, path: str, text: str, titles: Iterable[str]) -> bool:
        """Whether a text is a rule that counts, by the titles above it."""
        if not is_rule(text, titles):
            return False
        # An agent is held to these, whoever wrote them.
        if path in (SOUL, GUIDE):
            return True
        own = self._own(path)
        is_own = own.issuperset(map(_bare, text.split("\n")))
        return is_own and is_rule(text, own.intersection(titles))

    def _own_lines(self, path: str) -> frozenset[str]:
        """The lines of a file that the operator wrote or adopted."""
        git = self._workspace.cgit
        objects = Batch(git)
        said = git.text("blame", "--porcelain", self._commit, "--", path, ok=(0, 128))
        lines = _WORDED.findall(said)
        made = objects.read_commits({name for name, _ in lines})
        his = {commit.sha for commit in made if made_by_operator(commit.message)}
        written = (line for name, line in lines if name in his)
        return frozenset(map(_bare, (*written, *self._adopted(objects, path))))

    def _adopted(self, objects: Batch, path: str) -> Iterator[str]:
        """The lines of a file as it was adopted."""
        _, env, _, home = self._workspace.caller
        for row in accepted_rows(trust_file(home, env), self._workspace.place):
            if row.kind == ADOPTED and is_commit_id(row.digest):
                yield from text_of(objects.data(f"{row.digest}:{path}") or b"").split("\n")


def _bare(line: str) -> str:
    return visible(line).strip("-*+# \t\r")


Counts = Callable[[str, str, tuple[str, ...]], bool]
"""Whether a rule counts, by its file, its text and the headings above it."""

_TINY = 1e-9
_LOOKED_AT = 20
"""How many rules that share words are looked at, until one counts."""


def permitted(asked: Asked, memory: Memory, counts: Counts) -> list[Found]:
    """What answers a question, best first; if it asks for permission, the rule that shares its
    words is first.
    """
    found = answering.answer(asked, memory)
    if not asks_permission(asked.text):
        return found

    def is_sound(row: ItemRow) -> bool:
        return is_rule(row.text, row.headings) and not stale_reason(row)

    read = answering.answer(asked, memory._replace(only=is_sound))
    rows = [(one, one.row) for one in read if one.words > 0][:_LOOKED_AT]
    rules = (one for one, row in rows if counts(row.path, row.text, row.headings))
    rule = next(rules, None)
    if rule is None:
        return found
    # It counts for certain; the score stays the product.
    lift = ("rule", 1 / max(rule.score, _TINY))
    first = rule._replace(score=1.0, standing=(*rule.standing, lift))
    return [first, *(one for one in found if one.row.id != rule.row.id)]
