"""Where proposals lie. They travel with a sync, which loads no more of them than these names."""

WAITING = "refs/clawgit/proposals/"
"""Changes that wait for the operator."""

PROPOSED = "proposed"
"""The first reason why a change waits that was made as a proposal; what the guard says follows."""

REJECTED = "refs/clawgit/rejected/"
"""A rejected proposal can still be found: below a commit with the operator's reason."""
