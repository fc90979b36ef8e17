"""A reranker of a few hundred bytes, which likes some words better than others."""

from pathlib import Path

import numpy as np
import onnx
import pytest
from onnx import TensorProto, helper, numpy_helper

from clawgit.stores.reranker import Reranker, RerankerError

WORDS = ("[PAD]", "[UNK]", "[CLS]", "[SEP]", "who", "is", "ill", "the", "dog", "rain", "##s")
LIKED = {"dog": 2.0, "ill": 1.0, "rain": -3.0}
INPUTS = ("input_ids", "attention_mask", "token_type_ids")


def write_model(folder: Path, *, logits: int = 1, inputs: tuple[str, ...] = INPUTS) -> Path:
    """A text's logit is the sum of what its words are liked, those of the question left out by
    their type."""
    folder.mkdir()
    (folder / "vocab.txt").write_text("\n".join(WORDS), "utf-8")
    table = np.array([[LIKED.get(word, 0.0)] for word in WORDS], np.float32)
    if logits > 1:
        table = np.concatenate([-table, table], axis=1)
    told = "token_type_ids" if "token_type_ids" in inputs else "input_ids"
    nodes = [
        helper.make_node("Gather", ["liked", "input_ids"], ["each"]),
        helper.make_node("Cast", [told], ["kind"], to=TensorProto.FLOAT),
        helper.make_node("Sign", ["kind"], ["told"]),
        helper.make_node("Unsqueeze", ["told", "last"], ["wide"]),
        helper.make_node("Mul", ["each", "wide"], ["kept"]),
        helper.make_node("ReduceSum", ["kept", "middle"], ["logits"], keepdims=0),
    ]
    graph = helper.make_graph(
        nodes,
        "tiny",
        [
            helper.make_tensor_value_info(name, TensorProto.INT64, ["batch", "sequence"])
            for name in inputs
        ],
        [helper.make_tensor_value_info("logits", TensorProto.FLOAT, ["batch", logits])],
        [
            numpy_helper.from_array(table, "liked"),
            numpy_helper.from_array(np.array([2], np.int64), "last"),
            numpy_helper.from_array(np.array([1], np.int64), "middle"),
        ],
    )
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=9)
    onnx.save_model(model, str(folder / "model.onnx"))
    return folder / "model.onnx"


def certain(logit: float) -> float:
    return float(1 / (1 + np.exp(-logit)))


def test_each_text_is_read_together_with_the_question(tmp_path: Path) -> None:
    reranker = Reranker(write_model(tmp_path / "model"))
    found = reranker.relevance("Who is ill?", ["The dog is ill", "rains", "", "the"])
    assert found == pytest.approx([certain(3), certain(-3), 0.5, 0.5])


def test_of_two_logits_the_second_is_yes(tmp_path: Path) -> None:
    reranker = Reranker(write_model(tmp_path / "model", logits=2))
    assert reranker.relevance("who", ["dog", "rain"]) == pytest.approx([certain(4), certain(-6)])


def test_many_texts_keep_their_order(tmp_path: Path) -> None:
    reranker = Reranker(write_model(tmp_path / "model"))
    texts = ["dog" if number % 3 else "rain" for number in range(40)]
    assert reranker.relevance("who", texts) == pytest.approx(
        [certain(LIKED[text]) for text in texts]
    )


def test_no_text_is_no_work(tmp_path: Path) -> None:
    assert Reranker(write_model(tmp_path / "model")).relevance("who", []) == []


def test_a_long_text_is_read_as_far_as_it_fits(tmp_path: Path) -> None:
    reranker = Reranker(write_model(tmp_path / "model"))
    assert reranker.relevance("who", ["the " * 300 + "dog"]) == pytest.approx([0.5])


def test_of_a_long_text_the_part_is_read_that_has_the_words_of_the_question(tmp_path: Path) -> None:
    reranker = Reranker(write_model(tmp_path / "model"))
    long = "the " * 300 + "who is dog " + "the " * 300
    assert reranker.relevance("who is", [long]) == pytest.approx([certain(2)])
    assert reranker.relevance("who is", [f"rain › {long}"]) == pytest.approx([certain(-1)])


def test_a_model_with_fewer_inputs_gets_fewer(tmp_path: Path) -> None:
    reranker = Reranker(write_model(tmp_path / "model", inputs=("input_ids",)))
    assert reranker.relevance("who", ["dog"]) == pytest.approx([certain(2)])


@pytest.mark.parametrize("missing", ["model.onnx", "vocab.txt"])
def test_what_is_not_there_is_named_with_a_way_out(tmp_path: Path, missing: str) -> None:
    file = write_model(tmp_path / "model")
    file.with_name(missing).unlink()
    with pytest.raises(RerankerError, match=missing) as caught:
        Reranker(file)
    assert "clawgit config set reranker built-in" in caught.value.hint
    assert 'clawgit config set reranker ""' in caught.value.hint


def test_what_is_no_model_is_said_to_be_none(tmp_path: Path) -> None:
    file = write_model(tmp_path / "model")
    file.write_bytes(b"no model")
    with pytest.raises(RerankerError, match="cannot be read as a model"):
        Reranker(file)


def test_a_vocabulary_of_another_kind_is_refused(tmp_path: Path) -> None:
    file = write_model(tmp_path / "model")
    file.with_name("vocab.txt").write_text("<s>\n</s>\n", "utf-8")
    with pytest.raises(RerankerError, match="not a vocabulary"):
        Reranker(file)


def test_a_model_that_reads_something_else_is_refused(tmp_path: Path) -> None:
    file = write_model(tmp_path / "model", inputs=("input_ids", "pixel_values"))
    with pytest.raises(RerankerError, match="something else than BERT") as caught:
        Reranker(file)
    assert "cross-encoder" in caught.value.hint


def test_the_top_of_the_disk_is_no_model() -> None:
    with pytest.raises(RerankerError, match="not there"):
        Reranker(Path("/"))


def test_a_vocabulary_that_is_longer_than_the_models_is_refused_before_a_search(
    tmp_path: Path,
) -> None:
    file = write_model(tmp_path / "model")
    with (tmp_path / "model" / "vocab.txt").open("a", encoding="utf-8") as words:
        words.write("\nlater\n")
    with pytest.raises(RerankerError, match="cannot read all words of"):
        Reranker(file)
