-- What was scored in some matches before the deal that decided them: a row a scored deal, in order. In braces: filled
-- in by analysis.decisive_deals; `number` counts the matches.
SELECT
    number,
    deals.deal,
    scorer,
    points,
    columns_entered
FROM deals JOIN (VALUES {matches}) AS wanted(number, strategy_a, strategy_b, pair, leg, decided)
    USING (strategy_a, strategy_b, pair, leg)
WHERE deals.deal < decided AND scorer IS NOT NULL
ORDER BY number, deals.deal
