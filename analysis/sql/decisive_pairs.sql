-- The pairs that differ most in side A's match score, and among equals in settled points.
SELECT
    pair,
    match_score_1,
    match_score_2,
    settled_points_1,
    settled_points_2
FROM differences
WHERE match_score_1 <> match_score_2 OR settled_points_1 <> settled_points_2
ORDER BY abs(match_score_1 - match_score_2) DESC, abs(settled_points_1 - settled_points_2) DESC, pair
LIMIT {top}
