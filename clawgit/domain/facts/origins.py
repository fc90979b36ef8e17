"""The lines that a fact was made from, by hashes in its comment: `of=h1a2b3c4,h5d6e7f8`."""

from clawgit.domain.markdown.comment import Meta

_KEY = "of="


def origins(meta: Meta | None) -> tuple[str, ...]:
    """The keys of the lines, none if the entry is not a fact."""
    if meta is None or not any(fact.startswith(_KEY) for fact in meta.facts):
        return ()
    return tuple(filter(None, meta.get("of").split(",")))
