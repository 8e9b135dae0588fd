-- How many matches of each pairing took how many deals, dead ones included.
SELECT {named}, deals_played AS deals, count(*) AS matches
FROM matches
GROUP BY ALL;
