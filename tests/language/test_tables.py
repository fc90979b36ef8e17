"""What each reader makes of sentences in every language: classes of faults, a row each."""

from datetime import UTC, datetime

from clawgit.language.clauses import core, is_negated, is_small_talk, needs_speaker, sentences
from clawgit.language.days import bracket
from clawgit.language.lexicon import content_words
from clawgit.talk.rules.passages import names_address
from tests.each import for_each

WRAPPED = "a line that goes on and on, for it is wrapped at its eightieth character or\nso here."
SAID = datetime(2026, 11, 18, 10, tzinfo=UTC)  # a Wednesday


@for_each(
    "text",
    [
        "my wife's birthday is March 3", "i switched to Actions", "I'm in Malmö", "so do I.",
        "when I moved, it rained", "the type I have is smaller", "Yesterday I left",
        "**I** live here", "(I think so)", "can you check?", "It was me", "ours is red",
        "ich habe einen Hund", "mein Hund heißt Rex", "Das ist unsere Adresse",
        "Kommen Sie morgen?", "tengo un perro", "nuestro perro se llama Rex",
        "cambiamos de oficina", "Compré un coche nuevo de segunda mano",
        "meu cachorro se chama Rex", "Comprei um carro novo", "você prefere chá",
        "mon chien s'appelle Rex", "j’ai un chien", "tu préfères le thé", "我搬家了", "您的地址不对", "私の犬",
        "妻の誕生日は三月です", "저는 서울에 살아요", "우리 회사는 서울에 있다", "i think it is fine",
        "and then i moved to Lund", "honestly i think the van is red",
    ],
)  # fmt: skip
def test_needs_its_speaker(text: str) -> None:
    assert needs_speaker(text)


@for_each(
    "text",
    [
        "iPhone 15", "`my_var` is set", "i18n is done", "Der Zug kommt um neun",
        "El perro se llama Rex",
        "O cachorro se chama Rex", "os servidores estão nos armários do escritório",
        "El mes de mayo fue frío, y la oficina cerró", "Le chien s'appelle Rex",
        "会议在周三", "会議は水曜日です", "회의는 수요일이다", "the café is shut",
    ],
)  # fmt: skip
def test_needs_no_speaker(text: str) -> None:
    assert not needs_speaker(text)


@for_each(
    "text, behind",
    [
        ("closed tomorrow", "(2026-11-19)"), ("it broke yesterday", "(2026-11-17)"),
        ("the day after tomorrow", "(2026-11-20)"),
        ("we fly this Sunday", "(2026-11-22)"), ("it rained last Friday", "(2026-11-13)"),
        ("we will meet on Friday", "(said 2026-11-18)"),
        ("it was shut on Monday", "(said 2026-11-18)"), ("due in 3 days", "(2026-11-21)"),
        ("started two days ago", "(2026-11-16)"),
        ("it'll land on Friday", "(said 2026-11-18)"),
        ("übermorgen frei", "(2026-11-20)"), ("vor zwei Tagen umgezogen", "(2026-11-16)"),
        ("kommenden Sonntag zu", "(2026-11-22)"),
        ("ayer cerró", "(2026-11-17)"), ("pasado mañana", "(2026-11-20)"), ("明天开会", "(2026-11-19)"),
        ("三天前搬家", "(2026-11-15)"),
        ("ontem fechou", "(2026-11-17)"), ("depois de amanhã fecha", "(2026-11-20)"),
        ("há 3 dias mudou", "(2026-11-15)"), ("daqui a 2 dias muda", "(2026-11-20)"),
        ("a reunião foi na segunda-feira", "(said 2026-11-18)"), ("sexta passada choveu", "(2026-11-13)"),
        ("hier le magasin était fermé", "(2026-11-17)"), ("avant-hier", "(2026-11-16)"),
        ("il y a deux jours", "(2026-11-16)"), ("samedi dernier", "(2026-11-14)"),
        ("on se voit ce dimanche", "(2026-11-22)"),
        ("明後日は休み", "(2026-11-20)"), ("내일 회의", "(2026-11-19)"), ("어제 갔다", "(2026-11-17)"),
        ("next week", "(said 2026-11-18)"), ("next Friday", "(said 2026-11-18)"),
        ("on Friday", "(said 2026-11-18)"),
        ("soon", "(said 2026-11-18)"),
            ("in two weeks", "(said 2026-11-18)"),
        ("the rent is due in 3 days", "(2026-11-21)"),
        ("Der Umzug ist in drei Tagen", "(2026-11-21)"),
        ("la boda es en tres días", "(2026-11-21)"), ("on part dans deux jours", "(2026-11-20)"),
        ("last month", "(said 2026-11-18)"), ("this Wednesday", "(said 2026-11-18)"),
        ("from today to tomorrow", "(said 2026-11-18)"),
        ("moved from 2026-01-02 to tomorrow", "(said 2026-11-18)"),
        ("her birthday is tomorrow", "(2026-11-19)"),
        ("nächste Woche", "(said 2026-11-18)"), ("la semana que viene", "(said 2026-11-18)"),
        ("la semana pasada", "(said 2026-11-18)"), ("semana passada", "(said 2026-11-18)"),
        ("la semaine dernière", "(said 2026-11-18)"), ("le mois prochain", "(said 2026-11-18)"),
        ("下周", "(said 2026-11-18)"),
        ("来週", "(said 2026-11-18)"), ("다음 주", "(said 2026-11-18)"),
        ("my wife's birthday is March 3", ""), ("born on 3 May 1990", ""),
            ("every Monday at 9", ""),
        ("Mondays at 9", ""),
        ("rent is due the 15th of each month", ""), ("standup is daily at 9", ""),
            ("released on 2026-11-18", ""),
        ("am 3. März 2026", ""), ("jeden Montag", ""), ("los lunes cerrado", ""),
        ("aos domingos fechado", ""), ("toda segunda às 9h", ""), ("le lundi fermé", ""),
        ("chaque mardi à 9h", ""), ("em 3 de maio de 2026", ""), ("le 1er mai 2026", ""),
        ("Ich sitze hier und warte", ""), ("un coche de segunda mano", ""), ("每周一开会", ""),
        ("生日是3月3日", ""),
        ("毎週月曜日に会議", ""), ("매주 월요일 회의", ""), ("he may march on", ""), ("the sun sat low", ""),
        ("a weekly call on Thursday", ""),
        ("in 3 minutes", ""), ("the 2nd of May", ""),
    ],
)  # fmt: skip
def test_what_stands_behind_a_day(text: str, behind: str) -> None:
    assert bracket(text, SAID) == behind


@for_each(
    "text, inner",
    [
        ("Remember that the van is red unless it is Lars's", "the van is red unless it is Lars's"),
        ("Please remember that the van is red", "the van is red"),
            ("FYI, the van is red", "the van is red"),
        ("- **The van is red**", "The van is red"),
            ("> Hey Claw, the van is red", "the van is red"),
        ("Don't forget that the van is red", "the van is red"),
        ("Don't forget-me-nots grow", "Don't forget-me-nots grow"),
        ("Don't forget to feed Rex", "Don't forget to feed Rex"),
        ("Never forget that it is red", "Never forget that it is red"),
        ("Remember that time in Rome", "Remember that time in Rome"),
        ("Remember to feed Rex", "Remember to feed Rex"),
        ("Anna says remember that it is red", "Anna says remember that it is red"),
        ("Maybe, the van is red", "Maybe, the van is red"), ("No, it is red", "No, it is red"),
        ("If it rains, FYI, it is shut", "If it rains, FYI, it is shut"),
        ("- [ ] 1. Note: the van is red", "the van is red"),
            ("*red* and *blue*", "*red* and *blue*"),
        ("Bitte merk dir, dass der Wagen rot ist", "der Wagen rot ist"),
        ("Übrigens: der Wagen ist rot", "der Wagen ist rot"),
        ("Recuerda que el coche es rojo", "el coche es rojo"),
        ("Lembre que o carro é vermelho", "o carro é vermelho"), ("Aliás, o carro é vermelho", "o carro é vermelho"),
        ("S'il te plaît, note que la voiture est rouge", "la voiture est rouge"),
        ("Au fait, la voiture est rouge", "la voiture est rouge"), ("请记住，车是红的", "车是红的"),
        ("别忘了关门", "别忘了关门"),
        ("ちなみに、車は赤い", "車は赤い"), ("참고로 차는 빨갛다", "차는 빨갛다"), ("So what", "So what"),
        ("please", "please"),
    ],
)  # fmt: skip
def test_what_is_cut_at_the_edges(text: str, inner: str) -> None:
    assert core(text).text == inner


@for_each(
    "text, parts",
    [
        ("Hi there. The van is red! Is it?", ["Hi there.", "The van is red!", "Is it?"]),
        ("Dr. Berg comes at 9 a.m. on Monday.", ["Dr. Berg comes at 9 a.m. on Monday."]),
        ("Am 3. März ist Schluss. Dann nicht.", ["Am 3. März ist Schluss.", "Dann nicht."]),
        ("It costs 3.50 in v1.2.3 now. Ok", ["It costs 3.50 in v1.2.3 now.", "Ok"]),
        ("- a b\n- c d", ["a b", "c d"]), ("# Head\n\ntext\n", ["Head", "text"]),
        ("```\ncode. more\n```\nafter", ["after"]),
            ("| a | b |\n|---|---|\n| c | d |", ["a | b", "c | d"]),
        ("会议在周三。地点不变！好", ["会议在周三。", "地点不变！", "好"]),
        ("「はい。」と言った", ["「はい。」", "と言った"]),
        ("one <!-- two. --> three", ["one <!-- two. --> three"]), ("<!-- only -->", []),
        ("then he drove up and left", ["then he drove up and left"]),
        (WRAPPED, [WRAPPED]),
        ("short\nlines", ["short", "lines"]),
            ("Really?! “Yes.” Then go", ["Really?!", "“Yes.”", "Then go"]),
        ("Well... so be it. Bye", ["Well... so be it.", "Bye"]),
        ("He left... Then it rained", ["He left...", "Then it rained"]),
        ("T-4 | high | . (040) | Call. Now", ["T-4 | high | . (040) | Call.", "Now"]),
        ("... and so on. Next", ["... and so on.", "Next"]),
        ("I like it . You too", ["I like it .", "You too"]),
    ],
)  # fmt: skip
def test_where_sentences_part(text: str, parts: list[str]) -> None:
    assert [piece.text for piece in sentences(text)] == parts


@for_each(
    "text",
    [
        "no", "it isn't red", "kein Hund", "nunca", "o carro não é vermelho",
        "le chien n'est pas rouge", "不在", "食べない", "안 가요",
    ],
)  # fmt: skip
def test_denies(text: str) -> None:
    assert is_negated(text)


@for_each(
    "text",
    ["o pão está no armário da cozinha", "GAAP and non-GAAP margins", "No. 5 is red", "特别好", "不错", "少ない", "안녕하세요", "the knot",
    "Notar"],
)  # fmt: skip
def test_denies_nothing(text: str) -> None:
    assert not is_negated(text)


def test_content_is_what_carries_meaning() -> None:
    assert content_words("The vans of the shop are red") == content_words("red shop van")
    assert content_words("builds buildings") == content_words("building")
    assert content_words("회의는 화요일") & content_words("회의를 수요일")
    assert content_words("会议在周三") >= {"会议", "周三"}


def test_an_address_of_the_mail_or_the_web() -> None:
    assert names_address("send it to ana@example.org")
    assert names_address("see https://example.org/x")
    assert not names_address("answer @ana before 9")


# A message is small talk if all its words greet, thank, agree, decline or say goodbye.


@for_each(
    "message",
    [
        "ok", "OK!", "Hi", "hello", "Thanks a lot! 🙏", "ok, thank you very much", "no, thanks",
        "Good morning.", "danke", "Danke dir", "vielen Dank", "Guten Morgen", "gracias",
        "¡Muchas gracias!", "hola, buenos días", "merci beaucoup", "au revoir", "obrigada", "bom dia",
        "好的", "好的，谢谢！", "謝謝", "你好", "ありがとう", "ありがとうございます。", "はい、ありがとう", "こんにちは",
        "감사합니다", "네, 고마워요", "안녕하세요",
    ],
)  # fmt: skip
def test_what_asks_and_tells_nothing_is_small_talk(message: str) -> None:
    assert is_small_talk(message)


@for_each(
    "message",
    [
        "", "…", "👍", "ok?", "thanks for the boat", "hi Maria", "thank Maria", "good boat", "2026",
        "danke, wo ist das Boot", "gracias por el barco", "merci Zoe", "好的方案", "谢谢小王", "お茶ありがとう",
        "감사 편지", "hello " * 40,
    ],
)  # fmt: skip
def test_a_message_with_any_other_word_or_a_question_is_not(message: str) -> None:
    assert not is_small_talk(message)
