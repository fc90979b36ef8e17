"""English as a table: what says that a sentence is not worth keeping, each with its reason."""

from clawgit.domain.extract.language import sign
from clawgit.domain.extract.patterns_en_for import OPEN

AGAINST = (
    sign("asks", -6, r"^\W*(?:is|are|was|were|does|did|am) \w"),
    sign("asks", -8, r"\?[\s\"”')!?]*(?:[\U0001f300-\U0001faff]+\s*)?$"),
    sign(
        "asks",
        -6,
        rf"""{OPEN}(?:(?:is|are|was|were|am|do|does|did|have|has|had|shall|should|may|might) (?:i|you|u|we|they|he
        |she|it|there|the|this|that|my|our|your|any(?:one|body|thing)?|some(?:one|body)?|[A-Z]\w+)\b|(?:can
        |could|will|would) (?:you|u|we|i|they|he|she|it|someone)\b(?! (?:please )?(?:remember|note
        |keep in mind|save (?:this|that)|make a note))|(?:what|who|whom|whose|which|where|why
        |how)(?! (?:\w+ ){{0,2}}(?:work|help|fixed|did the))
        (?! (?:i|we|they|he|she) (?:\w+ ){{1,4}}(?:is|was)\b)\b(?!ever)(?!.*:.*\w)|when (?:is|are|was|were|do
        |does|did|will|can|should|would)\b|any (?:idea|news|chance|thoughts)|wonder(?:ing)?|curious|what about
        |how about)""",
    ),
    sign(
        "asks for something to be done now",
        -6,
        rf"""{OPEN}(?:can you |could you |would you |will you |i need you to |i want you to |go ahead and |go
        [ ]|quickly |just |now )?(?:run|show|print|book|send|check|draft|write|open|make me|make (?:a|an|the) (?!note
        |decision|rule)|create|fix|revert|roll|look|find|search|tell|give|add|update|delete|remove|translate
        |summari[sz]e|explain|list|help|play|call (?!it\b|me\b)|order|cancel|put|read|reply|answer|text|email|message
        |ping|compare|convert|calculate|compute|generate|build|deploy|commit|push (?!it\b|the \w+ to)|pull|merge
        |install|restart|test|try|turn|schedule|forward|schick|do|get|grab|download|upload|copy|paste|rename|sort
        |format|rewrite|shorten|expand|proofread|review|plan (?!is\b|for\b)|suggest|recommend|describe|pick (?:one|a
        |some)|choose (?:one|a|some)|attach|export|import|scan|clean|refactor|lint|debug|trace|analy[sz]e|plot|draw
        |wake|remind|ask|tag|mark|take (?:a|the) look|start|stop(?! \w+ing\b)|pause|set|change (?!of plan)|move
        |keep (?:going|at it|it up)|archive|sum|count|measure|prepare|skip|undo|redo|reset|close|say (?!we\b|i\b|you\b
        |no\b)|mention|include|wait|hold on|leave it|track|log (?!this|that|it)|switch (?:it|the)|double-?check|give
        |spell)\b(?!\s?:)(?! (?:on the \d|is|are|was|has|says|said|will|went|goes|date)\b)(?! (?!if|whether|what|that
        |where|who|when|how|it|this|me|us\b)[\w'-]+ (?:is|are|was|were|has|had|will|starts|runs|goes|needs|costs|takes
        |moved|moves)\b)(?! (?:that|this|it) down)(?!.*\b(?:from now on|always|never|every (?:time|day|week|month|mon
        |tue|wed|thu|fri|sat|sun)|whenever|each (?:time|day|week|month)|going forward|in future|else|otherwise)\b)""",
    ),
    sign(
        "asks for something to be done now",
        -6,
        r"""\bi (?:need|want|'d like|would like)(?: (?:an?|the|some|your|another|you to|to (?:know|see|send|get
        |have|ask))\b)(?!.*\b(?:always|never|every|whenever|from now on)\b)|^(?!\W*(?:no|not|don't|never
        |always|only|use)\b).*\b(?:please|pls|plz|kindly)\b(?! (?:remember|note|keep|don'?t|do not|save|always
        |never)|,? (?:put|block|mark|enter|add it)(?: it| that| this| in)?\W*$)(?!.*\b(?:always|never|whenever)\b)""",
    ),
    sign(
        "is not settled",
        -4,
        rf"""^\W*could\b|(?<!for )\b(?:maybe|perhaps|possibly|probably)\b|\b(?:might|may) (?:be|have|need|also|want
        |go|do|get|try|use|switch|move)\b|\b(?:i|we|you|it|that|they)(?: \w+)? could\b(?! not)|\b(?:i|we|it
        |that|they|he|she)(?:'d| would)\b(?! (?:rather|like|prefer))|\b(?:i|we|i'm|just) (?:wonder|wondering
        |wish|hope|hoping|guess|suppose|think about|feel like|doubt)\b|\b(?:imagine|what if|suppose
        |hypothetically|in theory|ideally|let'?s say|pretend|say we)\b|\b(?:thinking|thought) (?:about|of
        |maybe)\b|\b(?:considering|tempted|toying|playing with)\b|\b(?:not
        |never) (?:really |100% |totally )?(?:sure|certain|decided|settled)\b|\b(?:haven'?t|have not|hasn'?t
        |has not|not) (?:yet |really )?decided\b|\b(?:undecided|unsure|tbd|tba|idk|dunno|who knows|no idea
        |not yet)\b|\b(?:some ?day|one day|eventually|at some point|or something|or so i)\b
        |\b(?:don'?t|do not) know (?:yet|if|whether|when)\b|\bi (?:kinda |sorta )?think\b|\bif (?:we|i|they
        |you|he|she|it) (?:had|were|was|could|would|ever|just|don't|won|get lucky)\b|{OPEN}(?:unless
        |whether)\b""",
    ),
    sign("is not settled", -2, rf"{OPEN}if\b(?!.*\b(?:always|never|then|must|have to|need to)\b)"),
    sign(
        "is what others think",
        -3,
        r"""\b(?:thinks|claims|believes|swears|insists|reckons|suspects|argues|assumes)\b|\b(?:they|people|everyone
        |everybody|others|some|most|many|experts|you) (?:\w+ )?(?:think|claim|believe|swear|insist|reckon|suspect|argue
        |assume)\b|\baccording to\b
        |\b(?:the|an?|our) \w+ (?:says|said) (?:that )?(?:they|he|she|it)\b|\b(?:rumou?rs?|apparently|supposedly
        |allegedly)\b|\b(?:i|we) (?:heard|read)(?: somewhere)?\b|\b(?:article|blog|post|video|tweet|guy|people
        |everyone|reddit|twitter|internet) (?:says?|said|online)\b|\b(?:he|she|they|people|everyone
        |my [\w-]+(?: in law)?) (?:always )?says?\b""",
    ),
    sign(
        "is a joke",
        -2,
        r"\b(?:lo+l|lmao|rofl|jk|just kidding|kidding|joking|jaja+|hehe+)\b|\b(?:ha){2,}h?\b|[😂🤣]|\s/s$",
    ),
    sign(
        "is small talk",
        -3,
        r"""^\W*(?:hi|hey|hello|yo|sup|hiya|thanks?|thank you|thx|ty|cheers|great|good|nice|cool|perfect|awesome
        |ok(?:ay)?|k|sure|yes|yeah|yep|nope?|nah|wow|omg|ugh|oh|hmm+|bye|cya|good ?(?:night|morning|evening
        |afternoon)|morning|evening|night|see you|welcome|sorry|no problem|np|never mind|nvm|love it|lovely
        |exactly|agreed|right|true|sounds good|got it|makes sense|fair enough|done|indeed
        |boring)\b[\s\w',]{0,16}\W*$|\b(?:how are you|what'?s up|what a (?:game|day|week|night|mess)
        |have a (?:good|nice|great)|you'?re (?:the best|welcome|amazing|right)|good (?:luck|job)|well done
        |happy (?:birthday|new year|to)|going to bed|to bed)\b""",
    ),
    sign(
        "is a mood",
        -3,
        r"""\bi(?:'?m| am| feel| was| got)(?: (?:so|very|really|pretty|just|kinda|too|a bit|dead))* (?:tired
        |hungry|bored|exhausted|stressed|annoyed|happy|sad|sick of|excited|angry|mad|sleepy|nervous|worried
        |fed up|glad|frustrated|proud|anxious|lost|confused)\b|\b(?:ugh|argh+|wtf|damn|brutal|insane)\b
        |\b(?:such an? \w+|like crazy|driving me|a nightmare|(?:is|are|was|were) (?:\w+ )?(?:terrible|awful
        |horrible|insane|amazing|great|nice|fun|weird|crazy|cute|ugly|hilarious|annoying|gorgeous|delicious)
        |so (?:annoying|slow|cold|hot|good|bad|cute|funny|boring))\b|\bweather\b|\b(?:it'?s|it is) (?:raining
        |sunny|cold|hot|snowing)\b|(?-i:\bAGAIN\b)""",
    ),
    sign(
        "looks back without saying what",
        -3,
        r"\bremember (?:when|the time|how)\b|\bthose were\b|\bgood old\b|\bchanged(?: again)?\W*$",
    ),
    sign(
        "passes soon",
        -2,
        r"""\b(?:right now|it'?s already|at the moment|brb|one sec|just a (?:sec|minute|moment)|on my way|omw|about to
        |gotta
        |in a (?:bit|minute|sec|moment|hurry)|(?:be|i'?m) back\b|give me a|let me (?:know|see|check|think
        |look)|i'?ll (?:check|look|see|try|think|get back|let you know|be|tell|do it|ask|call|go|read|take)
        |see you|talk (?:later|soon|tomorrow))\b|\bi'?m (?:in|at|on) (?:a|the) (?:meeting|call|train|bus|plane
        |phone|airport|doctor'?s?|gym|shop|store)\b|\b(?:running|working) late\b|\bi have \d+ \w+ (?:open|left
        |to go)\b|\bi'?m (?:looking|reading|writing|debugging|testing|waiting|trying|working)\b""",
    ),
    sign(
        "is a profile, which is kept elsewhere",
        -3,
        r"""^\W*(?:(?:and|also|btw|so|my|our|the) ){0,2}(?-i:(?:[A-Z][a-z]+(?: [A-Z][a-z]+)?)|she|he|She|He
        |(?:[Mm]y|[Oo]ur) (?:(?:new|old|younger|older|little|big) )?(?:wife|husband|sister|brother|mom|mum|dad
        |mother|father|son|daughter|boss|colleague|friend|neighbou?r|cousin|aunt|uncle|partner|girlfriend
        |boyfriend|roommate|coworker|manager|client)s?)(?:(?:'s|,? (?:is|was))(?: (?:now
        |also))?(?= (?:an? |the |my |our |\d|from\b|married|in (?:her|his)|very|really|so\b|into|originally
        |originaly|[a-z]+(?:er|ist|or|ian|ant)\b))| (?:works (?:at|for|as|in)|lives (?:in|at|with)|studies
        |studied|comes from|grew up|speaks|plays the|has (?:two|three|four|a|\d|an?) (?:kids?|dogs?|cats?
        |child|children|son|daughter|sisters?|brothers?)|loves|likes|hates))""",
    ),
    sign(
        "is trouble of the moment",
        -2,
        r"""\b(?:nothing works|(?:does|is|do|did)n'?t work(?:ing)?|not working|(?:is|are|'s) (?:broken|down|stuck
        |failing|useless|wrong|slow)|keeps? (?:crashing|failing)|ran out)\b|\b(?:is|are|am|'m|'s
        |be) (?:[\w']+ ){0,4}late\b|\b(?:is|are) (?:making|acting|doing) (?:that|this|a|weird|the|up)\b""",
    ),
    sign(
        "only refers",
        -2,
        r"""\b(?!about|but|at\b|and\b|not\b)\w+(?:ed|d|t) (?:that|it|this)\b(?= (?:in|on|at|last|yesterday|already
        |before|again|since)\b|\W*$)""",
    ),
    sign(
        "only refers",
        -2,
        rf"""^\W*(?:this|that|these|those) (?:\w+ )?(?:looks?|seems?|sounds?|feels?)\b|{OPEN}(?:that|this|these
        |those)(?:'s| is| was| are| were| one| looks| sounds| works| will| makes| would| should)\b""",
    ),
    sign("only refers", -1, rf"{OPEN}(?:he|she|they)(?:['’]\w+)? \w"),
    sign(
        "passes soon",
        -1,
        r"\b(?:is|are|was|were|'s) (?!going|coming|moving|closing|opening|leaving|starting)\w{2,}ing\b",
    ),
    sign(
        "is a detail",
        -2,
        r"""\b(?:is|are|was|were|took|takes) (?:only |about |just )?[\w.]+ (?:seconds?|minutes?|hours?
        |pages?)(?: long)?\W*$""",
    ),
    sign("asks", -3, r"\b(?:see|know|check|find out|remember|tell me) (?:what|if|whether|how|when|who|why|where)\b"),
    sign(
        "is what others think",
        -2,
        r"\b(?:he|she|they|somebody|someone) told (?:me|us) (?:that |about )?(?:his|her|their|he|she|they)\b",
    ),
    sign(
        "only refers",
        -1,
        r"""\b(?:do|drop|keep|use|take|change|remove|cancel|fix|make|leave|try|send|have|need|want|like|know)
        (?: )(?:it|that|this|them)\b""",
    ),
    sign(
        "tells of the day",
        -2,
        rf"""{OPEN}(?:(?:some|every)(?:one|body)|people|(?:they|he|she) (?:always|never))\b(?! (?:must|may|has|have
        |can|needs?|gets?|brings?|pays?|agreed|uses?|should|is|are)\b)|\b\d+ min(?:utes)? late\b
        |,? (?<!but )(?<!and )i'?m (?!away|out\b|in\b|on\b|off\b|back\b|going\b|allergic|not\b|free\b)\w+\W*$
        |\bkill(?:ed|ing|s)? (?:me|us)\b|^\W*(?:only )?took\b|\bmark my words|\bgreat for\b|\b(?:laptop|phone
        |battery) (?:is|was|'s) (?:at|dead|empty)\b|\bfacepalm|thx to|thanks to the""",
    ),
    sign(
        "is what others think",
        -3,
        r"""^\W*(?:he|she|they|someone|(?-i:(?!The|My|Our|We|You|Doctor|Dr|Vet|Email|Council|Bank|School)[A-Z][a-z]+)
        |my(?:boss|friend|brother|sister|cousin|neighbou?r|colleague)) (?:says|said|thinks|thought|told (?:me|us)
        |tells|keeps saying|swears|wishes)\b(?! (?:yes|no|ok)\b)|\bi told (?:him|her|them|my|the)\b
        |\bfrom what i (?:hear|know|read)\b|\btypical\b|\bas usual\b|\bgod help\b|^\W*whoever\b|\bnobody \w+ed (?:any|me
        |us|it|the)\w*\b""",
    ),
    sign(
        "asks for something to be done now",
        -6,
        r"""^\W*(?:translate|write|rephrase|summari[sz]e|proofread|reply|answer|say|post|send|email|text|draft)\s?:
        |^\W*(?:please |pls )?(?:add|put|write|insert|include|mention|tell|remind) (?:a |an |the |her\b|him\b|them\b
        |to |["“]).{0,40}\b(?:that|into|in the|to the|saying|says)\b|\b(?:is that (?:right|true|ok)|isn'?t it|or not
        |or what)\W*$""",
    ),
    sign(
        "passes soon",
        -3,
        r"""\blet'?s (?:move on|go on|continue|get back)\b|\band see\W*$|\bi(?:'m| am) going to .{3,40} now\W*$
        |\b(?:one |some |two|three )?of these\b|\bin (?:an?|one|two|three|four|half an?|\d+) (?:hours?|minutes?)\b
        |\b(?:worst|best) .{2,30} ever\b|\bturn(?:s|ed) out i (?:was|had)\b""",
    ),
    sign("passes soon", -2, r"\bfor now\b"),
    sign(
        "announces something",
        -3,
        r"\b(?:two|three|four|some|few|couple of) (?:small |quick |more )?(?:things|notes|points|news)\b",
    ),
    sign(
        "is about what is at hand",
        -3,
        r"""\byour (?:\w+ )?(?:message|answer|reply|version|draft|summary|estimate|text|link|list|suggestion|idea|table
        |mail|response|last|first|second|previous|plan|question|wording)s?\b|\byou (?:just |already )?(?:wrote|sent
        |gave|attached|made|linked|missed|suggested|proposed|say|showed|used|added|changed)\b|\b(?:the|this|that)[ ]
        (?:first|second|third|last|old) (?:paragraph|line|heading|sentence|column|slide|draft|version|page|chart|bullet
        |word|example|picture|chapter|answer)\b|\bthis (?:table|log|page|draft|version|chart|text|line|song|file
        |sentence|code|function|error|picture|book|movie|show|paragraph|answer|hotel|place|chair)\b|\b(?:the|that)[ ]
        (?:photo|link|file|picture|text|table|answer|numbers?) (?:in|you|from) (?:your|column|the)\b""",
    ),
    sign(
        "is a mood",
        -2,
        r"""\b(?:pretty (?:good|bad|nice|cool|sure|great)|way too|too (?:many|much|long|salty|loud|late|slow)
        |a bit (?!of)|(?:sounds?|smells?|tastes?|feels?|hurts?|reads like)\b|is a joke|a record\b|nearly\b
        |almost (?!all|every|always|never|\d)|of course|absolutely not|(?:took|takes) forever|i swear|can(?:'?t
        | you) believe|unreal|embarrassing|gets? (?:really |much )?(?:better|worse|good)\b|totally|what an? \w+\W*$
        |no chance|so weird|disaster|(?:looks?|felt|feels?) like\b|nothing adds up|nobody (?:came|cares)|wish me luck
        |, sure\W*$|(?:am|'m) sure\b|never again|somewhere in|whatever (?:that|it)|(?:is|am|'m|are) (?:toast|soup
        |starving|dead|ugly)\b|shall need|so proud|of nothing|(?:lo+l|(?:ha){2,})\W*$|heart attack|so much\b|regret
        |my (?:back|feet|foot|legs?|head|neck|arms?|eyes) (?:is|are|hurts?)\b|record\W*$|(?:really|super) good)""",
    ),
    sign(
        "passes soon",
        -2,
        r"""\b(?:is|are|was|were|'s|'re) (?:delayed|running|slow|asleep|sick|out of order|on the phone|upstairs|late
        |here|hungry|stuck|fighting|doing)\b|\b(?:i(?:'ve| have)? got|i have) (?:\d+|five|ten|twenty
        |half an?) (?:\w+ )?(?:minutes?|min|hours?)\b|\bin (?:half an?|\d+|five|ten|an?) (?:minutes?|hour)\b|\bi(?:'m
        | am) (?:on|at|in) (?:my|the|page|chapter|a)\b|\bunread\b|\bone option\b|\bcould always\b|\bwe'd \w+|\bi(?:'d
        | would) \w+""",
    ),
    sign("addresses the agent", -2, rf"{OPEN}(?:you|u|you'?re|your)\b(?! (?:need|have|must|can(?:not|'t)))"),
)
