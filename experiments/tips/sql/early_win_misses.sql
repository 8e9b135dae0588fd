-- Wins, as long as no column has closed, where the n-th of a side was not entered in columns 1 to n (at most 3).
SELECT pair,
    count(*) FILTER (entered <> CASE win WHEN 1 THEN 1 WHEN 2 THEN 3 ELSE 7 END)::DOUBLE AS part,
    count(*)::DOUBLE AS whole
FROM entries
WHERE still_open = 7
GROUP BY pair
