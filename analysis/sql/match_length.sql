-- How many matches of one pairing took how many deals, dead ones included.
SELECT deals_played AS deals, count(*) AS matches
FROM matches
GROUP BY deals_played
ORDER BY deals_played;
