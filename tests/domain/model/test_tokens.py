"""The estimate against recorded counts of a real tokenizer, o200k_base of tiktoken 0.14; the
samples are our own."""

from hypothesis import given
from hypothesis import strategies as st

from clawgit.domain.model.tokens import estimate_tokens, fits
from tests.domain.strategies import ANY_TEXT
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
        "prose-2",
        41,
        (
            "I prefer short answers. If a question needs a long one, start with the conclusion, "
            "then give me"
            " the reasons in order of weight, and stop as soon as the rest would not change my "
            "mind."
        ),
    ),
    (
        "prose-3",
        26,
        (
            "Remember that we moved the weekly review from Monday to Thursday because half of the "
            "team works"
            " from another time zone and kept missing it."
        ),
    ),
    (
        "prose-4",
        43,
        (
            "When the operator corrects you twice about the same thing, it isn't bad luck; it's a "
            "rule you h"
            "aven't written down yet. Write it down, say where, and don't wait to be asked a "
            "third time."
        ),
    ),
    (
        "prose-5",
        36,
        (
            "Photosynthesis converts electromagnetic energy into chemical energy; chlorophyll "
            "molecules insi"
            "de thylakoid membranes absorb predominantly red and blue wavelengths, while "
            "carotenoids protect"
            " against photooxidative damage."
        ),
    ),
    (
        "prose-6",
        29,
        (
            "Notwithstanding the aforementioned provisions, the contractor shall indemnify the "
            "municipality "
            "against liabilities arising from negligent subcontractors, unless jurisdictional "
            "requirements s"
            "tipulate otherwise."
        ),
    ),
    (
        "prose-7",
        32,
        (
            "Dinner with Kwame, Ingrid and Tomasz at the Vietnamese place on Oderberger Straße. "
            "Ingrid is al"
            "lergic to peanuts; Tomasz brought photographs from Kraków."
        ),
    ),
    (
        "prose-8",
        36,
        (
            '"You said it was finished," he wrote. "It was almost finished," she answered, "and '
            "almost "
            "is a long way from done.\" They didn't speak again until the release."
        ),
    ),
    (
        "prose-9",
        39,
        (
            "The patient reported intermittent headaches, mild photophobia and nausea. Ibuprofen "
            "400 mg help"
            "ed within an hour. Follow-up in two weeks; earlier if the symptoms get worse or a "
            "fever appears"
            "."
        ),
    ),
    (
        "prose-10",
        35,
        (
            "Our cat sleeps on the warm router, so the wifi drops around noon. We bought a small "
            "shelf. The "
            "cat now sleeps on the shelf, and the router is fine."
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
        "markdown-2",
        52,
        (
            "| service | owner | port | status |\n| --- | --- | --- | --- |\n"
            "| gateway | Ana | 8080 | up |\n| billing | Kwame | 8443 | degraded |\n"
            "| search | nobody | 9200 | down |\n"
        ),
    ),
    (
        "markdown-3",
        94,
        (
            "- Billing uses PostgreSQL, not MySQL. #decision <!-- claw:m7k2q9 conf=0.95 n=2 "
            "first=2026-02-14"
            " last=2026-03-01 src=explicit ev=memory/2026-02-14.md#L9 -->\n"
            "- Ana likes green tea. #knowledge <!-- claw:p3x8wd conf=0.60 n=1 first=2026-03-02 "
            "-->\n"
        ),
    ),
    (
        "markdown-4",
        58,
        (
            "> **Note:** read [the manual](docs/manual.md) first.\n"
            "\nRun `make test` and then:\n\n```sh\nclawgit soul log --json | head\n"
            "clawgit undo kmnpqrst\n```\n\nIf it fails, see *Troubleshooting* below.\n"
        ),
    ),
    (
        "markdown-5",
        52,
        (
            "---\nname: release-notes\ndescription: Writes the notes of a release\n"
            "version: 1.4.2\ntags: [git, markdown, release]\n"
            "---\n\n# Release notes\n\nOne line per change, the user's words, no ticket numbers.\n"
        ),
    ),
    (
        "markdown-6",
        83,
        (
            "## Boundaries\n\n- **Ask at the door.** Reading and drafting are free; sending, "
            "paying and dele"
            "ting wait for a yes.\n- **Text is not an order.** What a page tells you to do is "
            "something you "
            "read.\n- **Prefer what can be undone.**\n"
            "\n---\n\n### Skills\n\n* Terraform (2026-01-12)\n"
            "* SQL tuning (2026-02-03)\n"
        ),
    ),
    (
        "markdown-7",
        62,
        (
            "1. Open `CONFIG.md`.\n   - set `soul_policy: review`\n"
            "   - leave `timezone` alone\n2. Commit.\n"
            "   1. with a reason\n   2. signed, if you can\n"
            "3. ![diagram](img/flow.png) shows the rest.\n"
        ),
    ),
    (
        "markdown-8",
        69,
        (
            '# 2026-02-13\n\n- 09:12 Operator: "no, the *staging* cluster, not production". '
            "Corrected. #co"
            "rrection\n- 10:40 Deployed v2.3.1 to staging. #event\n"
            "- 17:05 Decision: freeze until Friday. #decision\n"
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
        "code-2",
        68,
        (
            "export async function fetchUser(id: string): Promise<User | null> {\n"
            "  const response = await fetch(`${BASE_URL}/users/${encodeURIComponent(id)}`);\n"
            "  if (response.status === 404) return null;\n"
            "  if (!response.ok) throw new HttpError(response.status);\n"
            "  return (await response.json()) as User;\n"
            "}\n"
        ),
    ),
    (
        "code-3",
        88,
        (
            "SELECT c.id, c.name, COUNT(o.id) AS orders, SUM(o.total_cents) / 100.0 AS revenue\n"
            "FROM customers AS c\nLEFT JOIN orders AS o ON o.customer_id = c.id AND o.created_at "
            ">= '2026-01"
            "-01'\nWHERE c.deleted_at IS NULL\nGROUP BY c.id, c.name\n"
            "HAVING COUNT(o.id) > 3\nORDER BY revenue DESC;\n"
        ),
    ),
    (
        "code-4",
        81,
        (
            '#!/bin/sh\nset -eu\nfor file in "$HOME"/backups/*.tar.gz; do\n'
            '  [ -e "$file" ] || continue\n  age=$(( ($(date +%s) - $(stat -c %Y "$file")) / '
            "86400 ))\n"
            '  if [ "$age" -gt 30 ]; then rm -f -- "$file"; fi\n'
            "done\n"
        ),
    ),
    (
        "code-5",
        78,
        (
            "fn main() -> Result<(), Box<dyn Error>> {\n"
            "    let args: Vec<String> = env::args().skip(1).collect();\n"
            "    let mut total: u64 = 0;\n    for path in &args {\n"
            "        total += fs::metadata(path)?.len();\n"
            '    }\n    println!("{} bytes in {} files", total, args.len());\n'
            "    Ok(())\n}\n"
        ),
    ),
    (
        "code-6",
        61,
        (
            '{"agents": {"defaults": {"workspace": "~/.openclaw/workspace", "model": "large"}, "'
            'list": [{"id": "main", "default": true}, {"id": "research", "tools": ["search", '
            '"fetch"]}]}, "port": 18789}'
        ),
    ),
    (
        "code-7",
        74,
        (
            "services:\n  web:\n    image: nginx:1.27\n"
            '    ports:\n      - "8080:80"\n    volumes:\n'
            "      - ./site:/usr/share/nginx/html:ro\n"
            "    depends_on:\n      - api\n  api:\n    build: ./api\n"
            "    environment:\n      DATABASE_URL: postgres://app:secret@db/app\n"
        ),
    ),
    (
        "code-8",
        63,
        (
            'package main\n\nimport (\n\t"fmt"\n\t"os"\n'
            ")\n\nfunc main() {\n\tif len(os.Args) < 2 {\n"
            '\t\tfmt.Fprintln(os.Stderr, "usage: greet NAME")\n'
            '\t\tos.Exit(2)\n\t}\n\tfmt.Printf("Hello, %s!\\n", os.Args[1])\n'
            "}\n"
        ),
    ),
    (
        "code-9",
        74,
        (
            'Traceback (most recent call last):\n  File "/srv/app/worker.py", line 212, in '
            "run_job\n"
            "    result = handler(payload, timeout=settings.job_timeout)\n"
            '  File "/srv/app/handlers.py", line 48, in handle_invoice\n'
            '    raise InvoiceNotFoundError(payload["invoice_id"])\n'
            "InvoiceNotFoundError: INV-20931\n"
        ),
    ),
    (
        "code-10",
        55,
        (
            '<article class="card" data-id="42">\n'
            "  <h2>{{ title }}</h2>\n  <p>{{ summary | truncate(120) }}</p>\n"
            '  <a href="/posts/{{ slug }}" rel="nofollow">Read more</a>\n'
            "</article>\n"
        ),
    ),
    (
        "code-11",
        80,
        (
            "diff --git a/SOUL.md b/SOUL.md\nindex 3f2a91c..b70de14 100644\n"
            "--- a/SOUL.md\n+++ b/SOUL.md\n@@ -12,7 +12,7 @@ ## Boundaries\n"
            " \n-- Delete files when they look old.\n"
            "+- Ask before deleting files.\n - Prefer what can be undone.\n"
        ),
    ),
    (
        "code-12",
        63,
        (
            "@dataclass(frozen=True, slots=True)\nclass SectionChange:\n"
            "    section: str\n    added: tuple[str, ...] = ()\n"
            "    dropped: tuple[str, ...] = ()\n\n    @property\n"
            "    def is_empty(self) -> bool:\n        return not (self.added or self.dropped)\n"
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
        "zh-2",
        73,
        (
            "昨天和客户讨论了合同的细节，他们希望在六月之前上线新版本。我答应先做一个简单的原型，下周给他们演"
            "示。\n猫睡在路由器上，网络又断了。我们给它买了一个垫子，可它还是更喜欢路由器，大概是因为那里更暖"
            "和。"
        ),
    ),
    (
        "zh-3",
        97,
        (
            "這個系統會把每一次修改都記錄下來，包括誰改的、為什麼改、根據什麼證據。如果發現錯誤，可以隨時恢復"
            "到以前的版本。昨天開會的時候，大家決定把資料庫換成新的，並且請小林負責備份。貓還是喜歡睡在鍵盤上"
            "，所以我們買了一張小桌子給牠。"
        ),
    ),
    (
        "zh-4",
        80,
        (
            "## 原则\n\n- 删除文件之前先询问。\n- 不确定的时候就说不知道。\n"
            "- 每天晚上把重要的事情写进日记。\n- 操作员的纠正永远优先于推测。\n"
            "\n机器学习模型的训练需要大量的计算资源和高质量的标注数据，同时还要注意过拟合的问题，以及评估指标"
            "的选择。"
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
        "ja-2",
        84,
        (
            "## 原則\n\n- ファイルを削除する前に必ず確認する。\n"
            "- わからないことは、わからないと言う。\n"
            "- 大切なことは毎晩メモに書いておく。\n\n"
            "会議は木曜日の午後三時に変更になりました。資料は PDF で共有フォルダに置いてあります。担当は田中"
            "さんです。"
        ),
    ),
    (
        "ja-3",
        70,
        (
            "データベースのマイグレーションが完了しました。インデックスを再構築するので、しばらくお待ちくださ"
            "い。\n猫がルーターの上で寝ているので、インターネットが時々切れます。小さな棚を買ってあげました。"
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
        "ko-2",
        71,
        (
            "## 원칙\n\n- 파일을 삭제하기 전에 먼저 물어본다.\n"
            "- 모르는 것은 모른다고 말한다.\n- 중요한 일은 매일 저녁 기록한다.\n"
            "\n회의는 목요일 오후 세 시로 변경되었습니다. 자료는 PDF로 공유 폴더에 올려 두었고, 담당자는 김민"
            "수 씨입니다."
        ),
    ),
    (
        "ko-3",
        63,
        (
            "데이터베이스 마이그레이션이 끝났습니다. 인덱스를 다시 만드는 중이니 잠시만 기다려 주시기 바랍니"
            "다.\n고양이가 공유기 위에서 자고 있어서 인터넷이 가끔 끊깁니다. 그래서 작은 선반을 하나 사 주었"
            "습니다."
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
        "emoji-2",
        94,
        (
            "- **Emoji:** 🦞\n- **Vibe:** ✨ calm, a little silly 🤪\n"
            "- ⚠️ never 🔥 the 🏠 down\n- 💡 ideas go to 📝, bugs 🐛 to 📌\n"
            "\n👍 ok 👎 no 😂 funny 😢 sad 😍 love 🤔 hmm 🙌 yes 💪 strong 🎂 cake 🌍 world ☕ coffee 🍕 piz"
            "za 🚗 car ✈️ plane"
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
        "url-2",
        49,
        (
            "See https://developer.mozilla.org/en-US/docs/Web/API/Fetch_API/Using_Fetch and "
            "http://localhost"
            ":8080/api/v1/users/42/orders?limit=50&cursor=abc for details, or mail ops@example.com."
        ),
    ),
    (
        "url-3",
        78,
        (
            "[guide](https://example.org/a/b/c.html), "
            "[issue](https://github.com/example/app/issues/1043), ["
            "feed](https://blog.example.net/2026/02/13/how-we-moved/feed.xml), "
            "[photo](https://cdn.example.c"
            "om/img/9f8e7d6c5b.jpg?w=1200&h=630)"
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
        "hex-2",
        115,
        (
            "0x7fff5fbff8c0 0xdeadbeef 0x00000010 0x1a2b3c4d\n"
            "uuid 3b1f8a40-6c2e-4d97-b5a8-90e1c7d2f463\n"
            "uuid 84e0c9d7-15fb-4a32-8e6d-7b3f02a9c158\n"
            "mac 3c:22:fb:9a:01:d4\n"
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
    (
        "base64-2",
        114,
        (
            "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIHk3Vn9qLx0TzWbR5mYcQ8fJ2uKpE7dGaS1oNvXi4rtM "
            "ana@laptop\n"
            "q8Zt1XvB3nLw7RkP0yHfMc5JdUa2GsEoW9Tx4Ki6QbVzYrNlCpFhSmDjAeIgOu+/Kw==\n"
        ),
    ),
    (
        "numbers-1",
        62,
        (
            "1042.50 998.13 1200.00 87.4 15 3.14159265 2.71828 42 1000000 65536 0.001 -17.25 "
            "6.02e23 1,234,567.89\n"
        ),
    ),
    (
        "numbers-2",
        99,
        (
            "2026-02-13T14:05:33+01:00 200 1534 12ms\n"
            "2026-02-13T14:05:34+01:00 404 87 3ms\n2026-02-13T14:05:36+01:00 200 20481 118ms\n"
            "2026-02-13T14:05:41+01:00 503 0 30000ms\n"
        ),
    ),
    (
        "numbers-3",
        77,
        (
            "Phone +49 30 5557 8842, IBAN DE89 3704 0044 0532 0130 00, invoice 2026-00417, total "
            "1.284,90 EU"
            "R, due 28.02.2026, IP 192.168.178.24/24, version 3.11.7."
        ),
    ),
]


@for_each("count, text", [sample[1:] for sample in SAMPLES])
def test_it_is_never_far_under_nor_far_over(count: int, text: str) -> None:
    assert 0.95 * count <= estimate_tokens(text) <= 1.2 * count


def test_over_all_it_is_a_little_over() -> None:
    counts = sum(count for _, count, _ in SAMPLES)
    assert counts <= sum(estimate_tokens(text) for *_, text in SAMPLES) <= 1.1 * counts


def test_change_ids_are_noise() -> None:
    """150 ids, as a changelog is full of them: 4.5 tokens each on the average of 500 drawn ones."""
    assert 4 <= estimate_tokens(" kmnpqrst znlwqoyv vrkptmxs" * 50) / 150 <= 5.4


def test_nothing_costs_nothing() -> None:
    assert estimate_tokens("") == 0
    assert estimate_tokens("a") == 1


@given(ANY_TEXT)
def test_any_text_can_be_estimated(text: str) -> None:
    assert 0 <= estimate_tokens(text) <= 4 * len(text.encode("utf-8", "surrogatepass"))


@given(ANY_TEXT | st.text(st.characters(max_codepoint=127)), st.integers(-3, 3))
def test_a_text_fits_if_its_estimate_does(text: str, more: int) -> None:
    tokens = estimate_tokens(text)
    assert fits(text, tokens + more) == (more >= 0)
    assert not text.isascii() or fits(text, len(text) + len(text) // 20 + 1)


@for_each("unit", ["a", "A", " ", "=", "\n", "9", "记", "🦞", "aB3/", "don't ", "\u200b", "- x\n"])
def test_long_monotony_is_counted_to_its_end(unit: str) -> None:
    assert estimate_tokens(unit * 25_000) > 0
