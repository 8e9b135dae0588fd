-- What side A's results in the pairs that two runs share have in common: sums over those pairs, one row. In braces:
-- filled in by analysis.conditions, which asks for a stretch of pairs at a time. A tie is half a win for each.
WITH
one AS (
    SELECT pair, sum((match_winner = {winner1})::DOUBLE + 0.5 * (match_winner = 2)::DOUBLE) / 2 AS score
    FROM matches1 WHERE pair BETWEEN {first} AND {last} GROUP BY pair
),
two AS (
    SELECT pair, sum((match_winner = {winner2})::DOUBLE + 0.5 * (match_winner = 2)::DOUBLE) / 2 AS score
    FROM matches2 WHERE pair BETWEEN {first} AND {last} GROUP BY pair
)
SELECT
    count(*)::DOUBLE AS pairs,
    coalesce(sum(one.score), 0) AS score_1,
    coalesce(sum(two.score), 0) AS score_2,
    coalesce(sum(one.score * two.score), 0) AS products
FROM one JOIN two USING (pair);
