"""What a user can do, one function for each verb: (Workspace, values) → frozen result.

A folder has the same name as the folder in domain/ that holds the rules of its subject.
"""
