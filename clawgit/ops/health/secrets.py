"""Checks for secrets: in the files, and in every commit that a reference reaches."""

from clawgit.errors import counted
from clawgit.ops.health.finding import Finding, Site, several
from clawgit.ops.safety.secrets import PURGE, allowances
from clawgit.ops.safety.secrets_allowed import how_to_allow
from clawgit.ops.safety.secrets_found import FoundSecret, gathered, judged
from clawgit.ops.safety.secrets_history import in_history
from clawgit.stores.git.cgit import CGitError

_SECONDS = 20.0


def look_at_secrets(site: Site) -> Finding:
    """Secrets in the files, and entries of `secrets_allow` that the operator did not accept."""
    secrets = judged(site.workspace, gathered(site.reading.secrets))
    left = [secret for secret in secrets if not secret.allowed]
    if left:
        details = [f"{secret.place}: {_named(secret)}" for secret in left]
        fix = (
            "Remove it, and replace it at its issuer. If it is not a secret: "
            f"{how_to_allow(left[0].fingerprint)}"
        )
        return Finding(False, several(details), fix)
    # Such an entry hides no secret, but somebody believes that it does.
    odd = [allowance for allowance in allowances(site.workspace) if not allowance.counts]
    if odd:
        details = [f"{allowance.entry}: {allowance.reason}" for allowance in odd]
        fix = f"If you mean it: {how_to_allow(odd[0].entry)}"
        return Finding(
            False, f"secrets_allow has entries that do not count: {several(details)}", fix
        )
    return Finding(True, "no secret in the files")


def _named(secret: FoundSecret) -> str:
    """Its kind and its masked text, which begins with the kind where a label gave it away."""
    return secret.shown if secret.shown.startswith(secret.rule) else f"{secret.rule} {secret.shown}"


def look_at_history(site: Site) -> Finding:
    """New commits are read; the first look at a long history takes several calls."""
    try:
        read = in_history(site.workspace, _SECONDS)
    except CGitError as error:
        # Not a problem here: `objects` reports the damage, and one cause should count once.
        return Finding(
            True, f"not all commits can be read: {error.message}", "See `objects` above."
        )
    left = [secret for secret in judged(site.workspace, read.found) if not secret.allowed]
    if left:
        # Counted by fingerprint: one secret in ten commits is one secret to replace.
        return Finding(
            False,
            f"{counted(len({secret.fingerprint for secret in left}), 'secret')} in {_places(left)}",
            PURGE,
        )
    if not read.complete:
        return Finding(
            True,
            "none so far; time ran out before all commits were read",
            "`clawgit doctor` continues from there.",
        )
    return Finding(True, "no secret in any commit")


def _places(secrets: list[FoundSecret]) -> str:
    return several(
        list(
            dict.fromkeys(
                f"{(secret.commit or '')[:10]} {secret.place} ({secret.rule})" for secret in secrets
            )
        )
    )
