-- Partnership play's deals, with who won the round that ends with a deal: the two deals of a round are adjacent rows, with
-- indices 2r and 2r + 1; their points are netted, and the second says what was entered. Its net is from side A’s view.
-- The first has no scorer here, nor has the second of a round that nobody won.
SELECT
    pair,
    CASE WHEN deal % 2 = 1 AND net <> 0 THEN (net < 0)::UTINYINT END AS scorer,
    abs(net) AS points,
    columns_entered
FROM (
    SELECT
        *,
        points::INTEGER * (1 - 2 * coalesce(scorer, 0)::INTEGER) AS own,
        own + lag(own) OVER () AS net
    FROM deals
)
