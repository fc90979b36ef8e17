"""Fetches what a context shows from the operator's own systems."""

from collections.abc import Iterable, Iterator

from clawgit.domain.context.outside import harmless
from clawgit.domain.safety.injection import findings
from clawgit.ops.context.asking import Brought, ContextRequest, asks_outside
from clawgit.ops.context.crm import profiles
from clawgit.ops.context.external import external
from clawgit.ops.context.files import Files
from clawgit.ops.context.moments import moment
from clawgit.ops.workspace.workspace import Workspace


def fetch(workspace: Workspace, asking: ContextRequest) -> Brought:
    """Asks the operator's own systems, for a few seconds at most.

    They return the profiles of people whom a message names, and the file of another system.
    """
    if not asks_outside(workspace, asking):
        return Brought()
    commit = moment(workspace, asking.at).commit
    files = Files(workspace, commit)
    known = profiles(workspace, files, asking.message, session=asking.session, past=bool(commit))
    other = external(workspace, files, past=bool(commit))
    texts = [(profile.source, profile.text) for profile in known.found]
    texts.append((other.source, other.text))
    notes = (known.note, other.note, *files.notes, *_suspicious(texts))
    return Brought(
        known.found,
        (other.source, other.text, other.why),
        tuple(note for note in notes if note),
    )


def _suspicious(texts: Iterable[tuple[str, str]]) -> Iterator[str]:
    """Notes about text that looks like an injection, which the context leaves out."""
    for source, text in texts:
        finding = next((each for each in findings("", harmless(text)) if each.hold), None)
        if finding:
            yield (
                f"{source}, line {finding.line}: {finding.reason} ({finding.kind}); it is withheld"
            )
