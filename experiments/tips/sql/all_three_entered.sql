-- Wins from a side's third on that were entered in all three columns.
SELECT pair, count(*) FILTER (entered = 7)::DOUBLE AS part, count(*)::DOUBLE AS whole
FROM entries
WHERE win >= 3
GROUP BY pair
