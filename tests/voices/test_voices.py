import re
from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from radio.errors import BadInput
from radio.voices import VOICES, Blend, UnknownVoice, canonical, language, parse


def test_there_are_54_voices_in_nine_languages() -> None:
    assert len(VOICES) == 54
    assert Counter(voice.language for voice in VOICES.values()) == {
        "en-us": 20,
        "en-gb": 8,
        "es": 3,
        "fr": 1,
        "hi": 4,
        "it": 2,
        "ja": 5,
        "pt-br": 3,
        "zh": 8,
    }
    assert VOICES["bm_george"].gender == "male"


@pytest.mark.parametrize(
    ("spec", "written"),
    [
        ("af_heart", "af_heart"),
        (" AF_Heart ", "af_heart"),
        ("af_heart@1", "af_heart"),
        ("af_heart@1.2", "af_heart@1.20"),
        ("af_heart@0.5", "af_heart@0.50"),
        ("af_heart@1.004", "af_heart"),
        ("bf_emma(1)+af_heart(2)", "af_heart(2)+bf_emma"),
        ("af_heart(4) + bf_emma(2)", "af_heart(2)+bf_emma"),
        ("af_heart(0.6)+bf_emma(0.4)", "af_heart(3)+bf_emma(2)"),
        ("af_heart(3)+bf_emma(3)", "af_heart+bf_emma"),
        ("af_heart(7)", "af_heart"),
        ("af_heart+af_heart", "af_heart"),
        ("af_heart+bf_emma+af_heart@1.50", "af_heart(2)+bf_emma@1.50"),
    ],
)
def test_one_voice_has_one_canonical_form(spec: str, written: str) -> None:
    assert canonical(spec) == written
    assert canonical(written) == written


def test_a_given_speed_replaces_the_written_one() -> None:
    assert canonical("af_heart@1.50", 0.75) == "af_heart@0.75"
    assert canonical("af_heart@1.50", 1.0) == "af_heart"
    assert canonical("af_heart@1.50") == "af_heart@1.50"


def test_a_blend_is_its_parts_and_speed() -> None:
    assert parse("bf_emma+af_heart(2)@1.25") == Blend(parts=(("af_heart", 2), ("bf_emma", 1)), speed=1.25)


@pytest.mark.parametrize(
    ("spec", "hint"),
    [
        ("af_hart", "af_heart"),
        ("heart", "af_heart"),
        ("bf_ema(2)", "bf_emma"),
        ("george", "bm_george"),
        ("qqqqqqqqqqqqqq", "radio voices"),
    ],
)
def test_an_unknown_voice_is_an_error_that_names_the_nearest(spec: str, hint: str) -> None:
    with pytest.raises(UnknownVoice) as raised:
        parse(spec)
    assert hint in raised.value.hint


@pytest.mark.parametrize(
    "spec",
    [
        "",
        "@",
        "+",
        "af_heart+",
        "af_heart(",
        "af_heart()",
        "af_heart(0)",
        "af_heart(-1)",
        "af_heart(x)",
        "af_heart@",
        "af_heart@x",
        "af_heart@0.49",
        "af_heart@2.01",
        "af_heart@nan",
        "af_heart@1@1",
        "../af_heart",
        "af_heart\0",
        "+".join(["af_heart"] * 9),
        "af_heart" + " " * 500,
    ],
)
def test_a_voice_written_wrongly_is_refused_with_a_hint(spec: str) -> None:
    with pytest.raises(BadInput) as raised:
        parse(spec)
    assert raised.value.hint


@pytest.mark.parametrize("speed", [0.49, 2.01, float("nan"), float("inf"), -1.0])
def test_a_given_speed_out_of_range_is_refused(speed: float) -> None:
    with pytest.raises(BadInput):
        canonical("af_heart", speed)


def test_a_blend_speaks_the_language_of_its_heaviest_part() -> None:
    assert language("af_heart") == "en-us"
    assert language("af_heart+bf_emma(2)") == "en-gb"
    assert language("bf_emma+af_heart") == "en-us"
    assert language("ef_dora@1.10") == "es"


@given(
    parts=st.lists(st.tuples(st.sampled_from(sorted(VOICES)), st.integers(1, 999)), min_size=1, max_size=8),
    speed=st.integers(50, 200).map(lambda hundredths: hundredths / 100),
    factor=st.integers(1, 9),
)
def test_order_and_common_factor_do_not_matter(
    parts: list[tuple[str, int]], speed: float, factor: int
) -> None:
    one = "+".join(f"{name}({weight})" for name, weight in parts) + f"@{speed}"
    other = "+".join(f"{name}({weight * factor})" for name, weight in reversed(parts)) + f"@{speed}"
    if max(len(one), len(other)) <= 200:
        assert canonical(one) == canonical(other) == str(parse(canonical(one)))
        assert re.fullmatch(r"[a-z_()+0-9]+(@\d\.\d\d)?", canonical(one))
