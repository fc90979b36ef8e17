"""What a clause says to be over or gone, and so no longer right: “I sold the Nikon”, “five was the old one”."""

import re


def over(clause: str) -> str:
    """What is over, "" where the clause says nothing of the kind."""
    plain = clause.strip(" .!?…")
    found = _FORMS[0].search(plain) or next((told for form in _FORMS[1:] if (told := form.fullmatch(plain))), None)
    return found["wrong"].strip() if found else ""


_NAME = r"(?-i:[A-Z][\w&'’-]*)(?: (?-i:[A-Z][\w&'’-]*))*"
_HAS = r"(?:['’]s| is| was| has| got| has been| are| were| have| have been| have got)"
_ENDED = (
    r"(?:dropped|cancell?ed|sold|retired|removed|scrapped|discontinued|gone|finished|history|abolished|ended|dead"
    r"|replaced|out|no more)"
)
_FORMS = (
    re.compile(
        r"\b(?:sold|cancell?ed|stopped(?: using| going to| doing)?|quit|gave (?:up|away)|swapped|got rid of|dropped"
        r"|(?:don't|do not) use)"
        r" (?:the |my |our )?(?P<wrong>(?!out\b|off\b|by\b|in\b|from\b|on\b)[^,;.]{2,30}?)"
        r"(?: (?:any ?more|last .*|in .*|a .*|w(?:ith)?/? .*|to .*))?$",
        re.IGNORECASE,
    ),
    re.compile(r"(?:never|not) (?:in |on |at )?(?:the )?(?P<wrong>[^,;.]{2,30})", re.IGNORECASE),
    re.compile(
        r"(?:the |our |my )?(?P<wrong>[^,;.]{1,30}?)(?: (?:one|thing))? (?:was|were) (?:only )?(?:the |my |our )?"
        r"(?:old|former|previous|last|earlier|never|before|until|till|wrong)\b.*",
        re.IGNORECASE,
    ),
    re.compile(
        rf"(?:the |our |my )?(?P<wrong>[^,;.]{{2,30}}?){_HAS} {_ENDED}(?: (?:in|on|since|last|from|now) .*)?",
        re.IGNORECASE,
    ),
    re.compile(
        r"(?:the |our |my )?(?P<wrong>[\w-]{3,30})(?: (?:licen[cs]es?|subscriptions?|contracts?|trials?|accounts?))?"
        r" (?:ran out|expired|lapsed|shut down|closed down|went bust|folded|was shut down|was closed)(?: .*)?",
        re.IGNORECASE,
    ),
    re.compile(
        rf"(?:(?:Dr|Mrs?|Ms|Prof)\.? )?(?P<wrong>{_NAME}) (?:(?:has|have|is|does|did|was|do)(?: not|n['’]t)"
        rf"|no longer|left|quit|withdrew"
        rf"|resigned|retired"
        rf"|handed (?:it |that )?over|stepped down|passed (?:it )?on|moved (?:on|away|to .*)|is on \w*\s?leave)\b.*",
        re.IGNORECASE,
    ),
)
