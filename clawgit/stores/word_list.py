"""Lists of words that ship with us: sorted lines of a word and what is known of it.

A list is searched by halving, so that opening it costs nothing.
"""

from functools import lru_cache
from mmap import ACCESS_READ, mmap
from pathlib import Path


@lru_cache(maxsize=8)
def languages_of(folder: Path, name: str) -> tuple[str, ...]:
    """The languages of which a folder has a list: `name` is that of its file, with `{}`."""
    before, _, after = name.partition("{}")
    found = (path.name for path in folder.glob(name.format("*")))
    return tuple(sorted(one.removeprefix(before).removesuffix(after) for one in found))


@lru_cache(maxsize=16)
def opened(path: Path) -> mmap | bytes:
    """The lines of a list; none if there is no such file.

    A list never changes, so a process opens it once: `line_of` keeps what it has asked open.
    """
    if not path.is_file() or not path.stat().st_size:
        return b""
    with path.open("rb") as file:
        return mmap(file.fileno(), 0, access=ACCESS_READ)


@lru_cache(maxsize=4096)
def line_of(data: mmap | bytes, word: str) -> str:
    """What a list says of a word; "" if it does not have the word.

    A question asks for each of its words several times, and a server for the same words again.
    """
    if not word.isalnum():
        return ""
    low, high, wanted = 0, len(data), word.encode()
    while low < high:
        begin = data.rfind(b"\n", low, (low + high) // 2) + 1 or low
        end = data.find(b"\n", begin, high)
        name, _, rest = data[begin:end].partition(b" ")
        if name == wanted:
            return rest.decode()
        if name < wanted:
            low = end + 1
        else:
            high = begin
    return ""
