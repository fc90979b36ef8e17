"""Shows the operator text that looks planted, and asks whether agents may be served it."""

from collections.abc import Sequence

import click

from clawgit.cli import output
from clawgit.ops.safety.waiting_texts import WaitingText
from clawgit.ops.workspace import trust as op
from clawgit.ops.workspace.workspace import Workspace

_AT_ONCE = 10
"""How many texts one question is about."""

_YES, _NO, _EACH = "y", "n", "e"


def ask_about_texts(ws: Workspace, texts: Sequence[WaitingText]) -> op.TrustDecision:
    """Shows all texts, batch by batch, and records as seen those that the operator accepts."""
    passed: list[WaitingText] = []
    for first in range(0, len(texts), _AT_ONCE):
        batch = texts[first : first + _AT_ONCE]
        for text in batch:
            output.line(planted_text(text))
        passed += _let_pass(batch)
    return op.accept_texts(ws, passed)


def planted_text(text: WaitingText) -> str:
    """One text, with its place and the reason why it is withheld."""
    place = f"{output.shown(text.path)}:{text.line}"
    lines = [f"{output.heading(place)}  {output.shown(text.reason)}  {output.dim(text.key)}"]
    # Invisible characters are shown, since nobody can accept what he does not see.
    lines += [f"  {output.dim('|')} {output.shown(line)}" for line in text.text.split("\n")]
    return "\n".join(lines)


def _let_pass(batch: Sequence[WaitingText]) -> list[WaitingText]:
    if len(batch) == 1:
        return [text for text in batch if _is_let_pass(text)]
    answer = click.prompt(
        f"May agents be served these {len(batch)} texts: all (y), none (n), or ask for each (e)?",
        type=click.Choice([_YES, _NO, _EACH]),
        default=_NO,
        show_choices=False,
    )
    if answer == _EACH:
        return [text for text in batch if _is_let_pass(text)]
    return list(batch) if answer == _YES else []


def _is_let_pass(text: WaitingText) -> bool:
    place = f"{output.shown(text.path)}:{text.line}"
    return click.confirm(f"May agents be served {place}?", default=False)


def decided_text(done: op.TrustDecision) -> str:
    """What was accepted or revoked."""
    would = "would be " if done.dry_run else ""
    lines = []
    if done.accepted:
        lines.append(f"{would}accepted on this machine: {', '.join(done.accepted)}")
    if done.revoked:
        lines.append(f"{would}revoked on this machine: {', '.join(done.revoked)}")
    return "\n".join(lines) or "nothing was changed"
