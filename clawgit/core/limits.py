"""What OpenClaw would cut or refuse, and how much of a file clawgit reads.

Without imports: a hook needs the limits alone.
"""

LARGEST_FILE = 2 * 1024 * 1024
"""In bytes. OpenClaw refuses a larger file, and clawgit reads the first part of it."""

MOST_BYTES = 512 * 1024 * 1024
"""In bytes. A larger file is not memory; one with holes in it may be larger than the disk."""

INJECTED = (
    "AGENTS.md",
    "SOUL.md",
    "TOOLS.md",
    "IDENTITY.md",
    "USER.md",
    "HEARTBEAT.md",
    "BOOTSTRAP.md",
    "MEMORY.md",
)
"""The files that OpenClaw puts before every session, in its order."""

FILE_CHARACTERS = 20_000
ALL_CHARACTERS = 60_000


def readable(data: bytes) -> bytes:
    """What is read of a file that is searched or shown: whole lines, up to the limit."""
    if len(data) <= LARGEST_FILE:
        return data
    # Half a line would be half a fact. Where a single line is over the limit, half of it is better
    # than nothing.
    return data[: data.rfind(b"\n", 0, LARGEST_FILE) + 1] or data[:LARGEST_FILE]


FIRST_YEAR, LAST_YEAR = 1971, 2105
"""Git counts from 1970, in any time zone; the times that libgit2 writes end in 2106."""
