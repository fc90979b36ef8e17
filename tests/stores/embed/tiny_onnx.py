"""A model of a few kilobytes in the form of all-MiniLM-L6-v2: a table of words, and nothing after
it."""

from pathlib import Path

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper

WORDS = ("[PAD]", "[UNK]", "[CLS]", "[SEP]", "the", "dog", "is", "ill", "call", "##ing", "ana", ",")
DIMENSIONS = 8


def table() -> np.ndarray[tuple[int, int], np.dtype[np.float32]]:
    made: np.ndarray[tuple[int, int], np.dtype[np.float32]] = (
        np.random.default_rng(5).standard_normal((len(WORDS), DIMENSIONS)).astype(np.float32)
    )
    return made


def write_model(
    folder: Path, inputs: tuple[str, ...] = ("input_ids", "attention_mask", "token_type_ids")
) -> None:
    folder.mkdir(parents=True)
    (folder / "vocab.txt").write_text("\n".join(WORDS) + "\n", "utf-8")
    graph = helper.make_graph(
        [helper.make_node("Gather", ["words", "input_ids"], ["last_hidden_state"])],
        "tiny",
        [
            helper.make_tensor_value_info(name, TensorProto.INT64, ["batch", "sequence"])
            for name in inputs
        ],
        [
            helper.make_tensor_value_info(
                "last_hidden_state", TensorProto.FLOAT, ["batch", "sequence", DIMENSIONS]
            )
        ],
        [numpy_helper.from_array(table(), "words")],
    )
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=9)
    onnx.save_model(model, str(folder / "model.onnx"))
