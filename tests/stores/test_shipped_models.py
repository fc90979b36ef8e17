"""The models that come with clawgit say the same on every processor."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from clawgit.stores.unigram import SHIPPED

UNSIGNED, SIGNED = 2, 3
"""Numbers of 8 bits, as ONNX numbers the kinds of numbers."""

GRAPH, INITIALIZER, KIND = 7, 5, 2
"""The fields of ONNX that hold a model's graph, one of its constants, and the kind of its numbers."""

VARINT, EIGHT_BYTES, COUNTED, FOUR_BYTES = 0, 1, 2, 5


def varint(data: memoryview, at: int) -> tuple[int, int]:
    """A number of a protobuf message, and where the next thing begins."""
    number, shift = 0, 0
    while True:
        byte = data[at]
        number |= (byte & 0x7F) << shift
        at, shift = at + 1, shift + 7
        if byte < 0x80:
            return number, at


def fields(data: memoryview) -> Iterator[tuple[int, int | memoryview]]:
    """The fields of a protobuf message."""
    at = 0
    while at < len(data):
        key, at = varint(data, at)
        kind = key & 7
        value: int | memoryview
        if kind == VARINT:
            value, at = varint(data, at)
        elif kind == COUNTED:
            size, at = varint(data, at)
            value, at = data[at : at + size], at + size
        else:
            size = {EIGHT_BYTES: 8, FOUR_BYTES: 4}[kind]
            value, at = data[at : at + size], at + size
        yield key >> 3, value


def within(message: memoryview, wanted: int) -> Iterator[memoryview]:
    for number, value in fields(message):
        if number == wanted and isinstance(value, memoryview):
            yield value


def kinds_of_numbers(model: Path) -> list[int]:
    return [
        value
        for graph in within(memoryview(model.read_bytes()), GRAPH)
        for constant in within(graph, INITIALIZER)
        for number, value in fields(constant)
        if number == KIND and isinstance(value, int)
    ]


@pytest.mark.parametrize("name", ["reader.onnx", "embedder.onnx"])
def test_no_weight_has_a_sign(name: str) -> None:
    """A processor without VNNI adds products of signed and unsigned bytes in 16 bits, where they
    overflow: it would read something else than other processors do.
    """
    kinds = kinds_of_numbers(SHIPPED / name)
    assert kinds.count(UNSIGNED) > 90
    assert SIGNED not in kinds
