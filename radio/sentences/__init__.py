"""Cuts a stream of text into sentences: what is spoken in one breath, stored and scheduled as one.

The cut depends neither on the pieces in which the text arrives nor on anything before the current sentence:
starting again at the end of any sentence gives the same ones. Nothing is dropped but the white space between
sentences. `next_sentence` decides, as a pure function of the text that follows; `Splitter` feeds it.
"""

from radio.sentences.sentence_end import next_sentence
from radio.sentences.splitter import Sentence, Splitter
from radio.sentences.spoken_length import MAX_CHARS, MIN_CHARS, weight

__all__ = ["MAX_CHARS", "MIN_CHARS", "Sentence", "Splitter", "next_sentence", "weight"]
