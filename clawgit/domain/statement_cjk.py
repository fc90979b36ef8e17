"""What a Chinese or Korean sentence states: a start, by the commonest verbs and particles."""

import re

from clawgit.domain.quantity import Amount, tokens

Read = tuple[
    frozenset[str], str, frozenset[str], tuple[Amount, ...], bool, bool, str, frozenset[str], str, str, bool, bool
]
"""The fields of a claim in its order."""


def read(clause: str) -> tuple[Read, ...]:
    """The claim of a clause; nothing where no verb of ours is in it."""
    text = _ZH_EACH.sub("是", figures(clause.strip(" 。.!！")))
    if is_korean(text):
        found = _korean(text)
        return (found,) if found else ()
    told: list[Read] = []
    for part in _ZH_COMMA.split(text):
        if said := _chinese(part.strip()):
            told.append(said if said[0] or not told else (told[-1][0], *said[1:]))
    return tuple(told)


def figures(text: str) -> str:
    """With the numbers in figures, apart from the unit behind them."""
    text = _KO_NUMBER.sub(_korean_figure, _ZH_NUMBER.sub(_figure, text))
    return _ZH_UNIT.sub(r"\1 \2 ", text)


def is_korean(text: str) -> bool:
    return _HANGUL.search(text) is not None


def _korean_figure(found: re.Match[str]) -> str:
    """만팔천 as 18000."""
    total, part, digit = 0, 0, 0
    for sign in found[0]:
        if sign == "만":
            total, part, digit = ((part + digit) or 1) * 10_000, 0, 0
        elif sign in _KO_UNITS:
            part, digit = part + (digit or 1) * _KO_UNITS[sign], 0
        else:
            digit = _KO_DIGITS.find(sign)
    return str(total + part + digit)


def _figure(found: re.Match[str]) -> str:
    """六十 as 60, 三千五 as 3500."""
    total, digit, unit = 0, 0, 1
    for sign in found[0].replace("两", "二"):
        if sign in _ZH_UNITS:
            unit = _ZH_UNITS[sign]
            total, digit = total + (digit or 1) * unit, 0
        else:
            digit = _ZH_DIGITS.find(sign)
    short = unit // 10 if unit > 10 and found[0][-2] in _ZH_UNITS else 1  # noqa: PLR2004 (三千五 leaves its 百 out)
    return str(total + digit * short)


def _chinese(text: str) -> Read | None:
    holds = "perhaps" if _ZH_MAYBE.search(text) else "later" if _ZH_PLAN.search(text) else "now"
    text = _ZH_FILLER.sub("", text)
    if leads := _ZH_BY.match(text) or _ZH_LEADS.match(text):
        return _made(f"{leads['what']}的负责人", "be", leads["who"], holds=holds)
    if state := _ZH_STATE.match(text):
        return _made(state[1], "be", _ZH_STATES[state[3]], negation=state[2] or "", holds=holds)
    if moved := _ZH_MOVED.match(text):
        return _made(moved[1], "become", moved[3], old=_grams(moved[2]), holds=holds)
    found = _ZH.match(text)
    if not found:
        denied = _ZH_NOT.search(text)
        return _made(_ZH_NOT.sub("", text), "", "", negation=denied[0] if denied else "", holds=holds)
    negation, verb = found[2] or "", _ZH_VERBS[found[3]]
    return _made(found[1], verb, found[4], negation=negation, holds=holds)


def _korean(text: str) -> Read | None:
    holds = "perhaps" if _KO_MAYBE.search(text) else "later" if _KO_PLAN.search(text) else "now"
    ended = "더 이상" in text or "더는" in text
    text = _KO_LEADS.sub(r"\2 담당자는 \1이다", _KO_LED.sub(r"\1 담당자는 \2이다", text))
    words = [word for word in text.replace("더 이상", " ").replace("더는", " ").split() if word not in _KO_FILLER]
    particles = "은는이가을를" if _KO_MOVED.search(text) else "은는이가"
    at = next((n for n, word in enumerate(words) if len(word) > 1 and word[-1] in particles), None)
    if at is None and _KO_WE.search(text):
        at = -1
    if at is None or at + 1 >= len(words):
        return None
    negated = ended or any(_KO_NOT.search(word) for word in words)
    topic = frozenset(_KO_DAY.sub("", bare(word)) for word in words[: at + 1])
    rest = [word for word in words[at + 1 :] if not _KO_NOT.fullmatch(word)]
    old = next(
        (frozenset((bare(word),)) for word in rest if word.endswith("에서") and _KO_MOVED.search(rest[-1])),
        frozenset(),
    )
    verb = (
        "become"
        if _KO_MOVED.search(rest[-1])
        else next((name for name, form in _KO_VERBS if form.search(rest[-1])), "be")
    )
    kept = rest if _KO_IS.search(rest[-1]) else rest[:-1]
    plain = [bare(word) for word in kept]
    said = frozenset(plain) - old - {""}
    amounts = _amounts(" ".join(kept))
    value = frozenset(word for word in said if not any(part in word for one in amounts for part in one.said.split()))
    head = plain[-1] if plain else ""
    link = "in" if kept and kept != rest and _KO_LINK.search(kept[-1]) else ""
    return (topic, verb, value, amounts, negated, ended, holds, old, head, link, len(topic) > 1, True)


def _made(
    topic: str, verb: str, value: str, *, negation: str = "", old: frozenset[str] = frozenset(), holds: str = "now"
) -> Read:
    amounts = _amounts(value)
    said = frozenset() if amounts else _grams(value)
    return (
        _grams(_ZH_LOOSE.sub("", topic)), verb, said, amounts, bool(negation), negation == "不再", holds, old, "", "",
        (verb in ("be", "become") and "的" in topic) or (verb == "use" and bool(topic)), True,
    )  # fmt: skip


def _amounts(text: str) -> tuple[Amount, ...]:
    return tuple(token.amount for token in tokens(text) if token.amount)


def _grams(text: str) -> frozenset[str]:
    """A run as a whole: what differs in one sign is another thing."""
    return frozenset(part for part in re.split(r"[\s,，、]+", text.strip().casefold()) if part)


def bare(word: str) -> str:
    """A Korean word without its particle or its copula."""
    return _KO_ENDING.sub("", word.strip(".,!").casefold())


_KO_DIGITS = "영일이삼사오육칠팔구"
_KO_UNITS = {"십": 10, "백": 100, "천": 1000}
_KO_NUMBER = re.compile(
    "[일이삼사오육칠팔구]?[십백천만][일이삼사오육칠팔구십백천만]*(?= ?(?:원|명|개|대|권|장|쪽|퍼센트))"
)
_HANGUL = re.compile("[\uac00-\ud7af]")

_ZH_DIGITS = "零一二三四五六七八九"
_ZH_NUMBER = re.compile(
    "[一二两三四五六七八九]千(?:[零一二三四五六七八九]百?)?|[一二两三四五六七八九]百(?:[零一二三四五六七八九]十?)?"
    "|(?:[二三四五六七八九]?十[一二三四五六七八九]?|[二两三四五六七八九])(?=天|周|个|年|小时|分钟|元|块|人|名|位|台|次|章|页)"
)
_ZH_UNITS = {"十": 10, "百": 100, "千": 1000}
_ZH_EACH = re.compile("是?每个?[月年天周](?=[0-9])")
_ZH_UNIT = re.compile("([0-9])(天|周|个月|小时|分钟|元)")

_ZH_VERBS = {
    "每": "happen",
    "是": "be", "叫": "be", "在": "live", "位于": "live", "住在": "live", "搬到": "become", "改成": "become",
    "改为": "become", "改到": "become", "换成": "become", "改用": "use",
    "选": "choose", "选择": "choose", "选用": "choose",
    "定为": "be", "用": "use", "使用": "use", "采用": "use", "喜欢": "like",
    "讨厌": "hate", "吃": "eat", "喝": "drink", "有": "have", "需要": "need", "支持": "support",
    "为": "be", "部署在": "live",
    "运行在": "use", "监听": "use", "定在": "be",
}  # fmt: skip
_ZH_WORDS = "|".join(sorted(_ZH_VERBS, key=len, reverse=True))
_ZH_COMMA = re.compile("[,，]")
_ZH = re.compile(rf"^(.{{0,24}}?)(不再|没有|不|没)?({_ZH_WORDS})(?![法名])了?(.{{1,80}})$")
_ZH_MOVED = re.compile(
    "^(.{0,24}?)从(.{1,30}?)(?:改成|改到|改为|换成|换到|切换到|迁移到|迁到|搬到|搬去)(?:了)?(.{1,60})$"
)
_ZH_BY = re.compile("^(?P<what>.{1,24}?)由(?P<who>.{1,24}?)(?:来)?(?:负责|管理|处理)$")
_ZH_LEADS = re.compile("^(?P<who>.{1,24}?)(?<!不)负责(?P<what>.{1,24})$")
_ZH_STATES = {
    "打开": "enabled", "开启": "enabled", "启用": "enabled", "关闭": "disabled", "停用": "disabled", "禁用": "disabled",
    "公开": "public", "私有": "private", "手动": "manual", "自动": "automatic", "免费": "free", "收费": "paid",
    "必须": "required", "可选": "optional",
}  # fmt: skip
_ZH_STATE = re.compile(f"^(.{{1,24}}?)(?:是|被)?(不|没|没有|未)?({'|'.join(_ZH_STATES)})(?:的|了)?$")
_ZH_NOT = re.compile("不再|没有|不|没")
_ZH_LOOSE = re.compile("的|(?:日期|时间)$")
_ZH_FILLER = re.compile("已经|现在|目前|一直|了$|我们|都|的是")
_ZH_MAYBE = re.compile("可能|也许|如果|考虑|想要|好像|听说")
_ZH_PLAN = re.compile("计划|打算|准备|将")

_KO_VERBS = (
    ("use", re.compile("사용|쓴다|씁니다|써요|쓰고|쓰지|이용")),
    ("like", re.compile("좋아")),
    ("hate", re.compile("싫어")),
    ("live", re.compile("있다|있습니다|있어요|위치|살고|산다|삽니다")),
    ("eat", re.compile("먹|마시")),
    ("have", re.compile("가지|갖고")),
)
_KO_MOVED = re.compile("바꿨|바뀌|변경|전환|옮겼|옮김|이전|이사|교체")
_KO_WE = re.compile("^(?:우리|저|나)(?:는|희는)? ")
_KO_DAY = re.compile("(?<=..)일$")
_KO_LED = re.compile("^(\\S{1,20})[은는] (\\S{1,20}?)[이가] (?:담당한다|담당합니다|맡는다|맡습니다|맡고 있다)[.!]?$")
_KO_LEADS = re.compile(
    "^(?P<who>\\S{1,20})[이가은는] (\\S{1,20}?)[을를] (?:담당한다|담당합니다|맡는다|맡습니다|맡고 있다)[.!]?$"
)
_KO_IS = re.compile("(?:이다|입니다|이에요|예요)[.!]?$")
_KO_LINK = re.compile("(?:로|에|에서)$")
_KO_NOT = re.compile("안|않.*|못.*|아니.*|없.*|.+지 ?않.*")
_KO_MAYBE = re.compile("아마|만약|고려|싶|수도 있|것 같")
_KO_PLAN = re.compile("계획|예정|할 것|하려고")
_KO_ENDING = re.compile("(?:입니다|이에요|예요|이다|다|에서|으로|에게|까지|부터|은|는|이|가|을|를|에|로|의|와|과|도)$")
_KO_FILLER = frozenset(("이제", "지금", "현재", "우리", "우리는", "저는", "나는", "이미", "항상"))
