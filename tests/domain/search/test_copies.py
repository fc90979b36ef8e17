"""Old copies of a workspace inside itself."""

from clawgit.domain.search.copies import is_copy, may_be_copy
from tests.each import for_each

_PATHS = {"MEMORY.md", "memory/bank/infra.md", "projects/kiln/README.md", "README.md"}


@for_each(
    "path, is_old",
    [
        ("backup/MEMORY.md", True),
        ("backup/memory/bank/infra.md", True),
        ("backups/2031-03-14/MEMORY.md", True),
        ("prod_backup_20310314/MEMORY.md", True),
        ("Respaldo/MEMORY.md", True),
        ("projects/kiln/old/README.md", True),
        # Nothing else is known by its path.
        ("MEMORY.md", False),
        ("backup/NOTES.md", False),
        ("projects/kiln/README.md", False),
        ("projects/lamp/README.md", False),
        ("memory/bank/backup.md", False),
        ("memory/archive/2031-03.md", False),
    ],
)
def test_a_file_below_a_folder_of_copies_is_one_if_it_stands_elsewhere(
    path: str, is_old: bool
) -> None:
    assert is_copy(path, _PATHS) is is_old
    assert may_be_copy(path) or not is_old
