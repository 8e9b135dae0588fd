"""Randomness: the published generators, a fair shuffle, and cards that depend on (seed, pair, deal) alone."""

from __future__ import annotations

import math
import random
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest
from numba import from_dtype, types

from sim.bits import pick
from sim.cards import N_CARDS
from sim.jit import entry
from sim.rng import DECK_CARDS, FIRST_DEALER, NOISE, noise, philox, seat_keys
from sim.rules import Rules
from sim.shuffle import (
    BATCH_ENDS,
    BATCH_WAYS,
    DECK,
    _fair_word,
    _shuffle_batch,
    card_at,
    new_decks,
    prepare,
)
from tests.support.kernel_match import deck_of, kernel_rows
from tests.support.naive_melds import deadwood, mask_of

WORD = 1 << 64
SEEDS = (0, 1, 2026, WORD - 1)
STARTS = (0, *BATCH_ENDS[:-1])
BATCHES = range(len(BATCH_ENDS))
FAIR_DECKS = 200_000


def numpy_philox(counter: tuple[int, int, int, int], seed: int) -> list[int]:
    """Return numpy's four words of a counter. It counts up before it draws, hence one less."""
    number = sum(word << 64 * place for place, word in enumerate(counter))
    before = (number - 1) % (1 << 256)
    words = np.array([before >> 64 * place & WORD - 1 for place in range(4)], np.uint64)
    generator = np.random.Philox(counter=words, key=np.array([seed, 0], np.uint64))
    return [int(word) for word in generator.random_raw(4)]


def our_philox(counter: tuple[int, int, int, int], seed: int) -> list[int]:
    block, deal, pair, purpose = (np.uint64(word) for word in counter)
    return [int(word) for word in philox(block, deal, pair, purpose, np.uint64(seed))]


def prepared(seed: int, pair: int, deal: int) -> Any:
    deck = new_decks(seed)[0]
    prepare(deck, pair, deal)
    return deck


def all_cards(deck: Any) -> list[int]:
    """Deal a prepared deck to its last card."""
    return [int(card_at(deck, place)) for place in range(N_CARDS)]


# --- the generators


def test_philox_is_that_of_numpy() -> None:
    rng = random.Random(1)
    counters = [(0, 0, 0, 0), (1, 0, 0, 0), (0, 1, 0, 2), (WORD - 1,) * 4]
    counters += [(rng.randrange(4), rng.randrange(99), rng.randrange(WORD), p) for p in (0, 1, 2) for _ in range(99)]
    for counter in counters:
        for seed in SEEDS:
            assert our_philox(counter, seed) == numpy_philox(counter, seed), (counter, seed)


def test_philox_gives_the_known_answers_of_its_authors() -> None:
    # Random123, kat_vectors, "philox4x64 10" with counter and key all zero.
    zero = [0x16554D9ECA36314C, 0xDB20FE9D672D0FDC, 0xD7E772CEE186176B, 0x7E68B68AEC7BA23B]
    assert our_philox((0, 0, 0, 0), 0) == zero


def test_noise_is_splitmix64_started_at_the_seat_key() -> None:
    known = [6457827717110365317, 3203168211198807973, 9817491932198370423]
    known += [4593380528125082431, 16408922859458223821]
    assert [int(noise(np.uint64(1234567), decision)) for decision in range(5)] == known


def test_seats_and_deals_have_noise_of_their_own() -> None:
    keys = [seat_keys(np.uint64(5), pair, deal) for pair in range(20) for deal in range(20)]
    assert [int(key) for key in keys[0]] == our_philox((0, 0, 0, int(NOISE)), 5)[:2]
    assert len({int(key) for both in keys for key in both}) == 800
    assert [int(key) for key in prepared(5, 7, 3).noise_keys] == [int(key) for key in keys[7 * 20 + 3]]
    assert len({int(purpose) for purpose in (DECK_CARDS, NOISE, FIRST_DEALER)}) == 3


@pytest.mark.parametrize("cards", [1, 2, 3, 7, 10, 11, 52])
def test_pick_gives_each_bit_the_same_share_of_all_words(cards: int) -> None:
    rng = random.Random(cards)
    held = sorted(rng.sample(range(52), cards))
    mask = np.uint64(mask_of(held))
    for place, card in enumerate(held):
        # Place k gets the words from k/n to (k+1)/n of all: shares that differ by one word at most.
        first, last = -(-place * WORD // cards), -(-(place + 1) * WORD // cards) - 1
        words = (first, last, rng.randint(first, last))
        assert [int(pick(mask, np.uint64(word))) for word in words] == [card] * 3


# --- the deck


def test_a_deck_is_all_52_cards_once_dealt_to_the_seats() -> None:
    decks = new_decks(9)
    orders = set()
    for number in range(3_000):
        pair, deal = divmod(number, 30)
        prepare(decks[0], pair, deal)
        cards = all_cards(decks[0])
        assert sorted(cards) == list(range(N_CARDS))
        assert decks[0].hands.tolist() == [mask_of(cards[:10]), mask_of(cards[10:20])]
        orders.add(tuple(cards))
    assert len(orders) == 3_000
    for seat in (0, 1):
        assert decks[0].deadwood[seat] == deadwood(int(decks[0].hands[seat]))


def test_cards_are_the_same_in_whatever_order_they_are_asked_for() -> None:
    rng = random.Random(2)
    for deal in range(300):
        stream = deck_of(3, 17, deal)
        deck, dealt = prepared(3, 17, deal), prepared(3, 17, deal).cards.tolist()
        assert dealt[: BATCH_ENDS[2]] == stream[: BATCH_ENDS[2]]  # final as soon as dealt
        for place in rng.sample(range(N_CARDS), rng.randint(1, N_CARDS)):
            assert card_at(deck, place) == stream[place], (deal, place)


def test_a_deck_is_a_function_of_seed_pair_and_deal_whatever_it_held_before() -> None:
    streams = {key: deck_of(*key) for key in [(1, 0, 0), (2, 0, 0), (1, 1, 0), (1, 0, 1), (1, 1 << 31, 60_000)]}
    assert len({tuple(stream) for stream in streams.values()}) == len(streams)
    deck = new_decks(1)[0]
    for _, pair, deal in [key for key in streams if key[0] == 1] * 2:
        prepare(deck, pair, deal)
        assert card_at(deck, 40) == streams[1, pair, deal][40]
        prepare(deck, pair, deal)  # it holds this deal: nothing is dealt again
        assert deck.shuffled == BATCH_ENDS[3]
        assert all_cards(deck) == all_cards(prepared(1, pair, deal)) == streams[1, pair, deal]


# --- a fair shuffle


def orders(batch: int, count: int) -> list[int]:
    """Return numbers of orders of a batch: the first, the last, and some between."""
    ways = int(BATCH_WAYS[batch])
    rng = random.Random(batch)
    return [0, 1, ways - 1, *(rng.randrange(ways) for _ in range(count))]


@pytest.mark.parametrize("batch", BATCHES)
def test_each_order_of_a_batch_belongs_to_its_own_share_of_the_words(batch: int) -> None:
    start, end, ways = STARTS[batch], BATCH_ENDS[batch], int(BATCH_WAYS[batch])
    assert ways == math.perm(N_CARDS - start, end - start) < WORD // 16
    deck = prepared(1, 0, 0)
    for order in orders(batch, 200):
        deck.cards = list(range(N_CARDS))
        _shuffle_batch(deck, np.uint64((2 * order + 1) * WORD // (2 * ways)), batch)
        assert deck.cards.tolist() == _ordered(order, start, end)


def _ordered(order: int, start: int, end: int) -> list[int]:
    """Return the deck after the swaps of an order, read as a number with one digit for each place."""
    digits = []
    for place in reversed(range(start, end)):
        order, digit = divmod(order, N_CARDS - place)
        digits.append(digit)
    cards = list(range(N_CARDS))
    for place, digit in zip(range(start, end), reversed(digits), strict=True):
        cards[place], cards[place + digit] = cards[place + digit], cards[place]
    return cards


@pytest.mark.parametrize("batch", BATCHES)
def test_a_word_that_would_favour_some_orders_is_replaced(batch: int) -> None:
    ways, replaced = int(BATCH_WAYS[batch]), 0
    too_many = WORD % ways  # words left over when all orders have had their equal share
    deck = prepared(11, 4, 6)
    for order in orders(batch, 400):
        word = -(-order * WORD // ways)  # the first word of this order
        product = word * ways % WORD
        found = int(_fair_word(deck, np.uint64(word), batch))
        if product >= too_many:
            assert found == word
        else:
            replaced += 1
            assert found == numpy_philox((2 + batch // 4, 6, 4, int(DECK_CARDS)), 11)[batch % 4]
    assert replaced > 0
    assert int(_fair_word(deck, np.uint64(0), batch)) != 0


def unfair(word: int, batch: int) -> bool:
    """Tell whether a word must be replaced: the least of the words of its order, where there is one too many."""
    ways = int(BATCH_WAYS[batch])
    return word * ways % WORD < WORD % ways


def naive_deck(seed: int, pair: int, deal: int) -> list[int]:
    """Shuffle in plain Python: for each batch one word of numpy's, or the next that is fair."""
    cards = list(range(N_CARDS))
    for batch in BATCHES:
        block, place = divmod(batch, 4)
        while unfair(word := numpy_philox((block, deal, pair, int(DECK_CARDS)), seed)[place], batch):
            block += 2
        for first in range(STARTS[batch], BATCH_ENDS[batch]):
            digit, word = divmod(word * (N_CARDS - first), WORD)
            cards[first], cards[first + digit] = cards[first + digit], cards[first]
    return cards


def unfair_pairs(batch: int, block: int) -> list[int]:
    """Find pairs whose word for a batch must be replaced (about one in 5,000 of deal 0 of seed 1)."""
    return [
        pair for pair in range(20_000) if unfair(our_philox((block, 0, pair, int(DECK_CARDS)), 1)[batch % 4], batch)
    ]


def test_decks_are_those_of_the_naive_shuffle() -> None:
    for pair in range(100):
        assert deck_of(8, pair, pair % 7) == naive_deck(8, pair, pair % 7)
    replaced = unfair_pairs(1, 0) + unfair_pairs(2, 0)
    assert replaced
    for pair in replaced:
        assert deck_of(1, pair, 0) == naive_deck(1, pair, 0)


def test_a_replacement_is_replaced_in_its_turn() -> None:
    pairs = unfair_pairs(1, 2)
    assert pairs
    for pair in pairs:
        word = int(_fair_word(prepared(1, pair, 0), np.uint64(0), 1))
        assert word == numpy_philox((4, 0, pair, int(DECK_CARDS)), 1)[1]


_DECKS = types.Array(from_dtype(DECK), 1, "C")
_TABLE = types.Array(types.int64, 2, "C")


@entry(types.void(_DECKS, types.int64, _TABLE, _TABLE))
def _count(decks: Any, pairs: Any, places: Any, neighbours: Any) -> None:
    """Count in how many decks each card lies at each place, and each card behind each other."""
    deck = decks[0]
    for pair in range(pairs):
        prepare(deck, pair, 0)
        before = card_at(deck, 0)
        places[before, 0] += 1
        for place in range(1, N_CARDS):
            card = card_at(deck, place)
            places[card, place] += 1
            neighbours[before, card] += 1
            before = card


def test_every_card_is_equally_often_at_every_place_and_behind_every_other() -> None:
    places, neighbours = (np.zeros((N_CARDS, N_CARDS), np.int64) for _ in range(2))
    _count(new_decks(2026), FAIR_DECKS, places, neighbours)
    assert (places.sum(axis=0) == FAIR_DECKS).all()
    _assert_even(places.ravel())
    assert not neighbours.diagonal().any()
    _assert_even(neighbours[~np.eye(N_CARDS, dtype=bool)])


def _assert_even(counts: npt.NDArray[np.int64]) -> None:
    """Assert that counts of events, each of chance 1/52 in a deck, scatter as much as chance makes them."""
    variance = FAIR_DECKS * (1 / N_CARDS) * (1 - 1 / N_CARDS)
    squares = (counts - FAIR_DECKS / N_CARDS) ** 2 / variance
    # Chi square with some 2,600 degrees of freedom: its standard deviation is 2.8% of its mean.
    assert abs(float(squares.mean()) - 1) < 0.1
    assert float(squares.max()) < 5**2


# --- what the cards depend on


def test_both_legs_and_all_pairings_see_the_same_cards() -> None:
    seed, dealt = 77, dict[tuple[int, int], set[tuple[int, ...]]]()
    for a, b in [("greedy", "simple"), ("random", "gin-only"), ("threshold:knock_at=5", "greedy")]:
        for row in kernel_rows(a, b, Rules(), seed, pairs=4).deals:
            by_seat = row["initial_deadwood"].tolist()[:: -1 if row["leg"] else 1]
            dealt.setdefault((int(row["pair"]), int(row["deal"])), set()).add(tuple(by_seat))
    legs_and_pairings = [len(seen) for seen in dealt.values()]
    assert set(legs_and_pairings) == {1}
    assert len(dealt) > 40
    for (pair, deal), seen in dealt.items():
        cards = deck_of(seed, pair, deal)
        assert seen == {(deadwood(mask_of(cards[:10])), deadwood(mask_of(cards[10:20])))}


def test_a_new_seed_is_a_new_deal() -> None:
    assert len({tuple(deck_of(seed, 0, 0)) for seed in range(100)}) == 100
