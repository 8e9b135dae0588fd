-- Matches won by whoever was behind at half-time, of those with a leader then and a winner. Half-time is after half of
-- the deals until the last column was won: where columns close to each side for itself, more are played after that.
SELECT pair,
    count(*) FILTER (lead <> 0 AND match_winner < 2 AND (lead = 1) <> (match_winner = 0))::DOUBLE AS part,
    count(*) FILTER (lead <> 0 AND match_winner < 2)::DOUBLE AS whole
FROM leads
WHERE deal = (last_won + 1) // 2 - 1
GROUP BY pair
