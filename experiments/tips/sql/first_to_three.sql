-- Matches won by the side that was the first to win three deals, a tie being half a win.
SELECT pair,
    sum((match_winner = side)::DOUBLE + 0.5 * (match_winner = 2)::DOUBLE) AS part,
    count(*)::DOUBLE AS whole
FROM (SELECT pair, leg, arg_min(scorer, deal) AS side FROM entries WHERE win = 3 GROUP BY pair, leg)
JOIN matches USING (pair, leg)
GROUP BY pair
