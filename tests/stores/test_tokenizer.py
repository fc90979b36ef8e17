"""Exact counts, by a tokenizer of a few words."""

import sys
from pathlib import Path

import pytest
from tokenizers import Tokenizer
from tokenizers.models import WordLevel
from tokenizers.pre_tokenizers import Whitespace
from tokenizers.processors import TemplateProcessing

from clawgit.errors import MissingExtraError
from clawgit.stores.tokenizer import TokenizerError, counter


def write_tokenizer(file: Path) -> Path:
    """Counts words and signs, and would put marks around a text and cut a long one."""
    made = Tokenizer(WordLevel({"?": 0, "[S]": 1}, unk_token="?"))  # noqa: S106 - no password
    made.pre_tokenizer = Whitespace()
    made.post_processor = TemplateProcessing(single="[S] $A", special_tokens=[("[S]", 1)])
    made.enable_truncation(3)
    made.save(str(file))
    return file


def test_it_counts_what_the_file_says_and_neither_marks_nor_cuts(tmp_path: Path) -> None:
    count = counter(write_tokenizer(tmp_path / "tokenizer.json"))
    assert [count(text) for text in ("", "one", "one two, three four")] == [0, 1, 5]


def test_what_is_no_tokenizer_is_told(tmp_path: Path) -> None:
    broken = tmp_path / "broken.json"
    for content, said in ((b"{}", "is not a tokenizer"), (b"\xff", "cannot be read")):
        broken.write_bytes(content)
        with pytest.raises(TokenizerError, match=said):
            counter(broken)
    with pytest.raises(TokenizerError, match="There is no file"):
        counter(tmp_path / "none.json")


def test_without_the_package_it_names_the_extra(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "tokenizers", None)
    with pytest.raises(MissingExtraError, match="tokenizers"):
        counter(tmp_path)
