"""Checks of the files: what clawgit cannot read, OpenClaw would refuse, or git would lose."""

import os
import shlex
import stat
from collections.abc import Iterator
from functools import partial

from clawgit.domain.change.actors import CLAWGIT
from clawgit.domain.change.history import Intent
from clawgit.domain.markdown.validate import with_own_ids
from clawgit.errors import counted
from clawgit.ops.health.finding import NOTE, PROBLEM, Finding, Mend, Site, several
from clawgit.ops.health.sizes import injected_by, oversize
from clawgit.ops.safety.secrets import PURGE, allowances, in_history
from clawgit.ops.safety.secrets_allowed import how_to_allow
from clawgit.ops.safety.secrets_found import FoundSecret, gathered, judged
from clawgit.stores.git.cgit import CGitError
from clawgit.stores.git.exclude import hide_nested
from clawgit.stores.git.guards.filters import filtered
from clawgit.stores.git.guards.hidden import differing, hidden_files
from clawgit.stores.git.transaction import Outcome
from clawgit.stores.hardlinks import leads_outside

_REGULAR = 0o100000
_KIND = 0o170000
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


def look_at_entries(site: Site) -> Iterator[Finding]:
    """Entries with errors, and files in which no entry can be read or which no search reads."""
    reading = site.reading
    for path, zero in reading.zeros.items():
        why = f"it is not searched: it has a zero byte (byte {zero})"
        yield Finding(path, why, f"Remove it: {_without_zeros(path)}")
    for path, byte in reading.not_text.items():
        if path not in reading.zeros:
            remedy = f"Convert it: iconv -f LATIN1 -t UTF-8 '{path}'"
            yield Finding(path, f"it is not UTF-8 (byte {byte})", remedy)
    for path, problems in reading.problems.items():
        # Only duplicate ids are repaired without asking: for any other fault somebody must know
        # what was meant.
        own = Mend(f"give each entry of {path} an id of its own", partial(_give_ids, site, path))
        for problem in problems:
            place, mends = f"{path}:{problem.line}", (own,) if problem.doubled else ()
            yield Finding(place, problem.message, problem.hint, mends=mends)


def _without_zeros(path: str) -> str:
    file, new = shlex.quote(path), shlex.quote(f"{path}.new")
    return rf"tr -d '\0' < {file} > {new} && mv {new} {file}"


def _give_ids(site: Site, path: str) -> Outcome:
    summary = f"give each entry of {path} an id of its own"
    intent = Intent(CLAWGIT, "doctor", summary, "Some had the same.")
    with site.workspace.git.transaction(intent, site.workspace.now) as tx:
        tx.put(path, with_own_ids(tx.read_text(path) or ""))
    return tx.outcome


def look_at_files(site: Site) -> Iterator[Finding]:
    """Links, which OpenClaw refuses and a write would break, and what is over its limits."""
    for path, status in site.on_disk.items():
        if why := _linked(site, path, status):
            remedy = f"cp '{path}' '{path}.new' && mv '{path}.new' '{path}'"
            yield Finding(path, why, f"Make it a file of its own: {remedy}")
    is_injected = injected_by(site.workspace.layout, site.scope)
    pages = [path for path in site.files if path.lower().endswith(".md")]
    for file in oversize(site.root, pages, is_injected):
        yield Finding("", file.what, file.fix)


def _linked(site: Site, path: str, status: os.stat_result) -> str:
    """What kind of link a file is, "" if none.

    Other agents follow a symlink: their CLAUDE.md and AGENTS.md are often one file.
    """
    if stat.S_ISLNK(status.st_mode):
        is_right = site.workspace.layout.name != "openclaw" and _is_second_name(site, path)
        return "" if is_right else "it is a symlink"
    if not stat.S_ISREG(status.st_mode) or status.st_nlink == 1:
        return ""
    outside = ", one of them outside of here" if leads_outside(site.root, status) else ""
    return f"it is a hard link ({status.st_nlink} names{outside})"


def _is_second_name(site: Site, path: str) -> bool:
    """Whether a symlink leads to a file that is itself in the scope."""
    target = (site.root / path).resolve()
    return any(target == site.root / other for other in site.on_disk if other != path)


def look_at_hidden(site: Site) -> Iterator[Finding]:
    """Compares Markdown files by content: neither index bits nor file times can hide an edit.

    Files under a filter that came with the repository are left alone, so they are named.
    """
    marked = hidden_files(site.git)
    for file in marked:
        why = f"git is told to overlook it ({file.bit}){', and it was edited' * file.edited}"
        yield Finding(file.path, why, f"{file.remedy}, then `clawgit snapshot`.")
    # Without the files that have such a bit: these are listed already.
    for path in _unseen(site, {file.path for file in marked}):
        why = "it was edited, and git's index says that it was not"
        yield Finding(path, why, f"touch '{path}', then `clawgit snapshot`.")
    drivers = site.git.untrusted_filters
    if drivers and (under := sorted(filtered(site.git, site.files))):
        rows = several([row for driver in drivers for row in driver.rows])
        why = f"under a filter that nobody has trusted ({rows}), so never read or written"
        remedy = f"If you trust that program: clawgit trust filter:{drivers[0].name}"
        yield Finding(several(under), why, remedy)


def _unseen(site: Site, marked: set[str]) -> list[str]:
    """Edits that git does not report, though no bit in the index hides them."""
    listed = site.git.run("diff-files", "-z", "--name-only").split(b"\0")
    known = {os.fsdecode(path) for path in listed} | marked
    blobs = {
        path: oid
        for path, (mode, oid) in site.tracked.items()
        if mode & _KIND == _REGULAR and path.lower().endswith(".md")
        if path not in known and os.path.lexists(site.root / path)
    }
    # A filter may change the bytes when git stores them, so a difference proves no edit.
    for path in filtered(site.git, blobs):
        blobs.pop(path, None)
    return sorted(differing(site.git, blobs, site.reading.blobs))


def look_at_ignored(site: Site) -> Iterator[Finding]:
    """Memory on disk that git ignores, so that it is never committed, and repositories of their
    own, which `git add` would swallow.
    """
    options = ("-z", "--others", "--ignored", "--exclude-standard")
    listed = site.git.text("ls-files", *options, "--", *_MEMORY).split("\0")
    ignored = [path for path in listed if path.lower().endswith(".md") and site.scope.covers(path)]
    if ignored:
        rule, is_decided = _rule_of(site, ignored[0])
        why = "git ignores it, so it is never committed"
        remedy = f"`{rule}` hides it: remove that line, or take the file out of `scope`."
        yield Finding(several(ignored), why, remedy, NOTE if is_decided else PROBLEM)
    # Git lists an untracked repository as a folder, and an ordinary folder by its files.
    for path in site.others:
        if path.endswith("/") and site.scope.covers(f"{path}_.md"):
            remedy = "`clawgit doctor --fix` hides it; its own history is not touched."
            mend = Mend(f"hide {path} (.git/info/exclude)", partial(hide_nested, site.place, path))
            why = "a repository of its own, which `git add` would swallow"
            yield Finding(path, why, remedy, mends=(mend,))


def _rule_of(site: Site, path: str) -> tuple[str, bool]:
    """The line that hides a path from git, and whether the newest commit has it: then somebody
    decided this.
    """
    text = site.git.text("check-ignore", "-v", "--no-index", "--", path, ok=(0, 1))
    rule = text.partition("\t")[0]
    file = rule.rsplit(":", 2)[0]
    same = ("diff-index", "--quiet", "HEAD", "--", file)
    return rule, file in site.tracked and site.git.call(*same, ok=(0, 1, 128))[0] == 0


def look_at_secrets(site: Site) -> Iterator[Finding]:
    """Secrets in the files, and if deep in every commit that a reference reaches."""
    for secret in judged(site.workspace, gathered(site.reading.secrets)):
        if not secret.allowed:
            allow = how_to_allow(secret.fingerprint)
            remedy = f"Remove it, and replace it at its issuer. If it is not a secret: {allow}"
            yield Finding(secret.place, _named(secret), remedy)
    for allowance in allowances(site.workspace):
        # Such an entry hides no secret, but somebody believes that it does.
        if not allowance.counts:
            why = f"the entry {allowance.entry} does not count: {allowance.reason}"
            yield Finding("secrets_allow", why, f"If you mean it: {how_to_allow(allowance.entry)}")
    if site.deep:
        yield from _in_commits(site)


def _named(secret: FoundSecret) -> str:
    """Its kind and its masked text, which begins with the kind where a label gave it away."""
    return secret.shown if secret.shown.startswith(secret.rule) else f"{secret.rule} {secret.shown}"


def _in_commits(site: Site) -> Iterator[Finding]:
    try:
        found = in_history(site.workspace)
    except CGitError:
        return  # `objects` says what is damaged, and one cause should count once
    left = [secret for secret in judged(site.workspace, found) if not secret.allowed]
    if left:
        rows = [f"{str(found.commit)[:10]} {found.place} ({found.rule})" for found in left]
        # Counted by fingerprint: one secret in ten commits is one secret to replace.
        secrets = counted(len({secret.fingerprint for secret in left}), "secret")
        yield Finding("", f"{secrets} in {several([*dict.fromkeys(rows)])}", PURGE)
