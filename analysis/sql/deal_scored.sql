-- The deals that somebody scored.
SELECT pair, leg, deal, scorer, points, columns_entered
FROM deals
WHERE scorer IS NOT NULL
