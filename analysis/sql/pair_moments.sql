-- Sums and sums of products over duplicate pairs, one row a pairing. In braces: lists made by analysis.moments.
-- Files hold the two legs of a pair in adjacent rows, so one look ahead joins them: no hash table, and no memory that
-- grows with the run. `torn` counts rows where that does not hold; the caller refuses such a run.
WITH paired AS (
    SELECT
        a,
        b,
        leg,
        lead(pair) OVER () = pair AND lead(leg) OVER () = 1 AS whole,
        win_a AS leg0_win,
        {pair_sums}
    FROM measures
)
SELECT
    a,
    b,
    count(*)::DOUBLE AS pairs,
    count(*) FILTER (whole IS NOT TRUE) AS torn,
    count(*) FILTER (win_a = 0.0) AS n_0,
    count(*) FILTER (win_a = 0.5) AS n_1,
    count(*) FILTER (win_a = 1.0) AS n_2,
    count(*) FILTER (win_a = 1.5) AS n_3,
    count(*) FILTER (win_a = 2.0) AS n_4,
    sum(leg0_win) AS leg0_win,
    sum(leg0_win * leg0_win) AS "leg0_win*leg0_win",
    sum(leg0_win * win_a) AS "leg0_win*win_a",
    {sums},
    {products}
FROM paired
WHERE leg = 0
GROUP BY a, b;
