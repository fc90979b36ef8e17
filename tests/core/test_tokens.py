"""The estimate against recorded counts of a real tokenizer, o200k_base of tiktoken 0.14; the
samples are our own."""

from clawgit.core.tokens import estimate_tokens
from tests.each import for_each

SAMPLES = [
    (49, "The harbour was quiet when Ada came down to check the boats. She had promised the night shift that nobody would sail before the fog lifted, and she meant to keep that promise, whatever the owner of the trawler said on the radio."),
    (75, 'def likeness(old: str, new: str) -> float:\n    """Share of words that two lines have in common."""\n    mine, theirs = set(old.split()), set(new.split())\n    if not mine or not theirs:\n        return 0.0\n    return 2 * len(mine & theirs) / (len(mine) + len(theirs))\n'),
    (70, "我喜欢在早上写代码，因为那时候办公室很安静。下午通常有会议，所以我会把需要专心的工作安排在上午完成。\n请记住：数据库已经从 MySQL 迁移到 PostgreSQL，端口是 5432。备份每天凌晨三点运行，保留三十天。"),
    (78, "Great work today! 🎉🎉 The build is green ✅, the docs are done 📚 and the cat is asleep 🐱💤. See you tomorrow 👋😊\nStatus: 🟢 gateway, 🟢 search, 🔴 billing (on it 🔧), 🟡 backups. Mood: 🙂 → 😅 → 🚀. Thanks everyone ❤️🙏"),
    (77, "c29tZSB0ZXh0IHRoYXQgbm9ib2R5IG5lZWRzIHRvIHJlYWQsIGVuY29kZWQgb25seSB0byBiZSBjb3VudGVkLiBJdCBnb2VzIG9uIGZvciBhIHdoaWxlLg=="),
]  # fmt: skip


@for_each("count, text", SAMPLES)
def test_it_is_never_far_under_nor_far_over(count: int, text: str) -> None:
    assert 0.95 * count <= estimate_tokens(text) <= 1.2 * count
