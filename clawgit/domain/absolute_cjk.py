"""The days that Chinese and Korean name: readers of words for a date, begun."""

import calendar
import re
from datetime import date

from clawgit.domain.absolute_days import Moment, Named, Reader, iso, moved, number, of_week, on, shifted


def _day_word(found: re.Match[str], moment: Moment) -> Named:
    return shifted(moment, _DAYS[found[0]])


def _weekday(found: re.Match[str], moment: Moment) -> Named:
    relation = _RELATIONS.get("".join((found["relation"] or "").split()), "")
    return of_week(relation, _WEEK[found["day"]], moment)


def _date(found: re.Match[str], moment: Moment) -> Named:
    return iso(on(int(found["day"]), int(found["month"]), found["year"], moment))


def _next_month(found: re.Match[str], moment: Moment) -> Named:
    first = moved(moment.today.replace(day=1), 1, "month")
    return iso(first.replace(day=int(found["day"])))


def _counted(found: re.Match[str], moment: Moment) -> Named | None:
    count = number(found["count"])
    unit = next(name for name, signs in _UNITS.items() if found["unit"] in signs)
    return None if count is None else iso(moved(moment.today, -count if found["after"] in "前전" else count, unit))


def _month_end(found: re.Match[str], moment: Moment) -> Named:
    month = int(found["month"]) if found["month"] else moment.today.month
    year = on(28, month, None, moment).year
    last = date(year, month, calendar.monthrange(year, month)[1])
    return Named(f"{last.isoformat()[:7]}{found['end']}", last)


_DAYS = {
    "今天": 0, "今日": 0, "今晚": 0, "今早": 0, "明天": 1, "明日": 1, "明早": 1, "明晚": 1,
    "后天": 2, "後天": 2, "大后天": 3, "昨天": -1, "昨日": -1, "昨晚": -1, "前天": -2,
    "오늘": 0, "내일": 1, "모레": 2, "글피": 3, "어제": -1, "그제": -2, "그저께": -2,
}  # fmt: skip
_WEEK = {
    **{sign: at for at, sign in enumerate("一二三四五六日")},
    **{f"{sign}요일": at for at, sign in enumerate("월화수목금토일")},
    "天": 6,
}
_RELATIONS = {
    **dict.fromkeys(("下", "下个", "下個", "다음주", "담주"), "next"),
    **dict.fromkeys(("上", "上个", "上個", "지난주"), "last"),
    **dict.fromkeys(("这", "這", "本", "这个", "이번주"), "this"),
}
_UNITS = {
    "day": ("天", "日", "일"),
    "week": ("周", "个星期", "星期", "週", "주"),
    "month": ("个月", "個月", "달", "개월"),
}

_COUNT = "(?P<count>[0-9]{1,3}|[一两二三四五六七八九十한두세네]|다섯)"

READERS: tuple[tuple[str, Reader], ...] = (
    ("|".join(sorted(_DAYS, key=len, reverse=True)), _day_word),
    (
        "(?P<relation>[下上这這本][个個]?)?(?:周|星期|礼拜|週)(?P<day>[一二三四五六日天])(?![一二三四五六日0-9])",
        _weekday,
    ),
    ("(?:(?P<relation>다음 ?주|담주|이번 ?주|지난 ?주) ?)?(?P<day>[월화수목금토일]요일)", _weekday),
    ("(?:下个月|下個月|다음 ?달 ?)(?P<day>[0-9]{1,2})[日号號일]", _next_month),
    ("(?:(?P<year>20[0-9]{2})[年년] ?)?(?P<month>[0-9]{1,2}) ?[月월] ?(?P<day>[0-9]{1,2}) ?[日号號일]", _date),
    ("(?:(?P<month>[0-9]{1,2}) ?[月월] ?|这个?月|이번 ?달 ?|(?<![0-9])月)(?P<end>底|末|말)", _month_end),
    (f"{_COUNT} ?(?P<unit>天|日|일|个星期|星期|周|週|주|个月|個月|개월|달) ?(?P<after>[后後前후뒤전])", _counted),
)
