-- What one pairing's scored deals, in partnership play its rounds, were followed by: how many there were of each kind and
-- how many of those matches side A won. Deals after the one that decided their match change nothing and do not count. In
-- braces: filled in by analysis.deal_prices; `deals` has a row a deal, its scorer null where nobody scored.
-- A kind is a block of pairs, how many columns A (mine) and B (theirs) had opened before the deal, and who scored it.
-- Files hold matches and deals in the same order, so a match laid out as many times as it has deals stands beside each of
-- them: no hash table, and a quarter faster than a join. `torn` counts deals beside a match of another pair, or is 1 where
-- there are more deals than that, or fewer; the caller refuses such a run.
WITH matches_of_pairing AS (
    SELECT
        pair AS pair_of_match,
        deals_played,
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
laid_out AS (SELECT *, unnest(range(deals_played))::USMALLINT AS deal FROM matches_of_pairing),
states AS (
    SELECT
        (pair_of_match // {block_pairs})::INTEGER AS block,
        (a1 < deal)::TINYINT + (a2 < deal)::TINYINT + (a3 < deal)::TINYINT AS mine,
        (b1 < deal)::TINYINT + (b2 < deal)::TINYINT + (b3 < deal)::TINYINT AS theirs,
        scorer,
        win,
        pair <> pair_of_match AS torn
    FROM laid_out POSITIONAL JOIN (SELECT pair, scorer FROM {scored}) AS scored
    WHERE deal <= decided AND scorer IS NOT NULL
)
SELECT
    (SELECT first(strategy_a) FROM matches) AS a,
    (SELECT first(strategy_b) FROM matches) AS b,
    block,
    mine,
    theirs,
    scorer,
    count(*)::DOUBLE AS deals,
    sum(win) AS wins,
    greatest(
        count(*) FILTER (torn),
        ((SELECT sum(deals_played) FROM matches) <> (SELECT count(*) FROM deals))::BIGINT
    ) AS torn
FROM states
GROUP BY ALL
