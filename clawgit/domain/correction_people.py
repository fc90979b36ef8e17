"""Whether a name is somebody's: by a title, by a given name that many bear, or by the verb that only people do."""

import re


def is_person(name: str) -> bool:
    """Whether a name is certainly a person's. A rare name without a title is not known to be one."""
    words = name.strip(" .,!?").split()
    if not words or len(words) > _MOST:
        return False
    return _TITLE.fullmatch(words[0]) is not None or words[0].casefold().removesuffix("'s") in _GIVEN


def is_charge(verb: str) -> bool:
    """Whether a verb says who is in charge of a thing, so that its subject changes as often as its object."""
    return _CHARGE.search(verb) is not None


_MOST = 3
_TITLE = re.compile(
    r"(?:mr|mrs|ms|miss|dr|prof|professor|doctor|madame|monsieur|herr|frau|se[nñ]or[a]?|sir|uncle|aunt|auntie|aunty"
    r"|cousin|nurse|coach|father|sister|brother)\.?",
    re.IGNORECASE,
)
_CHARGE = re.compile(
    r"\b(?:leads?|led|owns?|owned|handles?|handled|manages?|managed|runs?|ran|pays?|paid|teaches|taught|heads|coaches"
    r"|organi[sz]es|edits|hosts?|covers?|reviews?|maintains?|chairs?|translates|approves?|supervises?|directs?)\b",
    re.IGNORECASE,
)
_NAMES = (
    "aaron abdul adam adele adrian agata agnes ahmed aisha akira alan albert alejandro alessandro alex alexander"
    " alexandra alice alicia alina amanda amara amelia amina aminata amir amy ana andre andrea andreas andrew"
    " andrey angela anil anita anja anjali ann anna anne annika antoine anton antonio arjun arthur arun astrid"
    " ayse barbara bastian beatrice beatriz ben benjamin bernard beth bilal bjorn bob boris brian bruno budi"
    " camila camille carl carla carlos carmen carol caroline catherine cecilia celine charles charlotte chen chidi"
    " chloe chris christian christina christine claire clara claudia clement colin daan dan dana daniel daniela"
    " david deepa dennis dewi diana diego dieter dmitri dominik donna dora doris dorothy duarte ed eddie eduardo"
    " edward elena eli elias elif elisa elizabeth ella ellen elsa emil emily emma emre enrique eric erik erika"
    " esther eva evelyn ewa farah fatima fatou felix femke fernando fiona florian frank fred frederik freya"
    " gabriel george gerald gita giulia goran grace greg greta guido gustav gustavo halima hamza hana hannah hans"
    " harald harry haruka hassan heidi heike heinz helen helena henrik henry hiroshi howard hugo ibrahim ida igor"
    " imran ines inga ingrid irene iris isabel isla ivan ivana jack jacob jakob james jan jana jane janet jannik"
    " jasmine javier jean jelena jens jessica jill jim jing jiri jisoo joan joao joe joel johan johanna john jonas"
    " jonathan joost jorge jose josef joseph joshua juan judith julia julian julie jun jurgen jutta karen karin"
    " karl kasia kate katharina kathy katrin kavya keith kelly ken kenji kevin khalid kirsten klaus kofi krzysztof"
    " kumar kwame lakshmi lara larry lars laura laurent lea leif leila lena leo leon leyla lina linda linh lisa"
    " liu liz lorenzo lotte louis louise luca lucas lucia lucy luis luisa luka lukas mads magda mamadou manuel"
    " marc marco marcus marek margaret margot maria marie marina mario marion marta martin mary mateo mathieu matt"
    " matthew max maya meera mehdi mehmet mei mia michael michelle miguel mike mikhail mila milan milo min mina"
    " minho mohamed mohammed monica moussa nadia nancy naoki naomi natalia natasha nathan neha neil ngozi nick"
    " nicolas nicole nikhil nils nina noah nora olaf oleg olga oliver olivia olivier omar oscar otto pablo pamela"
    " parisa pat patricia patrick paul paula pavel pedro peter petra philip pia pierre piotr priya putri rachel"
    " rafael ragnar rahul raj ralf ramesh ravi rebecca renata reza ricardo richard rita robert roberto roland"
    " roman rosa rosie rui ruth ryan sabine sam samuel sander sandra sanjay sara sarah scott sean sergio sharon"
    " shirin signe silvia simon sofia somchai sonia sophie stefan stefanie stella stephen steve stuart sue sunil"
    " suresh susan sven svenja svetlana tanja tanya tara ted teresa tess tessa theo thiago thomas thuy tim tina"
    " tobias tom tomas tomasz tony tunde ulrike ursula uta uwe valentina vanessa vera veronica victor victoria"
    " vijay viktor vincent walter wei wendy werner wiebke will william wojciech wolfgang xavier yara yasmin ying"
    " yuki yusuf zainab zara zoe zoran"
)
"""Given names that many people bear, in many countries; none that is as often a thing's."""

_GIVEN = frozenset(_NAMES.split())
