"""The operator's key: its note, its signatures, and what of them is believed."""

import os
from pathlib import Path

import pytest

from clawgit.core.disk.xdg import keep
from clawgit.safety.operator import (
    ACTS,
    COMMITS,
    OperatorKey,
    OperatorKeyError,
    has_signed,
    note_of_key,
    operator_key,
    read_public,
    sign,
    signs_unasked,
)
from tests.each import for_each
from tests.making import asker
from tests.signing import make_key

SINCE = "2026-02-14T09:00:00+00:00"


@pytest.fixture
def key(tmp_path: Path) -> OperatorKey:
    public = make_key(tmp_path, "mine")
    return OperatorKey(read_public(public), str(public), SINCE)


def test_the_note_is_read_back_and_is_its_owners_alone(key: OperatorKey) -> None:
    assert operator_key(asker()) is None
    note = note_of_key(asker())
    keep(note, key._asdict())
    assert operator_key(asker()) == key
    assert (note.stat().st_mode & 0o777, note.parent.stat().st_mode & 0o077) == (0o600, 0)
    note.unlink()
    assert operator_key(asker()) is None


@for_each("text", ["", "[]", '"key"', "{}", '{"public": 1, "file": "a", "since": ""}', "\xff"])
def test_a_note_that_cannot_be_read_is_no_missing_one(text: str) -> None:
    note = note_of_key(asker())
    note.parent.mkdir(parents=True, exist_ok=True)
    note.write_text(text, "latin-1")
    with pytest.raises(OperatorKeyError, match="cannot be read"):
        operator_key(asker())


def test_a_signature_holds_for_its_content_its_purpose_and_its_key(
    key: OperatorKey, tmp_path: Path
) -> None:
    other = key._replace(public=read_public(make_key(tmp_path, "other")))
    signature = sign(key, ACTS, b"approve it", os.environ)
    assert has_signed(key, ACTS, b"approve it", signature, os.environ)
    assert not has_signed(key, ACTS, b"approve that", signature, os.environ)
    assert not has_signed(key, COMMITS, b"approve it", signature, os.environ)
    assert not has_signed(other, ACTS, b"approve it", signature, os.environ)


def test_a_key_that_is_away_or_wants_a_passphrase_does_not_sign(tmp_path: Path) -> None:
    locked = make_key(tmp_path, "locked", "a passphrase")
    env = {**os.environ, "SSH_ASKPASS": "/bin/false", "SSH_ASKPASS_REQUIRE": "force"}
    with pytest.raises(OperatorKeyError, match="did not sign"):
        sign(OperatorKey(read_public(locked), str(locked), SINCE), ACTS, b"x", env)
    gone = make_key(tmp_path, "gone")
    gone.with_suffix("").unlink()
    with pytest.raises(OperatorKeyError, match="did not sign"):
        sign(OperatorKey(read_public(gone), str(gone), SINCE), ACTS, b"x", os.environ)


def test_only_a_key_without_a_passphrase_signs_unasked(key: OperatorKey, tmp_path: Path) -> None:
    locked = make_key(tmp_path, "locked", "a passphrase")
    assert signs_unasked(key, os.environ)
    assert not signs_unasked(OperatorKey(read_public(locked), str(locked), SINCE), os.environ)
    assert not signs_unasked(key._replace(public="sk-ssh-ed25519@openssh.com AAAA"), os.environ)


@for_each("text", ["", "-----BEGIN OPENSSH PRIVATE KEY-----\nAAAA\n", "hello"])
def test_what_is_no_public_key_is_refused(text: str, tmp_path: Path) -> None:
    file = tmp_path / "odd.pub"
    file.write_text(text)
    with pytest.raises(OperatorKeyError, match="no SSH public key"):
        read_public(file)
