-- How many pairs had a side open a column at deal index `leg0` in leg 0 and `leg1` in leg 1 (null: never).
-- One branch of a UNION: analysis.opening_curves makes one for each side and column.
SELECT a, b, '{side}' AS side, {column} AS "column", leg0, leg1, count(*) AS pairs
FROM (
    SELECT
        strategy_a AS a,
        strategy_b AS b,
        leg,
        column{column}_opened_{side} AS leg0,
        lead(column{column}_opened_{side}) OVER () AS leg1
    FROM matches
)
WHERE leg = 0
GROUP BY a, b, leg0, leg1
