-- Deals a match, dead ones included.
SELECT pair, sum(deals_played)::DOUBLE AS part, count(*)::DOUBLE AS whole
FROM matches
GROUP BY pair
