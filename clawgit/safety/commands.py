"""`config`, `trust`, `operator`: settings, what waits for the operator, and how this machine knows
who that is. `secrets`: looks for keys and passwords, and allows false alarms.
"""

from collections.abc import Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import Any

import click

from clawgit.core.config.kinds import shown as setting_text
from clawgit.core.config.trust import TrustRow
from clawgit.core.errors import UsageError
from clawgit.safety import operator as operators
from clawgit.safety import secrets as scanning
from clawgit.safety import trust as op
from clawgit.safety.rules.planted import PlantedBlock
from clawgit.safety.secrets_found import FoundSecret
from clawgit.terminal import output
from clawgit.terminal.change_text import changed
from clawgit.terminal.command import Answer, Answers, command, dry_run_option, group, option
from clawgit.terminal.opening import caller
from clawgit.terminal.text import cut, options, table
from clawgit.workspace.workspace import Workspace


@group("config")
@option("--all everything", "Every setting, not only what differs.")
def config(ws: Workspace, everything: bool) -> Answers:
    """Show, set and check settings.

    Without a command, it lists what differs from the defaults; --json has every setting. Where
    CONFIG.md or the environment has mistakes, it lists those, and exits with 1.

    Example: clawgit config set soul_max_tokens 900
    """
    loaded = ws.config
    if loaded.problems:
        yield op.ConfigCheck(loaded.problems, loaded.notes), _check_text
        yield 1
    else:
        yield op.settings(loaded), partial(_listing_text, everything=everything)


@command("get")
@click.argument("key")
def get(ws: Workspace, key: str) -> Answers:
    """Show one setting.

    Example: clawgit config get soul_policy
    """
    answer = op.settings(ws.config, key)
    yield answer, lambda listing: setting_text(listing.settings[0].value)
    if answer.settings[0].pending is not None:
        # On standard error, so that a script gets only the value.
        output.note(f"note: {output.shown(_pending_text(answer.settings[0]))}")


@command("set")
@click.argument("key")
@click.argument("value")
@dry_run_option
def set_(ws: Workspace, key: str, value: str) -> Answers:
    """Change one line of CONFIG.md, as a commit.

    If only the operator may change the setting, it is accepted on this machine in the same step,
    and an agent is refused.

    Example: clawgit config set timezone Europe/Berlin
    """
    done = op.set_setting(ws, key, value)
    if done.masked_by:
        output.note(f"note: {done.masked_by} overrides this")
    yield changed(done, f"set {done.key} in")
    if done.accepted:
        would = "would be " if ws.dry_run else ""
        output.note(
            f"note: {would}accepted on this machine: `clawgit trust --revoke {done.key}` "
            "takes it back"
        )
    if done.key == "embedder" and done.change.changed and not ws.dry_run:
        output.note("next: `clawgit memory index` embeds all anew")


def _listing_text(listing: op.ConfigListing, *, everything: bool) -> str:
    """The settings that are not at their defaults, and how many are; or all."""
    shown = [each for each in listing.settings if everything or not each.is_at_default]
    rows = table([*_setting_rows(shown)])
    if not everything:
        rest = f"{len(listing.settings) - len(shown)} of {len(listing.settings)} settings"
        rows.append(output.dim(f"{rest} are at their defaults: clawgit config --all"))
    return "\n".join([*rows, *output.notes(listing.notes)])


def _setting_rows(listed: Sequence[op.Setting]) -> Iterator[tuple[str, str]]:
    for setting in listed:
        key, origin = setting.key, ""
        if setting.origin != "default":
            key, origin = output.heading(key), output.dim(f"  ← {setting.origin}")
        yield key, f"{setting_text(setting.value)}{origin}"
        if setting.pending is not None:
            yield "", output.warning(_pending_text(setting))


def _pending_text(setting: op.Setting) -> str:
    return f"{setting_text(setting.pending)} waits: clawgit trust {setting.key}"


def _check_text(checked: op.ConfigCheck) -> str:
    rows = []
    for problem in checked.problems:
        rows.append(f"{problem.where}: {problem.message}")
        rows += [f"  next: {problem.hint}"] if problem.hint else []
    return "\n".join([*rows, *output.notes(checked.notes)])


_AT_ONCE = 10
"""How many texts one question is about."""

_SHOWN = 60
"""Columns of a text in the list of what was accepted."""


@command("trust")
@click.argument("keys", nargs=-1, metavar="[KEY…]")
@option("--revoke", "Revoke what was accepted: these settings and texts, or all.")
@option("--seen HASH", "Accept, without being asked, what --json shows with this hash.")
@dry_run_option
def trust(ws: Workspace, keys: tuple[str, ...], revoke: bool, seen: str) -> Answers:
    """Accept settings and text that could do harm, on this machine.

    A setting that runs a program, sends text, spends money, deletes, widens access or weakens a
    guard has no effect until the operator accepts its value here. Text that looks planted, because
    it gives orders, hides something or sends data away, is withheld from agents until the operator
    has seen it here. Each waiting setting is shown with what it would do, and you are asked about
    it; texts are shown ten at a time, with one question. --json only lists them.

    Example: clawgit trust llm_model
    """
    if revoke:
        if keys or ws.dry_run or _confirmed(ws):
            yield op.revoke(ws, keys), _decided_text
        else:
            output.line("nothing was changed")
        return
    if seen:
        yield op.accept_seen(ws, keys, seen), _decided_text
        return
    with output.progress("reading the files that agents are shown"):
        known = op.listing(ws, keys, texts=True)
    asks = (known.pending or known.texts) and not (options().as_json or ws.dry_run)
    if asks and ws.actor.is_operator:
        yield from _asked(ws, known)
        return
    yield known, _trust_text
    if asks:
        op.refuse_others(ws, "accept what waits")


def _asked(ws: Workspace, known: op.Trust) -> Answers:
    """Asks about what waits, and accepts what the operator agreed to."""
    accepted = []
    for pending in known.pending:
        yield pending, _waiting_text
        if click.confirm("Accept it on this machine?", default=False):
            accepted.append(pending)
    if known.pending:
        yield op.accept(ws, accepted), _decided_text
    if known.texts:
        yield _ask_about_texts(ws, known.texts), _decided_text


def _confirmed(ws: Workspace) -> bool:
    """Asks before everything is revoked: a forgotten key on the command line must not do that."""
    op.refuse_others(ws, "revoke what was accepted")
    if options().as_json:
        raise UsageError(
            "--revoke with --json needs the names of the settings.",
            hint="clawgit trust --revoke llm_model --json",
        )
    return click.confirm("Revoke everything that was accepted for this workspace?", default=False)


def _trust_text(known: op.Trust) -> str:
    waiting = [_waiting_text(pending) for pending in known.pending]
    texts = [_planted_text(text) for text in known.texts]
    rows = [_accepted_text(row) for row in known.accepted]
    return "\n".join([*waiting, *texts, *rows]) or "nothing waits, and nothing was accepted"


def _accepted_text(row: TrustRow) -> str:
    value = "(kept as a hash)" if row.value is None else setting_text(row.value)
    if row.kind != "text":
        return f"accepted  {op.named(row)}: {value}"
    words = cut(output.one_line(value), _SHOWN)
    return f"seen      {op.named(row)}: {row.reason}  {output.dim(words)}"


def _waiting_text(row: op.Waiting) -> str:
    effective = setting_text(row.in_force)
    if row.in_force in ("", []) or row.in_force is False:
        effective = "off"
    lines = [
        output.heading(f"{row.key}: {setting_text(row.value)}"),
        f"  set by      {row.origin}",
        f"  would do    {row.does} ({', '.join(row.harms)})",
        f"  until then  {effective}: {row.why}",
    ]
    if files := sorted({path for accepted in row.rows for path in accepted.files}):
        names = ", ".join(files)
        lines.append(f"  covers      the content of {names}; not the files that they load")
    return "\n".join(lines)


def _ask_about_texts(ws: Workspace, texts: Sequence[PlantedBlock]) -> op.TrustDecision:
    """Shows all texts, batch by batch, and records as seen those that the operator accepts."""
    passed: list[PlantedBlock] = []
    for first in range(0, len(texts), _AT_ONCE):
        batch = texts[first : first + _AT_ONCE]
        for text in batch:
            output.line(_planted_text(output.tame(text)))
        shown = output.counted(len(batch), "text")
        if click.confirm(f"May agents be served {shown}? `clawgit trust KEY` asks about one"):
            passed += batch
    return op.accept(ws, passed)


def _planted_text(text: PlantedBlock) -> str:
    """One text, with its place and the reason why it is withheld."""
    place = f"{text.path}:{text.line}"
    lines = [f"{output.heading(place)}  {text.reason}  {output.dim(text.key)}"]
    # Invisible characters are shown, since nobody can accept what he does not see.
    lines += [f"  {output.dim('|')} {line}" for line in text.text.split("\n")]
    return "\n".join(lines)


def _decided_text(done: op.TrustDecision) -> str:
    """What was accepted or revoked."""
    would = "would be " if done.dry_run else ""
    changes = {"accepted": done.accepted, "revoked": done.revoked}
    lines = [
        f"{would}{did} on this machine: {', '.join(keys)}" for did, keys in changes.items() if keys
    ]
    return "\n".join(lines) or "nothing was changed"


@command()
@option("--key FILE file", "Make an SSH key the operator's; name its .pub file.", default=None)
@option("--remove-key remove", "Remove the key: a terminal is enough again.")
@dry_run_option
def operator(file: str | None, remove: bool) -> Answer:
    """Show how the operator proves who they are; set a key.

    Without a key, whoever sits at a terminal is the operator, and an agent can open a terminal.
    With a key, each commit of the operator is signed, and so is what they accept.

    Example: clawgit operator --key ~/.ssh/id_ed25519_sk.pub
    """
    if file is not None and remove:
        raise UsageError(
            "--key and --remove-key cannot be used together.", hint="clawgit operator --help"
        )
    if remove:
        return operators.remove_key(caller()), _operator_text
    if file is not None:
        key = Path(file).expanduser()
        return operators.set_key(caller(), key), _operator_text
    return operators.show(caller()), _operator_text


def _operator_text(seen: operators.Operator) -> str:
    if seen.key:
        return output.told(seen, without="note")
    row = "no operator key: whoever sits at a terminal is the operator"
    if seen.changed:
        row = f"the operator key {'would be' if seen.dry_run else 'was'} removed"
    return f"{row}\n{output.next_step('clawgit operator --key ~/.ssh/id_….pub')}"


_NAMED = 4
"""How many places of a secret are named."""

_TAKE_OUT = "Remove it from the file, and replace it at its issuer if anybody else could read it."
_ALLOW = "If it is not a secret, the operator can allow it: clawgit secrets allow FINGERPRINT"


@command("scan")
@option("--history", "Look through every commit too, not only the files.")
def scan(ws: Workspace, history: bool) -> Answer:
    """Look for keys and passwords.

    Each secret is shown once, masked, with its fingerprint and its places. The exit code is 1 if
    any is not allowed.

    Example: clawgit secrets scan --history
    """
    return scanning.scan(ws, history=history), _scanned_text


@command("allow")
@click.argument("fingerprint", required=False, default="")
@option("--remote NAME|URL", "Allow pushes to this remote.")
@option("--reason TEXT", "Say why; it is written into the commit.")
@dry_run_option
def allow(ws: Workspace, fingerprint: str, **typed: Any) -> Answer:
    """Allow a text that only looks like a secret.

    With --remote: allow pushes to it. Only the operator may.

    Example: clawgit secrets allow 3f2a91c0d1e4 --reason "the public demo key"
    """
    return changed(scanning.allow(ws, fingerprint, **typed), "allowed")


@group("secrets")
def secrets(ws: Workspace) -> Answer:
    """Look for keys and passwords; allow what only looks like one.

    Alone, it looks through the files. `clawgit trust` lists what is allowed.

    Example: clawgit secrets scan --history
    """
    return scanning.scan(ws), _scanned_text


def _scanned_text(scanned: scanning.Scanned) -> str:
    lines = [_found_line(secret) for secret in scanned.findings]
    refused = {secret.fingerprint: secret for secret in scanned.findings if not secret.allowed}
    if not refused:
        where = " and in all commits" if scanned.history else ""
        return "\n".join([*lines, output.good(f"no secret in {scanned.files} files{where}")])
    # A secret that was removed from a committed file is still in history.
    is_committed = any(secret.committed for secret in refused.values())
    return "\n".join([
        *lines,
        "",
        output.error(f"{len(refused)} not allowed"),
        output.next_step(scanning.PURGE if is_committed else _TAKE_OUT),
        output.next_step(_ALLOW),
    ])  # fmt: skip


def _found_line(secret: FoundSecret) -> str:
    places = output.first_of(map(str, secret.places), _NAMED)
    line = f"{places}  {secret.rule}  {secret.shown}  {secret.fingerprint}"
    return output.dim(f"{line}  allowed") if secret.allowed else line
