"""Exact token counts, by a tokenizer.json that the user names; most open models bring one."""

from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

from clawgit.doors import load, tokenizers
from clawgit.errors import ClawgitError, MissingExtraError


class TokenizerError(ClawgitError):
    """A file that is not there, or that holds no tokenizer."""

    kind = "tokenizer"


def counter(path: Path) -> Callable[[str], int]:
    """Counts as that tokenizer does, without the marks that a model puts around a text."""
    try:
        load(tokenizers)
    except ImportError as error:
        raise MissingExtraError(
            "A tokenizer needs the package tokenizers.", hint="pip install 'clawgit[enhanced]'"
        ) from error
    made = None
    try:
        text = path.read_bytes().decode() if path.is_file() else ""
        with suppress(Exception):  # the library raises nothing narrower for what is no tokenizer
            made = tokenizers.Tokenizer.from_str(text)
    except (OSError, UnicodeDecodeError) as error:
        raise TokenizerError(f"{path} cannot be read.", hint=_HINT) from error
    if made is None:
        raise TokenizerError(
            f"{path} is not a tokenizer." if text else f"There is no file {path}.", hint=_HINT
        )
    made.no_truncation()
    made.no_padding()
    return lambda text: len(made.encode(text, add_special_tokens=False).ids)


_HINT = "Name a tokenizer.json: clawgit config set tokenizer PATH"
