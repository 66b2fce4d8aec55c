"""Cuts a stream of text into what is spoken in one breath: the unit of narration, captions and fairness.

The cut does not depend on how the text came in pieces, nor on anything before the sentence it looks at: who
begins anew at the end of any sentence goes on with the same ones. Nothing is dropped but the white space
between sentences. `next_sentence` decides, as a pure function of the text that follows; `Splitter` feeds it.
"""

from radio.sentences.sentence_end import next_sentence
from radio.sentences.splitter import Sentence, Splitter
from radio.sentences.spoken_length import MAX_CHARS, MIN_CHARS, weight

__all__ = ["MAX_CHARS", "MIN_CHARS", "Sentence", "Splitter", "next_sentence", "weight"]
