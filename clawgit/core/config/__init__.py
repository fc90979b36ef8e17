"""The settings: one class, read from CONFIG.md, the environment and OpenClaw's config."""
