"""Counter-based randomness: every number is a function of (seed, pair, deal, seat, decision), and of nothing else.

The generator is Philox4x64-10 (Salmon et al., "Parallel random numbers: as easy as 1, 2, 3", SC11): a keyed
bijection of a counter, so distinct counters never share a number by construction, and no state is carried from
deal to deal or thread to thread. The seed is the key; the counter is (block, deal, pair, purpose). Leg, strategy
and pairing are deliberately absent: all pairings and both legs see the same cards.
"""

from __future__ import annotations

import numpy as np

from sim.bits import U0, U1, Mask, Number, multiply_high
from sim.jit import kernel

# Multipliers and key increments of Philox4x64 (Salmon et al. 2011, table 2 and section 3.3).
MULTIPLIER_0 = np.uint64(0xD2E7470EE14C6C93)
MULTIPLIER_1 = np.uint64(0xCA5A826395121157)
WEYL_0 = np.uint64(0x9E3779B97F4A7C15)
WEYL_1 = np.uint64(0xBB67AE8584CAA73B)
ROUNDS = 10

# What a number is for: the last word of the counter.
DECK_CARDS = np.uint64(0)
NOISE = np.uint64(1)
FIRST_DEALER = np.uint64(2)

S30, S27, S31 = np.uint64(30), np.uint64(27), np.uint64(31)
MIX_1 = np.uint64(0xBF58476D1CE4E5B9)
MIX_2 = np.uint64(0x94D049BB133111EB)


@kernel
def philox(block: Mask, deal: Mask, pair: Mask, purpose: Mask, seed: Mask) -> tuple[Mask, Mask, Mask, Mask]:
    """Return the four random 64-bit words of one counter under one seed; all arguments are uint64."""
    c0, c1, c2, c3 = block, deal, pair, purpose
    k0, k1 = seed, U0
    for _ in range(ROUNDS):
        high_0, low_0 = multiply_high(MULTIPLIER_0, c0), MULTIPLIER_0 * c0
        high_1, low_1 = multiply_high(MULTIPLIER_1, c2), MULTIPLIER_1 * c2
        c0, c1, c2, c3 = high_1 ^ c1 ^ k0, low_1, high_0 ^ c3 ^ k1, low_0
        k0 += WEYL_0
        k1 += WEYL_1
    return c0, c1, c2, c3


@kernel
def noise(seat_key: Mask, decision: Number) -> Mask:
    """Return the random word of one decision of a seat: word number `decision` of SplitMix64 started at its key.

    Source of the mixer: Steele, Lea, Flood, "Fast splittable pseudorandom number generators", OOPSLA 2014.
    """
    z = seat_key + (np.uint64(decision) + U1) * WEYL_0
    z = (z ^ (z >> S30)) * MIX_1
    z = (z ^ (z >> S27)) * MIX_2
    return z ^ (z >> S31)


@kernel
def seat_keys(seed: Mask, pair: Number, deal: Number) -> tuple[Mask, Mask]:
    """Return the noise keys of seat 0 and seat 1 for one deal."""
    words = philox(U0, np.uint64(deal), np.uint64(pair), NOISE, seed)
    return words[0], words[1]
