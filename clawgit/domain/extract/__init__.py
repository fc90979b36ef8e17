"""What a conversation holds that is worth keeping: read by rules, in English, and begun in Chinese and Korean."""
