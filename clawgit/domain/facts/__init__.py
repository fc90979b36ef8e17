"""One fact: how sure it is, how it ages, and whether another one says the same.

`fact_verdict` decides what becomes of a new fact. `likeness` and `same_fact` compare two facts.
"""
