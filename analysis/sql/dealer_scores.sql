-- Scored deals by block of {block_pairs} pairs: ab were dealt by A and scored by B, and so on.
-- Counting by key first and sorting the counts out afterwards takes a quarter of the time of four filtered counts.
WITH counts AS (
    SELECT
        strategy_a AS a,
        strategy_b AS b,
        (pair // {block_pairs})::INTEGER AS block,
        dealer,
        scorer,
        count(*)::DOUBLE AS deals
    FROM deals
    WHERE scorer IS NOT NULL
    GROUP BY ALL
)
SELECT
    a,
    b,
    block,
    sum(deals * (dealer = 0 AND scorer = 0)::DOUBLE) AS aa,
    sum(deals * (dealer = 0 AND scorer = 1)::DOUBLE) AS ab,
    sum(deals * (dealer = 1 AND scorer = 0)::DOUBLE) AS ba,
    sum(deals * (dealer = 1 AND scorer = 1)::DOUBLE) AS bb
FROM counts
GROUP BY ALL
