from clawgit.domain.change.common_ends import common_ends


def test_what_two_sequences_share_at_both_ends_never_overlaps() -> None:
    assert common_ends("abcd", "abxd") == (2, 1)
    assert common_ends("aaa", "aaaa") == (3, 0)
    assert common_ends("", "a") == (0, 0)
    assert common_ends("ab", "ab") == (2, 0)
