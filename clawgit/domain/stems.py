"""A word without its ending."""

from clawgit.domain.statement_words import ATTRIBUTES, KINDS, SAME


def stem(word: str) -> str:
    """A word without its ending, so that builds, building and built-like forms meet."""
    word = SAME.get(word, word).removesuffix("'s").removesuffix("'")
    if word in KINDS or not word.isalpha() or len(word) <= _SHORT:
        return SAME.get(word, word)
    if word in ATTRIBUTES:
        return word
    for ending, instead in _ENDINGS:
        if word.endswith(ending) and len(word) - len(ending) >= _STEM:
            word = word[: -len(ending)] + instead
            break
    if word[-1] == word[-2] and word[-1] not in "lsz":
        word = word[:-1]
    return SAME.get(word, word if word in ATTRIBUTES or len(word) <= _SHORT else word.removesuffix("e"))


_SHORT, _STEM = 3, 3
_ENDINGS = (("erships", "er"), ("ership", "er"), ("sses", "ss"), ("tions", "t"), ("tion", "t"), ("ies", "y"),
            ("shes", "sh"), ("ches", "ch"), ("xes", "x"), ("ss", "ss"), ("us", "us"),
            ("is", "is"), ("s", ""), ("ing", ""), ("ied", "y"), ("eed", "eed"), ("ed", ""))  # fmt: skip
