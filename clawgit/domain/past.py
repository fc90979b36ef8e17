"""English verbs whose past is a word of its own: whoever asks whether a sentence tells of the past needs them."""

_FORMS = """
    was were did had went met got made took gave came left bought sold sent paid lost found ran broke began
    won told said saw held quit fell built wrote cut grew knew thought kept felt chose spent taught caught
    brought hit spoke forgot hid shot stood sat lay bet dug drew threw shook stuck struck swore tore wound
    bent bound bled blew fed fled froze hung rang rose sang sank stole swept swung slept woke ate drank swam
    rode flew wore understood drove withdrew led lent heard bit became
    """
_BEFORE = ("mis", "under", "over", "with", "out", "fore", "re", "up", "be")
"""With one of these before it, a verb has the same past: misspoke, undertook."""

_SIMPLE = frozenset(_FORMS.split()) - {"was", "were", "did", "had"}
IRREGULAR = frozenset(_FORMS.split()) | {f"{begin}{verb}" for begin in _BEFORE for verb in _SIMPLE}
