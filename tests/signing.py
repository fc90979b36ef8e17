"""SSH keys for tests: made by ssh-keygen, named in git's and in clawgit's own way."""

import os
import subprocess
from pathlib import Path


def make_key(folder: Path, name: str, passphrase: str = "") -> Path:
    """A fresh pair of keys; gives the public one."""
    file = folder / name
    subprocess.run(
        ["ssh-keygen", "-q", "-t", "ed25519", "-N", passphrase, "-C", name, "-f", str(file)],
        check=True,
    )
    return file.with_name(f"{name}.pub")


def signature_letter(root: Path, public: Path, rev: str = "HEAD") -> str:
    """What git says of a commit's signature where this key is trusted: G is good, N is none."""
    signers = public.with_suffix(".signers")
    signers.write_text(f"somebody {public.read_text('ascii')}")
    command = [
        "git", "-c", f"gpg.ssh.allowedSignersFile={signers}", "log", "-1", "--format=%G?", rev,
    ]  # fmt: skip
    return subprocess.run(
        command, cwd=root, env=dict(os.environ), capture_output=True, text=True, check=True
    ).stdout.strip()
