"""Clauses that state no fact: requests, what would be, what the speaker is about to do, mere fillers."""

import re

from clawgit.domain.correction_slots import verb_in


def is_request(body: str) -> bool:
    """Whether something is to be done, now and once: no fact that could be remembered."""
    found = _REQUEST.match(body)
    verb = verb_in(body) if found and len(found[0].split()) == 1 else None
    return found is not None and not (verb and body[verb[0] : verb[1]].endswith("s") and verb[0] < _NOUN)


def states_no_fact(body: str) -> bool:
    """Whether a clause tells what would be, or what its speaker is about to do and cannot say."""
    return any(form.match(body) for form in (_WOULD, _IRREAL, _ABOUT_TO, _DO_IT, _AT_A_LOSS, _REPROACH, _WONDERS))


def is_empty(body: str) -> bool:
    """Whether a text says nothing at all of what is right."""
    return _EMPTY.fullmatch(body) is not None


def is_unsure(body: str) -> bool:
    """Whether somebody only supposes or proposes it."""
    return _UNSURE.search(body) is not None


_NOUN = 24
_EMPTY = re.compile(
    r"(?:it|that|this|so|again|stop (?:it|that)|come on|(?:that|it)(?:'s| is) (?:it|all|fine|ok(?:ay)?|good)"
    r"|(?:please )?(?:check|look|try|think|read)"
    r"(?: (?:it|that|this|again|properly|your (?:notes|memory)|once more))*|about (?:it|that|this)|(?:before"
    r"|already|earlier|yesterday|last \w+)"
    r"|(?:the |a )?(?:wrong|old|other) (?:one|\w+)|what i (?:said|meant|told you)|not what i (?:said|meant|asked).*"
    r"|(?:right|correct|true|wrong)"
    r"|what (?:you|u)(?:['’]ve)? (?:have|had|said|say|wrote|noted|put|got|told|read)\b[^,;:]*"
    r"|something else|different|the other way (?:a)?round|you|we|i)",
    re.IGNORECASE,
)
_REQUEST = re.compile(
    r"(?:please |pls |just |now |go |and |then |to )*(?:delete|remove|run|send|show|fix|open|close|give|tell|make"
    r"|write|check|look|try|read|create|add|ignore"
    r"|forget|disregard|execute|install|print|list|find|search|do|redo|stop|start|wait|call (?!me\b)|let|put|change"
    r"|update|rename|move|explain|translate"
    r"|summari[sz]e|draft|book|order|buy|push|commit|deploy|restart|undo|revert|reply|answer|post|copy|paste"
    r"|download|upload|export|import|set|turn|leave (?:it|that|this|them))\b"
    r"(?! (?:is|are|was|runs?|goes|happens?|time|times|window|day|days|date)\b)|(?:can|could|would|will) you\b"
    r"|let's\b|i(?:'d| would) (?:like|love) you to\b"
    r"|i (?:want|need|asked|told) you to\b",
    re.IGNORECASE,
)
_UNSURE = re.compile(
    r"\b(?:maybe|perhaps|might|not sure|probably|possibly|would be|could be|should we|what if|if (?:we|i|you|it)"
    r"|i wonder|i guess|let's)\b",
    re.IGNORECASE,
)
_WOULD = re.compile(r"(?:it |that |this )?(?:would|could|might) be\b", re.IGNORECASE)
_IRREAL = re.compile(
    r"(?:i|we|he|she|it|they|you|that|this)(?:['’]d| would| could| might)(?:n['’]t| not)? (?:have|rather|be|prefer)\b",
    re.IGNORECASE,
)
_ABOUT_TO = re.compile(
    r"(?:i|we)(?:['’]m| am| are|['’]re) (?:afraid|sorry|sure|certain|positive|not sure)[\s.!]*$"
    r"|(?:i|we)(?:['’]ll| will| go| must| need to| have to|['’]ve got to| gotta|['’]m going to| can(?:['’]t|not)?"
    r"| could(?:n['’]t)?| don['’]t) (?:have to |need to |\w+ )?"
    r"(?:check|look|ask|find|tell|say|see|get back|get the|get it|know|remember"
    r"|send you|let you)\b|let me (?:check|look|see|ask|find)",
    re.IGNORECASE,
)
_AT_A_LOSS = re.compile(
    r"(?:i|we)(?: do not| don['’]?t|['’]ve not| have not| haven['’]?t)(?: \w+)? (?:have|got) .*"
    r"\b(?:here|at hand|to hand|on me|with me|handy|in (?:my|our) head|by heart)\b"
    r"|it(?:['’]ll| will) (?:\w+ )?come (?:back )?to me\b",
    re.IGNORECASE,
)
_WONDERS = re.compile(
    r"(?:how|why|what|when|where|who|which) (?:do|does|did|is|are|was|were|can|could|would|should|will|on earth)\b",
    re.IGNORECASE,
)
_REPROACH = re.compile(
    r"(?:you|u) (?:can['’]?t|cannot|can not|shouldn['’]?t|should not|mustn['’]?t|must not|don['’]?t get to)"
    r" (?:just |simply |keep )?(?:tell|say|writ|send|do|mak|promis|put|go|invent)\w*\b",
    re.IGNORECASE,
)
_DO_IT = re.compile(
    r"(?!(?:i|we|he|she|it|they|you|that|this|not|and|but|is|was|are|for|with|on|in|at|to|of|by|as|from|about|no|like)\b)"
    r"(?:please |just )?[a-z]+[^s\W] (?:it|that|this|them)(?: (?:out|off|away|down|now|please|again))?[\s.!]*$",
    re.IGNORECASE,
)
