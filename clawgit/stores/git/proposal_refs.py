"""The refs of proposals. A module of its own, since a sync needs only these names."""

WAITING = "refs/clawgit/proposals/"
"""Changes that wait for the operator."""

REJECTED = "refs/clawgit/rejected/"
"""Rejected proposals, each as the parent of a commit with the operator's reason."""
