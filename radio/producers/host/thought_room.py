"""How much longer an answer may be because the model thinks before it speaks, and whether that helps."""

from radio.producers.models.chat_model import OnlyThoughts

ROOM_TOKENS = 1024
"""More tokens for the answers of a model whose first one was thoughts alone."""


class ThoughtRoom:
    """What one host knows of its model's thoughts.

    Attributes:
        tokens: so many more are asked for.
        is_mute: with room, too, the model wrote thoughts alone; it is not asked again in this process.
    """

    def __init__(self) -> None:
        self.tokens = 0
        self.is_mute = False

    def fill(self, thoughts: OnlyThoughts) -> None:
        """An answer was thoughts alone: the next one gets room. Raises `thoughts` if it had room already."""
        if self.tokens:
            self.is_mute = True
            raise thoughts
        self.tokens = ROOM_TOKENS
