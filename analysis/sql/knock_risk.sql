-- All knocks short of gin and how many were undercut, over blocks of {block_pairs} pairs: one row for each block,
-- knocked deadwood and band of turns. In braces: filled in by analysis.knocks.
SELECT
    (pair // {block_pairs})::INTEGER AS block,
    knocker_deadwood AS deadwood,
    {band} AS band,
    count(*) AS knocks,
    count(*) FILTER (ending = 3) AS undercuts
FROM deals
WHERE ending IN (0, 3) AND {counted}
GROUP BY ALL
