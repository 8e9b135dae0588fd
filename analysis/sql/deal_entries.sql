-- One pairing's rounds of partnership play that somebody won, by block of pairs, scorer and number of columns that they
-- were entered in: how many, and their points. In braces: filled in by analysis.deal_prices.
SELECT
    (SELECT first(strategy_a) FROM matches) AS a,
    (SELECT first(strategy_b) FROM matches) AS b,
    (pair // {block_pairs})::INTEGER AS block,
    scorer,
    bit_count(columns_entered) AS entered,
    count(*)::DOUBLE AS wins,
    sum(points)::DOUBLE AS points
FROM {scored}
WHERE scorer IS NOT NULL
GROUP BY ALL
