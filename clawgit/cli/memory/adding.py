"""What `memory add` does and prints, however its command line was read."""

from collections.abc import Mapping
from functools import partial
from typing import Any, NamedTuple

from clawgit.cli import output
from clawgit.cli.change_text import warning_lines
from clawgit.cli.loading import load
from clawgit.cli.opening import existing_in_workspace, given_text, workspace
from clawgit.cli.output import dim, shown
from clawgit.ops.search.serve_client import Written, written
from clawgit.ops.workspace.workspace import Workspace

_STDIN = "-"


_MOST = 1024 * 1024
"""A longer text on standard input is no fact, so it is not read further."""

SOURCES = ("explicit", "inferred")


class Typed(NamedTuple):
    """A fact as it was typed."""

    text: str
    tag: str = ""
    to: str = ""
    source: str | None = None
    evidence: tuple[str, ...] = ()
    session: str = ""
    allow_secret: bool = False
    shared: bool = False
    dry_run: bool = False


def add(typed: Typed) -> None:
    """Remembers the fact, and prints what was done."""
    fact = typed._replace(text=given_text(typed.text), source=typed.source or "")._asdict()
    shared, dry_run = fact.pop("shared"), fact.pop("dry_run")
    with workspace() as ws:
        fact["to"] = existing_in_workspace(ws, typed.to)
        done = _remembered(ws, fact, shared=shared, dry_run=dry_run)
        output.emit(done, remembered_text)


def _remembered(
    ws: Workspace, fact: Mapping[str, Any], *, shared: bool, dry_run: bool
) -> Mapping[str, Any]:
    """Remembers the fact, through the process of `clawgit run serve` if there is one.

    Anything but a plain entry of this workspace is written here.
    """
    is_plain = not (shared or dry_run or fact["allow_secret"])
    warm = written(ws, "remember", fact) if is_plain else Written()
    if warm.result:
        return warm.result
    # Loaded here: not needed if that process answers.
    new = load("clawgit.ops.facts.remember:NewFact")(**fact)
    if shared:
        act = load("clawgit.ops.workspace.shared:remember_shared")
    elif new.allow_secret:
        act = load("clawgit.ops.facts.remember_secret:remember_secret")
    else:
        # Where that process was asked to write it with this id, it may have done so.
        remember = load("clawgit.ops.facts.remember:remember")
        act = partial(remember, ident=warm.ident, again=bool(warm.ident))
    done: Mapping[str, Any] = output.jsonable(act(ws, new, dry_run=dry_run))
    return done


def remembered_text(done: Mapping[str, Any]) -> str:
    """The answer in words."""
    entry = done["entry"]
    where = f"{entry['path']}:{entry['line']}" if entry["line"] else entry["path"]
    # A dry run first: it has no commit either, and would look like an entry that was not written.
    if done["dry_run"]:
        preview = output.colored_diff(done["preview"])
        outcome = preview or f"would be {done['action']}: {shown(done['reason'])}"
    elif done["held"]:
        outcome = f"{_id(done)}  waits for the operator: {shown(where)}"
    elif done["parked"]:
        outcome = (
            f"the entry waits as {_id(done)}: it is written when git is done and HEAD is on a "
            "branch"
        )
    elif done["commit"] is None:
        outcome = f"{done['action']}: {shown(done['reason'])}"
    else:
        times = f", {entry['mentions']} mentions" if done["action"] == "merged" else ""
        strength = f"{entry['confidence']:.2f}{times}"
        outcome = (
            f"{_id(done)}  {done['action']} {shown(where)}  {shown(entry['text'])}  {dim(strength)}"
        )
    held = [f"          {shown(why)}" for why in done["held"]]
    return "\n".join([outcome, *held, *warning_lines(done["alerts"], done["warnings"])])


def _id(done: Mapping[str, Any]) -> str:
    return output.ident(done["id"] or "")
