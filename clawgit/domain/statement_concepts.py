"""Everyday and office words by what they speak of, so that two notes in other words meet: a small thesaurus."""

from functools import lru_cache

from clawgit.domain.statement_words import table
from clawgit.domain.stems import stem

_THINGS = """
    database: database db datastore
    repository: repository repo codebase
    config: config configuration settings setup_file
    document: document doc documentation manual handbook
    environment: environment env
    server: server host node vm machine
    alert: alert alarm page pager notification go_off goes_off going_off
    log: log logfile logging
    password: password passphrase passcode pin credentials
    key: key token
    login: login logins sign-in signin
    issue: issue bug defect
    standup: standup stand-up daily_sync
    meeting: meeting meet appointment session conference
    incident: incident outage
    release: release version launch rollout comes_out come_out goes_live go_live publication
    update: update upgrade patch
    over-the-air: over_the_air ota
    continuous integration: ci build_server pipeline
    memory: memory ram
    device: device gadget
    sensor: sensor probe
    enclosure: enclosure case casing housing
    website: website site webpage homepage
    app: app application
    task: task todo to-do
    chat: chat messenger messaging
    backup: backup back_up backs_up backed_up
    storage: storage disk hard_drive
    folder: folder directory
    phone: phone telephone call ring calling mobile
    email: email e-mail mail
    letter: letter post
    parcel: parcel package shipment shipping ship shipped delivery deliver delivers delivered
    courier: courier carrier
    order: order
    packing: packing packed pack
    customer: customer client shopper
    supplier: supplier vendor wholesaler manufacturer distributor
    goods: goods item product merchandise
    return: return refund
    contract: contract agreement
    invoice: invoice bill billing
    payment: payment pay pays paid settled settle
    price: price pricing cost fee rent charge tariff
    wage: wage salary income pay_rise
    budget: budget spend spending
    loan: loan credit
    grant: grant funding scholarship stipend
    fuel: gas petrol diesel gasoline fuel fill-up refuel refuelling
    insurance: insurance insurer policy
    tax: tax
    permit: permit licence license clearance
    house: house home property flat apartment maisonette bungalow
    office: office headquarter hq
    shop: shop store boutique
    counter: counter till
    lift: lift elevator
    floor: floor storey
    heating: heating heater boiler radiator
    electricity: electricity power_supply
    internet: internet wifi wi-fi broadband
    rubbish: rubbish garbage trash waste
    laundry: laundry washing
    repair: repair fix fixed mend
    lease: lease leasehold tenancy
    tenant: tenant lodger
    counsel: counsel lawyer attorney solicitor represents representing
    opponent: opposing opponent other_side
    court: court tribunal
    school: school lesson class course teaching schooling
    teacher: teacher instructor
    homework: homework assignment
    exam: exam examination quiz
    training: training workshop seminar
    draft: draft manuscript
    article: article blog
    book: book novel
    holiday: holiday vacation
    child: child children kid
    team: team crew
    worker: worker staff employee colleague
    shift: shift watch roster rota
    member: member player
    guest: guest visitor
    doctor: doctor gp physician
    nurse: nurse carer
    medicine: medicine medication drug tablet pill
    dose: dose dosage
    insulin: insulin basal bolus
    vaccination: vaccination vaccine jab shot
    night: night bedtime nightly overnight
    dinner: dinner supper
    lunch: lunch lunchtime
    meal: eat eating meal menu starter dish
    shellfish: shellfish prawn mussel shrimp oyster crab lobster
    nuts: nut peanut almond hazelnut cashew walnut
    dairy: dairy milk cheese yoghurt yogurt butter
    alcohol: alcohol wine beer spirits liquor
    meat: meat beef pork lamb chicken ham sausage bacon
    fish: fish salmon trout tuna cod
    car: car automobile
    van: van truck lorry
    bike: bike bicycle
    train: train rail railway
    flight: flight plane fly flies flying
    hotel: hotel motel lodging
    trip: trip journey travel excursion
    visit: visit
    garden: garden gardening allotment plot
    hose: hose hosepipe
    hive: hive colony
    dog: dog puppy
    cat: cat kitten
    pet: pet
    swim: swim swimming
    football: football soccer
    gym: gym workout
    practice: practice practise rehearsal rehearse
    choir: choir chorus
    band: band orchestra ensemble
    mass: mass worship
    church: church parish chapel
    wedding: wedding marriage
    party: party celebration
    admission: admission entry entrance
    haircut: haircut cut hairdo
    podcast: podcast show episode
    newsletter: newsletter bulletin
    journalist: journalist press media reporter
    photo: photo picture image photograph
    film: video film clip
    report: report
    us: us usa united_states america american
    uk: uk united_kingdom britain british
    germany: germany german
    france: france french
    spain: spain spanish
    italy: italy italian
    brazil: brazil brazilian
    portugal: portugal portuguese
    japan: japan japanese
    china: china chinese
"""
"""What something is called, and what belongs to it so closely that a note names the one for the other."""

_ACTS = """
    start: start begin began begun open opening commence kick_off kicks_off
    end: end finish close closing shut shuts expire expiry open_until open_till served
    arrive: arrive arrival land
    depart: depart departure leave leaves
    install: install installation put_in deploy
    record: record recording
    due: due answer answered reply replies respond response
    hold: hold fit fits seat sleep capacity room_for space_for
    keep: keep kept retain retention store
    work: work
    help: help
    sell: sell sold market marketed
    buy: buy bought purchase
    clean: clean
    take: take taken
    study: study studies learn
    test: test
    build: build develop
    approve: approve approval decide
    teach: teach taught tutor
    care: look_after looks_after looked_after
    merge: merge
    debug: debug
    treat: treat treatment
    change: change replace
    reach: reach contact
    need: need require
    drive: drive
    win: win won
"""
"""What is done, where two verbs or a noun say the same."""

_STATES = """
    paid: paid settled cleared | unpaid outstanding overdue owed
    place: back here returned on_call on-call on_duty at_work | away absent off_sick on_leave on_holiday
    place: in_the_office | paternity_leave maternity_leave parental_leave
    running: enabled on up up_and_running in_service in_operation around_the_clock | disabled off down out drydock
    running: switched_on turned_on | out_of_service switched_off turned_off idle
    open: open opened accepting vacant | shut closed filled taken
    alive: alive living | dead died deceased
    helping: helps effective keep_off keeps_off works | useless ineffective pointless not_enough
    allowed: allowed permitted fine welcome ok okay | forbidden banned prohibited ban bans off_limits refused
    included: included includes | excluded left_out untouched extra
    granted: granted approved signed | pending awaiting negotiated wait waiting
    broken: working fixed repaired works_again works_fine | broken faulty defective out_of_order leaking leaks
    valid: valid active | expired revoked void invalid inactive
    public: public | private secret confidential
    signed: signed | unsigned
    passed: passed | failed
    free: free vacant available | booked reserved occupied unavailable
    confirmed: confirmed definite | unconfirmed cancelled canceled
    safe: safe | unsafe dangerous
    able: works succeeds succeeded stable reliable | fails fail failed crashes unstable unreliable
    credit: within net | up_front in_advance prepaid prepay
    charge: free gratis for_free free_of_charge | pay pays chargeable
    tolerated: tolerates can_take can_eat can_have | allergic intolerant
    sale: for_sale on_the_market | sold
    onsite: in_the_office onsite on_site | from_home remote remotely
    kept: kept keeps | deleted removed erased
    used: in_use used uses | retired revoked decommissioned
"""
"""A state, the words by which a thing is in it, and those by which it is not."""

_OPPOSED = (
    ("start", "end"), ("arrive", "depart"), ("buy", "sell"), ("new", "old"), ("new", "already"), ("new", "existing"),
    ("first", "last"), ("first", "second"), ("upload", "download"), ("minimum", "maximum"), ("summer", "winter"),
    ("day", "night"), ("morning", "night"), ("spring", "autumn"), ("single", "double"), ("adult", "child"),
    ("inside", "outside"), ("indoor", "outdoor"), ("left", "right"), ("upper", "lower"), ("daily", "weekly"),
    ("staging", "production"), ("gros", "net"), ("read", "writ"), ("monday", "sunday"), ("send", "receiv"),
)  # fmt: skip


def _by_concept(rows: str) -> dict[str, str]:
    """Each word as it is written and by its stem."""
    named = table(rows)
    return {stem(word): name for word, name in named.items() if " " not in word} | named


def _by_state(rows: str) -> dict[str, tuple[tuple[str, bool], ...]]:
    found: dict[str, tuple[tuple[str, bool], ...]] = {}
    for row in rows.strip().splitlines():
        name, _, words = row.partition(":")
        for side, told in zip((True, False), words.split("|"), strict=True):
            for word in (one.replace("_", " ") for one in told.split()):
                found[word] = (*found.get(word, ()), (name.strip(), side))
    return found


_CONCEPTS = _by_concept(_ACTS) | _by_concept(_THINGS)
_NAMES = frozenset(table(_THINGS).values())
ACTS = frozenset(table(_ACTS).values()) - _NAMES
"""The concepts that are done, and no things."""

STATES = _by_state(_STATES)
"""Word → of which states, and whether a thing is in them."""

PHRASES = frozenset(one for one in (*table(_ACTS), *table(_THINGS), *STATES) if " " in one)
"""What is said in several words."""

_WIDER = """
    pet: dog cat rabbit hamster
    animal: horse cow pig sheep goat chicken
    food: meat fish dairy nuts shellfish
    vehicle: car van bike
    instrument: piano violin guitar drums flute cello trumpet
    fruit: apple pear banana strawberry cherry grape plum
    vegetable: tomato potato carrot onion cucumber pepper
    drink: coffee tea juice beer wine alcohol
    sport: football swim tennis basketball hockey volleyball
"""
"""What something is one of."""

WIDER = table(_WIDER)

_EXCLUDED = """
    vegan: meat fish dairy egg honey shellfish
    vegetarian: meat fish shellfish
    teetotal: alcohol
    alcohol-free: alcohol
    gluten-free: wheat bread pasta flour
"""
"""What somebody or something does without."""

EXCLUDED = {name.strip(): frozenset(words.split()) for name, _, words in
            (row.partition(":") for row in _EXCLUDED.strip().splitlines())}  # fmt: skip

DENYING = frozenset(("running", "helping", "allowed", "included", "able", "valid", "alive"))
"""The states in which not to be is as good as a not."""

OPPOSED = frozenset(frozenset(map(stem, pair)) for pair in _OPPOSED)


@lru_cache(maxsize=16384)
def concept(word: str) -> str:
    """What a word speaks of: its concept, else its stem."""
    return _CONCEPTS.get(word) or _CONCEPTS.get(root := stem(word), root)


@lru_cache(maxsize=16384)
def is_thing(word: str) -> bool:
    """Whether the word is known as a thing, though it may be a verb, too."""
    return concept(word) in _NAMES and (word in _CONCEPTS or stem(word) in _CONCEPTS)
