"""Text that somebody has struck through."""

from clawgit.domain.markdown.tags import words_alone
from clawgit.language.lazily import lazily

_SIGN = "~~"
_SPAN = lazily(r"~~[^~\s][^~]*~~")
_LEAD = lazily(
    r"\s*(?:(?:[-+*]|[0-9]{1,9}[.)])\s+)?(?:\[[ xX]\]\s+)?"
    r"(?:[^\w~]{0,4}[0-9]{4}-[0-9]{2}-[0-9]{2}[^\w\s~]{0,4}\s+)?"
)
"""What may stand in front: a bullet, a box, the day."""


def is_struck(text: str) -> bool:
    """Whether a line or an entry is struck through as a whole, but for its tags and its day."""
    if _SIGN not in text:
        return False
    lead = _LEAD.match(text)
    said = text[lead.end() if lead else 0 :]
    return _SPAN.search(said) is not None and not any(
        map(str.isalnum, words_alone(_SPAN.sub(" ", said)))
    )
