"""The models of `clawgit_models`: their pieces, and the reader of lines."""

import importlib.util
import shutil
from pathlib import Path

import pytest

from clawgit.search.stores import models
from clawgit.search.stores.models import PIECES, READER, ModelError, Reader, folder, pieces

LINES = (
    "Deploys › Fixed: the certificate had expired, so the proxy refused every request.",
    "Deploys › The proxy is checked every hour.",
    "Garden › Broad beans go in at the end of October.",
    "People › Ida's number is 0171 5550199, call her after six.",
)
IN_OTHER_LANGUAGES = (
    ("¿Cuánto pagamos de alquiler?",
        ("El piso cuesta 850 euros al mes.", "El piso tiene tres habitaciones.")),
    ("谁负责服务器？", ("服务器由小陈管理。", "服务器在二楼，很吵。")),
    ("会議は何時からですか", ("打ち合わせは午後三時に始まる。", "会議室は五階にある。")),
    ("월세는 얼마야?", ("집세는 한 달에 80만 원이다.", "집은 학교 근처에 있다.")),
    ("wann wird der Server gewartet",
        ("Maintenance window: Sundays at 2 am.", "The server is red.")),
)  # fmt: skip


def test_it_tells_the_line_that_answers_from_those_that_only_sound_like_it() -> None:
    reader = Reader()
    for question, right in (
        ("why did the proxy refuse requests", 0),
        ("when do I plant the beans", 2),
        ("how do I reach Ida by phone", 3),
    ):
        chances = reader.chances(question, LINES)
        assert max(range(len(LINES)), key=chances.__getitem__) == right


def test_it_reads_other_languages_and_says_which_questions_it_cannot_read() -> None:
    reader = Reader()
    for question, lines in IN_OTHER_LANGUAGES:
        assert reader.knows(question)
        answers, sounds_alike = reader.chances(question, lines)
        assert answers > sounds_alike, question
    assert not any(map(reader.knows, ("какой у меня номер", "ใครคือผู้จัดการ", "من هو المدير")))


def test_what_is_not_installed_is_named_with_what_installs_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    found = importlib.util.find_spec
    monkeypatch.setattr(
        models, "find_spec", lambda name: None if name == "tokenizers" else found(name)
    )
    with pytest.raises(ModelError, match="need tokenizers") as caught:
        Reader()
    assert "pip install " in caught.value.hint


def test_a_damaged_file_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    shutil.copy(folder() / PIECES, tmp_path)
    (tmp_path / READER).write_bytes(b"half")
    monkeypatch.setattr(models, "folder", lambda: tmp_path)
    pieces.cache_clear()
    with pytest.raises(ModelError, match=r"reader\.onnx cannot be read as a model"):
        Reader()
    pieces.cache_clear()
    (tmp_path / PIECES).write_text("{")
    with pytest.raises(ModelError, match=r"tokenizer\.json cannot be read"):
        pieces()
