-- What one match contributes, from both sides' view. One row a match; sums of these are all that is ever needed.
-- Doubles hold halves and every count exactly, so sums do not depend on the order of rows. `named` is `Run.named`.
CREATE TEMP VIEW measures AS
WITH facts AS (
    SELECT *,
        -- A tie is half a win for each.
        (match_winner = 0)::DOUBLE + 0.5 * (match_winner = 2)::DOUBLE AS win_a,
        (match_winner = 1)::DOUBLE + 0.5 * (match_winner = 2)::DOUBLE AS win_b,
        -- Only one side scores a deal, so two sides never open a column with the same one. 65535: never opened.
        coalesce(column1_opened_a, 65535) < coalesce(column1_opened_b, 65535) AS first1_by_a,
        coalesce(column1_opened_b, 65535) < coalesce(column1_opened_a, 65535) AS first1_by_b,
        coalesce(column2_opened_a, 65535) < coalesce(column2_opened_b, 65535) AS first2_by_a,
        coalesce(column2_opened_b, 65535) < coalesce(column2_opened_a, 65535) AS first2_by_b,
        coalesce(column3_opened_a, 65535) < coalesce(column3_opened_b, 65535) AS first3_by_a,
        coalesce(column3_opened_b, 65535) < coalesce(column3_opened_a, 65535) AS first3_by_b,
        -- A shutout: the loser had no entry when the column closed.
        if(column1_winner = 0, column1_opened_b, column1_opened_a) AS loser1_opened,
        if(column2_winner = 0, column2_opened_b, column2_opened_a) AS loser2_opened,
        if(column3_winner = 0, column3_opened_b, column3_opened_a) AS loser3_opened
    FROM matches
)
SELECT
    {named},
    pair,
    leg,
    1::DOUBLE AS matches,
    win_a,
    win_b,
    (match_winner = 2)::DOUBLE AS ties,
    -- Deals: won, and how they ended. `knocks` counts undercut knocks too; those were scored by the other side.
    deals_played::DOUBLE AS deals,
    deals_won_a::DOUBLE AS deals_won_a,
    deals_won_b::DOUBLE AS deals_won_b,
    deals_won_a::DOUBLE + deals_won_b AS deals_scored,
    deal_points_a::DOUBLE AS points_a,
    deal_points_b::DOUBLE AS points_b,
    deal_points_a::DOUBLE + deal_points_b AS points_scored,
    gins_a::DOUBLE AS gin_a,
    gins_b::DOUBLE AS gin_b,
    big_gins_a::DOUBLE AS big_gin_a,
    big_gins_b::DOUBLE AS big_gin_b,
    knocks_a::DOUBLE - undercuts_b AS knock_a,
    knocks_b::DOUBLE - undercuts_a AS knock_b,
    undercuts_a::DOUBLE AS undercut_a,
    undercuts_b::DOUBLE AS undercut_b,
    walls::DOUBLE AS wall,
    turn_caps::DOUBLE AS turn_cap,
    -- Columns: won by each side, and closed at all (a match may stop before its last column closes).
    coalesce(column1_winner = 0, false)::DOUBLE AS column1_a,
    coalesce(column1_winner = 1, false)::DOUBLE AS column1_b,
    (column1_winner IS NOT NULL)::DOUBLE AS column1_closed,
    coalesce(column2_winner = 0, false)::DOUBLE AS column2_a,
    coalesce(column2_winner = 1, false)::DOUBLE AS column2_b,
    (column2_winner IS NOT NULL)::DOUBLE AS column2_closed,
    coalesce(column3_winner = 0, false)::DOUBLE AS column3_a,
    coalesce(column3_winner = 1, false)::DOUBLE AS column3_b,
    (column3_winner IS NOT NULL)::DOUBLE AS column3_closed,
    coalesce(column1_winner = column2_winner AND column1_winner = column3_winner, false)::DOUBLE AS sweep,
    coalesce(column1_winner = 0 AND column2_winner = 0 AND column3_winner = 0, false)::DOUBLE AS sweep_a,
    coalesce(column1_winner = 1 AND column2_winner = 1 AND column3_winner = 1, false)::DOUBLE AS sweep_b,
    (column1_winner IS NOT NULL AND coalesce(loser1_opened > column1_closed, true))::DOUBLE AS shutout1,
    (column2_winner IS NOT NULL AND coalesce(loser2_opened > column2_closed, true))::DOUBLE AS shutout2,
    (column3_winner IS NOT NULL AND coalesce(loser3_opened > column3_closed, true))::DOUBLE AS shutout3,
    -- Who opened each column first, and A's match then.
    first1_by_a::DOUBLE AS first1_a,
    first1_by_b::DOUBLE AS first1_b,
    first2_by_a::DOUBLE AS first2_a,
    first2_by_b::DOUBLE AS first2_b,
    first3_by_a::DOUBLE AS first3_a,
    first3_by_b::DOUBLE AS first3_b,
    first1_by_a::DOUBLE * win_a AS first1_a_win,
    first1_by_b::DOUBLE * win_a AS first1_b_win,
    first2_by_a::DOUBLE * win_a AS first2_a_win,
    first2_by_b::DOUBLE * win_a AS first2_b_win,
    first3_by_a::DOUBLE * win_a AS first3_a_win,
    first3_by_b::DOUBLE * win_a AS first3_b_win
FROM facts;
