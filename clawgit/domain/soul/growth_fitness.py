"""Which lines an agent may not make a principle of, even if somebody asks for it in a chat."""

import re

from clawgit.domain.extraction.quoting import read
from clawgit.domain.safety.injection import findings
from clawgit.domain.safety.masks import is_sensitive
from clawgit.domain.soul.growth_hearing import LONGEST
from clawgit.language.lazily import lazily
from clawgit.language.values import values

LOOSENS = "it would weaken a guard of the agent"
OBEYS = "it says whom to obey, or sets rules aside"
SENDS = "it names an address"
DESTROYS = "it is a standing order to delete or overwrite"
GARBLED = "it holds a character that could not be read"

_UNREADABLE = "\ufffd"
"""Stands in a line for half a character, such as a lone surrogate. The words around it may be
damaged too, and nobody wrote this one.
"""


_CARE = (
    r"(?:ask|check(?:ing)? with|confirm|warn|tell(?:ing)? (?:me|your human)|mention "
    r"to|permission|approval|consent"
    r"|back ?up|frag|bestätig|pregunt|avis)"
)

_LOOSENS = lazily(
    r"\b(?:never|do not|don't|dont|needn't|need not|no need to|have "
    r"to|stop|skip|quit|nicht|nie|kein|no|nunca|sin)\b"
    rf"(?!.*\bwithout\b|.*\bohne\b|.*\bsin\b.*)[^.!?]{{0,40}}\b{_CARE}"
    r"|\bfrag\w*\b[^.!?]{0,20}\b(?:nicht|nie)\b"
    r"|(?:不要|不用|不必|不需要?|别|無需|无需|不須)[^。！？]{0,6}(?:问|問|询|詢|确认|確認|告诉|告訴|汇报)"
    r"|(?:聞|訊|確認|許可)[^。！？]{0,6}(?:ないで|なくて|ずに|不要)"
    r"|(?:묻|확인하|알리|보고하)지 ?(?:마|말|않)",
    re.IGNORECASE,
)

_WITHOUT = lazily(
    r"^(?!.*\b(?:never|don't|dont|do not|nie|niemals|nunca|no)\b).*\b(?:without|ohne|sin)\b "
    r"(?:\w+ ){0,2}"
    rf"{_CARE}",
    re.IGNORECASE,
)

_DESTROYS = lazily(
    r"^\W*(?:always |just "
    r")?(?:delete|remove|erase|wipe|overwrite|destroy|drop|purge|lösch|borra|elimina)\w*\b",
    re.IGNORECASE,
)

_OBEYS = lazily(
    r"\b(?:obey|trust|follow|believe|listen to|comply "
    r"with|accept|execute)\b[^.]{0,20}\b(?:every|any|all|whoever"
    r"|whatever|others?|strangers?)(?:one|body|thing)?\b|服从|服從|복종|無視し|무시해"
    r"|\b(?:obey|ignore|disregard|override|bypass|disable|overrule)\b[^.]{0,30}\b(?:principles?|rules?|instructions?"
    r"|polic\w+|guard\w*|corrections?|prompts?|limits?|restrictions?|safety|security|operator|owner|soul)\b"
    r"|\b(?:system prompt|jailbreak|developer mode)\b",
    re.IGNORECASE,
)


def unfit(rule: str) -> str:
    """Why a line is not even proposed, or ""."""
    words = read(rule).words
    if is_sensitive(rule):
        return "it holds a secret"
    if _UNREADABLE in rule:
        return GARBLED
    if not _is_one_line(words):
        return f"it is not a line of at most {LONGEST} characters"
    for finding in findings("", f"- {rule}\n"):
        if finding.hold:
            return f"it reads like poison: {finding.reason}"
    return OBEYS if _holds(_OBEYS, words) else ""


def _is_one_line(words: str) -> bool:
    return 0 < len(words) <= LONGEST and "<!--" not in words


def doubtful(rule: str) -> str:
    """Why the operator is asked about an order, or "". It does not matter how sure the judge is."""
    words = read(rule).words
    if any(value.kind in ("email", "url") for value in values(words)):
        return SENDS
    if _holds(_LOOSENS, words) or _holds(_WITHOUT, words):
        return LOOSENS
    if _holds(_DESTROYS, words):
        return DESTROYS
    return ""


def _holds(pattern: re.Pattern[str], words: str) -> bool:
    return pattern.search(words.replace("’", "'")) is not None
