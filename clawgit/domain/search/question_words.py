"""Words that only ask, and word forms that no stemmer finds."""

from collections.abc import Iterator

from clawgit.language.calendar import month_forms, number_forms, weekday_forms

_STOP = """
    a an the this that these those there here i me my mine myself we us our ours ourselves you your
    yours yourself he him his himself she her hers herself it its itself they them their theirs
    themselves one someone something anyone anything what which who whom whose when where why how am
    is are was were be been being do does did doing done have has had having will would shall should
    can could may might must ought and or but if then than so as of at by for with about against
    between into through during before after above below to from up down in out on off over under
    again further once all any both each few more most other some such no nor not only own same too
    very just s t d ll m o re ve don didn doesn isn aren wasn weren won wouldn couldn shouldn hasn
    haven hadn according ever kind kinds sort type types many much long often got get gets getting
    recently currently please tell know remember remind called name named
    happen happens happened """

STOP = frozenset(_STOP.split())
"""English only. In other languages the language kit lists them."""

_FORMS = """
    go goes went gone | buy bought | teach taught | think thought | bring brought | catch caught |
    fight fought | seek sought | make made | take took taken | give gave given | see saw seen |
    grow grew grown | throw threw thrown | fly flew flown | draw drew drawn | blow blew blown |
    eat ate eaten | drink drank drunk | begin began begun | swim swam swum | sing sang sung |
    ring rang rung | run ran | win won | write wrote written | drive drove driven |
    ride rode ridden | rise rose risen | break broke broken | speak spoke spoken |
    choose chose chosen | wake woke woken | wear wore worn | tear tore torn |
    forget forgot forgotten | find found | feel felt | keep kept | leave left | lose lost |
    meet met | send sent | spend spent | build built | lend lent | sell sold | tell told |
    say said | sit sat | stand stood | understand understood | sleep slept | sweep swept |
    hear heard | hold held | lead led | feed fed | pay paid | mean meant | deal dealt |
    dream dreamt | learn learnt | light lit | shoot shot | hide hid hidden | bite bit bitten |
    fall fell fallen | become became | come came | hang hung | stick stuck | dig dug | bind bound |
    wind wound | shake shook shaken | steal stole stolen | swear swore sworn | burn burnt |
    child children kid | man men | woman women | person people | mouse mice | foot feet |
    tooth teeth | life lives | wife wives | knife knives | shelf shelves | leaf leaves |
    half halves | index indices | analysis analyses | crisis crises | mom mum mother | dad father |
    photo photograph picture | movie film | tv television | bike bicycle | phone telephone
"""
"""Groups of words that mean the same to a search, separated by `|`."""


def _forms() -> dict[str, tuple[str, ...]]:
    by_word: dict[str, tuple[str, ...]] = {}
    for group in _groups():
        for word in group:
            others = [other for other in group if other != word]
            by_word[word] = (word, *others)
    return by_word


def _groups() -> Iterator[list[str]]:
    """The words that mean the same. A word in two groups has the forms of the later one."""
    for group in _FORMS.split("|"):
        yield group.split()
    for long, *short in (*month_forms(), *weekday_forms()):
        if short:
            # The short forms stand first, as everywhere here.
            yield [*short, long]
    for figures, *words in number_forms():
        yield [*words, figures]


FORMS = _forms()
"""Each word with its other forms and names, the word itself first."""
