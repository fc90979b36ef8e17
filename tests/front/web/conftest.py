"""The real browser: tests that need one are collected where there is one."""

import shutil

CHROMIUM = next(
    filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), ""
)

collect_ignore = [] if CHROMIUM else ["test_browser.py"]
