-- Matches that A won, a tie being half a win, of all matches.
SELECT pair, sum((match_winner = 0)::DOUBLE + 0.5 * (match_winner = 2)::DOUBLE) AS part, count(*)::DOUBLE AS whole
FROM matches
GROUP BY pair
