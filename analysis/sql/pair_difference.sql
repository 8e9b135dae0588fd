-- What each pair that both runs have came to in either, a row a pair: means of its two legs, which doubles hold exactly.
-- Asked for a stretch of pairs at a time, so that memory does not grow with the runs.
CREATE TEMP TABLE differences AS
SELECT
    pair,
    count(*) AS legs,
    {means},
    bool_or(
        run1.match_score <> run2.match_score OR run1.settled_points <> run2.settled_points
        OR run1.net_points <> run2.net_points OR run1.net_deals <> run2.net_deals
        OR run1.points <> run2.points OR run1.deals <> run2.deals
    ) AS differs
FROM ({run1}) AS run1
JOIN ({run2}) AS run2 USING (pair, leg)
GROUP BY pair;
-- `torn` counts pairs that lack a leg or have one twice; the caller refuses such runs.
SELECT
    count(*)::DOUBLE AS pairs,
    count(*) FILTER (legs <> 2) AS torn,
    count(*) FILTER (differs) AS pairs_differ,
    {sums}
FROM differences;
