-- Matches by block of {block_pairs} pairs, and how many the side that dealt first won; a tie is half a win for each.
SELECT
    {named},
    (pair // {block_pairs})::INTEGER AS block,
    count(*)::DOUBLE AS matches,
    sum((match_winner = first_dealer)::DOUBLE + 0.5 * (match_winner = 2)::DOUBLE) AS wins
FROM matches
GROUP BY ALL
