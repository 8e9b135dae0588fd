"""The meld kernels are exact: on the shared cases, against the naive twin, and on hands that are counted.

The one case of kind ``rules`` that names no meld (the knock limit an Oklahoma upcard sets) is proved where
deals are played: in ``tests/unit/test_deal_points.py``.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from itertools import combinations

import numpy as np
import numpy.typing as npt
import pytest

from sim.api import after_discard, best_discard, best_spreads, deadwood, deadwood_many
from sim.cards import FULL_DECK, NO_CARD, PIPS, CardError, cards_of, format_card, parse_card, parse_hand
from sim.solve import solve
from tests.support import naive_melds as naive
from tests.support.shared_cases import Case, cases, hands10, hands11

Masks = npt.NDArray[np.uint64]

FAMOUS = "3C 5C 2D 6D 4H 5H 6H 3S 4S 5S 6S"
"""One of its two least spreads hides the best discard: OpenSpiel does not see the knock that throws 6D."""
GIN_HANDS, BIG_GIN_HANDS = 136_694, 147_204
"""Published counts: ten and eleven cards that can be melded whole."""


def named(found: list[Case]) -> pytest.MarkDecorator:
    """Run a test once for each of these cases, under the case's own id."""
    return pytest.mark.parametrize("case", found, ids=lambda case: case.id)


def texts(cards: list[int]) -> list[str]:
    return [format_card(card) for card in cards]


def dense_hand(rng: random.Random, size: int) -> int:
    """Draw cards from a few adjacent ranks, three fifths of them at least, so that sets and runs clash."""
    width = rng.randint(max(3, -(-size // 4)), 5)
    low = rng.randrange(14 - width)
    near = [suit * 13 + rank for suit in range(4) for rank in range(low, low + width)]
    far = [card for card in range(52) if card not in near]
    strays = rng.choice((0, 0, 1, 2)) if size > 4 else 0
    return naive.mask_of(rng.sample(near, size - strays) + rng.sample(far, strays))


def melded_hand(rng: random.Random, sizes: tuple[int, ...]) -> int:
    """Draw disjoint melds of these sizes."""
    while True:
        melds = [rng.choice([m for m in MELDS if len(m) == size]) for size in sizes]
        hand = frozenset[int]().union(*melds)
        if len(hand) == sum(sizes):
            return naive.mask_of(hand)


MELDS = naive.all_melds(FULL_DECK)
OF_SIZE = {
    size: np.array([naive.mask_of(meld) for meld in MELDS if len(meld) == size], np.uint64) for size in range(3, 12)
}


# --- the shared cases


@named(cases("deadwood"))
def test_deadwood_is_least_over_all_spreads(case: Case) -> None:
    hand, expected = parse_hand(case.input["hand"]), case.expected
    solution = solve(hand)
    assert deadwood(hand) == solution.deadwood == expected["deadwood"]
    assert best_spreads(hand) == solution.spreads == sorted(sorted(spread) for spread in expected["spreads"])
    if "best_discards" in expected:
        assert solution.discards is not None
        assert solution.discards.deadwood == expected["best_after_discard"]
        assert texts(solution.discards.best) == expected["best_discards"]
        assert solution.discards.big_gin is expected["big_gin"]


@named(cases("discard"))
def test_best_discard_is_least_over_all_eleven(case: Case) -> None:
    hand, expected = parse_hand(case.input["hand"]), case.expected
    left = {format_card(card): deadwood(hand ^ 1 << card) for card in cards_of(hand)}
    assert left == expected["deadwood_by_discard"]
    least, discards = best_discard(hand)
    assert (least, texts(discards)) == (expected["best_after_discard"], expected["best_discards"])
    assert after_discard(hand, 0) == (least, parse_hand(" ".join(expected["best_discards"])))
    solution = solve(hand)
    assert solution.discards is not None
    assert solution.discards.big_gin is expected["big_gin"]


@named(cases("knock"))
def test_knock_needs_one_legal_discard_within_the_limit(case: Case) -> None:
    forbidden = case.input["forbidden_discard"]
    barred = parse_card(forbidden[0]) if forbidden else NO_CARD
    discards = solve(parse_hand(case.input["hand"]), barred, case.input["knock_limit"]).discards
    assert discards is not None
    assert texts(discards.knock) == case.expected["legal_knock_discards"]
    assert texts(discards.gin) == case.expected["gin_discards"]
    assert discards.big_gin is case.expected["big_gin"]


@named([case for case in cases("rules") if "meld" in case.input])
def test_what_is_a_meld(case: Case) -> None:
    try:
        hand = parse_hand(case.input["meld"])
    except CardError:
        valid = False  # one card named twice
    else:
        valid = deadwood(hand) == 0 and len(best_spreads(hand)[0]) == 1
    assert valid is case.expected["valid"]


def test_ten_cards_have_exact_deadwood_and_number_of_spreads() -> None:
    rows = hands10()
    assert len(rows) == 3_000
    for row in rows:
        hand = parse_hand(row.hand)
        assert (deadwood(hand), len(best_spreads(hand))) == (row.deadwood, row.n_optimal_spreads), row


def test_eleven_cards_have_exact_best_discards() -> None:
    rows = hands11()
    assert len(rows) == 3_000
    for row in rows:
        hand = parse_hand(row.hand)
        least, discards = best_discard(hand)
        assert deadwood(hand) == row.deadwood_11, row
        assert (least, texts(discards)) == (row.best_after_discard, row.best_discards), row


def test_best_discard_needs_every_spread_of_eleven() -> None:
    hand = parse_hand(FAMOUS)
    # Throw the dearest loose card of each least spread of the eleven: only one of the two allows the knock.
    left = []
    for spread in best_spreads(hand):
        loose = hand & ~parse_hand(" ".join(spread))
        left.append(deadwood(hand) - max(PIPS[card % 13] for card in cards_of(loose)))
    assert sorted(left) == [10, 12]
    assert best_discard(hand) == naive.best_discards(hand) == (10, [parse_card("6D")])
    solution = solve(hand)
    assert solution.discards is not None
    assert texts(solution.discards.knock) == ["6D"]


# --- the naive twin


@pytest.mark.parametrize("size", range(1, 12))
def test_deadwood_and_spreads_equal_the_naive_search(size: int) -> None:
    rng = random.Random(size)
    for _ in range(150):
        hand = dense_hand(rng, size)
        assert deadwood(hand) == naive.deadwood(hand), hand
        assert best_spreads(hand) == naive.best_spreads(hand), hand


def test_best_discards_equal_the_naive_search_whatever_is_barred() -> None:
    rng = random.Random(11)
    for _ in range(300):
        hand = dense_hand(rng, 11)
        for barred in (NO_CARD, rng.choice(list(cards_of(hand))), best_discard(hand)[1][0]):
            assert best_discard(hand, barred) == naive.best_discards(hand, barred), (hand, barred)


@pytest.mark.parametrize("sizes", [(3, 3, 4), (3, 7), (4, 6), (5, 5), (10,)], ids=str)
def test_with_the_only_loose_card_barred_a_meld_is_broken(sizes: tuple[int, ...]) -> None:
    rng = random.Random(len(sizes))
    broken = 0
    for _ in range(60):
        melds = melded_hand(rng, sizes)
        loose = rng.choice(list(cards_of(FULL_DECK & ~melds)))
        hand = melds | 1 << loose
        least, discards = best_discard(hand, loose)
        assert (least, discards) == naive.best_discards(hand, loose), (hand, loose)
        assert best_discard(hand)[0] == 0
        broken += least > 0
    assert broken > 20


@pytest.mark.parametrize("sizes", [(3, 3, 5), (3, 4, 4), (3, 8), (4, 7), (5, 6), (11,)], ids=str)
def test_eleven_melded_cards_are_big_gin(sizes: tuple[int, ...]) -> None:
    rng = random.Random(len(sizes))
    for _ in range(60):
        hand = melded_hand(rng, sizes)
        barred = rng.choice(list(cards_of(hand)))
        solution = solve(hand, barred)
        assert solution.discards is not None
        assert (solution.deadwood, solution.discards.big_gin) == (0, True)
        assert best_discard(hand) == naive.best_discards(hand), hand
        assert best_discard(hand, barred) == naive.best_discards(hand, barred), (hand, barred)
        assert solution.discards.knock == naive.knock_discards(hand, 10, barred)
        assert solution.discards.gin == naive.gin_discards(hand, barred)


@pytest.mark.parametrize("ranks", list(combinations(range(4, 8), 2)), ids=str)
def test_two_quads_and_three_more_are_solved_exactly(ranks: tuple[int, int]) -> None:
    quads = naive.mask_of(suit * 13 + rank for rank in ranks for suit in range(4))
    others = [card for card in cards_of(FULL_DECK & ~quads) if 2 <= card % 13 <= 9 and card // 13 < 2]
    for three in combinations(others, 3):
        hand = quads | naive.mask_of(three)
        assert (deadwood(hand), best_discard(hand)) == (naive.deadwood(hand), naive.best_discards(hand)), hand


# --- counted by enumeration


def test_the_deck_has_329_melds_and_each_is_one_spread() -> None:
    assert sum(map(naive.is_set, MELDS)) == 65
    assert sum(map(naive.is_run, MELDS)) == 264
    for meld in MELDS:
        if len(meld) <= 11:
            hand = naive.mask_of(meld)
            assert (deadwood(hand), best_spreads(hand)) == (0, [naive.spread_text([meld])])


@pytest.mark.parametrize(("size", "melds"), [(1, 0), (2, 0), (3, 52 + 44), (4, 13 + 40)])
def test_of_all_small_hands_only_the_melds_have_no_deadwood(size: int, melds: int) -> None:
    hands = np.array([sum(picked) for picked in combinations([1 << card for card in range(52)], size)], np.uint64)
    left = deadwood_many(hands)
    assert set(hands[left == 0].tolist()) == set(OF_SIZE[size].tolist() if size >= 3 else [])
    assert int((left == 0).sum()) == melds


def _melded(sizes: tuple[int, ...]) -> Masks:
    """Return all hands made of disjoint melds of these sizes, each hand once."""
    hands = np.zeros(1, np.uint64)
    for size in sizes:
        pairs = np.broadcast_arrays(hands[:, None], OF_SIZE[size][None, :])
        hands = np.unique((pairs[0] | pairs[1])[pairs[0] & pairs[1] == 0])
    return hands


def _all_melded(partitions: list[tuple[int, ...]]) -> Masks:
    return np.unique(np.concatenate([_melded(sizes) for sizes in partitions]))


def test_gin_hands_are_those_that_disjoint_melds_make_up() -> None:
    gin = _all_melded([(3, 3, 4), (3, 7), (4, 6), (5, 5), (10,)])
    assert len(gin) == GIN_HANDS
    assert not deadwood_many(gin).any()
    # And no others: swap a card of a gin hand for another, a million times.
    rng = np.random.default_rng(10)
    near = np.array(list(_swapped(rng.choice(gin, 1_000_000), rng)), np.uint64)
    assert np.array_equal(deadwood_many(near) == 0, np.isin(near, gin))


def _swapped(hands: Masks, rng: np.random.Generator) -> Iterator[np.uint64]:
    bits = np.uint64(1) << rng.integers(0, 52, (2, len(hands)), np.uint64)
    fits = (hands & bits[0] != 0) & (hands & bits[1] == 0)
    yield from (hands ^ bits[0] ^ bits[1])[fits]


def test_big_gin_hands_are_those_that_disjoint_melds_make_up() -> None:
    big = _all_melded([(3, 3, 5), (3, 4, 4), (3, 8), (4, 7), (5, 6), (11,)])
    assert len(big) == BIG_GIN_HANDS
    assert not deadwood_many(big).any()


# --- many hands


def _random_hands(size: int, count: int) -> list[int]:
    """Draw hands, dense and scattered ones by turns."""
    rng = random.Random(100 + size)
    scattered = (naive.mask_of(rng.sample(range(52), size)) for _ in range(count // 2))
    return [
        hand
        for pair in zip(scattered, (dense_hand(rng, size) for _ in range(count // 2)), strict=True)
        for hand in pair
    ]


def test_deadwood_of_many_hands_is_that_of_each() -> None:
    hands = [hand for size in (1, 4, 7, 10, 11) for hand in _random_hands(size, 20_000)]
    assert len(hands) == 100_000
    assert deadwood_many(hands).tolist() == [deadwood(hand) for hand in hands]
    assert deadwood_many([]).tolist() == []


def test_after_discard_is_the_least_deadwood_over_every_allowed_discard() -> None:
    hands = np.array(_random_hands(11, 30_000), np.uint64)
    rng = random.Random(5)
    cards = [list(cards_of(hand)) for hand in hands.tolist()]
    left = np.stack([deadwood_many(hands ^ np.array([1 << held[i] for held in cards], np.uint64)) for i in range(11)])
    for hand, held, points in zip(hands.tolist(), cards, left.T.tolist(), strict=True):
        barred = rng.choice([NO_CARD, rng.choice(held)])
        allowed = {card: least for card, least in zip(held, points, strict=True) if card != barred}
        least = min(allowed.values())
        best = naive.mask_of(card for card in allowed if allowed[card] == least)
        assert after_discard(hand, 0 if barred == NO_CARD else 1 << barred) == (least, best), (hand, barred)
