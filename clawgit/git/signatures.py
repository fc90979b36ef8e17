"""Finds whose valid signature a commit has; C git verifies it with ssh-keygen or gpg."""

import re
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from clawgit.core import NamedTuple
from clawgit.core.doors import tempfile
from clawgit.core.errors import ConfigError
from clawgit.git.cgit import CGit, listed
from clawgit.language.lazily import lazily

_SSH_KEY = lazily(r"(?:ssh|ecdsa|sk-ssh|sk-ecdsa)-[\w.@-]+ [A-Za-z0-9+/]+={0,3}")
_FINGERPRINT = lazily(r"[0-9A-F]{40}|[0-9A-F]{64}")
_GOOD = "G"
_TRUST_UNKNOWN = "U"
_FORMAT = "%H%x00%G?%x00%GF%x00%GP%x00"
_HONEST = ("-c", "gpg.ssh.revocationFile=", "-c", "gpg.minTrustLevel=undefined")
"""The repository's own configuration must not say whom to trust: a forger of commits can write
there too. It cannot name the verifier either (`guards.hardened`)."""


class Signers(NamedTuple):
    """The keys that `soul_signers` lists: SSH public keys, and fingerprints of GPG keys."""

    ssh: tuple[str, ...]
    gpg: frozenset[str]


def signers(listed: Iterable[str]) -> Signers:
    """Reads the setting; ConfigError for what is neither kind of key."""
    ssh, gpg = [], set()
    for text in listed:
        fingerprint = re.sub(r"\s|^0[xX]", "", text).upper()
        if match := _SSH_KEY.match(text.strip()):
            ssh.append(match[0])
        elif _FINGERPRINT.fullmatch(fingerprint):
            gpg.add(fingerprint)
        else:
            raise ConfigError(
                f"soul_signers: {text!r} is neither an SSH public key nor the full fingerprint of "
                "a GPG key.",
                hint="`cat ~/.ssh/id_ed25519.pub` or `gpg --fingerprint` shows yours.",
            )
    return Signers(tuple(ssh), frozenset(gpg))


def signed_by(git: CGit, oids: Sequence[str], allowed: Signers) -> frozenset[str]:
    """The commits with a valid signature of one of the signers."""
    if not oids or not (allowed.ssh or allowed.gpg):
        return frozenset()
    with tempfile.TemporaryDirectory(prefix="clawgit-") as folder:
        file = Path(folder) / "allowed-signers"
        file.write_text("".join(f'signer namespaces="git" {key}\n' for key in allowed.ssh), "ascii")
        config = (*_HONEST, "-c", f"gpg.ssh.allowedSignersFile={file}")
        asked = ("log", "--no-walk=unsorted", f"--format={_FORMAT}", "--stdin")
        listing = git.run(*config, *asked, stdin=listed(oids))
    return frozenset(oid for oid, words in parsed(listing).items() if is_valid(*words, allowed))


def parsed(output: bytes) -> Mapping[str, tuple[str, str, str]]:
    """Git's output for each commit: its verdict in one letter, the signing key, the primary key."""
    words = [word.strip() for word in output.decode("utf-8", "replace").split("\0")]
    rows = zip(words[0::4], words[1::4], words[2::4], words[3::4], strict=False)
    return {oid: (verdict, key, primary) for oid, verdict, key, primary in rows}


def is_valid(verdict: str, key: str, primary: str, allowed: Signers) -> bool:
    """SSH: git itself has compared with the list, so a good signature is enough.

    GPG: whether the web of trust knows the key does not matter, since the operator named it.
    """
    if key.startswith("SHA256:"):
        return verdict == _GOOD
    known = (name for name in (key.upper(), primary.upper()) if name)
    return verdict in (_GOOD, _TRUST_UNKNOWN) and any(
        name.endswith(tuple(allowed.gpg)) for name in known
    )
