"""`doctor`: every check in one table, each finding with its remedy.

A new check is a function that returns findings, and a row in `doctor.CHECKS`.
"""
