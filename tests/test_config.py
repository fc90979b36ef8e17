"""CONFIG.md and what stands above and below it: read, merged, checked, changed, documented."""

import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from clawgit.core.config.kinds import WrongValueError, shown
from clawgit.core.config.load import load, read_value, read_written, set_value
from clawgit.core.config.settings import KEYS, Settings, key_named
from clawgit.core.errors import ConfigError
from clawgit.core.resources import resource
from clawgit.language.judges.judging import Thresholds
from clawgit.run.schedule import TASKS
from clawgit.talk.rules.slots import SLOTS
from tests.each import for_each

ROOT = Path(__file__).parent.parent
TEMPLATE = next(resource("templates").rglob("CONFIG.md")).read_text("utf-8")

SPEC = {
    "context_budget_tokens": 6000, "identity_tokens": 800, "user_profile_tokens": 600,
    "corrections_tokens": 400,
    "recent_memory_tokens": 1200, "semantic_recall_tokens": 1500, "crm_tokens": 1000,
    "longterm_memory_tokens": 500,
    "memory_retention_hours": 48, "compaction_age_days": 30, "correction_archive_days": 14,
    "correction_overflow_strategy": "prioritize_unverified", "corrected_embedding_grace_days": 7,
    "confidence_decay_interval_days": 30, "confidence_decay_amount": 0.05, "confidence_floor": 0.2,
    "confidence_boost_per_mention": 0.05, "correction_relevance_boost": 1.5, "soul_max_tokens": 800,
    "soul_history_retention_days": 90, "cron_soul_keeper": "02:30", "cron_memory_miner": "06:00",
    "cron_conflict_detector": "07:00", "cron_compactor_weekly": "Sunday 03:00",
    "external_context_budget": 0,
    "external_context_source": "", "recall_external_handler": "", "heartbeat_custom_patterns": (),
}  # fmt: skip
"""The spec's own template, chapter 13."""


def fenced(*lines: str) -> str:
    return "\n".join(["# Config", "", "```yaml", *lines, "```", ""])


def checked(text: str) -> Settings:
    """What a text says, if nothing in it is wrong."""
    loaded = load(text)
    assert loaded.problems == ()
    return loaded.settings


# What there is to set


def test_the_spec_s_keys_have_the_spec_s_defaults() -> None:
    assert {name: getattr(Settings(), name) for name in SPEC} == SPEC


# How values are read

_KEY_HINT = "Write one `key: value` per line, or remove the word yaml from the fence."
_VALUE_HINT = "Close each bracket and quote, and put quotes around a text with signs in it."


@for_each(
    "line, expected",
    [
        ("soul_policy: locked", "locked"),
        ("cron_memory_miner: 12:30", "12:30"),
        ("cron_compactor_weekly: sunday  3:00", "Sunday 03:00"),
        ("organizer: yes", True),
        ("min_score: 5e-1", 0.5),
        ("crm_source:", ""),
        ("allow_paths: [/srv/a, ~/b]", ("/srv/a", "~/b")),
        ("llm_model: command:claude -p {x}, 'y'  # c", "command:claude -p {x}, 'y'"),
        (
            "extra_paths: [a b, 'c, d', \"e#f\", http://x/#y]  # z",
            ("a b", "c, d", "e#f", "http://x/#y"),
        ),
        ("extra_paths: [a,  # first\n  b]", ("a", "b")),
        ("extra_paths:  # both\n- a  # one\n\n# two\n-  'b # c'", ("a", "b # c")),
    ],
)
def test_a_value_means_what_its_key_expects(line: str, expected: object) -> None:
    assert getattr(checked(fenced(line)), line.partition(":")[0]) == expected


@for_each(
    "line, message, hint",
    [("min_score: high", 'min_score must be a number from 0 to 1, not "high"', ""), ("min_score: nan", 'min_score must be a number from 0 to 1, not "nan"', ""), ("min_score:", "min_score must be a number from 0 to 1, and has no value", ""), ("soul_policy: lock", 'soul_policy must be one of evolve, review, locked, not "lock"',
            "Did you mean locked?"), ("timezone: Europe/Berln", ('timezone must be empty, or a time zone such as '
                                   '"Europe/Berlin", not "Europe/Berln"'),
         "Did you mean Europe/Berlin?"), ("cron_memory_miner: 25:00",
         ('cron_memory_miner must be a time such as "02:30" or "Sunday 03:00", or "off", not '
         '"25:00"'), ""), ("allow_paths: [../other]", 'allow_paths must be a list of absolute paths, not ["../other"]',
            ""), ("chat_store: mysql://u:pw@h", "chat_store must be sqlite, or a postgresql:// address", ""), ("min_scroe: 1", "there is no setting min_scroe", "Did you mean min_score?"), ("just text", "this line is not `key: value`", _KEY_HINT), *[(f"llm_model: {value}", "the value of llm_model cannot be read", _VALUE_HINT)
          for value in ("[a", "[a] b", "{a: b", "'a", '"a', '"\\UFFFFFFFF"', '"a" b', "[" * 5000,
                        '"\\ud800"', '"\x1b[8m"', "&a b", "- a")]],
)  # fmt: skip
def test_a_wrong_line_is_a_problem_with_a_way_out(line: str, message: str, hint: str) -> None:
    loaded = load(fenced("crm_tokens: 1", line))
    assert loaded.settings == Settings(crm_tokens=1)
    assert [
        (problem.where, problem.line, problem.message, problem.hint) for problem in loaded.problems
    ] == [("CONFIG.md:5", 5, message, hint)]


# Triggers of the operator's own


def test_a_custom_pattern_that_cannot_work_is_a_problem() -> None:
    item = "{pattern: /(/i, route: a}"
    (problem,) = load(fenced("heartbeat_custom_patterns:", f"  - {item}")).problems
    assert (problem.line, "a list of patterns that compile" in problem.message) == (4, True)


# Where YAML stands


@for_each(
    "text",
    [
        "````markdown\n```yaml\norganizer: true\n```\n````\n",
        "<!--\n```yaml\norganizer: true\n```\n-->\n",
        "text\n---\norganizer: true\n---\n",
        "```yaml\n# organizer: true\n```\n",
    ],
)
def test_what_is_no_yaml_block_sets_nothing(text: str) -> None:
    assert checked(text) == Settings()


@for_each(
    "text",
    [
        "```yaml\norganizer: true\n```",
        "~~~ YAML title=x\norganizer: true\n~~~\n",
        "```yaml\r\norganizer: true\r\n```\r\n",
        "\ufeff```yaml\norganizer: true\n```\n",
        "<!-- a note -->\n```yaml\norganizer: true\n```\n",
    ],
)
def test_a_yaml_block_is_found_in_every_dress(text: str) -> None:
    assert checked(text) == Settings(organizer=True)


def test_a_broken_line_is_named_and_the_others_count() -> None:
    loaded = load("# A\n\ntext\n\n```yaml\norganizer: true\nmin_score: [1\nmax_results: 3\n```\n")
    assert [problem.where for problem in loaded.problems] == ["CONFIG.md:7"]
    assert (loaded.settings.organizer, loaded.settings.max_results) == (True, 3)


@given(st.text(alphabet=st.sampled_from("mr: -[]{}\"'|>*`~#\n\t\\,0x\r\u2028é😀\x00"), max_size=60))
def test_any_text_loads(text: str) -> None:
    """A configuration can be wrong; it cannot crash, and its problems stand on lines of the
    file."""
    whole = f"```yaml\norganizer: {text}\n"
    assert all(1 <= problem.line <= whole.count("\n") + 1 for problem in load(whole).problems)


# Changing one value


@for_each(
    "text, expected",
    [
        ("", "```yaml\n# Schedule\norganizer: true\n```\n"),
        ("```yaml\norganizer:   # ?\n```\n", "```yaml\norganizer: true   # ?\n```\n"),
        (
            "```yaml\n# organizer: false\nmin_score: 1\n```\n",
            "```yaml\n# organizer: false\norganizer: true\nmin_score: 1\n```\n",
        ),
        (
            "```yaml\r\nmin_score: 1\r\n```\r\n",
            "```yaml\r\nmin_score: 1\r\n# Schedule\r\norganizer: true\r\n```\r\n",
        ),
        (
            "```yaml\norganizer:   # and me\n- a\n# b\n- c\n# d\n```\n",
            "```yaml\norganizer: true   # and me\n# d\n```\n",
        ),
    ],
)
def test_a_value_finds_its_place_in_every_file(text: str, expected: str) -> None:
    assert set_value(text, "organizer", "true") == expected


def test_a_value_that_would_change_its_neighbours_is_refused() -> None:
    with pytest.raises(ConfigError, match="without changing the text around it"):
        set_value(fenced("organizer: false"), "organizer", "true\nmax_results: 3")
    with pytest.raises(ConfigError, match="without changing the text around it"):
        set_value(fenced("extra_paths:", "  - a", "  # min_score: 1", "  - b"), "min_score", "0.5")


LINES = st.sampled_from(
    ["# note", "", "min_score: .5", "max_results: 3 # few", "extra_paths: [a]",
        "extra_paths:\n  - a\n  # b\n  - c",
     "crm_source: 'x # y'", "extra_paths: [a,\n  b]", "# organizer: false",
     "soul_policy: review", "digest_to:"],
)  # fmt: skip
BLOCKS = st.lists(
    st.lists(LINES, max_size=6, unique_by=lambda line: line.partition(":")[0]), max_size=3
)
CHANGES = st.sampled_from(
    [("organizer", "true"), ("min_score", "0.1"), ("extra_paths", '["x", "y"]'),
        ("crm_source", '"a: # b"'),
     ("digest_to", "[]"), ("soul_policy", '"locked"'), ("llm_daily_tokens", "7")],
)  # fmt: skip


@given(BLOCKS, CHANGES, st.sampled_from(["\n", "\r\n"]))
def test_setting_sets_exactly_one_value_and_keeps_every_other_line(
    blocks: list[list[str]], change: tuple[str, str], newline: str
) -> None:
    text = "\n".join(
        ["# C", *("\n".join(["```yaml", *lines, "```", "prose"]) for lines in blocks)]
    ).replace("\n", newline)
    key, value = change
    after = set_value(text, key, value)
    wanted = read_value(key_named(key), value.strip('"'))
    assert checked(after)._asdict() == checked(text)._asdict() | {key: wanted}
    kept = [line for line in text.splitlines() if line and not line.startswith((key, " "))]
    assert [line for line in after.splitlines() if line in set(kept)] == kept
    assert set_value(after, key, value) == after


@given(st.text(st.characters(exclude_categories=["Cs"]), max_size=30).map(str.strip))
def test_any_text_that_is_shown_reads_back_the_same(text: str) -> None:
    if "\0" in text:
        with pytest.raises(WrongValueError):
            read_value(KEYS["llm_model"], text)
        return
    assert checked(fenced(f"llm_model: {shown(text)}")).llm_model == text
    assert "\n" not in shown(text)


# The template and the reference


def test_the_template_shows_every_key_of_the_spec() -> None:
    assert {entry.name for entry in read_written(TEMPLATE).entries} >= SPEC.keys()


@for_each("name", KEYS)
def test_every_key_can_be_set_in_the_template(name: str) -> None:
    value = shown(KEYS[name].default)
    after = set_value(TEMPLATE, name, value)
    assert checked(after) == Settings()
    assert load(after).origin(name).startswith("CONFIG.md:")
    assert set(TEMPLATE.splitlines()) - set(after.splitlines()) <= {f"{name}: {KEYS[name].default}"}


DECLARED = {"core/config/settings.py", "core/config/kinds.py", "language/judges/judging.py"}


def test_code_reads_every_setting_and_every_threshold() -> None:
    """A schedule is read by the name in its row of `run/schedule.py`, a budget of a slot by that in
    `talk/rules/slots.py`.
    """
    package = ROOT / "clawgit"
    code = "\n".join(
        path.read_text("utf-8")
        for path in package.rglob("*.py")
        if path.relative_to(package).as_posix() not in DECLARED
    )
    _, _, own = (
        (package / "language/judges/judging.py").read_text("utf-8").partition("class Thresholds")
    )
    code += own.partition("\n\n\n")[2]
    read = {*re.findall(r"\.([a-z_]+)\b", code), *(task.when for task in TASKS)}
    read |= {slot.setting for slot in SLOTS}
    assert {*KEYS, *Thresholds._fields} - read == set()
