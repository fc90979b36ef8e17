"""The verbs of a statement by what they relate, in all their forms."""

import re

from clawgit.domain.statement_words import table, word_set

_SHORT_VOWEL = re.compile("[a-z]?[^aeiou][aeiou][bdgmnpt]")
"""A verb that doubles its last letter: ship, shipped."""

_FORMS = table(
    """
    be: is are am was were be been being remains remain stays stay means equals
    become: becomes became switched switches moved moves migrated migrates changed changes relocated transitioned
    become: converted upgraded downgraded pushed postponed rescheduled shifted bumped raised lowered cut increased
    become: reduced replaced renamed
    have: has have had owns contains includes consists consist comprises features
    do: does doing done
    use: uses use using used utilises utilizes employs runs run relies rely depends depend listens listen
    use: running relying operates serves adopted chose picked
    take: takes take taking took taken lasts last needs need requires require needed required
    leave: leaves leave departs depart
    belong: belongs belong
    report: reports report
    happen: held happens happen occurs starts start begins begin opens open goes go
    end: ends end closes close finishes finish expires expire
    cost: costs cost pays pay charges charge
    live: lives live living resides sits lies stands
    prefer: prefers prefer favors favours favor favour wants_only
    like: likes like loves love enjoys enjoy adores
    hate: hates hate dislikes dislike loathes detests
    work: works work working
    lead: leads lead manages manage led managed heads maintains maintain handles handle coordinates
    store: stores store storing keeping stored kept saved keeps keep saves save
    know: knows know speaks speak
    eat: eats eat drinks drink eating drinking
    smoke: smokes smoke smoking
    support: supporting supports support allows allow permits permit accepts accept
    forbid: forbids forbid prohibits bans disallows rejects
    deploy: deploys deploy ships ship releases release
    meet: meets meet meeting_is
    teach: taught teaches teach studies study
    send: sending sends send emits emit returns return
    """
)
"""Forms → what they relate. Those that are nouns as often are in `UNSURE`."""

_REGULAR = """
    host: host/hosted locate base house hang/hung sit/sat park place
    arrive: arrive land
    have: subscribe contain
    backup: back
    store: retain archive hide/hidden
    clean: clean tidy
    happen: hold/held
    earn: earn
    cook: cook grill
    bake: bake
    repair: repair service fix
    review: review check inspect proofread audit
    write: write/written author
    make: make/made produce print publish manufacture
    do: perform
    come: come/came originate get/got supply deliver provide issue
    send: send/sent mail post forward
    buy: buy/bought order purchase
    book: book reserve
    call: call phone
    watch: monitor watch track
    sign: sign approve
    own: own
    drive: drive/driven
    play: play
    wear: wear/worn
    hold: fit seat sleep accommodate
    cover: cover insure
    train: train coach
    practise: practise practice
    sell: sell/sold
    rent: rent lease hire
    build: build/built compile bundle
    test: test
    merge: merge rebase squash
    win: win/won
    lose: lose/lost
    pass: pass
    fail: fail
    sync: sync mirror replicate
    paint: paint
    plan: organise organize arrange
    rotate: rotate refresh
    renew: renew
    deploy: deploy ship release
    lead: manage handle coordinate maintain
    report: report
    answer: answer reply
    turn: turn
    wake: wake
    weigh: weigh
    measure: measure
    load: load fetch read
    format: format lint
    expose: expose
    face: face point
    visit: visit
    grow: grow/grown plant
    cut: mow trim
    -: sing/sung show lend/lent borrow supervise assist advise mentor carry give/given offer read spend/spent collect
    -: pick drop bring/brought fill clear mark label sort follow wash dry iron heat cool light open/opened lock charge
    -: draw/drawn record film edit translate publish organise host invite cancel confirm accept reject decline refund
    -: compute calculate measure count scan parse index cache encrypt hash validate verify authenticate render
    -: owe umpire referee walk feed/fed water
    -: rehearse swim/swum ride/ridden climb jog smoke breed raise tune assemble install configure provision
    -: wrap pack label sponsor fund finance insure oversee/overseen chair moderate represent teach/taught tutor
    attend: attend
    """
"""Base verbs, with the participle where it is not regular; all their forms are read, where no surer verb is."""


def inflected(base: str) -> tuple[str, ...]:
    """The forms of a regular English verb: write, writes, written where it says so, writing."""
    base, _, participle = base.partition("/")
    doubled = base[-1] if _SHORT_VOWEL.fullmatch(base) else ""
    stem = base.removesuffix("e")
    ending = "es" if base.endswith(("s", "sh", "ch", "x", "o")) else "s"
    plural = f"{base[:-1]}ies" if base.endswith("y") and base[-2] not in "aeiou" else base + ending
    past = f"{base[:-1]}ied" if plural.endswith("ies") and base.endswith("y") else f"{stem}{doubled}ed"
    return base, plural, participle or past, f"{stem}{doubled}ing"


def _regular() -> dict[str, str]:
    named = ((name if name != "-" else base.partition("/")[0], base) for base, name in table(_REGULAR).items())
    return {form: name for name, base in named for form in inflected(base)}


REGULAR = _regular()
BASES = frozenset(base.partition("/")[0] for base in table(_REGULAR))
"""The forms that only agree with we, you, they and a plural."""

UNSURE = word_set("""
    runs run uses use works work moves changes costs cost starts start ends end charges pays pay lives closes cut
    deploys deploy ships ship releases release support supports return returns needs need takes stores store keeps
    love like handles open bumped meeting raises sits holds contains last lies stands study studies head heads lead
    leads
    """)

SURE = frozenset(_FORMS) - UNSURE
"""The forms that are surely verbs."""

VERBS = REGULAR | _FORMS
"""Form → what it relates."""
