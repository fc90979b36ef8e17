"""Joins two histories: fetches, merges, pushes, and serves git's merge driver."""
