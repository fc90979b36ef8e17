"""What a user can do, one plain function a verb: (Workspace, values) → frozen result.

The folders have the names of those in domain/, where the rules of the same subject are.
"""
