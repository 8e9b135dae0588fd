"""Bit operations that Numba does not offer, each with a plain Python twin for ``NUMBA_DISABLE_JIT=1``.

All take and return unsigned 64-bit words. Numba turns ``uint64 + int64`` into a float, hence the typed constants.
"""

from __future__ import annotations

from typing import Any, TypeAlias

import numpy as np
from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic

from sim.jit import JIT_IS_ON, kernel

_INT128 = ir.IntType(128)
Mask: TypeAlias = Any
"""In a kernel's signature: a uint64 word, mostly a 52-bit mask of cards. (NumPy's scalar types do not type-check
in arithmetic with int, so kernels are documented rather than checked.)"""
Words: TypeAlias = Any
"""In a kernel's signature: an array of such words."""
Records: TypeAlias = Any
"""In a kernel's signature: an array of records, or one of them."""
Number: TypeAlias = Any
"""In a kernel's signature: a signed whole number."""

U0 = np.uint64(0)
U1 = np.uint64(1)

if JIT_IS_ON:

    @intrinsic
    def popcount(typing_context: Any, word: Any) -> Any:
        """Count the set bits of a word."""

        def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            return builder.ctpop(args[0])

        return types.int64(types.uint64), codegen

    @intrinsic
    def trailing_zeros(typing_context: Any, word: Any) -> Any:
        """Return the index of the lowest set bit; 64 if there is none."""

        def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            return builder.cttz(args[0], cgutils.false_bit)

        return types.int64(types.uint64), codegen

    @intrinsic
    def leading_zeros(typing_context: Any, word: Any) -> Any:
        """Return the number of zero bits above the highest set bit; 64 if there is none."""

        def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            return builder.ctlz(args[0], cgutils.false_bit)

        return types.int64(types.uint64), codegen

    @intrinsic
    def multiply_high(typing_context: Any, a: Any, b: Any) -> Any:
        """Return the high 64 bits of the 128-bit product of two words."""

        def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            wide = builder.zext(args[0], _INT128)
            product = builder.mul(wide, builder.zext(args[1], _INT128))
            return builder.trunc(builder.lshr(product, _INT128(64)), args[0].type)

        return types.uint64(types.uint64, types.uint64), codegen

else:

    def popcount(word: Mask) -> Number:
        """Count the set bits of a word."""
        return np.int64(int(word).bit_count())

    def trailing_zeros(word: Mask) -> Number:
        """Return the index of the lowest set bit; 64 if there is none."""
        return np.int64((int(word) & -int(word)).bit_length() - 1 if word else 64)

    def leading_zeros(word: Mask) -> Number:
        """Return the number of zero bits above the highest set bit; 64 if there is none."""
        return np.int64(64 - int(word).bit_length())

    def multiply_high(a: Mask, b: Mask) -> Mask:
        """Return the high 64 bits of the 128-bit product of two words."""
        return np.uint64(int(a) * int(b) >> 64)


@kernel
def lowest(word: Mask) -> Mask:
    """Return the lowest set bit of a word, alone; 0 if there is none."""
    return word & (~word + U1)


@kernel
def bit(index: Number) -> Mask:
    """Return the word with one bit set: of a card, its hand mask. Index 0..63."""
    return U1 << np.uint64(index)


@kernel
def pick(mask: Mask, noise: Mask) -> Number:
    """Return the index of one set bit of a mask that is not 0, each equally likely under a random 64-bit word."""
    skip = multiply_high(noise, np.uint64(popcount(mask)))
    while skip:
        mask ^= lowest(mask)
        skip -= U1
    return trailing_zeros(mask)
