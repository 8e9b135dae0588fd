"""Published and exact figures reproduced over millions of deals: `make verify`.

The reference is the EAAI 2021 Java engine playing its Simple player against itself (614,029 deals), and threshold
players against Simple (6,000 games each). That engine lays off greedily and draws the knocker's spread at random;
ours defends optimally and picks the spread that gives least away. So undercuts are a little more frequent here and
knock wins a little rarer: an independent engine with optimal layoffs (1 million deals) is the reference for these.
"""

from __future__ import annotations

from functools import cache
from itertools import combinations
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest

from sim.api import deadwood_many
from sim.presets import preset_rules
from sim.rows import Ending
from tests.support.kernel_match import Rows, kernel_rows
from tests.support.naive_melds import all_melds, mask_of

pytestmark = pytest.mark.slow

EAAI = preset_rules("eaai")
BLOCK_PAIRS = 2_000
Z = 4.0
"""Standard errors allowed between two estimates: with some fifty comparisons one in 300 runs would fail by chance,
but the seeds are fixed."""


@cache
def deals_of(player: str, blocks: int) -> npt.NDArray[Any]:
    """Return the deals of leg 0 of a player against itself (leg 1 repeats them with the sides swapped)."""
    parts = [_block(player, player, n).deals for n in range(blocks)]
    deals = np.concatenate(parts)
    first_leg: npt.NDArray[Any] = deals[deals["leg"] == 0]
    return first_leg


def _block(a: str, b: str, number: int) -> Rows:
    return kernel_rows(a, b, EAAI, 5, BLOCK_PAIRS, first_pair=number * BLOCK_PAIRS)


def assert_rate(hits: npt.NDArray[np.bool_], reference: float, reference_deals: int) -> None:
    """Assert that a rate agrees with a reference estimated from so many deals."""
    rate = hits.mean()
    error = (reference * (1 - reference) * (1 / len(hits) + 1 / reference_deals)) ** 0.5
    assert abs(rate - reference) < Z * error, f"{rate:.5f} is not {reference:.5f} ± {Z * error:.5f}"


def assert_mean(values: npt.NDArray[Any], reference: float, reference_deals: int) -> None:
    """Assert that a mean agrees with a reference estimated from so many deals of the same spread."""
    error = values.std() * (1 / len(values) + 1 / reference_deals) ** 0.5
    assert abs(values.mean() - reference) < Z * error, f"{values.mean():.4f} is not {reference:.4f} ± {Z * error:.4f}"


JAVA_DEALS, SKETCH_DEALS = 614_029, 1_000_000


def test_simple_against_itself_draws_and_ends_as_published() -> None:
    deals = deals_of("simple", 25)
    assert_mean(deals["turns"], 12.516, JAVA_DEALS)
    assert_rate(deals["ending"] == Ending.GIN, 0.0206, JAVA_DEALS)
    assert_rate(deals["ending"] >= Ending.WALL, 0.00167, JAVA_DEALS)


def test_simple_against_itself_is_undercut_as_with_optimal_layoffs_elsewhere() -> None:
    deals = deals_of("simple", 25)
    assert_rate(deals["ending"] == Ending.KNOCK, 0.9328, SKETCH_DEALS)
    assert_rate(deals["ending"] == Ending.UNDERCUT, 0.0446, SKETCH_DEALS)
    # And more often than where the defender lays off greedily.
    assert (deals["ending"] == Ending.UNDERCUT).mean() > 0.0426


@pytest.mark.parametrize(
    ("ending", "points", "share"),
    [(Ending.GIN, 47.36, 0.0206), (Ending.KNOCK, 15.09, 0.9351), (Ending.UNDERCUT, 26.62, 0.0426)],
)
def test_simple_against_itself_scores_as_published(ending: Ending, points: float, share: float) -> None:
    deals = deals_of("simple", 25)
    assert_mean(deals["points"][deals["ending"] == ending], points, round(share * JAVA_DEALS))


def test_the_starter_wins_slightly_more_than_half() -> None:
    deals = deals_of("simple", 25)
    scored = deals[deals["ending"] < Ending.WALL]
    assert_rate(scored["scorer"] != scored["dealer"], 0.5026, JAVA_DEALS)


def test_a_game_of_simple_takes_the_published_number_of_deals() -> None:
    played = np.concatenate([_block("simple", "simple", n).matches["deals_played"][::2] for n in range(25)])
    assert_mean(played, 10.234, 60_000)


def test_gin_only_against_itself_plays_as_published() -> None:
    deals = deals_of("gin-only", 12)
    assert_rate(deals["ending"] == Ending.GIN, 0.9298, 34_000)
    assert_rate(deals["ending"] >= Ending.WALL, 0.0703, 34_000)
    assert_mean(deals["turns"], 22.85, 34_000)
    assert_mean(deals["points"][deals["ending"] == Ending.GIN], 31.42, 32_000)


@pytest.mark.parametrize(
    ("knock_at", "low", "high"),
    [(0, 0.668, 0.691), (2, 0.588, 0.613), (4, 0.544, 0.569), (6, 0.509, 0.535), (8, 0.485, 0.509)],
)
def test_threshold_against_simple_lies_in_the_published_interval(knock_at: int, low: float, high: float) -> None:
    rows = [_block(f"threshold:knock_at={knock_at}", "simple", n).matches for n in range(10)]
    won = np.concatenate([r["match_winner"] == 0 for r in rows])
    pair_score = (won[::2].astype(float) + won[1::2]) / 2
    half = 1.96 * pair_score.std() / len(pair_score) ** 0.5
    assert low - half <= pair_score.mean() <= high + half


def test_dealt_hands_have_the_known_distribution_of_deadwood() -> None:
    deals = deals_of("simple", 25)
    dealt = deals["initial_deadwood"].ravel().astype(float)
    assert abs(dealt.mean() - 56.573) < 0.06
    assert abs(dealt.std() - 13.794) < 0.05
    assert np.quantile(dealt, [0.05, 0.25, 0.5, 0.75, 0.95]).tolist() == [32, 47, 58, 67, 76]
    assert_rate(dealt <= 10, 6.5e-4, 10_000_000)


@pytest.mark.parametrize(("cards", "count"), [(10, 136_694), (11, 147_204)])
def test_there_are_exactly_as_many_fully_melded_hands_as_counted(cards: int, count: int) -> None:
    melds = [mask_of(meld) for meld in all_melds((1 << 52) - 1)]
    assert len(melds) == 329
    two = np.array([a | b for a, b in combinations(melds, 2) if not a & b], np.uint64)
    sizes = np.bitwise_count(two)
    found = [two[sizes == cards]]
    for meld in melds:
        apart = two[(two & np.uint64(meld)) == 0]
        three = apart | np.uint64(meld)
        found.append(three[np.bitwise_count(three) == cards])
    hands = np.unique(np.concatenate(found))
    assert len(hands) == count
    assert not deadwood_many(hands).any()
