"""Chroma's model without Chroma, on a model of a few kilobytes that the test makes."""

from pathlib import Path

import numpy as np
import pytest

from clawgit.stores.embed import EmbedderError
from clawgit.stores.embed.onnx_minilm import OnnxMiniLM
from tests.stores.embed.tiny_onnx import WORDS, table, write_model


def expected(*words: str) -> np.ndarray[tuple[int, ...], np.dtype[np.float32]]:
    mean = table()[[WORDS.index(word) for word in ("[CLS]", *words, "[SEP]")]].mean(axis=0)
    unit: np.ndarray[tuple[int, ...], np.dtype[np.float32]] = mean / np.linalg.norm(mean)
    return unit


def test_a_row_is_the_mean_over_the_tokens_and_their_frame(tmp_path: Path) -> None:
    write_model(tmp_path / "model")
    rows = OnnxMiniLM(tmp_path / "model").embed(["The dog, calling", "Ana xyz", ""])
    wanted = [expected("the", "dog", ",", "call", "##ing"), expected("ana", "[UNK]"), expected()]
    assert rows == pytest.approx(np.array(wanted), abs=1e-6)


def test_a_long_text_is_cut_at_256_tokens(tmp_path: Path) -> None:
    write_model(tmp_path / "model")
    rows = OnnxMiniLM(tmp_path / "model").embed(["dog " * 254 + "ana " * 500])
    assert rows[0] == pytest.approx(expected(*["dog"] * 254), abs=1e-5)


def test_a_model_with_fewer_inputs_gets_fewer(tmp_path: Path) -> None:
    write_model(tmp_path / "model", inputs=("input_ids", "attention_mask"))
    assert OnnxMiniLM(tmp_path / "model").embed(["dog"])[0] == pytest.approx(
        expected("dog"), abs=1e-6
    )


def test_where_it_is_not_there_the_error_says_how_to_get_it(tmp_path: Path) -> None:
    with pytest.raises(EmbedderError, match="is not there") as caught:
        OnnxMiniLM(tmp_path)
    assert "ONNXMiniLM_L6_V2" in caught.value.hint


def test_a_broken_file_is_said_to_be_broken(tmp_path: Path) -> None:
    write_model(tmp_path / "model")
    (tmp_path / "model" / "model.onnx").write_bytes(b"no model")
    with pytest.raises(EmbedderError, match="cannot be read as a model"):
        OnnxMiniLM(tmp_path / "model")
