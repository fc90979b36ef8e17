"""The scope for git's hooks: from the settings as they were last read, without what it takes to read them again."""

import os
from collections.abc import Mapping

from clawgit import __version__
from clawgit.domain.layout import CONFIG, OPENCLAW, OTHER_CONFIG, scope_in_force
from clawgit.domain.scope import Scope

_SOURCES = 4
"""What `kept_config` notes down: the version, the folder, OpenClaw's files, the text of CONFIG.md."""


def kept_scope(env: Mapping[str, str]) -> Scope | None:
    """The scope of the workspace at whose top the process stands; None where the settings must be read to know."""
    if env.get("CLAWGIT_SCOPE") or env.get("CLAWGIT_LAYOUT"):
        return None
    name = OTHER_CONFIG if os.path.isfile(OTHER_CONFIG) else CONFIG  # noqa: PTH113 - pathlib takes 5 ms to load
    try:
        written = _bytes(name).decode("utf-8", "surrogateescape")
    except OSError:
        written = ""
    if "scope" not in written and "layout" not in written:
        return scope_in_force(OPENCLAW, (), name)  # as in workspaces that were made before there were scopes
    import json  # noqa: PLC0415 - only where there is a setting to be read

    try:
        kept = json.loads(_bytes(f"{_common(env)}/clawgit/settings.json"))
        sources, values = kept["sources"], kept["values"]
        # OpenClaw's own files say nothing of a scope, so their stamps are not looked at.
        if len(sources) != _SOURCES or sources[0] != __version__ or sources[3] != written:
            return None
        return scope_in_force(values.get("layout", OPENCLAW), values.get("scope", ()), name)
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        return None


def _common(env: Mapping[str, str]) -> str:
    """Git's folder, which all worktrees share."""
    folder = env.get("GIT_DIR", ".git")
    try:
        common = _bytes(f"{folder}/commondir").decode().strip()
    except OSError:
        return folder
    return common if common.startswith("/") else f"{folder}/{common}"


def _bytes(name: str) -> bytes:
    with open(name, "rb") as file:  # noqa: PTH123 - pathlib takes 5 ms to load
        return file.read()
