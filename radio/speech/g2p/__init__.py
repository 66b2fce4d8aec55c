"""Speech text to the symbols of the voice model.

`phonemiser` begins here and chooses by language: `english`, `chinese` and `japanese` read with dictionaries,
`espeak` the rest, whose sounds `ipa` turns into the model's symbols.
"""
