-- Sums and sums of squares over card streams, by blocks of {block_pairs} of them: one row a trio and block. A score is
-- what a side made of the six matches of a card stream, in thirds of a match: 3 a match won, 1 for a tie, so 0 to 18.
-- Files hold the six seatings of a card stream in adjacent rows, so looking ahead joins them: no hash table, and no
-- memory that grows with the run. `torn` counts rows where that does not hold; the caller refuses such a run.
WITH thirds AS (
    SELECT
        strategy_a AS a,
        strategy_b AS b,
        strategy_c AS c,
        pair,
        leg,
        deals_played::DOUBLE AS deals,
        deals_played::DOUBLE - deals_won_a - deals_won_b - deals_won_c AS dead,
        (match_winner = 3)::DOUBLE AS ties,
        3 * (match_winner = 0)::DOUBLE + (match_winner = 3)::DOUBLE AS score_a,
        3 * (match_winner = 1)::DOUBLE + (match_winner = 3)::DOUBLE AS score_b,
        3 * (match_winner = 2)::DOUBLE + (match_winner = 3)::DOUBLE AS score_c
    FROM trios
),
streams AS (
    SELECT
        a,
        b,
        c,
        pair,
        leg,
        {whole} AS whole,
        {stream_sums}
    FROM thirds
)
SELECT
    a,
    b,
    c,
    pair // {block_pairs} AS block,
    count(*)::DOUBLE AS pairs,
    6 * count(*)::DOUBLE AS matches,
    count(*) FILTER (whole IS NOT TRUE) AS torn,
    sum(deals) AS deals,
    sum(dead) AS dead,
    sum(ties) AS ties,
    sum(score_a) AS score_a,
    sum(score_b) AS score_b,
    sum(score_c) AS score_c,
    sum(score_a * score_a) AS squares_a,
    sum(score_b * score_b) AS squares_b,
    sum(score_c * score_c) AS squares_c
FROM streams
WHERE leg = 0
GROUP BY ALL;
