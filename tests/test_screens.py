"""The pictures of docs/screens: what a terminal shows is drawn, cell for cell."""

from xml.etree import ElementTree as ET

from docs.make_screens import FOLDER, SCREENS, drawn, screen


def test_a_picture_holds_its_text_and_its_colours() -> None:
    picture = ET.fromstring(drawn(screen("\x1b[32ma < b\x1b[0m\r\n\r\nend"), "A <screen>"))  # noqa: S314 - our own
    spans = [node for node in picture.iter() if node.tag.endswith("tspan")]
    assert [(span.text, span.get("class")) for span in spans] == [("a < b", "green"), ("end", None)]


def test_each_screen_has_its_picture() -> None:
    assert {path.stem for path in FOLDER.glob("*.svg")} == {*SCREENS}
