"""Lessons: from failures that were overcome, and from notes that people mark as lessons.

`scan` finds failure, retry and success in a transcript. `marked` reads notes such as `**Lesson:**
…`.
"""
