"""Time limits and the errors of Chroma's own library."""

import subprocess
import sys
from pathlib import Path
from threading import Event

import pytest

from clawgit.stores.chroma import library
from clawgit.stores.chroma.calls import Calls
from clawgit.stores.chroma.collection import ChromaLimits, open_collection
from clawgit.stores.chroma.failures import ChromaBrokenError, ChromaFillingError, ChromaSlowError
from tests.stores.chroma.lab import records, split


def test_one_overdue_call_keeps_others_from_beginning_until_it_ends() -> None:
    calls, answer = Calls(library.judge_files), Event()
    with pytest.raises(ChromaSlowError):
        calls.run(answer.wait, 0.01)
    with pytest.raises(ChromaSlowError):
        calls.run(lambda: 1, 1.0)
    answer.set()
    assert calls._overdue is not None
    calls._overdue.join()
    assert calls.run(lambda: 1, 1.0) == 1


def test_closed_takes_no_call_and_says_whether_all_have_ended() -> None:
    calls, answer = Calls(library.judge_files), Event()
    with pytest.raises(ChromaSlowError):
        calls.run(answer.wait, 0.01)
    assert not calls.close(0.01)
    answer.set()
    assert calls.close(5.0)
    with pytest.raises(ChromaFillingError):
        calls.run(lambda: 1, 1.0)


class PanicException(BaseException):
    pass


def panic() -> None:
    raise PanicException("index out of bounds")


def test_a_panic_of_rust_is_damage_and_a_bug_of_ours_stays_one() -> None:
    calls = Calls(library.judge_files)
    with pytest.raises(ChromaBrokenError, match="index out of bounds"):
        calls.run(panic, 1.0)
    with pytest.raises(ZeroDivisionError):
        calls.run(lambda: 1 // 0, 1.0)


def test_vectors_of_another_width_are_refused_with_a_word(tmp_path: Path) -> None:
    kept = open_collection(
        lambda: library.open_folder(tmp_path), "abc", library.judge_files, ChromaLimits()
    )
    kept.add(*split(records(2)))
    with pytest.raises(ChromaBrokenError, match="dimension"):
        kept.add(*split(records(1, dimensions=8)))
    kept.close()


def test_an_env_file_of_the_workspace_has_no_say(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / ".env").write_text(
        "ANONYMIZED_TELEMETRY=true\nCHROMA_OTEL_COLLECTION_ENDPOINT=http://192.0.2.1\n"
    )
    monkeypatch.chdir(tmp_path)
    # The environment of a Chroma server of the user's own has none either.
    monkeypatch.setenv("ANONYMIZED_TELEMETRY", "true")
    monkeypatch.setenv("CHROMA_OTEL_GRANULARITY", "all")
    chosen = library.settings(**library.ON_DISK)
    assert (chosen.anonymized_telemetry, chosen.chroma_otel_granularity) == (False, None)


_TRY = """
try:
    load()
except ChromaBrokenError as error:
    print(error.hint)
"""


def test_an_env_file_that_chroma_cannot_read_is_named(tmp_path: Path) -> None:
    (tmp_path / ".env").write_text("IS_PERSISTENT=perhaps\n")
    code = f"from {library.__name__} import load, ChromaBrokenError\n{_TRY}"
    said = subprocess.run(
        [sys.executable, "-c", code], cwd=tmp_path, capture_output=True, text=True, check=True
    )
    assert (said.stdout, said.stderr) == ("Check the .env file of this folder.\n", "")


def test_chroma_is_loaded_by_nobody_who_only_asks_for_its_state() -> None:
    modules = "import sys, clawgit.ops.search.vectors_owner, clawgit.ops.health.setup"
    code = f"{modules}; print({{'chromadb', 'numpy', 'httpx'}} & {{*sys.modules}})"
    assert subprocess.check_output([sys.executable, "-c", code], text=True) == "set()\n"
