-- One run's matches of a pairing as side {side} sees them against side {rival}, a row a match; in braces: filled in by
-- analysis.run_difference. Where the sides are swapped leg 0 has the seats of the other run's leg 1, and counts as it.
SELECT
    pair,
    {leg} AS leg,
    -- A tie is half a win for each.
    (match_winner = {winner})::DOUBLE + 0.5 * (match_winner = 2)::DOUBLE AS match_score,
    {sign} * settlement::DOUBLE AS settled_points,
    deal_points_{side}::DOUBLE - deal_points_{rival} AS net_points,
    deals_won_{side}::DOUBLE - deals_won_{rival} AS net_deals,
    -- With these two, matches that came to the same are hardly different play.
    deal_points_{side} AS points,
    deals_played AS deals
FROM {view}
WHERE pair BETWEEN {first} AND {last}
