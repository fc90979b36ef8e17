"""The words by which English names days: tables of them, and the patterns that are made of them."""

WEEK = ("mon", "tue", "wed", "thu", "fri", "sat", "sun")
MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
_UNITS_TH = ("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth")
ORDINALS = (
    *_UNITS_TH, "tenth", "eleventh", "twelfth", "thirteenth", "fourteenth", "fifteenth", "sixteenth", "seventeenth",
    "eighteenth", "nineteenth", "twentieth", *(f"twenty-{one}" for one in _UNITS_TH), "thirtieth", "thirty-first",
)  # fmt: skip
FEASTS = {
    "new year": (1, 1), "new year's day": (1, 1), "new year's eve": (31, 12), "new year's": (1, 1),
    "valentine's day": (14, 2), "st patrick's day": (17, 3), "lady day": (25, 3), "may day": (1, 5),
    "midsummer day": (24, 6), "michaelmas": (29, 9), "halloween": (31, 10), "all saints' day": (1, 11),
    "christmas eve": (24, 12), "christmas day": (25, 12), "christmas": (25, 12), "xmas": (25, 12),
    "boxing day": (26, 12),
}  # fmt: skip
"""Feasts that have the same day and month in every year."""

SHIFTS = {"last": -1, "previous": -1, "this": 0, "the": 0, "next": 1}
PARTS = {"end": 0, "late": 0, "begin": 1, "start": 1, "early": 1, "mid": 15}
COUNTS = {
    "a": 1, "an": 1, "one": 1, "two": 2, "couple of": 2, "a couple of": 2, "three": 3, "four": 4, "five": 5, "six": 6,
    "seven": 7, "eight": 8, "nine": 9, "ten": 10, "eleven": 11, "twelve": 12,
    "一": 1, "两": 2, "二": 2, "三": 3, "四": 4, "五": 5, "六": 6, "七": 7, "八": 8, "九": 9, "十": 10,
    "한": 1, "두": 2, "세": 3, "네": 4, "다섯": 5,
}  # fmt: skip
DAY_WORDS: dict[str, tuple[int, str]] = {
    "today": (0, ""), "tonight": (0, "evening"), "this morning": (0, "morning"), "this afternoon": (0, "afternoon"),
    "this evening": (0, "evening"), "tomorrow": (1, ""), "tmrw": (1, ""), "tomorrow morning": (1, "morning"),
    "tomorrow afternoon": (1, "afternoon"), "tomorrow evening": (1, "evening"), "tomorrow night": (1, "evening"),
    "the day after tomorrow": (2, ""), "day after tomorrow": (2, ""), "yesterday": (-1, ""),
    "yesterday morning": (-1, "morning"), "yesterday afternoon": (-1, "afternoon"),
    "yesterday evening": (-1, "evening"), "yesterday night": (-1, "evening"), "last night": (-1, "evening"),
    "the day before yesterday": (-2, ""), "day before yesterday": (-2, ""),
}  # fmt: skip
DAY = "(?P<day>(?:[Mm]on|[Tt]ues?|[Ww]ed(?:nes)?|[Tt]hu(?:rs?)?|[Ff]ri|[Ss]at(?:ur)?|[Ss]un)(?:day)?)"
MONTH = (
    "(?P<month>(?i:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?"
    "|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?))"
)
NTH = "(?P<nth>[0-9]{1,2})(?:st|nd|rd|th)?"
FIRST = "(?:(?P<first>[0-9]{1,2})(?:st|nd|rd|th)? ?(?:-|–|to|until|till) ?(?:the )?)"
LAST = "(?:[-–](?P<last>[0-9]{1,2})(?:st|nd|rd|th)?(?![0-9:]| ?[ap]m))"
"""The ends of a span within one month: 2-6 March, March 2-6."""

OF_YEAR = "(?:,? (?P<year>20[0-9]{2}))?"
UNIT = "(?P<unit>(?i:days?|weeks?|fortnights?|months?|years?))"
COUNT = "(?P<count>[0-9]{1,3}|(?i:an?|one|(?:a )?couple of|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve))"
PART = "(?P<part>(?i:(?:the )?end of|(?:the )?beginning of|(?:the )?start of|(?:the )?middle of|mid|early|late))"

SLASHED = "(?P<one>[0-9]{1,2})/(?P<two>[0-9]{1,2})(?![0-9/])"
SPOKEN_DAY = (
    r"(?i:\b(?:tomorrow|yesterday)(?: morning| afternoon| evening| night)?\b|\b(?:the )?day (?:after tomorrow"
    r"|before yesterday)\b|\b(?:today|tonight|tmrw|last night|this (?:morning|afternoon|evening))\b)"
)
WORDED = f"(?P<word>(?i:{'|'.join(sorted(ORDINALS, key=len, reverse=True)).replace('-', '[- ]')}))"
NOT_MODAL = "(?<!(?i:may) )(?<!(?i:march) )"
"""“You may first …” names no day."""

_FEASTS = "|".join(sorted(FEASTS, key=len, reverse=True)).replace("st p", "st[.]? p").replace("'", "['’]")
FEAST = f"(?P<feast>(?i:{_FEASTS}))"
LATE_NTH = "(?P<nth>(?:[89]|[12][0-9]|3[01])(?:st|nd|rd|th))\\b"
"""What is so late in a row is a day, though no preposition stands before it."""

BARE_NTH = "(?i:(?<=on )|(?<=by )|(?<=till )|(?<=until )|(?<=from ))(?P<nth>[0-9]{1,2}(?:st|nd|rd|th))\\b"
NTH_ALONE = f"(?P<nth>[0-9]{{1,2}}(?:st|nd|rd|th)\\b|{WORDED.replace('P<word>', ':')}\\b)"
BEFORE_NTH = "|".join(
    f"(?<={word} )" for word in ("on", "by", "til", "till", "from", "since", "for", "to", "off", "day", "day,", "until")
)
AFTER_NTH = (
    r"(?=\W*$|[.,;:!?)]|\s[–—-]|\s[0-9]|\s(?:at|for|we|i|and|to|is|with|in|because|so|of each|after|before|instead|now"
    r"|till|until|but|or|if|when|as|he|she|they|the|my|our|then|already|back|from|about|around|noon|not)\b)"
)
"""What stands behind a day, and never behind “the third” of things."""

RELATION = "(?P<relation>(?i:last|past|previous|this|next|following))"
MONTH_FRAME = (
    r"(?P<in>(?i:in|by|until|since|from|during|for|as of|starting) )?"
    rf"(?:{PART}[ -])?(?:(?P<relation>(?i:last|next|this)) )?"
)

DAY_OF_MONTH = rf"(?<![0-9.:])\b(?:{DAY},? )?(?:the )?(?:{FIRST}?{NTH}\.? (?:of )?|{WORDED} of ){MONTH}\b{OF_YEAR}"
MONTH_WITH_DAY = rf"\b(?:{DAY},? )?{MONTH}\.? (?:the )?(?:{NTH}{LAST}?|{NOT_MODAL}{WORDED})\b{OF_YEAR}(?![:.]?[0-9])"
NTH_WEEKDAY = rf"\b(?:the )?(?P<nth>(?i:first|second|third|fourth|last)) {DAY} (?:in|of) {MONTH}\b{OF_YEAR}"
DAY_WITH_NTH = (
    rf"\b{DAY},? (?:the (?P<nth>[0-9]{{1,2}})(?:st|nd|rd|th)?|(?P<bare>[0-9]{{1,2}})(?:st|nd|rd|th))\b(?![.:]?[0-9])"
)
DAY_OF_WEEK = rf"\b{DAY}(?: of| in)? (?P<relation>(?i:last|this|next)) week\b"
WEEK_WITH_DAY = rf"\b(?P<relation>(?i:last|this|next)) week,? (?:on )?{DAY}\b"
WEEKS_ON = rf"\b{COUNT} {UNIT} (?:from|on|after|this) (?:(?P<from>(?i:today|tomorrow))|{DAY})\b"
COUNTED = rf"\b(?P<in>(?i:in|within) )?{COUNT} {UNIT}\b(?P<after> (?i:ago|from (?:now|today)(?! on)))?"
AFTER_NEXT = r"\bthe (?P<unit>(?i:week|weekend|month)) after next\b"
SPAN = rf"\b(?:{PART} )?(?P<relation>(?i:last|previous|this|next|the)) (?P<unit>(?i:week|weekend|month|year))\b"
