"""The language model that a workspace sets, for agents and for single questions."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import NamedTuple

from clawgit.agents import AGENTS
from clawgit.domain.change.history import Intent
from clawgit.errors import ClawgitError, UsageError
from clawgit.ops.change.described import Change, described
from clawgit.ops.conversation.heartbeat import Clock
from clawgit.ops.safety.masking import cover_of
from clawgit.ops.workspace.state import state_of
from clawgit.ops.workspace.workspace import Workspace
from clawgit.resources import resource
from clawgit.stores.git.worktree import glance
from clawgit.stores.llm import OpenMind
from clawgit.stores.runs import new_run
from clawgit.stores.state import State


def mind_of(
    workspace: Workspace, state: State, run: str, clock: Clock, agent: str = ""
) -> OpenMind | None:
    """The model; None if none is set. The agent's prompt comes before each question."""
    if not workspace.config.settings.llm_model.strip():
        return None
    return OpenMind(
        workspace.config.settings,
        state=state,
        run=run,
        clock=lambda: clock().astimezone(workspace.zone),
        root=workspace.root,
        env=workspace.caller.env,
        role=role_of(workspace, agent) if agent else "",
        cover=cover_of(workspace),
    )


@contextmanager
def session_mind(workspace: Workspace) -> Iterator[OpenMind | None]:
    """A model for use outside an agent's run."""
    if not workspace.config.settings.llm_model.strip():
        yield None
        return
    with state_of(workspace) as state:
        yield mind_of(workspace, state, new_run(), lambda: workspace.now)


PACKAGED = "package"
_HINT = "clawgit agent edit {}, and save it in the editor; or give the new text with --file."


class Prompt(NamedTuple):
    """The prompt in force; `origin` is its file in the workspace, or `package`."""

    text: str
    origin: str


def prompt_path(name: str) -> str:
    return f"agents/{name}/SOUL.md"


def prompt_of(workspace: Workspace, name: str) -> Prompt | None:
    """An agent's prompt, the workspace's copy first. None for an agent that uses no model."""
    packaged = _packaged(name)
    if packaged is None:
        return None
    own = glance(workspace.root, prompt_path(name))
    return Prompt(own, prompt_path(name)) if own.strip() else Prompt(packaged, PACKAGED)


def role_of(workspace: Workspace, name: str) -> str:
    """What a language model is told before each question of an agent: its prompt, or ""."""
    prompt = prompt_of(workspace, name)
    return prompt.text if prompt else ""


def edit_prompt(
    workspace: Workspace, name: str, text: str | None = None, *, dry_run: bool = False
) -> Change:
    """Writes an agent's prompt into the workspace. From then on that copy is used.

    `text` is the new prompt; None copies the package's, to be edited later.
    """
    _refuse_unknown(name)
    path = prompt_path(name)
    what = "change its prompt" if text is not None else "copy its prompt, to change it"
    intent = Intent(
        workspace.caller.actor,
        "agent",
        f"{name}: {what}",
        "The workspace's copy is used from now on.",
    )
    with workspace.git.transaction(intent, workspace.now, dry_run=dry_run) as tx:
        current = tx.read_text(path)
        if text is None:
            # A copy that is there already stays: somebody may have changed it.
            if not (current or "").strip():
                tx.put(path, str(_packaged(name)))
        elif text == current:
            raise ClawgitError("Nothing was edited.", hint=_HINT.format(name))
        else:
            tx.put(path, text)
    return described(tx, dry_run=dry_run, of=path)


def _refuse_unknown(name: str) -> None:
    if _packaged(name) is not None:
        return
    known = ", ".join(agent for agent in AGENTS if _packaged(agent) is not None)
    what = "has no prompt: it follows rules" if name in AGENTS else "is not an agent"
    raise UsageError(f"{name} {what}.", hint=f"One of: {known}.")


def _packaged(name: str) -> str | None:
    file = resource("templates") / "agents" / name / "SOUL.md"
    return file.read_text("utf-8") if name in AGENTS and file.is_file() else None
