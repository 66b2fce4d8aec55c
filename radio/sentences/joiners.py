"""Words before which a long sentence may be cut, for all languages together. Only a table."""

_WORDS = (
    # English
    "and but or nor so yet which that who whom whose because although though while when where if unless "
    "until since before after without with than as for from into through "
    # Spanish, Portuguese
    "y e o u pero sino que porque aunque cuando donde mientras si para con sin desde hasta según "
    "mas porém quando onde enquanto embora se com sem até segundo "
    # French
    "et ou mais donc car qui que dont lorsque quand où puisque parce comme pour avec sans depuis afin "
    # Italian
    "ed od ma però che cui perché poiché quando dove mentre anche per senza fino "
    # Hindi
    "और या लेकिन मगर परंतु कि जो जिसे जिसने जहाँ जब तब तो क्योंकि इसलिए ताकि यदि अगर"
)
JOINERS = frozenset(_WORDS.split())
