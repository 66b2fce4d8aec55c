"""Speech text to phonemes, the symbols of the voice model.

`phonemiser` is the entry and chooses by language: `english`, `chinese` and `japanese` use dictionaries;
`espeak` handles the rest, whose IPA `ipa` converts to the model's symbols.
"""
