from __future__ import annotations

import math

import pytest

from reports import numbers
from reports.names import capital, cut, labels, side_labels


@pytest.mark.parametrize(
    ("half", "text"), [(0.00583, "±0.6"), (0.0051, "±0.6"), (0.006, "±0.6"), (0.0001, "±0.1"), (0.123, "±12.3")]
)
def test_the_error_is_rounded_up_never_down_and_never_to_nothing(half: float, text: str) -> None:
    assert numbers.plus_minus(50.0, 50 - 100 * half, 50 + 100 * half) == text


def test_of_a_lopsided_interval_the_larger_half_is_printed() -> None:
    assert numbers.plus_minus(99.0, 95.0, 99.5) == "±4.0"


def test_an_identity_has_no_error_and_a_missing_one_says_so() -> None:
    assert numbers.plus_minus(50.0, 50.0, 50.0) == ""
    assert numbers.plus_minus(50.0, math.nan, math.nan) == "±?"
    assert numbers.widest_half([math.nan], [math.nan]) == "±?"
    assert numbers.spoken(0.5, 0.5, 0.5) == "50.0% exactly"


def test_rounding_noise_is_no_interval_and_changes_no_digit() -> None:
    assert numbers.plus_minus(50.0, 50.0 - 1e-14, 50.0 + 1e-14) == ""
    assert numbers.spoken(0.5, 0.5 - 1e-16, 0.5 + 1e-16) == "50.0% exactly"
    for thousandths in range(1001):  # a share and what the other side leaves of it read alike, headlines too
        share, left = thousandths / 2000, 1 - (1 - thousandths / 2000)
        assert numbers.percent(share) == numbers.percent(left)
        assert numbers.of_100(share) == numbers.of_100(left)


def test_a_percentage_keeps_its_sign_without_an_error() -> None:
    assert numbers.percent_with_error(0.593, 0.587, 0.599) == "59.3% ±0.6"
    assert numbers.percent_with_error(0.5, 0.5, 0.5) == "50.0%"


def test_percent_has_one_decimal_and_headlines_whole_counts() -> None:
    assert numbers.percent(0.593) == "59.3%"
    assert numbers.share_with_error(0.593, 0.587, 0.599) == "59.3 ±0.6"
    assert numbers.of_100(0.593) == "59 of 100"
    assert numbers.of_100(0.9999) == "more than 99 of 100"
    assert numbers.of_100(0.0001) == "fewer than 1 of 100"
    assert numbers.of_100(1.0) == "100 of 100"
    assert numbers.of_100(0.0) == "0 of 100"


def test_a_minus_is_a_minus_and_zero_has_no_sign() -> None:
    assert numbers.signed(-1.04) == "\u22121.0"
    assert numbers.signed(2.4) == "+2.4"
    assert numbers.signed(-0.04) == "0.0"
    assert numbers.number(-0.01) == "0.0"
    assert numbers.number(-1234.5) == "\u22121,234.5"


def test_big_numbers_in_sentences_and_tables() -> None:
    assert numbers.big(240_000) == "240,000"
    assert numbers.big(1_153_618) == "1.2 million"
    assert numbers.count(1_153_618) == "1,153,618"


def test_small_numbers_are_words() -> None:
    assert numbers.plural(1, "pair") == "one pair"
    assert numbers.plural(3, "pair") == "three pairs"
    assert numbers.plural(0, "match", "matches") == "no matches"
    assert numbers.in_words(1000) == "1,000"
    assert numbers.listed(["a"]) == "a"
    assert numbers.listed(["a", "b", "c"]) == "a, b and c"
    assert numbers.span("9", "9") == "9"
    assert numbers.span("9", "12") == "9 to 12"


def test_short_names_keep_what_tells_players_apart() -> None:
    found = labels(["gin-only", "threshold:knock_at=5", "threshold:knock_at=10"])
    assert list(found.values()) == ["gin-only", "threshold\u00a05", "threshold\u00a010"]
    found = labels(["t:k=5,h=1", "t:k=6,h=1"])
    assert list(found.values()) == ["t\u00a05", "t\u00a06"]
    found = labels(["t:k=5,h=1", "t:k=6,h=2", "t"])
    assert list(found.values()) == ["t\u00a05/1", "t\u00a06/2", "t"]


def test_names_that_would_be_ambiguous_stay_whole() -> None:
    specs = ["t:k=5", "t:h=5"]
    assert list(labels(specs).values()) == specs
    specs = ["t:k=5", "t\u00a05"]
    assert labels(specs)["t:k=5"] == "t:k=5"


def test_a_file_is_named_without_folder_and_a_long_name_is_cut() -> None:
    specs = ["./bots/careful.py", "./bots/careful.py:k=3", "greedy"]
    assert list(labels(specs).values()) == ["careful", "careful\u00a03", "greedy"]
    same = ["./one/bot.py", "./two/bot.py"]
    assert list(labels(same).values()) == same
    long = "x" * 20 + "_with_a_very_long_name_7"
    assert labels([long]) == {long: "xxxxxxxxxxxxxx…y_long_name_7"}


def test_partners_are_shortened_one_by_one_and_keep_the_slash_between_them() -> None:
    one, two = "threshold:knock_at=5,hunt=1", "threshold:knock_at=9,hunt=2"
    long = "./bots/a_bot_with_quite_a_long_name.py"
    sides = {
        f"greedy/{one}": ("greedy", one),
        f"{two}/{long}": (two, long),
        "gin-only": ("gin-only",),
    }
    found, players = side_labels(sides)
    assert list(found.values()) == [
        *("greedy/threshold\u00a05,1", "threshold\u00a09,2/a_bot_wit…ong_name", "gin-only"),
    ]
    assert players[one] == "threshold\u00a05,1"


def test_without_partners_sides_are_named_as_players() -> None:
    specs = ["t:k=5,h=1", "t:k=6,h=2", "./bots/careful.py"]
    found, players = side_labels({spec: (spec,) for spec in specs})
    assert found == players == labels(specs)


def test_names_are_cut_in_the_middle() -> None:
    assert cut("threshold:knock_at=5", 11) == "thres…_at=5"
    assert len(cut("threshold:knock_at=5", 11)) == 11
    assert cut("greedy", 11) == "greedy"


def test_a_sentence_starts_with_a_capital() -> None:
    assert capital("gin-only wins") == "Gin-only wins"
    assert capital("./my_bot.py wins") == "./my_bot.py wins"
