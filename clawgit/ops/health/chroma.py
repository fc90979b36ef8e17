"""Check of Chroma: whether it is installed if needed, its server answers, its files are sound."""

from functools import partial

from clawgit.errors import counted
from clawgit.ops.health.finding import Finding, Mend, Site
from clawgit.stores.chroma import examination, generation, library, ownership, server
from clawgit.stores.git.lock import lock_holder

_SERVER_SECONDS = 5.0


def look_at_chroma(site: Site) -> Finding:
    """Its data is derived: if it is set aside, it is filled again from the cached vectors."""
    settings = site.workspace.config.settings
    if settings.search_backend == "chroma" or settings.chroma_url:
        library.require()
    if settings.chroma_url:
        server.greet(
            server.address(settings.chroma_url, site.workspace.caller.env), _SERVER_SECONDS
        )
        return Finding(True, f"the server at {settings.chroma_url} answers")
    return _embedded(site)


def _embedded(site: Site) -> Finding:
    chroma = site.place.shared / "chroma"
    if not generation.homes(chroma):
        return Finding(True, "not filled; the exact scan compares vectors")
    if not site.deep:
        return Finding(True, "filled; a deep check reads every vector back")
    if holder := lock_holder(ownership.lock_file(chroma)):
        return Finding(True, f"open in {holder}, which checks what it writes")
    # Only now: while another process owns it, it cannot be examined.
    verdicts = examination.examine(chroma)
    if fault := next((verdict.fault for verdict in verdicts if verdict.fault), ""):
        mend = Mend("set the damaged Chroma aside", partial(examination.set_aside, chroma))
        fix = (
            "`clawgit doctor --fix` sets it aside; the next `run` or `serve` fills a new one "
            "from the cached vectors."
        )
        return Finding(False, f"Chroma is damaged: {fault}", fix, (mend,))
    return Finding(
        True, f"{counted(sum(verdict.size for verdict in verdicts), 'vector')} can be read back"
    )
