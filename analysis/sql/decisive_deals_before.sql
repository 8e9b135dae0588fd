-- What was scored in some matches before the deal that decided them: a row a scored deal, in order. In braces: filled
-- in by analysis.decisive_deals; `number` counts the matches.
-- As text cast to lists, twenty thousand matches are read at once; as rows of VALUES they would take seconds.
WITH wanted AS (
    SELECT {matches}
)
SELECT
    number,
    scorer,
    points
FROM deals
JOIN (VALUES {pairings}) AS pairings(pairing, strategy_a, strategy_b) USING (strategy_a, strategy_b)
JOIN wanted USING (pairing, pair, leg)
WHERE deals.deal < decided AND scorer IS NOT NULL
ORDER BY number, deals.deal
