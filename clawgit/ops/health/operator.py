"""Check of the operator key: whether it exists, and whether it proves that a person was asked."""

from clawgit.errors import ClawgitError
from clawgit.ops.health.finding import Finding, Site
from clawgit.ops.workspace.operator import show


def look_at_operator(site: Site) -> Finding:
    try:
        operator = show(site.workspace.caller)
    except ClawgitError as error:
        return Finding(False, error.message, error.hint)
    if not operator.key:
        return Finding(True, "no operator key: whoever opens a terminal is the operator")
    if operator.warning:
        return Finding(
            False, operator.warning, "`clawgit operator --key FILE` changes to another key."
        )
    return Finding(True, f"the operator signs with {operator.file}")
