"""How a command may end."""

OK = 0
FAILED = 1
WRONG_USE = 2
