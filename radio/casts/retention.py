"""How long a cast is kept: as long as the longest of its submissions asks. Pure."""

from radio.streams.records import Recipe


def kept_until(recipe: Recipe, usual_ms: int | None) -> int | None:
    """Epoch ms until which the cast of this recipe is kept; None: no limit.

    Args:
        usual_ms: how long the operator keeps casts that ask for nothing else; None: no limit.
    """
    keep_ms = usual_ms if recipe.keep_ms is None else recipe.keep_ms
    asked = recipe.created if recipe.asked is None else recipe.asked
    return None if keep_ms is None else asked + keep_ms


def outlasts(one: Recipe, other: Recipe, usual_ms: int | None) -> bool:
    """Whether a cast is kept longer by one recipe than by the other."""
    until, others = kept_until(one, usual_ms), kept_until(other, usual_ms)
    return others is not None and (until is None or until > others)
