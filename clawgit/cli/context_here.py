"""The context made in this process, for `context` where no warm process answers."""

from clawgit.ops.context.context import context
from clawgit.ops.context.fetching import fetch

__all__ = ["context", "fetch"]
