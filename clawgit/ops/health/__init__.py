"""`doctor`: every check in one table, each finding with its remedy.

A new check is a function `Site → findings`, and a row in `doctor.CHECKS`.
"""
