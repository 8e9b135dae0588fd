-- How many pairs had a side open a column at deal index `leg0` in leg 0 and `leg1` in leg 1 (null: never): for each column
-- and side, all counted in one scan. In braces: filled in by analysis.opening_curves; `opened` are the columns of
-- matches that hold the openings, A's and B's of column 1 first, and each set is of one of them in both legs.
WITH pairs AS (
    SELECT {named}, leg, {opened}, {opened_in_leg1}
    FROM matches
),
counted AS (
    SELECT
        a,
        b,
        CASE 0 {number} END AS number, -- which one the row is of: it alone was grouped by
        coalesce({opened}) AS leg0,
        coalesce({in_leg1}) AS leg1,
        count(*) AS pairs
    FROM pairs
    WHERE leg = 0
    GROUP BY GROUPING SETS ({sets})
)
SELECT a, b, if(number % 2 = 0, 'a', 'b') AS side, number // 2 + 1 AS "column", leg0, leg1, pairs
FROM counted
