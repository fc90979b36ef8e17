"""Checks of what a repository's own configuration hides or would run: edits that git does not see,
filters, excludes.
"""

import os

from clawgit.errors import counted
from clawgit.ops.health.files import ignore_rule
from clawgit.ops.health.finding import Finding, Site, several
from clawgit.stores.git.guards.filters import filtered
from clawgit.stores.git.guards.hidden import differing, hidden_files

_MEMORY = (
    "memory",
    "SOUL.md",
    "IDENTITY.md",
    "USER.md",
    "AGENTS.md",
    "TOOLS.md",
    "MEMORY.md",
    "CORRECTIONS.md",
)


def look_at_hidden(site: Site) -> Finding:
    """Compares Markdown files by content: neither index bits nor file times can hide an edit."""
    marked = hidden_files(site.git)
    bits = [
        f"{file.path} bears {file.bit}{', and was edited' if file.edited else ''}"
        for file in marked
    ]
    # Without the files that have such a bit: these are listed already.
    forged = _unseen(site, {file.path for file in marked})
    hidden = [
        *bits,
        *(f"{path} was edited, and git's index says that it was not" for path in forged),
    ]
    if not hidden:
        return Finding(True, "git sees every edit of a Markdown file")
    first = marked[0].remedy if marked else f"touch '{forged[0]}'"
    return Finding(
        False, f"hidden from git: {several(hidden)}", f"{first}, then `clawgit snapshot`."
    )


def look_at_filters(site: Site) -> Finding:
    """Filters that came with the repository are off, and clawgit leaves files under them alone."""
    drivers = site.git.untrusted_filters
    if not drivers:
        return Finding(
            True, "no filter of the repository's own changes files on their way into git"
        )
    under = sorted(filtered(site.git, site.files))
    names = several([driver.name for driver in drivers])
    rows = several([row for driver in drivers for row in driver.rows])
    if not under:
        return Finding(
            True, f"filters of the repository's own configuration are off: {names} ({rows})"
        )
    return Finding(
        False,
        f"{counted(len(under), 'file')} under a filter that nobody has trusted ({rows}), so never "
        f"read or written: {several(under)}",
        f"If you trust that program: clawgit trust filter:{drivers[0].name}",
    )


def look_at_excluded(site: Site) -> Finding:
    """Memory on disk that an exclude hides from git, so that it is never committed."""
    listed = site.git.text(
        "ls-files", "-z", "--others", "--ignored", "--exclude-standard", "--", *_MEMORY
    )
    excluded = [
        path
        for path in listed.split("\0")
        if path.lower().endswith(".md") and site.scope.covers(path)
    ]
    if not excluded:
        return Finding(True, "no memory on disk is hidden by an exclude")
    rule = ignore_rule(site, excluded[0])
    return Finding(
        rule.is_history,
        f"on disk, but git ignores it, so it is never committed: {several(excluded)}",
        f"`{rule.text}` hides it: remove that line, or take the file out of the scope with "
        "`clawgit config set scope`.",
    )


def look_at_comments(site: Site) -> Finding:
    """Comments that are neither clawgit's nor OpenClaw's: not shown on a rendered page, but read by
    programs. Most are harmless, so this is a note.
    """
    places = [f"{path}:{line}" for path, lines in site.reading.comments.items() for line in lines]
    if not places:
        return Finding(True, "no comments but clawgit's and OpenClaw's")
    shown = several(places)
    return Finding(
        True,
        f"{counted(len(places), 'comment')} that a rendered page does not show: {shown}",
        "Look once: programs that read a file see its comments too. `git grep -n '<!--'`",
    )


def _unseen(site: Site, marked: set[str]) -> list[str]:
    """Edits that git does not report, though no bit in the index hides them."""
    reported = {
        os.fsdecode(path) for path in site.git.run("diff-files", "-z", "--name-only").split(b"\0")
    }
    blobs = {
        path: oid
        for path, oid in _markdown_blobs(site).items()
        if path not in reported | marked and os.path.lexists(site.root / path)
    }
    # A filter may change the bytes when git stores them, so a difference proves no edit.
    under = filtered(site.git, blobs)
    for path in under:
        blobs.pop(path, None)
    return sorted(differing(site.git, blobs, site.reading.blobs))


def _markdown_blobs(site: Site) -> dict[str, str]:
    """The Markdown files in the index, with the ids of their content."""
    blobs = {}
    for record in site.git.run("ls-files", "-s", "-z").split(b"\0"):
        head, _, name = record.partition(b"\t")
        path = os.fsdecode(name)
        # Modes of regular files begin with 100: neither a symbolic link nor a submodule.
        if head.startswith(b"100") and path.lower().endswith(".md"):
            blobs[path] = head.split(b" ")[1].decode("ascii")
    return blobs
