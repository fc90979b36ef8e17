"""Check of CONFLICTS.md: judges conflicts again that earlier rules flagged."""

from functools import partial

from clawgit.domain.change.actors import CLAWGIT
from clawgit.domain.change.history import Intent
from clawgit.domain.claims.conflicts import ARCHIVE, PATH
from clawgit.domain.claims.rejudging import Rejudged, former, rejudged
from clawgit.domain.markdown.entry import holds_entries
from clawgit.ops.health.finding import Finding, Mend, Site, plural
from clawgit.stores.git.transaction import Outcome
from clawgit.stores.git.worktree import read_file

_MOST_LISTED = 20
"""Conflicts that the commit message lists, so that it stays readable."""


def look_at_conflicts(site: Site) -> Finding:
    """Memory files are read only if a conflict of earlier rules is left."""
    if PATH not in site.files or not former(_text(site, PATH)):
        return Finding(True, "no conflict needs to be judged again")
    judged = _judged(site)
    total = len(judged.dropped) + len(judged.kept)
    none = (
        f"{len(judged.dropped)} of them contradict{'s' if len(judged.dropped) == 1 else ''} nothing"
    )
    detail = f"{plural(total, 'conflict')} of former rules in {PATH}; {none}"
    mend = Mend(
        f"judge {plural(total, 'conflict')} again, archive {len(judged.dropped)}",
        partial(_judge, site),
    )
    return Finding(False, detail, "`clawgit doctor --fix` archives these in one commit.", (mend,))


def _judge(site: Site) -> Outcome:
    # Judged again: the files may have changed since the check.
    judged = _judged(site)
    summary = f"judge conflicts again: {len(judged.dropped)} archived, {len(judged.kept)} stay"
    reason = "\n".join(
        f"{conflict.id}: {conflict.a.text} / {conflict.b.text}"
        for conflict in judged.dropped[:_MOST_LISTED]
    )
    with site.workspace.git.transaction(
        Intent(CLAWGIT, "doctor", summary, reason), site.workspace.now
    ) as tx:
        for path, text in judged.files.items():
            tx.put(path, text)
    return tx.outcome


def _judged(site: Site) -> Rejudged:
    paths = (
        path
        for path in site.files
        if path == PATH or holds_entries(path) or path.startswith(ARCHIVE)
    )
    return rejudged({path: _text(site, path) for path in paths})


def _text(site: Site, path: str) -> str:
    return (read_file(site.root, path).data or b"").decode("utf-8", "surrogateescape")
