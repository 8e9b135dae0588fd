-- What one pairing's scored deals, in partnership play its rounds, were followed by: how many there were of each kind and
-- how many of those matches side A won. Deals after the one that decided their match change nothing and do not count. In
-- braces: filled in by analysis.deal_prices.
-- A kind is a block of pairs, how many columns A (mine) and B (theirs) had opened before the deal, and who scored it.
WITH scored AS ({scored}),
matches_of_pairing AS (
    SELECT
        pair::BIGINT * 2 + leg AS match, -- one number to join by is twice as fast as two columns
        (match_winner = 0)::DOUBLE + 0.5 * (match_winner = 2)::DOUBLE AS win, -- a tie is half a win for each
        {decided} AS decided,
        coalesce(column1_opened_a, 65535)::USMALLINT AS a1, -- 65535: never opened
        coalesce(column2_opened_a, 65535)::USMALLINT AS a2,
        coalesce(column3_opened_a, 65535)::USMALLINT AS a3,
        coalesce(column1_opened_b, 65535)::USMALLINT AS b1,
        coalesce(column2_opened_b, 65535)::USMALLINT AS b2,
        coalesce(column3_opened_b, 65535)::USMALLINT AS b3
    FROM matches
),
states AS (
    SELECT
        (pair // {block_pairs})::INTEGER AS block,
        (a1 < deal)::TINYINT + (a2 < deal)::TINYINT + (a3 < deal)::TINYINT AS mine,
        (b1 < deal)::TINYINT + (b2 < deal)::TINYINT + (b3 < deal)::TINYINT AS theirs,
        scorer,
        win
    FROM scored
    JOIN matches_of_pairing ON scored.pair::BIGINT * 2 + scored.leg = match AND deal <= decided
)
SELECT
    (SELECT first(strategy_a) FROM matches) AS a,
    (SELECT first(strategy_b) FROM matches) AS b,
    block,
    mine,
    theirs,
    scorer,
    count(*)::DOUBLE AS deals,
    sum(win) AS wins
FROM states
GROUP BY ALL
