"""Traditional characters as simplified ones: `醫院` and `医院` are the same word.

`data/traditional.txt` has the ones in its first line and the others in its second
(`bench/make_other_words.py`). Where both lists and texts are written so, Japanese loses nothing.
"""

from collections.abc import Mapping
from functools import cache

from clawgit.language.files import data_of
from clawgit.language.tokens import is_cjk


def simplified(text: str) -> str:
    return text.translate(_table()) if is_cjk(text) else text


@cache
def simple_forms() -> Mapping[str, str]:
    """The simplified character of each traditional one."""
    traditional, simple = data_of("traditional.txt").split()
    return dict(zip(traditional, simple, strict=True))


@cache
def _table() -> dict[int, str]:
    return str.maketrans({**simple_forms()})
