"""The language model that `connect` offers: set and accepted on this machine, or removed again."""

from dataclasses import replace
from typing import NamedTuple

from clawgit.domain.change.actors import OPERATOR
from clawgit.errors import ClawgitError, UsageError
from clawgit.ops.change.undo import undo
from clawgit.ops.clients.connect import Connected
from clawgit.ops.workspace.config import set_setting
from clawgit.ops.workspace.trust import refuse_others, revoke, rows_of
from clawgit.ops.workspace.workspace import Workspace
from clawgit.stores import openclaw
from clawgit.stores.llm.at_hand import AtHand, at_hand
from clawgit.stores.llm.contract import label

KEY = "llm_model"
NONE = "none"
_REASON = "connect"
_WHY = "clawgit connect {}"


class ModelOffer(NamedTuple):
    """The models that can be used here, and the limit of tokens per day."""

    models: tuple[AtHand, ...]
    daily_tokens: int


def offer(workspace: Workspace) -> ModelOffer | None:
    """The models to offer; None if one is set already, accepted or not, or if none can be used
    here.
    """
    settings, caller = workspace.config.settings, workspace.caller
    if (
        caller.actor != OPERATOR
        or settings.llm_model
        or any(setting.key == KEY for setting in workspace.config.pending)
    ):
        return None
    installation = openclaw.find(caller.home, caller.env)
    agent = installation.agent_of(workspace.root) if installation else None
    models = at_hand(caller.env, openclaw.model_of(agent) if agent else "")
    return ModelOffer(models, settings.llm_daily_tokens) if models else None


def refuse_model(workspace: Workspace, model: str) -> None:
    """Raises if this model could not be set; called before anything is connected."""
    refuse_others(workspace, f"set {KEY}")
    if not model.strip() or (":" not in model and model != NONE):
        raise UsageError(
            f"{model!r} names no model.",
            hint="--model 'command:claude -p', --model ollama:NAME, or none",
        )


def with_model(
    workspace: Workspace, done: Connected, model: str, *, dry_run: bool = False
) -> Connected:
    """Sets the model for the agents: a line of CONFIG.md, and its acceptance on this machine."""
    cap = workspace.config.settings.llm_daily_tokens
    chosen = set_setting(workspace, KEY, model, dry_run=dry_run, reason=f"{_REASON} {done.client}")
    would = "would be asked" if dry_run else "is asked"
    note = f"{label(model)} {would} by the agents, at most {cap:,} tokens a day (llm_daily_tokens)."
    return replace(
        done, model=model, notes=(*done.notes, note), changed=(*done.changed, *chosen.changed)
    )


def without_model(workspace: Workspace, done: Connected, *, dry_run: bool = False) -> Connected:
    """Removes the model that this connection set: its line in CONFIG.md is as before, and its
    acceptance is gone.
    """
    brought = [
        row for row in rows_of(workspace, KEY) if row.reason.startswith(f"{_REASON} {done.client}")
    ]
    if not brought:
        return done
    if workspace.caller.actor != OPERATOR:
        note = f"{KEY} stays: only the operator may remove it: {_WHY.format(done.client)} --remove"
        return replace(done, notes=(*done.notes, note))
    notes = list(done.notes)
    ident = brought[0].reason.removeprefix(f"{_REASON} {done.client}").strip()
    changed: tuple[str, ...] = ()
    if ident:
        try:
            changed = undo(workspace, ident, dry_run=dry_run).changed
        except ClawgitError as error:
            notes.append(f"{workspace.config_file} keeps its line {KEY}: {error.message}")
    revoke(workspace, [KEY], dry_run=dry_run)
    would = "would no longer be asked" if dry_run else "is no longer asked"
    notes.append(f"{label(str(brought[0].value or KEY))} {would}.")
    return replace(done, notes=tuple(notes), changed=(*done.changed, *changed))
