"""How words stand in their sentence: forbidden, quoted, or warned of."""

import re

from clawgit.language.lazily import lazily

SENTENCE_END = lazily(r"(?<=[.!?])\s|(?<=[。！？\n])")

_OPEN_QUOTE = lazily(r"„[^“”]*$|“[^”]*$|«[^»]*$|「[^」]*$")

_FORBIDS = lazily(
    r"""(?:\b(?:never|not|don't|don’t|cannot|can't|won't|nor|refuse\ to|nunca|jamas|niemals|nie|jamais)
    (?:\ (?:ever|just|simply|again|you|to|let)){0,2}\ |(?:不要|不得|切勿|绝不|不能|勿|別|别))$""",
    re.VERBOSE,
)

_NEGATES = lazily(r"\b(?:never|not|don't|don’t|nothing|nobody|no)\b")

_TELLS = lazily(
    r"""(?:\b(?:says?|saying|said|asks?|asking|tells?|telling|demands?|wants?|orders?|like|wrote|writes?|claims?)
    (?:\ (?:you|me|us))?(?:\ to)?[:,]?\ ?)$""",
    re.VERBOSE,
)

_WARNS = lazily(
    r"""\b(?:attack|inject|wary|beware|suspicious|untrusted|phishing|malicious|scam|jailbreak|refuse|decline|reject|blocked
    |report\ (?:it|them)|(?:not|never|n't)\ (?:obey|follow|comply|trust|do\ it)|testing\ you|misstrau|vorsicht|angriff
    |desconfi|cuidado|sospech|ataque|mefie)|警惕|攻击|攻擊|小心|주의|공격|의심|注意""",
    re.VERBOSE,
)


def is_forbidden(words: str, before: str) -> bool:
    if _FORBIDS.search(before):
        return True
    # “Never … without asking” forbids just as “never …” does.
    return words.startswith("without") and _NEGATES.search(sentence(before)) is not None


def is_warned_of(before: str, after: str) -> bool:
    """Whether a sentence quotes the words, or reports them, and warns of them."""
    before = sentence(before)
    after = SENTENCE_END.split(after, maxsplit=1)[0]
    if not is_quoted(before):
        return False
    return _WARNS.search(f"{before} {after}") is not None


def is_quoted(before: str) -> bool:
    """Whether what follows is in quotation marks, or said by somebody."""
    # A fence of code quotes nothing: an agent reads it all the same.
    if before.count('"') % 2 == 1 or before.replace("```", "").count("`") % 2 == 1:
        return True
    return _OPEN_QUOTE.search(before) is not None or _TELLS.search(before) is not None


def sentence(before: str) -> str:
    """The last, unfinished sentence of a text."""
    return SENTENCE_END.split(before)[-1]
