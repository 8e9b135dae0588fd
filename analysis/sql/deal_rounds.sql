-- The rounds of partnership play that somebody won: the two deals of a round are adjacent rows, with indices 2r and
-- 2r + 1; their points are netted, and the second says what was entered. Its net is from side A’s view.
SELECT pair, leg, deal, (net < 0)::UTINYINT AS scorer, abs(net) AS points, columns_entered
FROM (
    SELECT
        *,
        points::INTEGER * (1 - 2 * coalesce(scorer, 0)::INTEGER) AS own,
        own + lag(own) OVER () AS net
    FROM deals
)
WHERE deal % 2 = 1 AND net <> 0
