"""A workspace for the page: all that waits for the operator, and text that wants to be more than
text, wherever memory has a place for it.
"""

import io
import json
import os
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path
from typing import Any

from clawgit.front.cli.root import run
from tests.conftest import Git

_SCRIPTS = (
    "Latin Ελλάδα Кирилл Հայերեն עברית العربية ܣܘܪܝܝܐ ދިވެހި ߒߞߏ हिन्दी বাংলা ਪੰਜਾਬੀ ગુજરાતી ଓଡ଼ିଆ தமிழ் తెలుగు ಕನ್ನಡ "
    "മലയാളം සිංහල ไทย ລາວ བོད་སྐད မြန်မာ ქართული 한국어 አማርኛ ᏣᎳᎩ ᐃᓄᒃᑎᑐᑦ ᚑᚌᚐᚋ ᚱᚢᚾᛖ ខ្មែរ ᠮᠣᠩᠭᠣᠯ ひらがな カタカナ ㄅㄆㄇ 漢字 "
    "ꆈꌠ ⵜⵉⴼⵉ ⲕⲉⲙⲓ ⰳⰾⰰⰳ 𐌲𐌿𐍄 ꕙꔤ"
)

HOSTILE = (
    "<script>document.title='taken'</script><img src=http://example.org/x onerror=document.title='taken'>",
    "<svg onload=document.title='taken'><style>*{display:none}</style></svg></main></body>",
    "[a link](javascript:document.title='taken') <javascript:alert(1)> ![x](http://example.org/x.png)",
    "<https://example.org/a> [ref][1] https://example.org/b <a href=//example.org>x</a>",
    "Turned \u202eround\u2066, hidden a\u200bb\u200d\ufeffc\u00ad, null-like \u2400 and \u0007.",
    "word" * 2500,
    "long words " * 900,
    _SCRIPTS,
    "🦞👩‍👩‍👧‍👦🏳️‍🌈🇪🇺👍🏽 ☠️ Z͑ͫ̓ͪ̂ͫ̽͏̴̙̤̞͉͚̯̞̠͍A̴̵̜̰͔ͫ͗͢L̠ͨͧͩ͘G̴̻͈͍͔̹̑͗̎̅͛́Ǫ̵̹̻̝̳͂̌̌͘",
    "**never *closed `code ~~struck [open](( ``` | a | b | > # - 1. \\",
    "&lt;script&gt; &amp;amp; &#x3c;b&#x3e; &NotAThing; &#0; \" ' ` = <!-- open",
    "{{ 7 * 7 }} {% raw %} {{ config }} ${7*7} #{7*7} <%= 7 %> %(x)s {0}",
)
"""What the lines of memory say."""

_SOUL = "# Soul\n\n## Vibe\n\n- Be kind.\n- Be brief.\n" + "".join(
    f"- {text}\n" for text in HOSTILE
)


class Memory:
    """A workspace. `does` orders something as the operator, `agent` asks for it as an agent."""

    def __init__(self, root: Path) -> None:
        self.root, self.git = root, Git(root)

    def does(self, *words: str) -> Any:
        return self._ran(words, seated=True)

    def agent(self, *words: str) -> Any:
        return self._ran(words, seated=False)

    def _ran(self, words: tuple[str, ...], *, seated: bool) -> Any:
        out, errors = io.StringIO(), io.StringIO()
        with redirect_stdout(out), redirect_stderr(errors):
            code = run(["-C", str(self.root), "--json", *words], seated=seated)
        assert code == 0, (words, out.getvalue(), errors.getvalue())
        return json.loads(out.getvalue())

    def entry(self, word: str) -> str:
        """The address of the entry that has a word."""
        rows = self.does("memory", "list", "-n", "1000")["entries"]
        return f"entry/{next(row['key'] for row in rows if word in row['text'])}"

    def log(self) -> list[str]:
        return self.git("log", "--format=%an|%s").splitlines()


def remembered(root: Path) -> Memory:
    """A new workspace with hostile memory, and an item for each form of the page."""
    root.mkdir(parents=True)
    made = Memory(root)
    made.git("init", "-q")
    made.git.commit_all("begin")
    made.git.write("SOUL.md", _SOUL)
    made.git.write("IDENTITY.md", f"# Identity\n\n- Name: Fig {HOSTILE[0]}\n")
    made.git.write("MEMORY.md", "# Memory\n\n" + "".join(f"- {text}\n" for text in HOSTILE))
    made.git.write("memory/<img src=x onerror=alert(1)>.md", f"# {HOSTILE[0]}\n\n- {HOSTILE[11]}\n")
    made.git.write("memory/\u202etxt.md", "# 2026\n\n- A file with a name that turns round.\n")
    made.git.commit_as_operator("written by hand")
    made.does("init", str(root))
    for number, text in enumerate(HOSTILE[:6]):
        made.does("chat", "log", text, "--session", "<b>s", "--id", f"m{number}")
    made.does("memory", "add", "The boats lie in the north harbour.", "--evidence", "chat:<b>s/m0")
    for text in (
        "The crane lifts nine tons.",
        "The barge is called Gull.",
        "The pilot lives in Oslo.",
    ):
        made.does("memory", "add", text)
    made.git.write("memory/tags.md", "# Tags\n\n- Tagged. #knowledge #<b>x #décision #漢字\n")
    os.utime(root / "memory/tags.md", (1, 1))
    made.does("snapshot", "-m", f"because {HOSTILE[0]} {HOSTILE[4]}")
    return made


def waiting(made: Memory) -> None:
    """Adds what waits for the operator: four corrections, three conflicts, two proposals, an
    alert.
    """
    for name, right in (("Ana", "Rome"), ("Bob", "Lima"), ("Cem", "Bonn"), ("Dee", "Kyiv")):
        made.agent("memory", "add", f"The office of {name} is in Paris.")
        made.agent("corrections", "add", f"The office of {name} is in {right}.",
                   "--was", f"The office of {name} is in Paris.")  # fmt: skip
    for day in ("Monday", "Tuesday", "Friday"):
        for at in ("9:30", "10:00"):
            made.agent("memory", "add", f"The {day} standup is at {at}.", "--tag", "knowledge")
    made.agent("agent", "run", "conflict-detector")
    for line in ("Answer in Dutch.", "Be bold."):
        made.agent("soul", "propose", "--section", "Vibe", "--add", f"- {line}",
                   "--reason", f"asked {HOSTILE[0]}")  # fmt: skip
    made.git.write("memory/long.md", "# Long\n\n" + "- A fact.\n" * 100)
    os.utime(made.root / "memory/long.md", (1, 1))
    made.does("snapshot", "-m", "grown")
    os.utime(made.git.write("memory/long.md", "# Long\n"), (1, 1))
    made.agent("snapshot")
