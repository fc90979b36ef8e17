"""What can be wrong with Chroma, as errors whose message fits after `fallback:`."""

from typing import ClassVar

from clawgit.errors import ClawgitError


class ChromaError(ClawgitError):
    """Chroma cannot answer now. The exact scan can, so a search names this and goes on."""

    kind: ClassVar[str] = "chroma"


class ChromaAbsentError(ChromaError):
    """The extra is not installed."""

    kind = "chroma_absent"


class ChromaBusyError(ChromaError):
    """Another process owns the embedded Chroma; only one can."""

    kind = "chroma_busy"


class ChromaFillingError(ChromaError):
    """It has no contents yet, or is being updated."""

    kind = "chroma_filling"


class ChromaSlowError(ChromaError):
    """It did not answer within its time."""

    kind = "chroma_slow"


class ChromaUnreachableError(ChromaError):
    """There is no server, it refuses, or it is not Chroma."""

    kind = "chroma_unreachable"


class ChromaBrokenError(ChromaError):
    """Its files or its answers are wrong."""

    kind = "chroma_broken"
