"""The door to hashlib: the hashes that Python has itself, which need no OpenSSL."""

_OWN = {"sha1": ("_sha1",), "sha256": ("_sha2", "_sha256"), "blake2b": ("_blake2",)}
"""The modules of Python's that have a hash, by its versions; `random` takes its hash there too."""


def _first_use(name: str) -> object:
    for module in (*_OWN.get(name, ()), "hashlib"):
        try:
            value = globals()[name] = getattr(__import__(module), name)
        except ImportError:
            continue
        return value
    raise AttributeError(name)


TYPE_CHECKING = False
if TYPE_CHECKING:
    from hashlib import *  # noqa: F403 - these are the names of this module
else:
    __getattr__ = _first_use
