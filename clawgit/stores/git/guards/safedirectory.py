"""The folders of others that the user's or the system's configuration declares safe."""

from collections.abc import Iterator, Mapping
from pathlib import Path

from clawgit.stores.git.cgit import CGit

_PROTECTED = (b"system", b"global")


def safe_directories(env: Mapping[str, str]) -> Iterator[str]:
    """The values of safe.directory in their order.

    Read outside the repository, which must not decide this.
    """
    asked = ("config", "-z", "--show-scope", "--type=path", "--get-all", "safe.directory")
    fields = iter(CGit(Path("/"), env).run(*asked, ok=(0, 1)).split(b"\0"))
    for scope, value in zip(fields, fields, strict=False):
        if scope in _PROTECTED:
            yield value.decode("utf-8", "surrogateescape")
