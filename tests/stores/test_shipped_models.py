"""The models that come with clawgit say the same on every processor."""

import onnx
import pytest

from clawgit.stores.unigram import SHIPPED


@pytest.mark.parametrize("name", ["reader.onnx", "embedder.onnx"])
def test_no_weight_has_a_sign(name: str) -> None:
    """A processor without VNNI adds products of signed and unsigned bytes in 16 bits, where they
    overflow: it would read something else than other processors do.
    """
    kinds = [weight.data_type for weight in onnx.load(SHIPPED / name).graph.initializer]
    assert kinds.count(onnx.TensorProto.UINT8) > 90
    assert onnx.TensorProto.INT8 not in kinds
