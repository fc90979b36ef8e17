"""The pictures of docs/screens, where what a terminal shows is drawn cell for cell, and of the page."""

from pathlib import Path

from clawgit.front.web.views import VIEWS
from docs.make_screens import FOLDER, SCREENS

DOCS = Path(__file__).parents[1] / "docs"


def test_each_screen_has_its_picture() -> None:
    assert {path.stem for path in FOLDER.glob("*.svg")} == {*SCREENS}


def test_each_view_of_the_page_has_its_pictures_and_they_are_shown() -> None:
    pictures = {*(DOCS / "page").iterdir()}
    text = (DOCS / "page.md").read_text("utf-8")
    assert {
        f"{view.title.lower()}{look}.webp"
        for name, view in VIEWS.items()
        if name != "fleet"  # it is there with a fleet alone
        for look in ("", "-dark", "-phone")
    } <= {file.name for file in pictures}
    assert [file.name for file in pictures if f"page/{file.name}" not in text] == []
    assert sum(file.stat().st_size for file in pictures) < 1_500_000
