-- How often the lead goes over from one side to the other, a match.
SELECT pair, count(*) FILTER (changed)::DOUBLE AS part, count(DISTINCT leg)::DOUBLE AS whole
FROM (
    SELECT pair, leg, lead <> lag(lead) OVER (PARTITION BY pair, leg ORDER BY deal) AS changed
    FROM leads
    WHERE lead <> 0
)
GROUP BY pair
