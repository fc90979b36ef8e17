"""The verbs with which humans tell an agent how to behave, in the forms in which they say them."""

from collections.abc import Callable, Iterator
from functools import cache

_BASE = """
accept acknowledge act add address admit advise agree alert alphabetise alphabetize analyse analyze announce
answer apologise apologize archive argue ask assign assume attach avoid back batch be begin blame block boast
book break bring build bump call cancel capitalise capitalize cc celebrate challenge change chat check choose
cite clarify clean clear close collect color colour comment commit compare compile complain complete compress
condense configure confirm consider consult contradict convert copy correct count create criticise criticize cut
debug decide default define delay delete deliver deploy describe disable discuss distinguish do document
double-check draft drop edit email encourage encrypt end ensure escalate estimate exaggerate execute explain
export express extend fetch file fill find finish fix flag flatter focus follow forget format forward gather
generate get give go greet group guess hallucinate handle hedge help hide highlight hyphenate identify ignore
import improve include indent inform insert inspect install interpret interrupt introduce invent investigate
invite invoice italicise joke judge jump keep label lead learn leave lecture let lie limit link list listen log
look lower mail make mark measure mention merge message mock moralise moralize motivate move nag name notify
number obey offer omit open optimise order overwrite pack paraphrase paste pause pay phrase pick ping plan point
post practice practise praise prefer prefix prepare present preserve pretend prioritise prioritize pronounce
proofread propose provide publish pull push put question quote ramble re-check re-read read reason rebase reboot
recommend record recover redo refactor refer refuse release remember remind remove rename repeat rephrase
replace reply report reschedule research respect respond restart restore restructure retry return reuse revert
review rewrite round run save say schedule scold search send separate set share ship shorten shout show sign
simplify skim skip slow solve sort speak specify spell split squash stage start state stay step stick stop store
structure submit suggest sum summarise summarize swap swear switch tag take talk teach tease tell test thank
think tidy touch transcribe translate treat trim trust try turn underline unsubscribe update upgrade upload use
validate vary verify wait wake warn waste watch whisper wipe work wrap write
"""

_IRREGULAR = {
    "be": "was",
    "begin": "began",
    "break": "broke",
    "bring": "brought",
    "build": "built",
    "choose": "chose",
    "cut": "cut",
    "do": "did",
    "find": "found",
    "forget": "forgot",
    "get": "got",
    "give": "gave",
    "go": "went",
    "hide": "hid",
    "keep": "kept",
    "leave": "left",
    "lead": "led",
    "let": "let",
    "make": "made",
    "overwrite": "overwrote",
    "pay": "paid",
    "put": "put",
    "read": "read",
    "redo": "redid",
    "rewrite": "rewrote",
    "run": "ran",
    "say": "said",
    "send": "sent",
    "set": "set",
    "show": "showed",
    "speak": "spoke",
    "spell": "spelled",
    "split": "split",
    "stick": "stuck",
    "swear": "swore",
    "take": "took",
    "tell": "told",
    "think": "thought",
    "wake": "woke",
    "write": "wrote",
}
_DOUBLED = """
begin chat cut drop flag forget get let log nag plan put quit refer run set ship skip split step stop submit tag trim
wrap
"""


@cache
def verbs() -> dict[str, str]:
    """Each verb as it is told to somebody, by itself: `ask`, `run`."""
    return {verb: verb for verb in _BASE.split()}


@cache
def gerunds() -> dict[str, str]:
    """`asking` → `ask`."""
    return dict(_forms(_gerund))


@cache
def pasts() -> dict[str, str]:
    """`asked` → `ask`, `ran` → `run`."""
    return dict(_forms(_past))


@cache
def thirds() -> dict[str, str]:
    """`asks` → `ask`."""
    return dict(_forms(_third))


def _forms(form: Callable[[str], str]) -> Iterator[tuple[str, str]]:
    return ((form(verb), verb) for verb in verbs())


def _gerund(verb: str) -> str:
    if verb.endswith("ie"):
        return f"{verb[:-2]}ying"
    if verb.endswith("e") and verb != "be":
        return f"{verb[:-1]}ing"
    return f"{verb}{verb[-1]}ing" if verb in _DOUBLED.split() else f"{verb}ing"


def _past(verb: str) -> str:
    if verb in _IRREGULAR:
        return _IRREGULAR[verb]
    if verb.endswith("e"):
        return f"{verb}d"
    if verb.endswith("y") and verb[-2] not in "aeiou":
        return f"{verb[:-1]}ied"
    return f"{verb}{verb[-1]}ed" if verb in _DOUBLED.split() else f"{verb}ed"


def _third(verb: str) -> str:
    if verb.endswith("y") and verb[-2] not in "aeiou":
        return f"{verb[:-1]}ies"
    return f"{verb}es" if verb.endswith(("s", "sh", "ch", "x", "z", "o")) else f"{verb}s"
