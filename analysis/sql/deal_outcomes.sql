-- How many scored deals of a block of {block_pairs} pairs came out how: by who dealt, who scored, the number of columns
-- entered and the points. A row an outcome.
SELECT
    {named},
    (pair // {block_pairs})::INTEGER AS block,
    dealer,
    scorer,
    bit_count(columns_entered) AS entered,
    points,
    count(*)::DOUBLE AS deals
FROM deals
WHERE scorer IS NOT NULL
GROUP BY ALL
