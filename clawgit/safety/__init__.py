"""What must not come in or get out, and who may allow it.

`secrets` and `secrets_found` look at files, commits and pushes; `masking` covers what clawgit
shows; `committed_texts` and `state_alerts` tell the operator. `trust` and `operator` know what the
operator accepted and how the operator is known; `in_force` gives the settings that count.

Every room but `core`, `language` and `git` may call it; its `rules` may be called by all.
"""
