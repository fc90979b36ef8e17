"""Which files a workspace's settings have the search cover."""

from clawgit.ops.workspace import Workspace
from clawgit.stores.index.discover import Scope


def scope_of(workspace: Workspace) -> Scope:
    """An extra path may begin with `~`, the home of whoever asks."""
    home = workspace.caller.home
    named = workspace.config.settings.extra_paths
    return Scope(workspace.root, tuple(str(home / path[2:]) if path.startswith("~/") else path for path in named))
