"""Whose rules count: those of SOUL.md and AGENTS.md, and elsewhere what the operator wrote or
adopted. A program may write `## CRITICAL` too. A question for permission is answered by the rule
that shares its words.
"""

import re
from collections.abc import Callable, Sequence
from datetime import date
from functools import cache, partial

from clawgit.domain.change.authority import SOUL, made_by_operator
from clawgit.domain.context.rules import asks_permission, is_rule
from clawgit.domain.markdown.tags import visible
from clawgit.domain.search.question import Asked
from clawgit.domain.search.standing import stale_reason
from clawgit.domain.workspace.tiers import NOTEBOOKS
from clawgit.ops.search import answering
from clawgit.ops.search.answering import Found, Memory
from clawgit.ops.workspace.workspace import Workspace
from clawgit.stores.git.batch import Batch
from clawgit.stores.git.place import is_commit_id
from clawgit.stores.index.tables import ItemRow
from clawgit.stores.trust import ADOPTED, accepted_rows, trust_file

GUIDE = "AGENTS.md"

_WORDING = ("remember", "edit")
"""The verbs by which somebody words a text."""

_WORDED = re.compile(r"^([0-9a-f]{40,64}) .*\n(?:[^\t].*\n)*\t(.*)$", re.MULTILINE)
"""What git blames for a line: the commit that worded it, and the line."""


class Rules:
    """The rules of a workspace now, or at a commit. Each file is traced once."""

    def __init__(self, workspace: Workspace, commit: str = "") -> None:
        self._workspace, self._commit = workspace, commit or "HEAD"
        self._own = cache(self._own_lines)

    def holds(self, path: str, text: str, titles: Sequence[str]) -> bool:
        """Whether a text is a rule that counts, by the titles above it."""
        if not is_rule(text, titles):
            return False
        # An agent is held to these, whoever wrote them.
        if path in (SOUL, GUIDE):
            return True
        own, above = self._own(path), [_bare(title) for title in ("", *titles)]
        lines = [(above[-1], _bare(line)) for line in text.split("\n")]
        return own.issuperset([*lines, *((title, title) for title in above[1:])])

    def _own_lines(self, path: str) -> frozenset[tuple[str, str]]:
        """The lines of a file that the operator worded or adopted, each with the heading above it,
        if that is his too. A line that was moved under another heading is nobody's.
        """
        git = self._workspace.cgit
        said = git.text("blame", "--porcelain", self._commit, "--", path, ok=(0, 128))
        lines = _WORDED.findall(said)
        his = self._worded(path, {oid for oid, _ in lines}).union(self._adopted())
        heading, own = "", set[tuple[str, str]]()
        for oid, line in lines:
            if line.startswith("#"):
                heading = _bare(line)
            if oid in his:
                own.add((heading, _bare(line)))
        return frozenset(own)

    def _worded(self, path: str, oids: set[str]) -> set[str]:
        """The commits by which the operator worded what stands in a file. Other verbs of his bring
        back or move what somebody else said, and to other files an entry may be moved for room.
        """
        if path not in NOTEBOOKS:
            return set()
        made = Batch(self._workspace.cgit).read_commits(oids)
        return {
            commit.sha
            for commit in made
            if made_by_operator(commit.message) and commit.message.verb in _WORDING
        }

    def _adopted(self) -> set[str]:
        """The commits that were there when the operator adopted the workspace."""
        _, env, _, home = self._workspace.caller
        rows = accepted_rows(trust_file(home, env), self._workspace.place)
        named = [row.digest for row in rows if row.kind == ADOPTED and is_commit_id(row.digest)]
        git = self._workspace.cgit
        return {*git.text("rev-list", "--ignore-missing", *named).split()} if named else set()


def _bare(line: str) -> str:
    return visible(line).strip("-*+# \t\r")


Counts = Callable[[str, str, tuple[str, ...]], bool]
"""Whether a rule counts, by its file, its text and the headings above it."""

OF_RULE = 2.0
"""What a rule stands at where permission is asked."""

_LOOKED_AT = 20
"""How many rules that share words are looked at, until one counts."""


def permitted(asked: Asked, memory: Memory, counts: Counts) -> list[Found]:
    """What answers a question, best first; if it asks for permission, the rule that shares its
    words is first.
    """
    found = answering.answer(asked, memory)
    if not asks_permission(asked.text):
        return found

    only = partial(_is_sound, memory.today)
    read = answering.answer(asked, memory._replace(only=only))
    rows = [(one, one.row) for one in read if one.words > 0][:_LOOKED_AT]
    rules = (one for one, row in rows if counts(row.path, row.text, row.headings))
    rule = next(rules, None)
    if rule is None:
        return found
    score = rule.score * OF_RULE
    lifted = rule._replace(score=min(score, 1.0), standing=(*rule.standing, ("rule", OF_RULE)))
    others = [one for one in found if one.row.id != rule.row.id]
    at = sum(one.score > score for one in others)
    return [*others[:at], lifted, *others[at:]]


def _is_sound(today: date, row: ItemRow) -> bool:
    """Whether a line is a rule that is still in force."""
    is_over = row.meta is not None and (row.meta.expires or today) < today
    return is_rule(row.text, row.headings) and not (is_over or stale_reason(row))
