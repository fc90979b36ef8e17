"""Opens a workspace and describes it: caller, settings in force, trust, several agents, status.

All settings come from `in_force`; `operator` says who is the operator.
"""
