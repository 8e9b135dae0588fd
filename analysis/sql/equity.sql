-- How many scored deals of a block of pairs came out how: by who dealt, who scored and the points. A row an outcome.
SELECT
    strategy_a AS a,
    strategy_b AS b,
    pair // {block_pairs} AS block,
    dealer,
    scorer,
    points,
    count(*)::DOUBLE AS deals
FROM deals
WHERE scorer IS NOT NULL
GROUP BY ALL
