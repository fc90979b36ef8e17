"""clawgit: an AI agent's identity and memory, kept in git."""

__version__ = "0.1.0"
