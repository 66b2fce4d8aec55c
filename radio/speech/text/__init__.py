"""Speech text: what a voice is given instead of a caption; numbers, signs, abbreviations are words. Pure.

`speech_text` begins here: it puts the text into one way of writing, gives it to the rules of the language
(`english`, or `other_languages` for all the rest), and takes out what has no sound. The other modules are
those rules by what they read, and their tables.
"""
