-- Knocks with 1 to 5 points of deadwood that were undercut (ending 3; 0 is a knock that scored).
SELECT pair, count(*) FILTER (ending = 3)::DOUBLE AS part, count(*)::DOUBLE AS whole
FROM deals
WHERE ending IN (0, 3) AND knocker_deadwood BETWEEN 1 AND 5
GROUP BY pair
