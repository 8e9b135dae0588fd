-- Who leads after each deal: 1 side A, -1 side B, 0 neither. To lead is to lead in more of the columns; a closed column
-- counts for its winner, an open one for whoever has more points in it. Of one column: who has more points.
CREATE TEMP VIEW leads AS
WITH running AS (
    SELECT pair, leg, deal,
        sum(if(columns_entered & 1 > 0, signed, 0)) OVER sofar AS ahead1,
        sum(if(columns_entered & 2 > 0, signed, 0)) OVER sofar AS ahead2,
        sum(if(columns_entered & 4 > 0, signed, 0)) OVER sofar AS ahead3
    FROM (SELECT pair, leg, deal, columns_entered, if(scorer = 0, 1, -1) * points::INTEGER AS signed FROM deals)
    WINDOW sofar AS (PARTITION BY pair, leg ORDER BY deal)
)
SELECT pair, leg, deal, match_winner,
    greatest(column1_closed, column2_closed, column3_closed)::INTEGER AS last_won,
    sign(
        if(column1_closed <= deal, if(column1_winner = 0, 1, -1), sign(ahead1))
        + if(column2_closed <= deal, if(column2_winner = 0, 1, -1), sign(ahead2))
        + if(column3_closed <= deal, if(column3_winner = 0, 1, -1), sign(ahead3))
    )::INTEGER AS lead
FROM running JOIN matches USING (pair, leg);
