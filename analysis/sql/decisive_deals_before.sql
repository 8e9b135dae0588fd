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
JOIN wanted ON deals.pair::BIGINT * 2 + deals.leg = wanted.pair * 2 + wanted.leg
JOIN (VALUES {pairings}) AS pairings(number_of_pairing, a, b) ON number_of_pairing = pairing AND {same_pairing}
WHERE deals.deal < decided AND scorer IS NOT NULL
ORDER BY number, deals.deal
