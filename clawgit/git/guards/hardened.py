"""Stops every git that we start from running a repository's programs.

Somebody else may have prepared the workspace, and more than thirty keys of `.git/config` can name a
program. Users decide about their own `git`; ours runs unasked, from hooks, jobs and a status line.
So those keys are overridden here. No `subprocess` in this module: git's hooks load it.
"""

import os
from collections.abc import Iterable, Mapping, Sequence

LOCAL = frozenset(
    (
        "GIT_ALTERNATE_OBJECT_DIRECTORIES",
        "GIT_CONFIG",
        "GIT_CONFIG_PARAMETERS",
        "GIT_CONFIG_COUNT",
        "GIT_OBJECT_DIRECTORY",
        "GIT_DIR",
        "GIT_WORK_TREE",
        "GIT_IMPLICIT_WORK_TREE",
        "GIT_GRAFT_FILE",
        "GIT_INDEX_FILE",
        "GIT_NO_REPLACE_OBJECTS",
        "GIT_REPLACE_REF_BASE",
        "GIT_PREFIX",
        "GIT_SHALLOW_FILE",
        "GIT_COMMON_DIR",
        "GIT_INTERNAL_SUPER_PREFIX",
        "GIT_QUARANTINE_PATH",
        "GIT_NAMESPACE",
        "GIT_LITERAL_PATHSPECS",
        "GIT_GLOB_PATHSPECS",
        "GIT_NOGLOB_PATHSPECS",
        "GIT_ICASE_PATHSPECS",
        "GIT_EXTERNAL_DIFF",
    )
)
"""The variables that `git rev-parse --local-env-vars` names, and others that would change what git
answers."""

SYNCS = "core.fsync"
"""The key for what git waits for. A git before 2.36 does not know it."""

Pair = tuple[str, str]
"""A key of git's configuration, and our value for it."""

OVERRULED: tuple[Pair, ...] = (
    # Programs that git starts by itself.
    ("core.fsmonitor", "false"),
    # Also turns off reference-transaction, post-index-change and pre-auto-gc. Code that must run a
    # user's own hooks (a pre-push when clawgit pushes) has to turn them on itself: that is the
    # user's decision, not the repository's.
    ("core.hooksPath", os.devnull),
    ("core.alternateRefsCommand", ":"),
    ("core.askPass", ""),
    ("core.editor", ":"),
    ("sequence.editor", ":"),
    ("core.pager", "cat"),
    ("core.sshCommand", "false"),
    ("credential.helper", ""),
    # A forger of commits can write the configuration too, so it must not name the verifier of
    # signatures.
    ("gpg.program", "gpg"),
    ("gpg.openpgp.program", "gpg"),
    ("gpg.x509.program", "gpgsm"),
    ("gpg.ssh.program", "ssh-keygen"),
    ("gpg.ssh.defaultKeyCommand", ""),
    ("log.showSignature", "false"),
    ("log.follow", "false"),
    ("format.pretty", "medium"),
    ("commit.gpgSign", "false"),
    ("tag.gpgSign", "false"),
    # Repositories inside this one have their own configuration, and git would obey it.
    ("submodule.recurse", "false"),
    ("fetch.recurseSubmodules", "false"),
    ("status.submoduleSummary", "false"),
    ("diff.submodule", "short"),
    ("diff.ignoreSubmodules", "dirty"),
    # Another address, which nobody allowed, from which git would fetch too.
    ("fetch.bundleURI", ""),
    ("transfer.bundleURI", "false"),
    # Git must not pack in the background.
    ("maintenance.auto", "false"),
    ("gc.autoDetach", "false"),
    ("receive.autogc", "false"),
    # Caches that would hide an edit, since they are not always up to date with the disk.
    ("core.untrackedCache", "false"),
    ("core.trustctime", "true"),
    ("core.checkStat", "default"),
    ("core.ignoreStat", "false"),
    # By default git syncs neither loose objects, nor the index, nor references: after a power cut,
    # our branch would name what a fetch has lost.
    (SYNCS, "all"),
    # Settings that would hide the words of a change: messages in an encoding that we do not read,
    # and files called too big for a diff.
    ("i18n.commitEncoding", "UTF-8"),
    ("i18n.logOutputEncoding", "UTF-8"),
    ("core.bigFileThreshold", "512m"),
)
"""None of our commands needs another value. A caller that does passes its own `-c`, which comes
later and wins."""

_ENVIRONMENT: Mapping[str, str] = {
    "LC_ALL": "C",
    "GIT_TERMINAL_PROMPT": "0",
    "GIT_OPTIONAL_LOCKS": "0",
    "GIT_ASKPASS": "",
    "GIT_EDITOR": ":",
    "GIT_SEQUENCE_EDITOR": ":",
    "GIT_PAGER": "cat",
    # The first value of core.gitProxy wins, so no later row can override it.
    "GIT_PROXY_COMMAND": "",
    # No protocol at all: a missing object of a partial clone would be fetched in the middle of `git
    # status`, by whatever program `remote.*` or core.sshCommand names.
    "GIT_ALLOW_PROTOCOL": "",
    "GIT_NO_LAZY_FETCH": "1",
    # The object store counts, not replacements by `refs/replace` or `info/grafts`.
    "GIT_NO_REPLACE_OBJECTS": "1",
    "GIT_GRAFT_FILE": f"{os.devnull}/none",
}

_NO_PROGRAMS = ("--no-ext-diff", "--no-textconv")
_NO_INSIDE = "--ignore-submodules=dirty"
"""Git would start itself inside each submodule, where that one's own filters run."""

GUARDS: Mapping[str, tuple[str, ...]] = {
    "diff": (*_NO_PROGRAMS, _NO_INSIDE),
    "diff-files": (*_NO_PROGRAMS, _NO_INSIDE),
    "diff-index": (*_NO_PROGRAMS, _NO_INSIDE),
    "diff-tree": _NO_PROGRAMS,
    "log": (*_NO_PROGRAMS, "--no-show-signature"),
    "show": (*_NO_PROGRAMS, "--no-show-signature"),
    "grep": ("--no-textconv", "--no-recurse-submodules"),
    "status": (_NO_INSIDE,),
}
"""Flags for programs that no value of a key can turn off: `diff.external` and `diff.*.command` have
no "none"."""

_TAKES_A_VALUE = ("-c", "-C", "--git-dir", "--work-tree", "--namespace", "--config-env")


def guarded(args: Sequence[str]) -> list[str]:
    """The arguments of a git, with the flags of its command first, so that the caller's own win."""
    at = subcommand_at(args)
    flags = GUARDS.get(args[at], ()) if at < len(args) else ()
    return [*args[: at + 1], *flags, *args[at + 1 :]]


def subcommand_at(args: Sequence[str]) -> int:
    """The place of the command after git's own options."""
    at = 0
    while at < len(args) and args[at].startswith("-"):
        at += 2 if args[at] in _TAKES_A_VALUE else 1
    return at


def without_local(env: Mapping[str, str]) -> dict[str, str]:
    """An environment without what a hook or a shell has set for another repository."""
    return {name: value for name, value in env.items() if name not in LOCAL}


def hardened(env: Mapping[str, str]) -> dict[str, str]:
    """An environment in which no key of a repository runs a program or hides an edit."""
    return with_config({**env, **_ENVIRONMENT}, OVERRULED)


def with_config(env: Mapping[str, str], pairs: Iterable[Pair]) -> dict[str, str]:
    """An environment with more rows of git's configuration; the last row of a key wins."""
    made, stated = dict(env), env.get("GIT_CONFIG_COUNT", "")
    count = int(stated) if stated.isdecimal() else 0
    for key, value in pairs:
        made[f"GIT_CONFIG_KEY_{count}"], made[f"GIT_CONFIG_VALUE_{count}"] = key, value
        count += 1
    made["GIT_CONFIG_COUNT"] = str(count)
    return made
