"""Phonemes of sentences of growing length, as misaki writes them."""

GREETING = "hˈI."
SHORT = "ɡˈʊd ˈivnɪŋ, fɹˈɛnd."
LINE = "tənˈIt wi hæv θɹˈi stˈɔɹiz fɔɹ ju."
MEDIUM = "ðə ɹˈAn stˈɑpt ʤˈʌst bəfˈɔɹ ðə mˈɑɹkət ˈOpᵊnd ðɪs mˈɔɹnɪŋ."
LONG = "ʃˌi hæd pɹˈɑməst həɹsˈɛlf ðæt ðə lˈɛTəɹ wʊd bi ˈænsəɹd bəfˈɔɹ ði ˈɛnd ʌv ðə wˈik, kˈʌm wˌʌt mˈA."
LONGEST = (
    "ðə kəmˈɪTi mˈɛt ˌɔn tˈuzdˌA ænd əpɹˈuvd ɐ bˈʌʤət ʌv θɹˈi mˈɪljᵊn dˈɑləɹz fɔɹ ðə hˈɑɹbəɹ "
    "wˈɜɹks, wˌɪʧ hæd bɪn dəlˈAd sˈɪns lˈæst wˈɪntəɹ bI ðə stˈɔɹmz ðæt klˈOzd ðə nˈɔɹðəɹn ɹˈOd."
)
SENTENCES = (SHORT, LINE, MEDIUM, LONG, LONGEST)
