-- The deals and what they scored, over blocks of {block_pairs} pairs: one row for each pairing, block, side that ended the
-- deal (2: nobody; where a player meets himself 0), ending, the knocker's own turn and deadwood. In braces: filled in by
-- analysis.knocks. The last turn is the knocker's, so that his are half of both sides' turns, rounded up.
SELECT
    {named},
    (pair // {block_pairs})::INTEGER AS block,
    if(knocker IS NULL, 2, {side})::UTINYINT AS side,
    ending,
    if(knocker IS NULL, 0, (turns + 1) // 2)::UTINYINT AS turn,
    coalesce(knocker_deadwood, 0) AS deadwood,
    count(*) AS deals,
    sum(points)::DOUBLE AS points
FROM deals
WHERE {counted}
GROUP BY ALL
