"""Numbers in words, units, months, and what stands around a number: the tables that amounts are read by."""

from clawgit.domain.statement_words import word_set

NUMBERS = {
    word: float(value)
    for value, word in enumerate(
        ("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve",
         "thirteen", "fourteen", "fifteen")
    )
} | {"sixteen": 16.0, "eighteen": 18.0, "twenty": 20.0, "thirty": 30.0, "forty": 40.0, "fifty": 50.0, "sixty": 60.0,
     "ninety": 90.0, "hundred": 100.0, "twice": 2.0, "once": 1.0}  # fmt: skip
MONTHS = {
    name: number
    for number, names in enumerate(
        ("january jan", "february feb", "march mar", "april apr", "may", "june jun", "july jul", "august aug",
         "september sep sept", "october oct", "november nov", "december dec"), 1)
    for name in names.split()
}  # fmt: skip
WEEKDAYS = {
    name: number
    for number, names in enumerate(
        ("monday mon", "tuesday tue tues", "wednesday wed", "thursday thu thur", "friday fri",
         "saturday sat", "sunday sun"))
    for name in names.split()
}  # fmt: skip
SCALES = {
    "k": 1e3,
    "thousand": 1e3,
    "m": 1e6,
    "mio": 1e6,
    "million": 1e6,
    "bn": 1e9,
    "billion": 1e9,
    "万": 1e4,
    "만": 1e4,
}
CURRENCIES = {"$": "usd", "€": "eur", "£": "gbp", "¥": "yen", "₩": "krw"}
_UNIT_ROWS = (
    ("duration", 1e-3, "ms millisecond milliseconds msec"),
    ("duration", 1, "s sec secs second seconds 秒 초"),
    ("duration", 60, "min mins minute minutes 分钟 분"),
    ("duration", 3600, "h hr hrs hour hours 小时 시간"),
    ("duration", 86400, "day days 天 일"),
    ("duration", 604800, "week weeks wk wks 周 주"),
    ("duration", 2628000, "month months 个月 개월"),
    ("duration", 31536000, "year years yr yrs 年 년"),
    ("size", 1, "byte bytes"),
    ("size", 1e3, "kb kib"),
    ("size", 1e6, "mb mib"),
    ("size", 1e9, "gb gib gigs gig"),
    ("size", 1e12, "tb tib"),
    ("percent", 1, "percent pct"),
    ("length", 1, "m meter meters metre metres"),
    ("length", 0.01, "cm centimeters centimetres"),
    ("length", 1e3, "km kilometer kilometers kilometres"),
    ("length", 1609, "mile miles mi"),
    ("mass", 1e-3, "mg milligram milligrams"),
    ("mass", 1, "g gram grams"),
    ("mass", 1e3, "kg kilo kilos kilogram kilograms"),
    ("mass", 453.6, "lb lbs pounds"),
    ("temperature", 1, "degree degrees celsius"),
    ("volume", 1, "l liter liters litre litres"),
    ("volume", 1e-3, "ml milliliters"),
    ("money usd", 1, "usd dollar dollars bucks"),
    ("money eur", 1, "eur euro euros 欧元 유로"),
    ("money gbp", 1, "gbp quid"),
    ("money yen", 1, "yen jpy 日元"),
    ("money cny", 1, "rmb cny yuan 元"),
    ("money krw", 1, "krw won 원"),
    ("clock", 1, "am pm a.m p.m o'clock"),
    ("times", 1e3, "thousand"),
    ("times", 1e6, "million"),
    ("times", 1e9, "billion"),
    ("times", 100, "hundred"),
    ("times", 1e5, "lakh lakhs"),
    ("times", 1e7, "crore crores"),
)
UNITS = {name: (kind, float(factor)) for kind, factor, names in _UNIT_ROWS for name in names.split()}
OFTEN = {
    "hourly": 3600.0, "daily": 86400.0, "nightly": 86400.0, "weekly": 604800.0, "biweekly": 1209600.0,
    "fortnightly": 1209600.0, "monthly": 2592000.0, "quarterly": 7776000.0, "yearly": 31536000.0,
    "annually": 31536000.0,
}  # fmt: skip
PERIODS = {name: UNITS[name][1] for name in ("hour", "day", "week", "month", "year", "minute")} | {
    "night": 86400.0, "morning": 86400.0, "evening": 86400.0, "quarter": 7884000.0, "season": 7884000.0,
}  # fmt: skip
EACH = ("every", "each")
TO = ("to", "until", "till", "and", "-")
CHANGES = word_set("""
    moved changed switched raised lowered increased reduced cut went bumped pushed postponed rescheduled shifted
    migrated
    """)
BOUNDS_1 = {"about": "~", "around": "~", "roughly": "~", "approximately": "~", "approx": "~", "almost": "~",
             "nearly": "~",
             "max": "<", "maximum": "<", "min": ">", "minimum": ">", "under": "<", "over": ">", "below": "<",
             "above": ">"}  # fmt: skip
BOUNDS_2 = {"at least": ">", "at most": "<", "up to": "<", "more than": ">", "less than": "<", "fewer than": "<"}
BOUNDS_3 = {"no more than": "<", "no less than": ">", "not more than": "<"}
