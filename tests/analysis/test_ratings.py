from __future__ import annotations

import time
from itertools import combinations, product

import numpy as np
import numpy.typing as npt
import pytest
from scipy import optimize, special, stats

from analysis.ratings import ELO, SEED, Meeting, _matches, _refits, _resampled, always, groups, ratings, tiers
from tests.support.tournaments import Floats, tournament

STRENGTHS = np.array([0.4, 0.1, -0.05, -0.45])  # natural units, mean 0


def meeting(a: int, b: int, *pairs: int) -> Meeting:
    return Meeting(a, b, np.array([pairs], dtype=np.int64))


def expected(strengths: Floats, pairs: int) -> list[Meeting]:
    """Whole numbers of pairs won and lost, as the model expects them."""
    meetings = []
    for a, b in combinations(range(len(strengths)), 2):
        won = round(pairs * special.expit(strengths[a] - strengths[b]))
        meetings.append(meeting(a, b, pairs - won, 0, 0, 0, won))
    return meetings


def slow_fit(players: int, meetings: list[Meeting]) -> Floats:
    """The same model by a general optimiser, from the likelihood as it is written."""

    def loss(free: Floats) -> float:
        strength = np.append(free, 0)
        return -float(sum(
            2 * pairs * (score * special.log_expit(strength[m.a] - strength[m.b])
                         + (1 - score) * special.log_expit(strength[m.b] - strength[m.a]))
            for m in meetings
            for pairs, score in [*zip(m.blocks.sum(axis=0), np.arange(5) / 4, strict=True), (0.5, 0.5)]
        ))  # fmt: skip

    found = optimize.minimize(loss, np.zeros(players - 1), method="BFGS", options={"gtol": 1e-7, "xrtol": 1e-10})
    strength = np.append(found.x, 0)
    return np.asarray(ELO * (strength - strength.mean()))


def test_known_ratings_are_recovered_from_the_expected_counts() -> None:
    found = ratings(4, expected(STRENGTHS, 100_000)).rating
    assert found == pytest.approx(ELO * STRENGTHS, abs=0.5)


def test_four_hundred_points_are_ten_to_one() -> None:
    found = ratings(2, [meeting(0, 1, 1000, 0, 0, 0, 10_000)]).rating
    assert found[0] - found[1] == pytest.approx(400, abs=0.1)


def test_quarters_and_halves_count_as_parts_of_a_win() -> None:
    found = ratings(2, [meeting(0, 1, 100, 400, 500, 800, 200)]).rating
    whole = ratings(2, [meeting(0, 1, 850, 0, 0, 0, 1150)]).rating
    assert found == pytest.approx(whole)


@pytest.mark.parametrize("seed", range(3))
def test_ratings_equal_an_independent_slow_fit(seed: int) -> None:
    rng = np.random.default_rng(seed)
    meetings = [Meeting(a, b, rng.integers(0, 30, (3, 5))) for a, b in combinations(range(5), 2) if rng.random() < 0.8]
    assert ratings(5, meetings).rating == pytest.approx(slow_fit(5, meetings), abs=0.05)


def test_the_refits_of_the_bootstrap_are_complete_fits() -> None:
    meetings = tournament(STRENGTHS, blocks=30, block_pairs=4, rng=np.random.default_rng(1))
    scores, pairs, _ = _resampled(meetings, np.random.default_rng(SEED))
    refits = _refits(np.zeros(4), meetings, *_matches(scores, pairs))
    for row in (0, 100, 399):
        # A meeting with the resampled score, in quarters of a pair that the drawn match is too small to notice.
        quarters = np.rint(scores[row] * 4).astype(np.int64)
        drawn = [
            Meeting(m.a, m.b, np.array([[int(4 * n) - q, 0, 0, 0, q]]) * 1000)
            for m, q, n in zip(meetings, quarters, pairs[row], strict=True)
        ]
        assert ELO * refits[row] == pytest.approx(ratings(4, drawn).rating, abs=1.5)


def test_the_mean_rating_is_zero_and_inside_its_interval_is_every_rating() -> None:
    found = ratings(4, tournament(STRENGTHS, blocks=25, block_pairs=16, rng=np.random.default_rng(2)))
    assert found.rating.mean() == pytest.approx(0, abs=1e-9)
    assert (found.low < found.rating).all()
    assert (found.rating < found.high).all()


def test_the_same_data_give_the_same_intervals() -> None:
    meetings = tournament(STRENGTHS, blocks=25, block_pairs=16, rng=np.random.default_rng(2))
    assert ratings(4, meetings).low.tolist() == ratings(4, meetings).low.tolist()


@pytest.mark.parametrize("blocks", [7, 40])
def test_the_order_of_players_and_meetings_does_not_matter(blocks: int) -> None:
    rng = np.random.default_rng(3)
    meetings = tournament(STRENGTHS, blocks=blocks, block_pairs=16, rng=rng)
    straight = ratings(4, meetings)
    order = np.array([2, 0, 3, 1])  # player i is now called order[i]
    turned = ratings(4, [Meeting(int(order[m.a]), int(order[m.b]), m.blocks) for m in meetings[::-1]])
    assert turned.rating[order] == pytest.approx(straight.rating, abs=1e-5)
    # With blocks the same blocks are drawn; single pairs are drawn meeting by meeting, by other random numbers.
    tolerance = {7: 0.15, 40: 1e-6}[blocks]
    assert (turned.high - turned.low)[order] == pytest.approx(straight.high - straight.low, rel=tolerance)


@pytest.mark.parametrize("blocks", [7, 40])
def test_seen_from_b_s_side_with_reversed_counts_nothing_changes(blocks: int) -> None:
    meetings = tournament(STRENGTHS, blocks=blocks, block_pairs=16, rng=np.random.default_rng(4))
    turned = [Meeting(m.b, m.a, m.blocks[:, ::-1]) if i % 2 else m for i, m in enumerate(meetings)]
    one, other = ratings(4, meetings), ratings(4, turned)
    assert one.rating.tolist() == other.rating.tolist()
    assert one.high.tolist() == other.high.tolist()


def test_shared_luck_stays_shared() -> None:
    # Copies meet a third player on the same deals: whatever luck there was, it was the same, and they never differ.
    rng = np.random.default_rng(5)
    blocks = rng.multinomial(64, [0.3, 0, 0.4, 0, 0.3], 100)
    even = np.zeros_like(blocks)
    even[:, 2] = 64
    together = ratings(3, [Meeting(0, 2, blocks), Meeting(1, 2, blocks), Meeting(0, 1, even)])
    shuffled = ratings(3, [Meeting(0, 2, blocks), Meeting(1, 2, blocks[::-1]), Meeting(0, 1, even)])
    assert together.rating[0] == pytest.approx(together.rating[1])
    # Shared, the luck of both is in player 2's rating; apart, half of its variance averages out.
    widths = [(r.high - r.low)[2] for r in (together, shuffled)]
    assert widths[0] / widths[1] == pytest.approx(np.sqrt(2), rel=0.15)


def test_intervals_of_two_players_are_those_of_the_share_between_them() -> None:
    rng = np.random.default_rng(6)
    blocks = rng.multinomial(256, [0.25, 0.05, 0.3, 0.05, 0.35], 3000)  # more than 2,000: neighbours are merged
    found = ratings(2, [Meeting(0, 1, blocks)])
    total = blocks.sum(axis=0)
    share = total @ np.arange(5) / 4 / total.sum()
    se = np.sqrt((total @ (np.arange(5) / 4) ** 2 / total.sum() - share**2) / total.sum())
    # The delta method: a rating is half the difference, ELO / 2 · ln(s / (1 - s)).
    half = stats.norm.ppf(0.975) * ELO / 2 * se / (share * (1 - share))
    assert (found.high - found.low)[0] / 2 == pytest.approx(half, rel=0.12)


def test_few_pairs_get_student_s_t_and_the_variance_that_resampling_loses() -> None:
    found = ratings(2, [meeting(0, 1, 0, 1, 1, 1, 0)])
    shares = [(2 * sum(drawn) + 0.5) / 7 for drawn in product((0.25, 0.5, 0.75), repeat=3)]  # all 27 resamples
    se = ELO / 2 * np.sqrt(np.mean(special.logit(shares) ** 2) * 3 / 2)
    assert (found.high - found.low)[0] / 2 == pytest.approx(stats.t.ppf(0.975, 2) * se, rel=0.1)


def test_a_higher_level_is_wider() -> None:
    meetings = tournament(STRENGTHS, blocks=40, block_pairs=16, rng=np.random.default_rng(7))
    usual, wide = ratings(4, meetings), ratings(4, meetings, level=0.99)
    factor = stats.t.ppf(0.995, 39) / stats.t.ppf(0.975, 39)
    assert (wide.high - wide.low) == pytest.approx(factor * (usual.high - usual.low))


@pytest.mark.parametrize("blocks", [1, 30])
def test_a_player_who_wins_everything_has_a_finite_rating_and_an_interval_down_to_the_exact_limit(blocks: int) -> None:
    wins = np.tile(np.array([0, 0, 0, 0, 60 // blocks]), (blocks, 1))
    found = ratings(2, [Meeting(0, 1, wins)])
    assert np.isfinite([found.rating, found.low, found.high]).all()
    assert found.rating[0] == pytest.approx(200 * np.log10(120.5 / 0.5), abs=0.01)
    share = stats.binomtest(60, 60).proportion_ci(method="exact").low
    assert found.low[0] < ELO / 2 * special.logit(share) < found.rating[0] < found.high[0]


def test_copies_that_tie_every_pair_are_equal_within_a_width_that_is_not_nothing() -> None:
    found = ratings(2, [meeting(0, 1, 0, 0, 1000, 0, 0)])
    assert found.rating == pytest.approx([0, 0], abs=1e-9)
    assert 0.1 < found.high[0] < 1


def test_one_pair_and_one_player_are_rated_without_trouble() -> None:
    pair = ratings(2, [meeting(0, 1, 0, 0, 0, 1, 0)])
    assert np.isfinite([pair.rating, pair.low, pair.high]).all()
    assert pair.low[0] < 0 < pair.rating[0]
    assert ratings(1, []).rating.tolist() == [0]


def test_a_ladder_of_walkovers_keeps_its_order() -> None:
    found = ratings(12, [meeting(a, b, 0, 0, 0, 0, 10**6) for a, b in combinations(range(12), 2)])
    assert (np.diff(found.rating) < 0).all()
    assert np.isfinite([found.low, found.high]).all()


def test_players_who_never_met_even_by_way_of_others_are_not_rated_together() -> None:
    apart = [meeting(0, 3, 1, 0, 0, 0, 1), meeting(4, 1, 1, 0, 0, 0, 1), meeting(0, 2, 0, 0, 0, 0, 0)]
    assert groups(5, apart) == [{0, 3}, {1, 4}, {2}]
    with pytest.raises(ValueError, match="3 groups") as trouble:
        ratings(5, apart)
    assert "\n" not in str(trouble.value)
    joined = [*apart, meeting(2, 3, 0, 0, 2, 0, 0), meeting(1, 2, 1, 0, 0, 0, 0)]
    assert groups(5, joined) == [{0, 1, 2, 3, 4}]
    assert np.isfinite(ratings(5, joined).rating).all()


def test_a_player_s_meeting_with_himself_says_nothing_about_his_rating() -> None:
    meetings = expected(STRENGTHS, 1000)
    with_mirror = ratings(4, [*meetings, meeting(2, 2, 0, 0, 50, 0, 0)])
    assert with_mirror.high.tolist() == ratings(4, meetings).high.tolist()


def test_always_names_those_who_won_or_lost_every_match() -> None:
    meetings = [meeting(1, 0, 0, 0, 0, 0, 5), meeting(2, 1, 5, 0, 0, 0, 0), meeting(0, 2, 2, 0, 1, 0, 2)]
    assert always(4, meetings) == ({1}, set())
    assert always(2, [meeting(0, 1, 3, 0, 0, 0, 0)]) == ({1}, {0})
    assert always(2, [meeting(0, 1, 3, 1, 0, 0, 0)]) == (set(), set())


def test_tiers_find_walkovers_between_groups_where_no_single_player_won_everything() -> None:
    even = (2, 0, 0, 0, 2)
    walkovers = [meeting(a, b, 0, 0, 0, 0, 3) for a in (0, 1) for b in (2, 3)]
    meetings = [meeting(0, 1, *even), meeting(2, 3, *even), *walkovers]
    assert tiers(4, meetings) == [{0, 1}, {2, 3}]
    assert always(4, meetings) == (set(), set())
    assert tiers(4, [*meetings, meeting(3, 0, 5, 1, 0, 0, 0)]) == [{0, 1, 2, 3}]


@pytest.mark.parametrize(
    ("a", "b", "blocks"),
    [(0, 2, np.zeros((1, 5))), (-1, 0, np.zeros((1, 5))), (0, 1, np.zeros(5)), (0, 1, np.full((1, 5), -1))],
)
def test_what_is_no_meeting_is_refused(a: int, b: int, blocks: npt.NDArray[np.float64]) -> None:
    with pytest.raises(ValueError, match="meeting"):
        ratings(2, [Meeting(a, b, blocks.astype(np.int64))])


def test_twenty_players_are_rated_in_two_seconds() -> None:
    rng = np.random.default_rng(8)
    blocks = rng.multinomial(256, [0.2, 0.05, 0.5, 0.05, 0.2], (190, 2000))
    meetings = [Meeting(a, b, blocks[i]) for i, (a, b) in enumerate(combinations(range(20), 2))]
    ratings(2, meetings[:1])  # imports choix
    start = time.process_time()
    ratings(20, meetings)
    assert time.process_time() - start < 4  # 0.2 s on a quiet machine


def test_the_95_percent_intervals_hold_the_true_ratings_on_common_deals() -> None:
    runs = 100
    held = np.zeros(4)
    for run in range(runs):
        meetings = tournament(STRENGTHS, blocks=40, block_pairs=16, rng=np.random.default_rng(1000 + run))
        found = ratings(4, meetings)
        held += (found.low <= ELO * STRENGTHS) & (found.high >= ELO * STRENGTHS)
    assert (held >= stats.binom.ppf(0.001, runs, 0.95)).all()
    assert (held <= stats.binom.ppf(0.999, runs, 0.95)).all()
