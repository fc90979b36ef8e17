"""A git that takes longer than expected, as on a busy machine."""

from hashlib import sha1

import pytest

from clawgit.stores.git.cgit import CGit
from tests.conftest import Git


def test_what_a_slow_git_has_not_read_yet_is_still_given_to_it(
    ws: Git, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("clawgit.stores.git.cgit._PATIENCE", 0.0)
    data = b"a fact\n" * 1_000_000
    header = b"blob %d\0" % len(data)
    expected = sha1(header + data, usedforsecurity=False).hexdigest()
    assert CGit(ws.root, {}).run("hash-object", "--stdin", stdin=data).decode().strip() == expected
