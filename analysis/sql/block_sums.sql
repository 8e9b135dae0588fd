-- Sums over blocks of {block_pairs} pairs. The same block number means the same cards in every pairing,
-- so that pairings can be averaged without pretending that they are independent.
SELECT a, b, pair // {block_pairs} AS block, {sums}
FROM measures
GROUP BY ALL;
