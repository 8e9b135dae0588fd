-- Each win that counts: the how many-th of its side it is, the columns it was entered in and those that were open to
-- the side until then, as bit masks. In braces: the target, and whether columns close to each side for itself.
CREATE TEMP VIEW entries AS
WITH wins AS (
    SELECT pair, leg, deal, scorer, points::INTEGER AS points, columns_entered::INTEGER AS entered
    FROM deals
    WHERE scorer IS NOT NULL AND (points > 0 OR {count_zero_wins})
),
running AS (
    SELECT *,
        count(*) OVER (PARTITION BY pair, leg, scorer ORDER BY deal) AS win,
        coalesce(sum(if(scorer = 0 AND entered & 1 > 0, points, 0)) OVER earlier, 0) AS a1,
        coalesce(sum(if(scorer = 0 AND entered & 2 > 0, points, 0)) OVER earlier, 0) AS a2,
        coalesce(sum(if(scorer = 0 AND entered & 4 > 0, points, 0)) OVER earlier, 0) AS a3,
        coalesce(sum(if(scorer = 1 AND entered & 1 > 0, points, 0)) OVER earlier, 0) AS b1,
        coalesce(sum(if(scorer = 1 AND entered & 2 > 0, points, 0)) OVER earlier, 0) AS b2,
        coalesce(sum(if(scorer = 1 AND entered & 4 > 0, points, 0)) OVER earlier, 0) AS b3
    FROM wins
    WINDOW earlier AS (PARTITION BY pair, leg ORDER BY deal ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING)
)
SELECT pair, leg, deal, scorer, win, entered,
    1 * (most1 < {target})::INTEGER + 2 * (most2 < {target})::INTEGER + 4 * (most3 < {target})::INTEGER AS still_open
FROM (
    SELECT *,
        if({by_player}, if(scorer = 0, a1, b1), greatest(a1, b1)) AS most1,
        if({by_player}, if(scorer = 0, a2, b2), greatest(a2, b2)) AS most2,
        if({by_player}, if(scorer = 0, a3, b3), greatest(a3, b3)) AS most3
    FROM running
);
