"""Asks the process that `serve` keeps warm; without an answer the caller does the work itself."""

import json
from collections.abc import Mapping
from hashlib import sha256

from clawgit import __version__
from clawgit.ops.workspace.workspace import Caller, Workspace
from clawgit.stores.git.place import RepoPlace
from clawgit.stores.unixsocket import ask

_PATIENCE = 5.0
_WEIGHTY = ("CLAWGIT_", "OPENCLAW_", "CHROMA_", "XDG_", "HOME", "TZ", "LC_", "LANG")
_FREE = frozenset({"CLAWGIT_WORKSPACE", "CLAWGIT_NOW"})


def asked(
    workspace: Workspace, op: str, arguments: Mapping[str, object]
) -> Mapping[str, object] | None:
    """A warm process's answer as JSON; None if there is none, or it may not speak for us."""
    place = workspace.place
    if not _is_there(place):
        return None

    question = {"op": op, "arguments": dict(arguments), **standpoint(workspace.caller)}
    answer = ask(place, json.dumps(question).encode(), _PATIENCE)
    try:
        result = json.loads(answer)["result"] if answer else None
    except (ValueError, KeyError, TypeError):
        return None
    return result if isinstance(result, dict) else None


def standpoint(caller: Caller) -> dict[str, str]:
    """What an answer depends on besides the question: version, environment and clock."""
    env = sorted(
        (name, value)
        for name, value in caller.env.items()
        if (name.startswith(_WEIGHTY) or name.endswith("_API_KEY")) and name not in _FREE
    )
    digest = sha256(json.dumps([env, str(caller.home)]).encode()).hexdigest()
    return {"version": __version__, "environment": digest, "now": caller.now.isoformat()}


def _is_there(place: RepoPlace) -> bool:
    return (place.private / "serve.sock").exists()
