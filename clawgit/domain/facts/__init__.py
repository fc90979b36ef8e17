"""One fact: how sure it is, how it ages, whether another says the same.

`fact_verdict` decides what becomes of a fact that somebody brings; `likeness` and `same_fact`
compare two of them.
"""
