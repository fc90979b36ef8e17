"""The pictures of docs/screens: what a terminal shows is drawn, cell for cell."""

from xml.etree import ElementTree as ET

from docs.make_screens import COLUMNS, FOLDER, PLAIN, SCREENS, Style, drawn, renamed, screen


def text_of(text: str) -> list[str]:
    return ["".join(cell.sign for cell in line) for line in screen(text)]


def test_a_line_that_is_overwritten_shows_what_came_last() -> None:
    assert text_of("checking git …\r\x1b[Kdone\r\nnext") == ["done", "next"]


def test_a_long_line_goes_on_in_the_next_row() -> None:
    assert text_of("x" * (COLUMNS + 2)) == ["x" * COLUMNS, "xx"]


def test_colours_become_classes_and_end() -> None:
    [line] = screen("\x1b[31m\x1b[1mbad\x1b[0m ok")
    assert line[0].style == Style("red", bold=True)
    assert line[-1].style == PLAIN


def test_a_wide_sign_takes_two_columns_and_a_link_none() -> None:
    [line] = screen("\x1b]8;;file:///a\x1b\\日\x1b]8;;\x1b\\a")
    assert [cell.sign for cell in line] == ["日", "", "a"]


def test_ids_are_replaced_by_others_of_the_same_length_everywhere_alike() -> None:
    lines = renamed(screen("\x1b[33mkkllmmnn\x1b[0m  0123456789\r\nundo kkllmmnn"))
    first, second = ("".join(cell.sign for cell in line) for line in lines)
    assert len(first) == len("kkllmmnn  0123456789")
    assert second == f"undo {first[:8]}"
    assert "kkllmmnn" not in first
    assert lines[0][0].style == Style("yellow")


def test_a_picture_holds_its_text_and_its_colours() -> None:
    picture = ET.fromstring(drawn(screen("\x1b[32ma < b\x1b[0m\r\n\r\nend"), "A <screen>"))  # noqa: S314 - our own
    spans = [node for node in picture.iter() if node.tag.endswith("tspan")]
    assert [(span.text, span.get("class")) for span in spans] == [("a < b", "green"), ("end", None)]


def test_each_screen_has_its_picture() -> None:
    assert {path.stem for path in FOLDER.glob("*.svg")} == {*SCREENS}
