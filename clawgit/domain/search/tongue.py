"""In which language a text is, and a memory."""

from collections.abc import Iterable, Mapping, Sequence

from clawgit.language.files import SEARCH, codes, listed
from clawgit.language.lexicon import languages_shown
from clawgit.language.tokens import has_kana

ENGLISH = ""

CHINESE, JAPANESE, KOREAN = "zh", "ja", "ko"

_MARKS = str.maketrans(dict.fromkeys("¿?¡!.,:;", " "))

_ONLY_ENGLISH = frozenset(
    (
        *("the", "of", "and", "is", "what", "did", "when", "where", "who", "how", "does", "with"),
        *("for", "my", "she", "they", "have", "this", "that", "are", "were", "which", "from", "it"),
    )
)
"""A text with one of these is in English, so that no other language is looked at."""

_LEAST_HOME = 20
"""With fewer lines that tell a language, a memory tells nothing."""

Home = Mapping[str, int]
"""How many lines of a memory tell that they are in a language, for each of some languages."""

NO_HOME: Home = {}


def han_of(text: str, home: Home = NO_HOME) -> str:
    """The language of the Han characters of a text. Without kana, it is the one of the memory."""
    is_japanese = has_kana(text) or home.get(JAPANESE, 0) > home.get(CHINESE, 0)
    return JAPANESE if is_japanese else CHINESE


def latin_of(text: str, home: Home = NO_HOME) -> str:
    """The language of the Latin words of a text: English if they show no other. Words that show
    none are in the language of the memory.
    """
    if not _ONLY_ENGLISH.isdisjoint(text.lower().split()):
        return ENGLISH
    shown = _spaced(languages_shown(text))
    shown = _asking(text, shown) or shown
    if not shown:
        known = {code: home[code] for code in _spaced(home)}
        enough = sum(known.values()) >= _LEAST_HOME
        return max(known, key=known.__getitem__) if enough else ENGLISH
    return ENGLISH if shown[0] == "en" else shown[0]


def _asking(text: str, shown: Sequence[str]) -> list[str]:
    """The language that has most words that ask of a text, alone. One word does not tell it from
    English: “has” is Spanish, too.
    """
    words = {*text.lower().translate(_MARKS).split()}
    counts = {code: len(words.intersection(listed(SEARCH, f"asking_{code}"))) for code in codes()}
    most = max(counts.values())
    least = 1 if shown and shown[0] != "en" else 2
    found = [code for code, count in counts.items() if count == most]
    return found if most >= least and len(found) == 1 else []


def _spaced(languages: Iterable[str]) -> list[str]:
    """Those of some languages that have spaces between words, and Latin letters."""
    return [code for code in languages if code not in (CHINESE, JAPANESE, KOREAN)]
