"""The files of the languages: what they may hold, and that one more needs no Python."""

import tomllib
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from clawgit.language import clauses, files
from clawgit.language import lexicon as lexicons
from clawgit.language.clauses import core, is_negated, needs_speaker
from clawgit.language.days import bracket, whens
from clawgit.language.lexicon import lexicons_for
from clawgit.talk.rules.kept_line import kept, line
from tests.each import for_each

SAID = datetime(2026, 11, 18, 10, tzinfo=UTC)
MOST_ROWS = 410
MOST_SHARED = 1_100
"""Of a file that all languages share."""
DUTCH = """\
name = "Dutch"
script = "latin"
months = [["januari"], ["februari"], ["maart"], ["april"], ["mei"], ["juni"], ["juli"], ["augustus"], ["september"],
  ["oktober"], ["november"], ["december"]]
weekdays = [["maandag"], ["dinsdag"], ["woensdag"], ["donderdag"], ["vrijdag"], ["zaterdag"], ["zondag"]]
first_person = ["ik", "mij", "mijn", "wij", "ons", "onze"]
second_person = ["jij", "jouw", "je"]
negations = ["niet", "geen", "nooit"]
lead_ins = ["onthoud dat …", "trouwens"]
function_words = ["de", "het", "een", "is", "op", "van", "dat"]
future = ["zal", "gaat"]

[days]
"1" = ["morgen"]

[numbers]
20 = ["twintig"]
"""


@pytest.fixture
def dutch(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    for path in Path(files.FOLDER).glob("*.toml"):
        (tmp_path / path.name).write_bytes(path.read_bytes())
    (tmp_path / "nl.toml").write_text(DUTCH, "utf-8")
    monkeypatch.setattr(files, "FOLDER", tmp_path)
    _forget()
    yield
    monkeypatch.undo()
    _forget()


def _forget() -> None:
    for module in (files, lexicons, clauses):
        for cached in vars(module).values():
            if hasattr(cached, "cache_clear"):
                cached.cache_clear()


@pytest.mark.usefixtures("dutch")
def test_one_more_language_is_a_file() -> None:
    assert "nl" in files.codes()
    assert lexicons_for("de vergadering is op dinsdag")[0].code == "nl"
    assert needs_speaker("mijn hond heet Rex")
    assert is_negated("de hond is niet rood")
    assert core("Onthoud dat de hond rood is").text == "de hond rood is"
    assert bracket("de hond gaat zondag weg", SAID) == "(said 2026-11-18)"
    assert [when.parts for when in whens("op 3 maart om twintig euro", SAID)] == [(0, 3, 3)]
    assert (
        line(kept("Trouwens, ik ga morgen weg", "Marta", SAID))
        == "Marta: “ik ga morgen weg” (2026-11-19)"
    )


@for_each("path", sorted(Path(files.FOLDER).glob("*.toml")))
def test_a_language_is_a_few_closed_classes(path: Path) -> None:
    data = tomllib.loads(path.read_text("utf-8"))
    assert _rows(data) <= (MOST_SHARED if path.stem.startswith("_") else MOST_ROWS)
    if not path.stem.startswith("_"):
        assert [len(data[name]) for name in ("months", "weekdays")] == [12, 7]
        assert {
            "script", "negations", "first_person", "function_words", "lead_ins", "days", "numbers",
        } <= data.keys()  # fmt: skip
    for name, rows in data.items():
        words = [str(word) for word in rows] if isinstance(rows, list) else []
        assert len(words) == len(set(words)), name


def _rows(value: Any) -> int:
    if isinstance(value, dict):
        return sum(map(_rows, value.values()))
    return sum(map(_rows, value)) if isinstance(value, list) else 1


def test_the_languages_of_a_text_are_told_by_script_and_words() -> None:
    assert [language.code for language in lexicons_for("the van is red")] == ["en"]
    assert lexicons_for("der Wagen ist rot")[0].code == "de"
    assert lexicons_for("el coche es rojo")[0].code == "es"
    assert lexicons_for("o carro não é vermelho")[0].code == "pt"
    assert lexicons_for("la voiture n'est pas rouge")[0].code == "fr"
    assert lexicons_for("车是红的")[0].code == "zh"
    assert lexicons_for("車は赤い")[0].code == "ja"
    assert lexicons_for("차는 빨갛다")[0].code == "ko"
    assert all(lexicons_for(text)[-1].code == "en" for text in ("", "123", "да", "车是红的"))
