"""Passages: whole pieces of a message, none cut where its meaning would turn."""

from hypothesis import given
from hypothesis import strategies as st

from clawgit.talk.rules.passages import LONGEST, own, passages
from tests.each import for_each

PIECES = """
- |  - |1. |# Shop|> |```|: |. |... |“|”|"|(|)|If he signs|unless it rains|we hire Ana|never|ok| |决定用红茶。|，
キャッシュを使う。|커피를 마신다.|Ingrid says|<!-- x -->|:(|    code()|═══
"""
PIECE = [*PIECES.strip("\n").replace("\n", "|").split("|"), "\n", "\n\n", "\t", "\x07"]
TABLE = ["| a | b |", "|---|---|"]
LISTED = st.lists(st.sampled_from([*PIECE, *TABLE]), max_size=30).map("".join)
TEXT = st.one_of(st.text(max_size=200), LISTED)


@given(TEXT)
def test_a_passage_is_a_piece_of_its_message_and_so_is_what_it_stands_under(message: str) -> None:
    end = 0
    plain = " ".join(message.split())
    for one in passages(message):
        assert one.text == message[one.start : one.end]
        assert one.text == one.text.strip() != ""
        assert end <= one.start
        end = one.end
        assert all(title in plain for title in one.under)
        assert len(one.text) <= LONGEST


@for_each(
    "message, count",
    [
        ("We won't\nuse Stripe for the shop", 1),
        ("If it rains... we meet at Jo's.", 1),
        ("We take the flat. Unless the rent goes up.", 1),
        ('She wrote: "We sign with Acme. The price is 5."', 1),
        ("他说“我们用红茶。价格是五元。”", 1),
        ("28. Februar, steht in der Rechnung", 1),
        ("The plan (it is not final. Ask me first) is to move.", 1),
        ("Kwame moves to Leeds :( We try his sister in goal.", 1),
        ("We go with Hetzner. The client hates stock photos.", 2),
        ("我们用红茶。客户不喜欢绿茶。", 2),
    ],
)
def test_what_would_turn_the_meaning_is_not_cut_off_and_what_stands_for_itself_is(
    message: str, count: int
) -> None:
    found = [" ".join(one.text.split()) for one in passages(message)]
    assert len(found) == count
    assert count > 1 or found == [" ".join(message.split())]


ASSAM = "We order Assam."


@for_each(
    "message, words, under",
    [
        ("If he signs:\n- we hire Ana\n- we rent it", "we rent it", ("If he signs",)),
        (f"# Shop\n## Tea\n{ASSAM}", ASSAM, ("Tea",)),
        (f"Rejected:\n- Rooibos\n\n  It is red.\n\n- {ASSAM}", ASSAM, ("Rejected",)),
        (f" {ASSAM}\n - Ana pays", ASSAM, ()),
        (f"Tea:\n - Ana pays\n   - in cash\n - {ASSAM}", ASSAM, ("Tea",)),
        (f"Shopping:\n- oat milk\n- rye bread\n{ASSAM}", ASSAM, ()),
    ],
)
def test_an_item_and_what_follows_a_colon_keep_what_they_stand_under(
    message: str, words: str, under: tuple[str, ...]
) -> None:
    assert [one.under for one in passages(message) if one.text == words] == [under]


@for_each(
    "message",
    [
        "> We sign with Acme.",
        "| Who | Day |\n|---|---|\n| Ana | Monday |",
        "Ingrid wrote:\nWe sign.\n\nWe moved to Graz.",
        "```\nport = 5433\n```",
        "If he signs:\n- Phase one:\n  - we hire Ana",
        "- Rejected:\n  We order Assam.",
        "- In May:\n\n  We order Assam.",
    ],
)
def test_what_is_quoted_code_or_without_an_end_is_none(message: str) -> None:
    assert passages(message) == ()


SAID = "We decided to hire Ana in May."
CHATS = {
    "Discord": f"Rosa — Today at 14:02\n{SAID}\nTom — Today at 14:05\nOk.\n\n{SAID}",
    "Discord at round times": f"rosa — Today at 14:10\n{SAID}\ntom — Today at 14:15\n{SAID}",
    "Slack at round times": f"Rosa Lima  2:10 PM\n{SAID}\nTom Baker  2:15 PM\n{SAID}",
    "Slack": f"Rosa Lima  2:02 PM\nHi.\nTom Baker  Yesterday at 2:07 PM\n{SAID}",
    "Slack, on two lines": f"Rosa\n  2:02 PM\n{SAID}\nTom\n  2:07 PM\nOk.",
    "Telegram": f"Rosa, [12.03.26 14:02]\n{SAID}\n\nTom, [12.03.26 14:03]\n{SAID}",
    "Teams": f"[Gestern 14:02] Rosa Lima\n{SAID}\n[Gestern 14:05] Tom\n{SAID}",
    "WeChat": f"罗莎 2026-03-12 14:02:11\n{SAID}\n\n小王 14:04\n{SAID}",
    "DingTalk": f"罗莎 03-12 14:02\n{SAID}\n小王 03-12 14:05\n{SAID}",
    "a list in Korean": f"로사  오후 2:02\n{SAID}\n민수  오후 2:04\n{SAID}",
    "a transcript": f"00:01:12 Rosa\n{SAID}\n00:01:30 Tom\n{SAID}",
    "Otter": f"Rosa Lima  0:12\n{SAID}\n\nTom  0:41\nOk.\n\n{SAID}",
    "subtitles": f"1\n00:00:01,000 --> 00:00:04,000\n{SAID}\n\n2\n00:00:04,500 --> 00:00:09,000\n{SAID}",
    "WhatsApp": f"[12.03.26, 14:02:11] Rosa: Hi.\n{SAID}\n\n{SAID}\n\n[12.03.26, 14:03:40] Tom: {SAID}",
    "WhatsApp in Korean": f"2026. 3. 12. 오후 2:02 - 로사: {SAID}\n{SAID}",
    "KakaoTalk": f"[로사] [오후 2:02] {SAID}\n{SAID}",
    "LINE": f"14:03\tローザ\t{SAID}\n{SAID}",
    "IRC": f"[14:02] <rosa> {SAID}\n{SAID}",
    "Zoom": f"14:02:11 From Rosa to Everyone: {SAID}",
    "a log": f"2026-03-12T14:02:11Z INFO {SAID}\n{SAID}",
    "syslog": f"Mar 12 14:02:11 hermes cron[7]: {SAID}\n{SAID}",
    "Fwd": f"Fwd von Ana\n\n{SAID}",
    "Fwd with a subject": f"FW: {SAID}\n\n{SAID}",
    "an answered mail in Japanese": f"2026年3月9日(月) 14:02 田中 <tanaka@example.org>:\n\n{SAID}",
    "an answered mail on two lines": f"On Mon, 9 Mar 2026 at 14:02, Tom\n<tom@example.org> wrote:\n\n{SAID}",
}  # fmt: skip


@for_each("pasted", CHATS.values())
def test_nothing_of_a_chat_a_log_or_a_mail_is_its_writers(pasted: str) -> None:
    asked = "We need an answer for him by Friday."
    mine = own(f"{asked}\n\n{pasted}")
    assert (mine.startswith(asked), SAID in mine) == (True, False)


@for_each(
    "message",
    [
        f"Rosa 14:00\nTom 15:00\n\n{SAID}",
        f"Monday 9:00\n{SAID}\nTuesday 10:00\n{SAID}",
        f"Train to Leeds 14:02\n{SAID}",
        f"Porto 14:02\nLeeds 18:37\n\n{SAID}",
        f"I woke up at 7:12\n{SAID}\nI left at 9:03\n{SAID}",
        f"2026-03-12 14:02 {SAID}",
        f"12.03.2026 um 14:02 beschlossen: {SAID}",
        f"2026년 3월 12일 오후 2:02에 결정: {SAID}",
        f"```\n2026-03-12 14:02:11 start\n```\n{SAID}",
        f"2026-03-12 14:02:11 start\n2026-03-12 14:02:12 stop\n\n{SAID}",
        f"[12.03.26, 14:02:11] Rosa: hi\n[12.03.26, 14:02:40] Tom: ok\n\n{SAID}",
        f"**Decisions**\n{SAID}",
        f"-- Plan --\n{SAID}",
        f"Fwd this to Ana please.\n{SAID}",
    ],
)
def test_plans_notes_and_what_stands_behind_a_log_are_its_writers(message: str) -> None:
    assert own(message).endswith(SAID)
    assert passages(message)[-1].text.endswith(SAID)
