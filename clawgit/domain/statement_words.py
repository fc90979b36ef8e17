"""What English words do in a statement: what they name and measure, and the kinds whose members exclude each other."""


def word_set(text: str) -> frozenset[str]:
    """The words of a text between its blanks."""
    return frozenset(text.split())


def table(rows: str) -> dict[str, str]:
    """`name: word word` a line → word to name."""
    found: dict[str, str] = {}
    for row in rows.strip().splitlines():
        name, _, words = row.partition(":")
        found |= {word.replace("_", " "): name.strip() for word in words.split()}
    return found


LIGHT = frozenset(("eat", "be", "become", "have", "use", "take", "happen", "cost", "work", ""))
"""These say little of themselves: with a number behind them they mean the same."""

LISTING = frozenset(
    (
        "have",
        "like",
        "hate",
        "know",
        "eat",
        "support",
        "forbid",
        "send",
        "meet",
        "take",
        "work",
        "lead",
        "sing",
        "play",
        "practise",
        "teach",
        "sell",
        "make",
        "cook",
        "bake",
        "grow",
        "visit",
        "read",
        "swim",
        "follow",
        "offer",
        "show",
        "cover",
    )
)
"""What can be true of several things at once."""

FUNCTIONAL = frozenset(("live", "store", "choose"))
"""What is true of one thing at a time, whatever it is."""

ROLES = word_set("""
    answer arrange audit book captain cater chair clean collect conduct cook coordinate cost cut design direct
    discover do drive drop edit feed film found host invent iron keep lock mark moderate narrate open organise
    own paint pick plan present prune publish record referee repair represent run send sign store supervise
    teach train transcribe translate tune umpire walk wash water win write
    """)
"""What is done to one certain thing by one person at a time."""

UNIQUE = word_set("""
    emigrat immigrat born died die found marri graduat launch sign retir join hir establish complet arriv finish
    clos releas mov purchas bought acquir inherit register submitt publish release open close start move end begin built
    """)
"""Stems of what happens to the same thing only once."""

STATES = word_set("us test support connect relate require know known need lov lik sponsor attend visit recommend invit")
"""Participles behind `is` that can be said of several things at once."""

PLACE = word_set("for from with in at under behind near inside below above beside next")
PREPOSITIONS = word_set("""
    in on at of for to with by from into onto via through under over behind near inside below above beside per during
    within after before until till since as about against between among without towards than when whenever if unless
    while except where upon next
    """)

PLANS = word_set("""
    might could maybe perhaps possibly should would wants want wish wishes hope hopes considering consider thinking
    think propose proposes proposed suggests suggest suggested discussing discussed evaluating trying tries tried if
    probably likely whether claims claimed says said asked asks idea option alternatively wondering
    """)
FUTURE = word_set("will plan plans planned planning intends intend going scheduled expects expected aims must")
PAST = word_set("was were had did formerly previously once earlier originally ago")
NOT = word_set("not never no none nobody nothing neither nor without hardly")

STOP = word_set("""
    yet ever may a an the this that these those there here it its he she they them his her their i me my mine we us
    our ours you your yours one who which what operator user and or but so then too also just only really
    actually currently now
    still always usually generally normally typically often sometimes officially already exactly each every all both
    any some very quite more most please be been being do does did done has have had is are was were am will would
    can should shall must let lets get gets got new own again back directly set ok via per as well fully completely
    strictly entirely dr mr mrs ms prof about plan up out
    total overall day's since because
    """)

GENERIC = word_set("""
    service server system app application database db instance machine box cluster environment env tool project team
    company house home each-minute each-hour each-day each-night each-week each-month each-year each-season
    url link domain endpoint setup stack site host number address value
    """)
"""A subject may be named with or without these."""

ATTRIBUTES = word_set("""
    name email mail phone address port deadline budget price owner lead manager boss ceo cto birthday anniversary
    favourite favorite default primary main timezone zone language database editor color colour cost fee rent salary
    version host hostname url link domain branch region office headquarter hq limit timeout size plan tier provider
    framework license licence landlord dentist doctor vet lawyer accountant bank insurer insurance gym school password
    interval frequency quota runway capital maintainer author supplier vendor contractor caterer venue location place
    theme font style format tool shell os carrier airline hotel gate room seat floor registry repository endpoint ip
    model brand dose dosage medication allergy goal target rate commission status state level priority role title
    nickname pronoun spouse partner mother father teacher coach tutor mentor contact
    assignee reviewer winner captain topic subject day date time start end hour currency unit encoding schedule
    mascot logo motto slogan chair chairman chairwoman
    """)
"""Of these a thing has one."""

ASPECTS = table(
    """
    limit: limit cap maximum max quota support
    least: minimum min
    keep: retention store
    hold: capacity hold seat space
    price: price cost fee charge rent renew
    start: start beginning kickoff opening happen send deploy
    end: end expire expiry expiration deadline
    age: age
    dose: dose dosage
    size: size wear
    tempo: tempo speed pace
    height: height tall high
    width: width wide
    depth: depth deep
    weight: weight weigh heavy
    duration: duration length long term period
    pay: salary wage income earn
    count: count
    area: area surface measure
    voltage: voltage
    interest: rate
    """
)
"""Nouns and relations by what of a thing they give a measure of."""

SILENT = word_set("age dose size tempo height width depth weight area duration count voltage start price interest")
"""What need not be named beside a measure."""

COUNTED_BEFORE = word_set(
    "port dayofmonth room floor gate seat chapter apartment flat platform track line bus terminal exit size"
)
"""Nouns that stand before their number, and are what it says."""

_KINDS = """
    sql: postgres postgresql mysql mariadb sqlite oracle mssql cockroachdb
    cache: redis memcached valkey
    search: elasticsearch opensearch meilisearch solr typesense
    ci: jenkins github_actions gitlab_ci circleci travis buildkite drone
    cloud: aws gcp azure hetzner digitalocean heroku linode vultr ovh fly vercel netlify render scaleway
    node packages: npm yarn pnpm bun
    python packages: pip poetry uv pipenv conda
    editor: vim neovim emacs vscode sublime intellij pycharm nano helix cursor
    language: python ruby java kotlin rust go golang typescript javascript php scala elixir swift perl
    engine: unity unreal godot
    web: django flask fastapi rails laravel express nextjs react vue svelte angular
    queue: kafka rabbitmq sqs nats
    chat: slack discord teams telegram whatsapp signal mattermost
    tracker: jira linear asana trello youtrack
    vcs: git svn mercurial
    os: linux windows macos ubuntu debian fedora arch
    design: figma sketch photoshop
    indent: tabs tab spaces space
    brew: tea coffee
    theme: dark light
    size: small medium large big tiny huge
    length: short long detailed brief concise verbose terse
    colour: red green blue yellow black white orange purple brown grey gray pink beige
    diet: meat vegan vegetarian omnivore pescatarian
    turn: morning afternoon evening night nights noon
    shift: days night
    seat: aisle window
    state: pending done open closed cancelled canceled finished paid unpaid approved rejected shipped delivered blocked
    state: paused failed passed merged draft published active inactive archived accepted declined completed ongoing
    switch: on off
    enabled: enabled disabled
    manual: manual automatic manually automatically automated
    access: public private
    truth: true false
    presence: online virtual remote onsite hybrid office-based
    marital: single married divorced engaged widowed
    work: employed unemployed retired
    stock: available unavailable sold
    lock: locked unlocked
    required: mandatory optional required
    sync: synchronous asynchronous
    allow: blocked allowed forbidden prohibited banned permitted
    temperature: hot cold warm
    rank: first second third
    speed: fast slow
    price: free paid
    repair: broken repaired working fixed out-of-use
    using: in-use out-of-use
    hand: left right left-handed right-handed
    week: weekdays weekends weekday weekend
    alive: alive dead
    smoke: smoker non-smoker
    fuel: electric diesel petrol gasoline hybrid
    cup: regular decaf
    compass: north south east west
    tense: safe unsafe
    age: old young
    truthy: correct incorrect wrong valid invalid
    money: cash card
    term: fixed variable
    own: rented owned
    contest: win lose
    lateness: early late
    difficulty: easy hard difficult
    height: high low
    sound: loud quiet silent
    moisture: wet dry
    filling: full empty
    cleanness: clean dirty
    thickness: thick thin
    width: wide narrow
    strength: strong weak
    price level: cheap expensive
    form: formal informal
    doors: indoor outdoor indoors outdoors inside outside
    storey: upstairs downstairs
    hours: full-time part-time
    duration: permanent temporary
    direction: vertical horizontal
    technique: analog digital
    freshness: fresh frozen
    trip: return one-way round-trip
    result: positive negative
    sight: visible hidden
    file: pdf word docx excel csv json xml yaml markdown html latex
    vehicle: train bus plane car bike bicycle tram ferry taxi foot
    tongue: german english french spanish italian portuguese dutch polish chinese japanese korean
    material: wood wooden steel aluminium plastic glass concrete oak pine copper brass leather
    carrier: dhl dpd ups fedex gls hermes
    delivery: email post letter fax sms
    leave: vacation sick
    lean: pro contra
    taste: sweet savoury sour bitter salty
    exam: pass fail
    breed: labrador beagle poodle dachshund terrier collie retriever spaniel shepherd husky corgi dalmatian boxer pug
    breed: rottweiler schnauzer chihuahua whippet greyhound siamese persian ragdoll tabby bengal maine_coon
    animal: dog cat rabbit hamster parrot horse pony tortoise
    job: carpenter electrician plumber nurse teacher lawyer doctor accountant architect dentist engineer designer baker
    job: butcher chef waiter pilot journalist librarian pharmacist physiotherapist midwife surgeon mechanic roofer
    job: gardener hairdresser paramedic firefighter translator optician vet notary welder bricklayer economist
    position: goalkeeper goalie striker defender midfielder winger libero setter quarterback
    voice: soprano mezzo alto tenor baritone bass
    kin: brother sister cousin uncle aunt nephew niece grandfather grandmother grandson granddaughter
    sex: boy girl male female man woman
    bundler: vite webpack rollup parcel esbuild turbopack
    linter: ruff flake8 pylint eslint biome oxlint
    formatter: black yapf prettier
    api: rest graphql grpc soap
    signin: oauth saml ldap passkeys
    infra: terraform pulumi cloudformation ansible
    payments: stripe paypal adyen mollie klarna
    proxy: nginx apache caddy traefik haproxy
    runtime: deno nodejs bun
    key: uuid ulid integer
    zone: utc local-time gmt cet est pst
    letters: camelcase snake_case kebab-case
    currency: dollar euro franc pound yen
    portion: half whole
    edge: beginning start end
    season: spring summer autumn winter
    heating: gas oil pellet heat-pump district-heating
    belief: catholic protestant muslim buddhist jewish hindu atheist
    shape: round square oval rectangular
    milk: oat soy almond cow
    contract: freelance salaried self-employed
    print: hardcover paperback ebook audiobook
    stage: alpha beta stable
    """


def _kinds() -> dict[str, frozenset[str]]:
    found: dict[str, set[str]] = {}
    for row in _KINDS.strip().splitlines():
        name, _, words = row.partition(":")
        for word in words.split():
            found.setdefault(word.replace("_", " "), set()).add(name.strip())
    return {word: frozenset(names) for word, names in found.items()}


OPPOSITES = word_set("""
    using repair theme size length state switch enabled manual access truth presence lock required sync allow speed
    alive tense truthy shift often price own money hand contest exam
    lateness difficulty height sound moisture filling cleanness thickness width strength form doors storey hours
    duration direction result sight
    """)
"""The kinds whose members are opposites, and no names."""

KINDS = _kinds()
"""Word → the kinds of which it is one: of two things of one kind, only one can be meant."""

OVER = word_set("cancelled dropped scrapped dead discontinued abolished")
"""What takes place no more."""

SAME = {
    "postgresql": "postgres", "golang": "go", "grey": "gray", "favorite": "favourite", "color": "colour",
    "canceled": "cancelled", "prohibited": "forbidden", "banned": "forbidden", "permitted": "allowed", "big": "large",
    "detailed": "long", "verbose": "long", "brief": "short", "concise": "short", "terse": "short", "tab": "tabs",
    "space": "spaces", "manually": "manual", "automatically": "automatic", "automated": "automatic", "finished": "done",
    "completed": "done", "night": "night", "nights": "night", "headquarter": "office", "hq": "office", "db": "database",
    "application": "app", "environment": "env", "licence": "license", "mail": "email", "employee": "people",
    "employees": "people", "staff": "people", "persons": "people", "husband": "spouse", "wife": "spouse",
    "wrong": "incorrect",
    "neovim": "vim", "petrol": "gasoline", "mandatory": "required", "backup": "backup",
    "k8s": "kubernetes", "declined": "rejected", "accepted": "approved", "repo": "repository", "meetings": "meeting",
}  # fmt: skip
"""Words that say the same."""
