"""The refs of proposals. A module of its own, since a sync needs only these names."""

WAITING = "refs/clawgit/proposals/"
"""Changes that wait for the operator."""

PROPOSED = "proposed"
"""The first reason why a change waits that was made as a proposal; what the guard says follows."""

REJECTED = "refs/clawgit/rejected/"
"""Rejected proposals, each as the parent of a commit with the operator's reason."""
