"""What `memory add --shared` loads beside."""

from clawgit.ops.workspace.shared import remember_shared

__all__ = ["remember_shared"]
