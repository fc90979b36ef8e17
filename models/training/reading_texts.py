"""Makes the texts that the built-in models learn to read from: TEXTS of `models.training.make_reader` and
`models.training.make_embedder`.

    python -m models.training.reading_texts FOLDER > TEXTS

FOLDER/OWNER+NAME is a clone, or a bare one, of each public repository of `SOURCES`. A text becomes its
sentences; a question has those that hold its answer, and others, those with most of its letters
first. Nothing of this is in the repository of clawgit.
"""

import argparse
import json
import re
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

LANGUAGES = ("en", "de", "es", "zh")
A_TEXT, MOST = 6, 5_500
"""So many questions about one text and, of those, from one repository: more of them teach little."""

_NEAREST, _SHORTEST, _LONGEST = 6, 8, 600
_SENTENCE = re.compile(r"(?<=[.!?])\s+(?=[^\s\d])|(?<=[。！？])|\n+|\s*\[SEP\]\s*")


class Text(NamedTuple):
    """The sentences of a text, the heading above them, and the numbers of those that answer a
    question.
    """

    heading: str
    sentences: Sequence[str]
    question: str
    right: frozenset[int]


def main() -> None:
    parser = argparse.ArgumentParser(description="Makes the texts that models learn to read from.")
    parser.add_argument("folder", type=Path)
    folder = parser.parse_args().folder
    random = Random(1)
    for name, files in SOURCES.items():
        texts = [
            text
            for path, read in files
            for text in read(_held(folder / name.replace("/", "+"), path))
        ]
        texts += _across(texts) if name == XQUAD else ()
        texts = random.sample(texts, min(len(texts), MOST))
        print(f"{len(texts)} questions of {name}", file=sys.stderr)
        for group in groups(texts, random):
            print(json.dumps(group, ensure_ascii=False))


def _held(clone: Path, path: str) -> str:
    git = next(each for each in (clone / "repo" / ".git", clone / "repo", clone) if each.exists())
    said = subprocess.run(
        ["git", "-C", str(git), "show", f"HEAD:{path}"], capture_output=True, check=True
    )
    return said.stdout.decode()


def groups(texts: Sequence[Text], random: Random) -> Iterator[dict[str, Any]]:
    """What is learned from each question; `far` is a sentence of another text."""
    for text in texts:
        right = [text.sentences[at] for at in sorted(text.right)]
        wrong = [line for at, line in enumerate(text.sentences) if at not in text.right]
        asked = letters(text.question)
        wrong.sort(key=lambda line: -len(asked & letters(line)) / (20 + len(letters(line))))
        other = random.choice(texts)
        if wrong and other.sentences != text.sentences:
            yield {
                "q": text.question,
                "head": text.heading,
                "pos": right,
                "neg": wrong[:_NEAREST],
                "far": [other.heading, random.choice(other.sentences)],
            }


def letters(text: str) -> frozenset[str]:
    """Each three letters in a row."""
    bare = text.lower()
    return frozenset(bare[at : at + 3] for at in range(len(bare) - 2))


def squad(held: str) -> Iterator[Text]:
    """Texts with the places of answers, as SQuAD has them."""
    for article in json.loads(held)["data"]:
        for paragraph in article["paragraphs"]:
            spans = [*_spans(paragraph["context"])]
            sentences = [paragraph["context"][first:last].strip() for first, last in spans]
            for asked in paragraph["qas"][:A_TEXT]:
                starts = [answer["answer_start"] for answer in asked["answers"]]
                right = frozenset(
                    at
                    for at, (first, last) in enumerate(spans)
                    if any(first <= start < last for start in starts)
                )
                if right or not starts:
                    heading = article.get("title", "").replace("_", " ")
                    yield Text(" ".join(heading.split()), sentences, asked["question"], right)


def _spans(text: str) -> Iterator[tuple[int, int]]:
    """Where sentences begin and end."""
    first = 0
    ends = [*(found.end() for found in _SENTENCE.finditer(text)), len(text)]
    for end in ends:
        if _SHORTEST <= end - first <= _LONGEST:
            yield first, end
        first = end


def selqa(held: str) -> Iterator[Text]:
    for asked in json.loads(held):
        heading = f"{asked['article']} › {asked['section']}"
        yield Text(heading, asked["candidates"], asked["question"], frozenset(asked["answers"]))


def friends(held: str) -> Iterator[Text]:
    for scene in json.loads(held)["data"]:
        for talk in scene["paragraphs"]:
            said = [
                f"{', '.join(line['speakers'])}: {line['utterance']}"
                for line in talk["utterances:"]
            ]
            for asked in talk["qas"]:
                right = frozenset(answer["utterance_id"] for answer in asked["answers"])
                yield Text("", said, asked["question"], right)


def qed(held: str) -> Iterator[Text]:
    for line in held.splitlines():
        asked = json.loads(line)
        found = asked["annotation"].get("selected_sentence")
        text, starts = asked["paragraph_text"], [*asked["sentence_starts"]]
        sentences = [
            text[first:last].strip()
            for first, last in zip(starts, [*starts[1:], len(text)], strict=True)
        ]
        if found:
            right = frozenset([starts.index(found["start"])])
            yield Text(asked["title_text"], sentences, asked["question_text"], right)


def clapnq(held: str) -> Iterator[Text]:
    for line in held.splitlines():
        asked = json.loads(line)
        [passage] = asked["passages"]
        answers = {one for said in asked["output"] for one in said["selected_sentences"]}
        right = frozenset(at for at, one in enumerate(passage["sentences"]) if one in answers)
        if right or not answers:
            yield Text(passage["title"], passage["sentences"], asked["input"], right)


def _across(texts: Sequence[Text]) -> list[Text]:
    """XQuAD has each question in each language, in the same order: the sentences of one with the
    question of the next.
    """
    each = len(texts) // len(LANGUAGES)
    parts = [texts[first : first + each] for first in range(0, len(texts), each)]
    return [
        lines._replace(question=asked.question)
        for at, part in enumerate(parts)
        for lines, asked in [*zip(part, parts[(at + 1) % len(parts)], strict=True)][at::4]
    ]


XQUAD = "google-deepmind/xquad"
Read = Callable[[str], Iterator[Text]]
SOURCES: dict[str, list[tuple[str, Read]]] = {
    XQUAD: [(f"xquad.{language}.json", squad) for language in LANGUAGES],
    "ccasimiro88/TranslateAlignRetrieve": [
        (f"SQuAD-es-v{version}/dev-v{version}-es_small.json", squad) for version in ("1.1", "2.0")
    ],
    "ymcui/cmrc2018": [
        (f"squad-style-data/cmrc2018_{part}.json", squad) for part in ("dev", "trial")
    ],
    "yahoojapan/JGLUE": [
        (f"datasets/jsquad-v1.3/{part}-v1.3.json", squad) for part in ("valid", "test")
    ],
    "deepset-ai/COVID-QA": [("data/question-answering/200423_covidQA.json", squad)],
    "emorynlp/selqa": [(f"ass/selqa-ass-{part}.json", selqa) for part in ("dev", "test")],
    "emorynlp/FriendsQA": [(f"dat/friendsqa_{part}.json", friends) for part in ("dev", "tst")],
    "google-research-datasets/QED": [("qed-dev.jsonlines", qed)],
    "primeqa/clapnq": [
        (f"annotated_data/dev/clapnq_dev_{part}.jsonl", clapnq)
        for part in ("answerable", "unanswerable")
    ],
}

if __name__ == "__main__":
    main()
