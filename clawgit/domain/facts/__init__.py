"""One fact: how sure it is, how it ages, and whether another one says the same.

`fact` words it, lists it, and decides what becomes of a new one; `likeness` compares two.
"""
