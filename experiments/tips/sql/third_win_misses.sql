-- Wins from a side's third on that were not entered in every column still open to it.
SELECT pair, count(*) FILTER (entered <> still_open)::DOUBLE AS part, count(*)::DOUBLE AS whole
FROM entries
WHERE win >= 3
GROUP BY pair
