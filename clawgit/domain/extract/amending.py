"""A plan that changes while it is spoken of: “wait, make it Thursday” changes what was said last."""

import re
from datetime import datetime

from clawgit.domain.absolute import absolute
from clawgit.domain.extract.memory import Memory
from clawgit.domain.extract.sentences import sentences


def amended(last: Memory, text: str, said: datetime, evidence: str) -> Memory | None:
    """The memory with the day or the hour that a text names instead, where the text does no more than that."""
    change = _CHANGE.match(text)
    found = sentences(text)
    if change is None or len(found) != 1 or len(text.split()) > _MOST_WORDS:
        return None
    told = absolute(text[change.end() :], said)
    changed, when = last.text, last.when
    if told.when and len(_DAY.findall(last.text)) == 1:
        changed, when = _DAY.sub(told.when.isoformat(), last.text), told.when
    hours = [*_HOUR.finditer(_DAY.sub("", told.text))]
    if len(hours) == 1 and len([*_HOUR.finditer(_DAY.sub("", changed))]) == 1:
        changed = _HOUR.sub(lambda old: f"{old['at']}{hours[0]['hour']}", changed)
    if changed == last.text:
        return None
    return last._replace(text=changed, when=when, evidence=evidence, quote=found[0].text, said=said)


_MOST_WORDS = 14
_CHANGE = re.compile(
    r"\W*(?:(?:oh|no|ok|okay|hm+|sorry|ah|actually|or|but|and)\W+)*(?:wait|scratch that|on second thoughts?"
    r"|(?:better|rather)(?= (?:on|at|by|in|the|next|make|tomorrow|\d|mon|tue|wed|thu|fri|sat|sun))"
    r"|(?:let'?s )?(?:make|do|change|move|push) (?:it|that)(?: to| for| on| at)?)\b",
    re.IGNORECASE,
)
_DAY = re.compile(r"\d{4}-\d\d-\d\d")
_HOUR = re.compile(
    r"(?P<at>\b(?:at|from|by|until|till|to) )(?P<hour>\d{1,2}(?:[:.]\d\d)? ?(?:[ap]m|uhr|h)?|noon|midnight)\b(?![-%])",
    re.IGNORECASE,
)
