"""What the built-in models of many languages have in common when they are made: they begin with some
layers of the teacher (`models.training.many_languages`), learn in two processes, and end as an ONNX file.
"""

import importlib
import multiprocessing
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from time import monotonic
from typing import Any, TypeVar

from models.training.many_languages import NOTHING, Teacher, teacher

Batch = TypeVar("Batch")
Text = TypeVar("Text")

RANK = 128
LEAST_STEP = 0.03
INPUTS = ("input_ids", "attention_mask", "token_type_ids")
_ROUNDED = "_quantized"

_PARTS = {
    "attention.self.query": "q", "attention.self.key": "k", "attention.self.value": "v",
    "attention.output.dense": "ao", "attention.output.LayerNorm": "aln",
    "intermediate.dense": "fi", "output.dense": "fo", "output.LayerNorm": "oln",
}  # fmt: skip
"""The parts of a layer, as transformers and as the teacher's file call them."""


def begun(model: Callable[[Teacher], Any], weights: Path | None) -> tuple[Teacher, Any]:
    """The teacher, and a model that begins with its weights, or with those of an earlier run."""
    torch: Any = importlib.import_module("torch")
    torch.manual_seed(1)
    taught_by = teacher()
    net = model(taught_by)
    if weights:
        net.load_state_dict({**net.state_dict(), **weights_of(weights)})
    return taught_by, net


def average_with(weights: Path, net: Any, counts: float = 0.5) -> None:
    """Averages with the weights of another run, which count for this share."""
    other, mine = weights_of(weights), net.state_dict()
    net.load_state_dict(
        {name: (1 - counts) * it + counts * other.get(name, it) for name, it in mine.items()}
    )


def weights_of(file: Path) -> dict[str, Any]:
    """The weights of an earlier run, or those of a model that is shipped which it had learned."""
    torch: Any = importlib.import_module("torch")
    held: dict[str, Any] = _shipped(file) if file.suffix == ".onnx" else torch.load(file)
    return held


def _shipped(file: Path) -> dict[str, Any]:
    """The weights of a model that `export` wrote, as far as 8 bits tell them. A node is named after
    the part of the model that multiplies by its weights. The vectors of pieces stay as the teacher has
    them, so they are not needed.
    """
    onnx: Any = importlib.import_module("onnx")
    torch: Any = importlib.import_module("torch")
    graph = onnx.load(file).graph
    held = {each.name: onnx.numpy_helper.to_array(each) for each in graph.initializer}
    found = {
        name: torch.tensor(it) for name, it in held.items() if name.endswith(("bias", "weight"))
    }
    made_by = {name: node for node in graph.node for name in node.output}

    def whole(name: str, scale: str, zero: str) -> Any:
        return torch.tensor((held[name].astype("f4") - held[zero]) * held[scale])

    for node in graph.node:
        part, _, kind = node.name[1:].rpartition("/")
        if kind.endswith("MatMul_quant") and "embeddings" not in part:
            [name] = (name for name in node.input if name in held and name.endswith(_ROUNDED))
            bare = name.removesuffix(_ROUNDED)
            weight = whole(name, f"{bare}_scale", f"{bare}_zero_point")
            found[f"{part.replace('/', '.')}.weight"] = weight.T.contiguous()
        if node.op_type == "DequantizeLinear":
            name = made_by[node.input[0]].input[0]
            found[name.removesuffix(_ROUNDED)] = whole(name, *node.input[1:3])
    return found


def student(taught_by: Teacher, layers: Sequence[int]) -> Any:
    """These layers of the teacher, on vectors of few dimensions that stay as they are. A second kind
    of text can be marked, of which the teacher knows nothing.
    """
    base = layers_of(taught_by, layers)
    base.embeddings.requires_grad_(False)
    kinds = base.embeddings.token_type_embeddings
    base.embeddings.word_embeddings = flattened(base.embeddings.word_embeddings.weight.data)
    kinds.weight.data[1] = kinds.weight.data[0]
    kinds.weight.requires_grad_(True)
    return base


def layers_of(taught_by: Teacher, layers: Sequence[int]) -> Any:
    torch: Any = importlib.import_module("torch")
    transformers: Any = importlib.import_module("transformers")
    shape = transformers.BertConfig(
        vocab_size=len(taught_by.pieces),
        hidden_size=taught_by.wide,
        num_hidden_layers=len(layers),
        num_attention_heads=taught_by.heads,
        intermediate_size=taught_by.inner,
        max_position_embeddings=taught_by.longest,
        layer_norm_eps=taught_by.tiny,
        hidden_dropout_prob=0.0,
        attention_probs_dropout_prob=0.0,
        pad_token_id=NOTHING,
        attn_implementation="eager",
    )
    base = transformers.BertModel(shape, add_pooling_layer=False)
    names = {
        "embeddings.word_embeddings.weight": "emb.word",
        "embeddings.position_embeddings.weight": "emb.pos",
        "embeddings.token_type_embeddings.weight": "emb.type",
        "embeddings.LayerNorm.weight": "emb.ln.w",
        "embeddings.LayerNorm.bias": "emb.ln.b",
    }
    for at, layer in enumerate(layers):
        for part, short in _PARTS.items():
            name = f"encoder.layer.{at}.{part}"
            names |= {
                f"{name}.weight": f"l{layer}.{short}.w",
                f"{name}.bias": f"l{layer}.{short}.b",
            }
    held = base.state_dict()
    given = {
        name: torch.tensor(taught_by.weights[short]).reshape(held[name].shape)
        for name, short in names.items()
    }
    base.load_state_dict({**held, **given})
    return base


def flattened(vectors: Any) -> Any:
    """The vectors of all pieces in few dimensions, common pieces (which come first) more exactly."""
    torch: Any = importlib.import_module("torch")
    weight = torch.arange(1000, 1000 + len(vectors)).rsqrt().unsqueeze(1)
    _, _, axes = torch.linalg.svd(vectors * weight, full_matrices=False)
    few = torch.nn.Embedding.from_pretrained(vectors @ axes[:RANK].T)
    back = torch.nn.Linear(RANK, vectors.shape[1], bias=False)
    back.weight.data = axes[:RANK].T.contiguous()
    return torch.nn.Sequential(few, back.requires_grad_(requires_grad=False))


def mean(seen: Any, mask: Any) -> Any:
    """The mean vector of what a mask shows, of length 1."""
    torch: Any = importlib.import_module("torch")
    known = mask.unsqueeze(-1).float()
    return torch.nn.functional.normalize((seen * known).sum(1) / known.sum(1).clamp(min=1), dim=-1)


def round_what_is_read(net: Any) -> None:
    """From now on each multiplication by weights reads numbers of 8 bits, as it does in the file that
    is shipped, so that what is learned suits them: without this, two questions in a hundred lose
    their first place to rounding.
    """
    torch: Any = importlib.import_module("torch")

    def rounded(_: Any, given: tuple[Any]) -> tuple[Any]:
        [numbers] = given
        with torch.no_grad():
            least, most = numbers.min().float().clamp(max=0), numbers.max().float().clamp(min=0)
            step = (most - least).clamp(min=1e-8) / 255
            off = (numbers / step).round() * step - numbers
        return (numbers + off.to(numbers.dtype),)

    for part in net.modules():
        if isinstance(part, torch.nn.Linear):
            part.register_forward_pre_hook(rounded)


def by_length(
    texts: Sequence[Text],
    pieces: Callable[[Text], int],
    at_once: int,
    read: Callable[[list[Text]], Any],
) -> Any:
    """What `read` makes of texts, in their order. Those with about as many pieces are read at once."""
    torch: Any = importlib.import_module("torch")
    order = sorted(range(len(texts)), key=lambda at: pieces(texts[at]))
    rows = [
        read([texts[at] for at in order[first : first + at_once]])
        for first in range(0, len(order), at_once)
    ]
    return torch.cat(rows)[sorted(range(len(order)), key=order.__getitem__)]


def filled_up(rows: Sequence[list[int]]) -> tuple[Any, Any]:
    """Rows of pieces as long as the longest, and a mask that shows what they held."""
    torch: Any = importlib.import_module("torch")
    width = max(map(len, rows))
    ids = torch.tensor([row + [NOTHING] * (width - len(row)) for row in rows])
    return ids, (ids != NOTHING).long()


def in_few_bits() -> Any:
    """Multiplies in 16 bits where the processor has AVX-512. With AVX2 alone, that would take twenty
    times as long as in 32.
    """
    torch: Any = importlib.import_module("torch")
    quick = torch.backends.cpu.get_cpu_capability() == "AVX512"
    return torch.autocast("cpu", torch.bfloat16, enabled=quick)


def in_two_processes(net: Any, learn: Callable[..., None], *given: object) -> None:
    """Two processes, each on its own core, change the same weights: threads would wait for each
    other. Each gets what is given, and its number.
    """
    net.share_memory()
    run = multiprocessing.get_context("fork").Process
    learners = [run(target=learn, args=(net, *given, at)) for at in range(2)]
    for learner in learners:
        learner.start()
    for learner in learners:
        learner.join()
        if learner.exitcode:
            raise SystemExit(f"a learner ended with {learner.exitcode}")


def descend(
    optimizer: Any,
    batches: Iterable[Batch],
    loss: Callable[[Batch], Any],
    *,
    seconds: float,
    warming: int,
    least: float = LEAST_STEP,
) -> None:
    """Learns from one batch after the other until the time is over. Steps grow at first, and then
    shrink.
    """
    torch: Any = importlib.import_module("torch")
    most = [part["lr"] for part in optimizer.param_groups]
    learned = [weight for part in optimizer.param_groups for weight in part["params"]]
    since = monotonic()
    for at, batch in enumerate(batches, 1):
        left = 1 - (monotonic() - since) / seconds
        if left <= 0:
            return
        for part, step in zip(optimizer.param_groups, most, strict=True):
            part["lr"] = step * min(1, at / warming) * max(least, left)
        lost = loss(batch)
        lost.backward()
        torch.nn.utils.clip_grad_norm_(learned, 1.0)
        optimizer.step()
        optimizer.zero_grad()
        if at % 50 == 0:
            print(f"{left:.0%} left, loss {float(lost.detach()):.2f}", flush=True)


def export(net: Any, given: Sequence[Any], file: Path, *, said: str) -> None:
    """Writes a model, its weights in 8 bits. `given` are inputs to try, `said` names what it says.

    The weights have no sign: where a processor lacks VNNI, onnxruntime adds products of an unsigned and
    a signed byte in 16 bits, which overflow, so that the model would say something else there.

    It is made ready here, as far as that suits any processor: done when it is opened, that takes three
    times as long as all else.
    """
    torch: Any = importlib.import_module("torch")
    quantization: Any = importlib.import_module("onnxruntime.quantization")
    runtime: Any = importlib.import_module("onnxruntime")
    whole, small = file.with_suffix(".32.onnx"), file.with_suffix(".8.onnx")
    torch.onnx.export(
        net.eval(),
        tuple(given),
        str(whole),
        input_names=list(INPUTS),
        output_names=[said],
        dynamic_axes={name: {0: "texts", 1: "pieces"} for name in INPUTS},
        dynamo=False,
        opset_version=17,
    )
    kind = quantization.QuantType.QUInt8
    quantization.quantize_dynamic(str(whole), str(small), per_channel=True, weight_type=kind)
    options = runtime.SessionOptions()
    options.graph_optimization_level = runtime.GraphOptimizationLevel.ORT_ENABLE_EXTENDED
    options.optimized_model_filepath = str(file)
    runtime.InferenceSession(small, options, providers=["CPUExecutionProvider"])
    whole.unlink()
    small.unlink()
