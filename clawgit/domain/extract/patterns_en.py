"""English: how its sentences open, close and ask to be kept."""

from clawgit.domain.extract.language import Language, tight
from clawgit.domain.extract.patterns_en_acts import ACTS
from clawgit.domain.extract.patterns_en_against import AGAINST
from clawgit.domain.extract.patterns_en_for import FOR, WHEN
from clawgit.domain.extract.patterns_en_frames import FRAMES

_TRIGGERS = tight(r"""(?:(?:please|pls|and|but|also|just|so|always|do|try to) )*(?:notes? to (?:my|our)?self
    |for (?:the future|next time)|(?:remember|note|keep in mind|bear in mind|be aware|know|mind you
    |(?:keep|store|save|log)(?=\s?:)|don'?t let me forget|don'?t forget|never forget|make a note|write (?:(?:this|that
    |it) )?down|save (?:this|that|it)|for the record|for your (?:information|memory)|for (?:later
    |future) reference)(?: (?:this|that|down|for (?:later|next time|the future)))?|notes? to (?:my|our)?self|to remember
    |important(?: note)?|heads[ -]?up|fyi|f\.y\.i\.|psa|reminder|memo|decision|decided|update|correction
    |lesson(?: learn(?:ed|t))?|rule|new rule|house rule|tip|quick note|fact|worth (?:recording|noting|remembering
    |keeping|writing down)|(?:i tell you )?(?:one |another |some |a )?thing (?:that |which )?(?:to|you should|i (?:want
    |need) you to)[ ](?:remember|know|note|keep in mind|have in mind)(?: for (?:the future|later|next time|ever))?
    |note for (?:ever|good|later))(?:\s*[:,–—-]+\s*(?:that )?|\s+(?:that\s+)?(?=\S)|$)""")

_NOT_VERB = (
    r"(?!(?:i|we|you|he|she|it|they|who|is|are|was|were|has|have|had|will|must|can|do|does|did|not|never|always|no)\b)"
    r"[\w'-]+"
)
"""A word that neither shows a verb in a short sentence nor forbids something."""

ENGLISH = Language(
    signs=(*FRAMES, *FOR, *AGAINST, *ACTS),
    taught=True,
    opens=tight(
        r"""^(?:[\s,.:;!–—-]|(?:(?:right|okay|ok|so|now) )?(?:what was i (?:saying|going to say)|where was i
        |what else was there)(?=[\s,.:;!–—-])|(?:let'?s|time to|we (?:need|have) to|i (?:need|want|have) to|here'?s
        |this is|here is|about|regarding|the (?:thing|deal|plan|news|point|situation|short version)|(?:quick|small|short
        |big)[ ](?:update|news))\b[^:.!?]{0,60}:(?=\s+(?:i|we|it'?s|they|he|she|from|always|never)\b)|(?:and|but|so|ok
        |okay|k|hey|hi|also|oh|um|uh|hmm|btw|by the way|anyways?|(?:no,? )?that'?s (?:not right|wrong|not true)(?=,)
        |(?:let'?s|we) do (?:this|it like this)|yes|yeah|yea|yep|ya|actually|basically|honestly|just|please|pls
        |quick one|one more thing|one thing|oh and|long story short|first of all|you know|i mean|while i think of it
        |while i remember|before i forget|i should (?:mention|add|say)(?: that)?|(?:let me|i (?:want|wanted) to) (?:add
        |mention)(?: that)?|while i'm at it|while we're at it|now that you mention it|that reminds me|(?:great )?so uh
        |uh|um|erm|incidentally|wrong again|guess what|one last thing|like i said|as i said|as said|to be clear
        |just so you know|alright|all right|bad news|good news|then)(?=[\s,.:;!–—-])|(?:well|right|good|great|cool|nice
        |fine|perfect|look|listen|first|second|secondly|last|finally|thanks|thx|ah|serious(?:ly)?|no|nope|now|last thing
        |another thing|next)(?=[,.:;!–—-]|\s[–—-]))+"""
    ),
    closes=tight(
        r"""(?<! is)(?<! are)(?<! was)(?:[\s,;–—-]+(?:btw|by the way|lol|haha|pls|please|plz|thanks|thx|ok|okay
        |you know|though|tho|fyi
        |please remember(?: (?:that|this|it))?|remember (?:that|this|it)|(?:please |pls )?keep (?:that|this
        |it) in mind|don'?t forget(?: (?:that|this|it))?|don'?t let me (?:slip|forget)(?: (?:that|this|it))?
        |note (?:that|this|it)(?: down)?|write (?:that|this|it) down|just so you know|for the record|(?:as
        |like i) said|save (?:that|this|it)|that'?s final|no discussion|so no discussion))+[\s.!]*$"""
    ),
    triggers=_TRIGGERS,
    agrees=tight(
        r"""^\W*(?:(?:yes|yeah|yea|yep|yup|ok|okay|sure|perfect|great|good|right|cool|absolutely|definitely|exactly
        |correct|agreed|fine|sounds good|deal|done)\b[\s,.!]*)*(?:yes|yeah|yea|yep|yup|exactly|correct|agreed
        |that'?s (?:right|it|correct)|(?:let'?s )?do (?:that|it|so)|(?:let'?s )?go (?:for it|ahead|with (?:that|it
        |the (?:first|second|last)))|(?:that|the (?:first|second|last)) one|sounds good|deal|absolutely|definitely
        |ok do it|please do|make it so|perfect)\b(?: please| then| that| it| pls| one)*\W*(?=$|[.!,])"""
    ),
    chooses=r"\b(?:that|this) (?:one|title|name)\b|\bgo with (?:that|it|this)\b|\bi(?:'ll)? take (?:that|it|this)\b",
    checks=tight(
        r"""^(?:ok(?:ay)?[\s,.:–-]+)?(?:so|just to (?:be sure|confirm|check|clarify)|to (?:confirm|be sure|recap)
        |you mean|(?:did|do) i (?:get|understand) (?:that|it|this|you)(?: right| correctly)?
        |if i understand(?: you)?(?: right| correctly)?|i understand(?: that)?|that means
        |meaning)\b[\s,:–-]*(?:that )?|[\s,;–-]+(?:(?:is )?that(?:'s)? (?:right|correct)|right|correct|yes)\W*$"""
    ),
    goes_on=tight(
        rf"""^\W*(?:(?:and|but|so) )?(?:(?:not|nor|neither|both|same|(?:the )?old one|the other|only|because|bc|since
        |until|till|without|with|from|instead|signed|paid|took|cost|meets|runs|starts|ends|saves|costs|needs|lasts
        |opens|closes|works|includes|covers|expires|leaves|arrives|pays|also has|he|she|they|his|her|their|doors|price
        |up|down|after that|before that)\b|no \w+(?: \w+)? then\b|\w+ only\b|[$€£]?\d[\d.,:]*[a-z%€]*\b(?! ?\))
        |(?-i:[A-Z][a-z]+), (?=.*\d)|(?:on )?(?:{WHEN}|(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*[ ]
        \d{{1,2}})\b(?!.*\b(?:is|are|we|i)\b))"""
    ),
    leans=tight(
        rf"""^\W*(?:(?:and|but|so|then|please|pls|yes|ok
        |no),? )*(?:only {_NOT_VERB}(?: {_NOT_VERB}){{0,5}}(?:, please)?\W*$|(?:on|at|in|by|from|for) (?!(?:now
        |then)\b){_NOT_VERB}(?: {_NOT_VERB})?(?:(?: {_NOT_VERB}){{0,3}}, {_NOT_VERB}(?: {_NOT_VERB})?)?\W*$
        |(?:[\w']+ ){{1,3}}(?:is|are|was|were|does|did|has|have|will|can)\W*$|(?:everyone|everybody|we all|they all|both
        |all|(?:the )?(?:team|board|family|others))(?: \w+)? (?:agreed|agrees?|voted|know|knows)\b(?! (?:to|that|on))
        |(?:since|until|till) [\w ]{{2,20}}\W*$|(?:found|learned|learnt|tested|proven|checked|confirmed|agreed|done
        |seen)\b(?: (?!that\b|to\b|out\b)\w+){{0,5}}\W*$|(?:\w+ ){{1,4}}then\W*$|(?:each|every)(?: \w+)? (?:gets?|has
        |needs?|takes?) (?:one|some|two|both|the same)\W*$)"""
    ),
    asides=r",? \(?(?:incidentally|by the way|btw|of course|as you know|mind you|obviously|as it happens)\)?,(?= )",
    turns=r"^\W*(?:also|and also|btw|by the way|oh|another|one more|next|plus|separately|new topic|on another)\b",
    passing=tight(
        r"""\b(?:today|tonight|yesterday|last (?:night|week|month|mon|tues|wednes|thurs|fri|satur|sun)\w*
        |this (?:morning|afternoon|evening|week)|again|still|just|already|but it|everyone|everybody|somebody
        |someone)\b|\b(?<!there )(?:was|were|had|did|didn'?t|got|went|came|took|made|ate|lost|won|gave|sat|spent
        |thought|told|said|wrote|left|saw|heard|felt|kept|ran|fell|drove|slept|drank|forgot|found
        |threw|brought|bought|met|sang|fought|called|asked)\b
        |\b(?<!is )(?<!are )(?<!not )(?<!be )(?<!get )(?<!gets )(?<!now )\w{3,}(?<!e)ed\b"""
    ),
    proposes=tight(
        r"""(?:should|shall) (?:i|we)|(?:do you )?want me to|would you like me to|(?:do )?you want (?:me )?to
        |how about (?:we )?|(?:i(?:'d| would)? )?(?:suggest|recommend|propose)(?: that)?(?: we| you| to)?
        |let'?s|we (?:could|should)|you (?:could|should)|then (?:we|i)"""
    ),
    taken="we'll {}",
    concrete=tight(
        r"""\d{2,}|\d[.,:%kKmM°€$£]|[$€£]\s?\d|\b\d+ ?(?:%|percent|am|pm|h|hrs?|hours?|min(?:utes)?|days?|weeks?
        |months?|years?|km|kg|g|ml|l|m|cm|mm|gb|mb|tb|ms|s|x|k|bucks|dollars|euros?|usd|eur|acres?|people|ppl
        |times|units?|seats?|rooms?|kids|percent)\b|\b(?:two|three|four|five|six|seven|eight|nine|ten|eleven
        |twelve|dozen|hundred) [a-z]{3,}|\b[A-Za-z]*\d+[A-Za-z]+\w*\b(?<!st)(?<!nd)(?<!rd)(?<!th)|\S+@\S+|(?:^
        |[\s(])[~.]?/[\w.-]+|\b[\w-]+/[\w./-]+|\b[\w-]+\.(?:[a-z]{2,6})(?::\d+)?\b(?<!etc)|`[^`]+`
        |(?-i:\b[a-z]+[A-Z]\w*)|\b[a-z]+_[a-z_]+\b|\b(?:lockbox|room|box|port|version|v|gate|floor|shelf
        |drawer|step|page|size|unit|apt|bay|slot|line|bus|platform|table|locker|key|code) #?\d
        |(?-i:\b[A-Z]{2,}[\w-]*\b)|[“"「][^”"」]{2,40}[”"」]|\b(?:every|each|first|last|second|third) (?:mon|tues
        |wednes|thurs|fri|satur|sun)days?|\b(?:mon|tues|wednes|thurs|fri|satur|sun)days\b"""
    ),
)
