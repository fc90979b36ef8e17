"""What can be wrong with Chroma, as errors whose message fits behind `fallback:`."""

from typing import ClassVar

from clawgit.errors import ClawgitError


class ChromaError(ClawgitError):
    """Chroma cannot answer now. The exact scan can, so a search names this and goes on."""

    kind: ClassVar[str] = "chroma"


class ChromaAbsentError(ChromaError):
    """The extra is not installed."""

    kind = "chroma_absent"


class ChromaBusyError(ChromaError):
    """Another process has the embedded Chroma: it belongs to one at a time."""

    kind = "chroma_busy"


class ChromaFillingError(ChromaError):
    """Nothing to ask yet, or it is being brought up to date."""

    kind = "chroma_filling"


class ChromaSlowError(ChromaError):
    """It did not answer within its time."""

    kind = "chroma_slow"


class ChromaUnreachableError(ChromaError):
    """No server there, one that refuses, or one that is no Chroma."""

    kind = "chroma_unreachable"


class ChromaBrokenError(ChromaError):
    """Its files or its answers are not what they must be."""

    kind = "chroma_broken"
