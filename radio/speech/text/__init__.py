"""Speech text: the caption as a voice reads it, with numbers, signs and abbreviations as words. Pure.

`speech_text` is the entry: it normalises the text, applies the rules of the language (`english`, or
`other_languages` for all the rest), and removes what has no sound. The other modules hold those rules by
subject, and their tables.
"""
