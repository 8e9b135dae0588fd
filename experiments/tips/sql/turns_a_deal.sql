-- Turns of both players a deal, dead deals included.
SELECT pair, sum(turns)::DOUBLE AS part, count(*)::DOUBLE AS whole
FROM deals
GROUP BY pair
