-- The deals that decided a match against the longest odds, as a first look sees them: a row a match. Asked of some parts
-- at a time; the best of all answers are the best of the run. In braces: filled in by analysis.decisive_deals. `odds` is
-- what one column says: the chance of the match's winner in the column whose closing decided the match, from both sides'
-- points in it before the deal, were the sides even.
WITH decided AS (
    SELECT
        strategy_a AS own_a,
        strategy_b AS own_b,
        pair::BIGINT * 2 + leg AS match, -- one number to join by is twice as fast as several columns
        match_winner AS winner,
        -- Columns close in order, so the second one a side wins is column 2 if it has won both, else column 3.
        {closed} AS closed_at,
        -- Where the same deal closed two of the columns the winner needed, its rival was closest in the earlier one.
        if(match_winner = 0, {points_a}, {points_b}) AS winner_after,
        if(match_winner = 0, {near_b}, {near_a}) AS rival_points
    FROM matches
    WHERE match_winner < 2 AND {counted}
)
SELECT
    {named},
    pair,
    leg,
    deal,
    winner,
    dealer,
    ending,
    points,
    winner_after - points AS winner_points,
    ([{odds}]::FLOAT[])[
        1 + {steps} * ((winner_after::INT - points) * {steps} // {target})
        + least(rival_points::INT, {target} - 1) * {steps} // {target}
    ] AS odds
FROM decided JOIN deals ON deals.pair::BIGINT * 2 + deals.leg = match AND deals.deal = closed_at AND {same_pairing}
WHERE points >= {least}
ORDER BY odds, a, b, pair, leg
LIMIT {most}
