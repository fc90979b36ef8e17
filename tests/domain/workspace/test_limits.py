from clawgit.domain.workspace.limits import LARGEST_FILE, readable


def test_a_file_up_to_the_limit_is_read_whole() -> None:
    whole = b"x" * LARGEST_FILE
    assert readable(whole) is whole


def test_a_larger_one_is_read_up_to_its_last_whole_line() -> None:
    line = b"- Ana drinks tea, never coffee.\n"
    part = readable(line * 100_000)
    assert part == line * (LARGEST_FILE // len(line))


def test_a_line_over_the_limit_is_cut() -> None:
    assert readable(b"x" * (LARGEST_FILE + 5)) == b"x" * LARGEST_FILE
