"""A model in an ONNX file, opened by onnxruntime: for the embedder that is one, and for the
reranker.
"""

from pathlib import Path
from typing import Any

from clawgit.errors import ClawgitError


def opened(file: Path, raised: type[ClawgitError], *, who: str, hint: str) -> Any:
    """A session of onnxruntime. What is wrong is `raised`, with who needs it and what to do about
    the file.

    It says nothing on standard error.
    """
    try:
        import onnxruntime  # type: ignore[import-untyped]  # noqa: PLC0415 - 60 ms, for those alone who chose it
        from onnxruntime.capi import onnxruntime_pybind11_state as failures  # type: ignore[import-untyped]  # noqa: PLC0415
    except ImportError as error:
        raise raised(f"{who} needs onnxruntime.", hint="pip install 'clawgit[enhanced]'") from error
    options = onnxruntime.SessionOptions()
    options.log_severity_level = 3
    try:
        return onnxruntime.InferenceSession(file, options, providers=["CPUExecutionProvider"])
    except (
        failures.Fail,
        failures.InvalidProtobuf,
        failures.InvalidGraph,
        failures.NotImplemented,
    ) as error:
        raise raised(f"{file} cannot be read as a model.", hint=hint) from error
