-- How many matches of each pairing took how many deals, dead ones included.
SELECT strategy_a AS a, strategy_b AS b, deals_played AS deals, count(*) AS matches
FROM matches
GROUP BY ALL;
