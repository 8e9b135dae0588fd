"""Which deal decides a match of two sides, told from its row in the match files."""

from __future__ import annotations

from analysis.load import Run


def deciding_deal(run: Run) -> str:
    """Return an SQL expression over ``matches``: the index of the deal that decided the match.

    Columns close in order, also where each side closes them for itself. Where most of the columns win
    (`match_winner=majority`), that is the deal that gave a side its second of three: with column 2 if it has won column
    1 too, else with column 3. Where settled points win (total), it is the deal that closed the last column; where the
    match ends with the first closed one (first_column), the deal that closed it.
    """
    winner = run.spec["rules"]["match_winner"]
    if run.columns == 1 or winner == "first_column":
        return "column1_closed"
    second = "if(column1_winner = column2_winner, column2_closed, column3_closed)"
    return second if winner == "majority" else "column3_closed"
