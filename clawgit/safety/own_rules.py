"""Whose rules count: those of SOUL.md and AGENTS.md, and elsewhere what the operator wrote or
adopted. A program may write `## CRITICAL` too.
"""

import re
from collections.abc import Sequence
from functools import cache

from clawgit.core.layout import SOUL
from clawgit.core.markdown.tag_table import visible
from clawgit.core.tiers import NOTEBOOKS
from clawgit.git.history.pathlog import told
from clawgit.safety.own_texts import accepted_in, adopted_commits
from clawgit.talk.rules.house_rules import forbids, is_rule
from clawgit.workspace.workspace_base import WorkspaceBase

GUIDE = "AGENTS.md"

_WORDING = ("remember", "edit")
"""The verbs by which somebody words a text."""

_WORDED = re.compile(r"^([0-9a-f]{40,64}) .*\n(?:[^\t].*\n)*\t(.*)$", re.MULTILINE)
"""What git blames for a line: the commit that worded it, and the line."""


class Rules:
    """The rules of a workspace now, or at a commit. Each file is traced once."""

    def __init__(self, workspace: WorkspaceBase, commit: str = "") -> None:
        self._workspace, self._commit = workspace, commit or "HEAD"
        self._own = cache(self._own_lines)

    def holds(self, path: str, text: str, titles: Sequence[str]) -> bool:
        """Whether a text is a rule that counts, by the titles above it."""
        # An agent is held to these, whoever wrote them, and to what they forbid under any heading.
        if path in (SOUL, GUIDE):
            return is_rule(text, titles) or forbids(text)
        if not is_rule(text, titles):
            return False
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
        return {
            commit.sha
            for commit in told(self._workspace.cgit, oids)
            if commit.message.by_operator and commit.message.verb in _WORDING
        }

    def _adopted(self) -> set[str]:
        """The commits that were there when the operator adopted the workspace."""
        named = adopted_commits(accepted_in(self._workspace))
        git = self._workspace.cgit
        return {*git.text("rev-list", "--ignore-missing", *named).split()} if named else set()


def _bare(line: str) -> str:
    return visible(line).strip("-*+# \t\r")
