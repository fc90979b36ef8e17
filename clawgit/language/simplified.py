"""Traditional characters as simplified ones: `醫院` and `医院` are the same word.

`data/traditional.txt` has the ones in its first line and the others in its second
(`bench/make_other_words.py`). Where both lists and texts are written so, Japanese loses nothing.
"""

from functools import cache

from clawgit.language.files import FOLDER
from clawgit.language.tokens import is_cjk


def simplified(text: str) -> str:
    return text.translate(_simple()) if is_cjk(text) else text


@cache
def _simple() -> dict[int, int]:
    traditional, simple = (FOLDER / "traditional.txt").read_text("utf-8").split()
    return str.maketrans(traditional, simple)
