"""The estimate against recorded counts of a real tokenizer, o200k_base of tiktoken 0.14; the
samples are our own."""

from clawgit.core.tokens import estimate_tokens
from tests.each import for_each

SAMPLES = [
    (
        "prose-1",
        49,
        (
            "The harbour was quiet when Ada came down to check the boats. She had promised the "
            "night shift t"
            "hat nobody would sail before the fog lifted, and she meant to keep that promise, "
            "whatever the o"
            "wner of the trawler said on the radio."
        ),
    ),
    (
        "markdown-1",
        64,
        (
            "# Weekly review\n\n## Done\n\n- [x] Moved billing to PostgreSQL\n"
            "- [x] Wrote the runbook for restores\n- [ ] Asked Ana about the **June** invoice\n"
            "\n## Next\n\n1. Finish the migration.\n"
            "2. Delete the old bucket, *after* a backup.\n"
        ),
    ),
    (
        "code-1",
        75,
        (
            "def likeness(old: str, new: str) -> float:\n"
            '    """Share of words that two lines have in common."""\n'
            "    mine, theirs = set(old.split()), set(new.split())\n"
            "    if not mine or not theirs:\n        return 0.0\n"
            "    return 2 * len(mine & theirs) / (len(mine) + len(theirs))\n"
        ),
    ),
    (
        "zh-1",
        70,
        (
            "我喜欢在早上写代码，因为那时候办公室很安静。下午通常有会议，所以我会把需要专心的工作安排在上午完"
            "成。\n请记住：数据库已经从 MySQL 迁移到 PostgreSQL，端口是 5432。备份每天凌晨三点运行，保留三十"
            "天。"
        ),
    ),
    (
        "ja-1",
        65,
        (
            "昨日は友達と一緒に映画を見に行きました。とても面白かったので、来週もう一度見たいと思っています。"
            "\nサーバーの設定を変更したあとは、必ずバックアップを確認してください。問題があればすぐに元に戻せ"
            "ます。"
        ),
    ),
    (
        "ko-1",
        53,
        (
            "어제 친구와 함께 영화를 보러 갔습니다. 정말 재미있어서 다음 주에 한 번 더 보고 싶습니다.\n"
            "서버 설정을 변경한 후에는 반드시 백업을 확인해 주세요. 문제가 있으면 바로 되돌릴 수 있습니다."
        ),
    ),
    (
        "emoji-1",
        78,
        (
            "Great work today! 🎉🎉 The build is green ✅, the docs are done 📚 and the cat is asleep "
            "🐱💤. "
            "See you tomorrow 👋😊\nStatus: 🟢 gateway, 🟢 search, 🔴 billing (on it 🔧), 🟡 backups. "
            "Mood: "
            "🙂 → 😅 → 🚀. Thanks everyone ❤️🙏"
        ),
    ),
    (
        "url-1",
        59,
        (
            "https://github.com/example/project/blob/main/src/services/billing/invoice_service.py#L120-L148\n"
            "https://docs.example.org/en/latest/guides/getting-started.html\n"
            "https://www.example.com/search?q=green+tea&page=2&sort=price_asc\n"
        ),
    ),
    (
        "hex-1",
        147,
        (
            "commit 9f3c2a7be1d04586aa17c9e2f5b8d3604e7a1c92\n"
            "tree 41d8f0b6c37e592a8840d1f6e9ab2c75031f6e8d\n"
            "parent c05e9b1a72f4836dde0179b3a5f2c8640b9d17e3\n"
            "sha256:7d1a54c9e0b83f2695d7c40ae8b1f36290cd75e4a1b8036fd92e47c5ba8013f6\n"
        ),
    ),
    (
        "base64-1",
        77,
        (
            "c29tZSB0ZXh0IHRoYXQgbm9ib2R5IG5lZWRzIHRvIHJlYWQsIGVuY29kZWQgb25seSB0byBiZSBjb3VudGVkLiBJdCBnb2V"
            "zIG9uIGZvciBhIHdoaWxlLg=="
        ),
    ),
]


@for_each("count, text", [sample[1:] for sample in SAMPLES])
def test_it_is_never_far_under_nor_far_over(count: int, text: str) -> None:
    assert 0.95 * count <= estimate_tokens(text) <= 1.2 * count
