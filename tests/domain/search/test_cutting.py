"""Text without spaces is cut into words, and looked for by the pairs within them."""

import pytest

from clawgit.domain.search.cutting import cut, forms_of, sought
from clawgit.domain.search.lexicon import EMPTY, Known

_LIST = {
    **dict.fromkeys(("母亲", "心脏", "专家", "医生", "望远镜", "病院", "予約", "塗っ"), Known(900)),
    **dict.fromkeys(("看", "的", "は", "の", "が", "た", "で", "どこ"), Known(EMPTY)),
}


def test_the_longest_word_is_cut_first() -> None:
    assert [*cut("买望远镜的母亲", _LIST.__contains__)] == ["买", "望远镜", "的", "母亲"]


@pytest.mark.parametrize(
    ("run", "terms"),
    [
        ("母亲看心脏专家", ["母亲", "心脏", "专家"]),
        ("望远镜", ["望远", "远镜"]),
        ("桑多瓦尔的医生", ["桑多", "多瓦", "瓦尔", "医生"]),
        ("狗的医生", ["狗", "医生"]),
        ("病院の予約", ["病院", "予约"]),
        ("塗った", ["涂"]),
        ("みなもの病院はどこ", ["みな", "なも", "病院"]),
        ("の式が", ["式"]),
        ("畑の鍵", ["畑", "键"]),
        ("畑の東和が", ["畑", "东和"]),
        ("はどこで", []),
    ],
)
def test_no_pair_across_the_edge_of_a_word_is_looked_for(run: str, terms: list[str]) -> None:
    assert [term for _, terms_of in sought(run, _LIST.get) for term in terms_of] == terms


_JAPANESE = {
    **dict.fromkeys(
        ("未", "無", "検証", "利用", "直す", "直し", "買っ", "送り", "迎え"), Known(900)
    ),
    **dict.fromkeys(("算", "割り", "出す", "使い", "方", "新しい", "車", "筆", "屋"), Known(900)),
    **dict.fromkeys(
        ("は", "の", "を", "た", "か", "け", "かけ", "み", "再", "気づか"), Known(EMPTY)
    ),
    "再": Known(900),
    "気づか": Known(900),
}


@pytest.mark.parametrize(
    ("run", "terms"),
    [
        ("未検証", ["未検", "検证"]),
        ("再未検証", ["再未", "未検", "検证"]),
        ("再利用の検証", ["再利", "利用", "検证"]),
        ("利用屋", ["利用", "屋"]),
        ("未の", ["未"]),
        ("かけ算", ["け算"]),
        ("割り算", ["割り", "り算"]),
        ("筆算を", ["笔算"]),
        ("はみ出す", ["み出", "出す"]),
        ("送り迎え", ["送り", "迎え"]),
        ("使い方", ["使い", "い方"]),
        ("新しい車", ["新し", "车"]),
        ("直す", ["直す"]),
        ("直した", ["直し"]),
        ("買った車", ["买", "车"]),
        ("気づかない", ["気", "ない"]),
    ],
)
def test_a_single_character_of_japanese_is_part_of_what_it_is_written_with(
    run: str, terms: list[str]
) -> None:
    words = sought(run, _JAPANESE.get, is_japanese=True)
    assert [term for _, terms_of in words for term in terms_of] == terms


def test_a_japanese_verb_is_looked_for_in_all_its_forms() -> None:
    assert {"直さ", "直し", "直せ", "直っ"} <= {*forms_of("直す")}
    assert "直す" not in forms_of("直す")
    assert [*map(forms_of, ("検証", "買っ", "気づ", "直", "すす"))] == [()] * 5


@pytest.mark.parametrize(
    ("run", "words"),
    [
        ("オークションの母", ["オークション", "の", "母"]),
        ("バックアップサーバー", ["バックアップ", "サーバー"]),
        ("コレステロール", ["コレステロール"]),
        ("デンタルクリニック", ["デンタル", "クリニック"]),
        ("ゴミ箱とずーっと", ["ゴミ箱", "と", "ずーっと"]),
    ],
)
def test_katakana_is_cut_only_where_words_fill_it(run: str, words: list[str]) -> None:
    listed = (
        "オーク",
        "バックアップ",
        "サーバー",
        "レス",
        "テロ",
        "コレステロール",
        "の",
        "ゴミ箱",
        "と",
        "ずーっと",
        "クリニック",
    )
    assert [*cut(run, listed.__contains__)] == words


@pytest.mark.parametrize(
    ("run", "words"),
    [
        ("买っていい", ["买っ"]),
        ("止まったんだ", ["止まっ"]),
        ("娘のえび", ["娘", "えび"]),
        ("えびと娘", ["えび", "娘"]),
    ],
)
def test_an_ending_in_hiragana_is_no_word(run: str, words: list[str]) -> None:
    content = dict.fromkeys(("买っ", "止まっ", "てい", "たん", "えび", "娘"), Known(900))
    grammar = dict.fromkeys("ていたんだのえびと", Known(EMPTY))
    assert [word for word, _ in sought(run, (content | grammar).get)] == words
