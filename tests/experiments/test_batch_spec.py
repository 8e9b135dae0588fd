"""The file of a batch: what it makes and what it refuses."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from experiments.batch_runs import estimate, sized
from experiments.batch_spec import Batch, BatchSpecError, kind_by_content, read_batch
from experiments.simulate import Request, make_plan
from tests.support.batches import DUEL, SEED, THREE, read


def errors(folder: Path, text: str, *overrides: str) -> list[str]:
    """Return what is wrong with a file, an entry for each error, without the name of the file."""
    with pytest.raises(BatchSpecError) as caught:
        read(folder, text, *overrides)
    first, *others = str(caught.value).split(f"{folder / 'night.toml'}: ")
    assert first == ""
    return [other.strip() for other in others]


def settings(batch: Batch) -> list[Mapping[str, Any]]:
    return [drawn.run.settings for drawn in batch.runs]


# What a file makes


@pytest.mark.parametrize(
    ("table", "kind"),
    [
        ({"players": ["greedy", "simple"]}, "simulate"),
        ({"players": ["greedy", "simple", "gin-only"]}, "tournament"),
        ({"pairings": [["greedy", "simple"]]}, "simulate"),
        ({"players": ["greedy", "simple", "gin-only"], "detail": "deals"}, "simulate"),
        ({"players": ["greedy", "simple"], "test": "gain"}, "compare"),
        ({"players": ["greedy", "simple"], "alpha": 0.01}, "compare"),
        ({"players": ["threshold"], "params": {"knock_at": "0:10"}}, "sweep"),
        ({"players": ["greedy", "simple", "gin-only"], "gauntlet": False}, "tournament"),
    ],
)
def test_kind_is_told_by_content(table: dict[str, object], kind: str) -> None:
    assert kind_by_content(table) == kind


def test_lists_of_rules_and_seeds_make_a_run_each(tmp_path: Path) -> None:
    batch = read(tmp_path, DUEL + 'rules = ["hollywood", "gin"]\nseed = [1, 2]\n')
    names = ["duel-hollywood-seed1", "duel-hollywood-seed2", "duel-gin-seed1", "duel-gin-seed2"]
    assert [drawn.run.name for drawn in batch.runs] == names
    assert [(drawn.plan.preset, drawn.plan.seed) for drawn in batch.runs] == [
        ("hollywood", 1),
        ("hollywood", 2),
        ("gin", 1),
        ("gin", 2),
    ]


def test_defaults_hold_unless_an_experiment_says_otherwise(tmp_path: Path) -> None:
    text = '[defaults]\npairs = 7\nseed = 3\nrules = "gin"\ndetail = "deals"\nthreads = 4\n'
    batch = read(tmp_path, text + THREE.replace('"two"', '"two"\npairs = 9\ndetail = "matches"'))
    assert [drawn.plan.pairs for drawn in batch.runs] == [7, 9, 7]
    assert [drawn.plan.detail for drawn in batch.runs] == ["deals", "matches", "deals"]
    assert {(drawn.plan.seed, drawn.plan.preset) for drawn in batch.runs} == {(3, "gin")}
    assert batch.threads == 4


def test_runs_without_a_seed_share_the_one_of_the_batch(tmp_path: Path) -> None:
    assert {drawn.plan.seed for drawn in read(tmp_path, THREE, seed=77).runs} == {77}


def test_deals_of_an_experiment_take_the_place_of_the_default_pairs(tmp_path: Path) -> None:
    (drawn,) = read(tmp_path, "[defaults]\npairs = 7\n" + DUEL + "deals = 5000\n").runs
    plan = make_plan(Request(("greedy", "simple"), deals=5000, seed=SEED))
    assert sized(drawn, threads=2).plan == plan  # the size of simulate --deals


def test_listed_pairings_are_all_that_meet(tmp_path: Path) -> None:
    text = '[[experiment]]\nname = "x"\npairings = [["greedy", "simple"], ["gin-only", "greedy"]]\n'
    (drawn,) = read(tmp_path, text).runs
    assert drawn.plan.names() == [("greedy", "simple"), ("gin-only", "greedy")]


def test_params_as_a_range_or_a_list_make_the_same_settings(tmp_path: Path) -> None:
    text = '[[experiment]]\nname = "x"\nplayers = "threshold"\nparams = {{ knock_at = {} }}\n'
    plans = [read(tmp_path, text.format(values)).runs[0].plan for values in ('"4:6"', '["4", 5, 6]', '"4,5,6"')]
    assert plans[0] == plans[1] == plans[2]
    assert len(plans[0].pairings) == 3


def test_override_changes_a_default_or_one_experiment(tmp_path: Path) -> None:
    batch = read(tmp_path, "[defaults]\npairs = 7\n" + THREE, "pairs=8", "two.deals=900", "three.rules=gin")
    assert [(told.get("pairs"), told.get("deals")) for told in settings(batch)] == [(8, None), (None, 900), (8, None)]
    assert [told["rules"] for told in settings(batch)] == ["hollywood", "hollywood", "gin"]


def test_only_what_may_be_cut_short_is_said_to_end_sooner(tmp_path: Path) -> None:
    sweep = '[[experiment]]\nname = "{}"\nplayers = "threshold"\nparams = {{ knock_at = "4:5" }}\n'
    text = DUEL + DUEL.replace("duel", "c") + 'test = "gain"\n' + sweep.format("self") + sweep.format("raced")
    text += 'against = "simple"\n' + sweep.format("whole") + 'against = "simple"\nracing = false\n'
    found = {drawn.run.name: drawn.may_end_sooner for drawn in read(tmp_path, text).runs}
    assert found == {"duel": False, "c": True, "self": False, "raced": True, "whole": False}


def test_estimate_counts_what_is_written_and_played(tmp_path: Path) -> None:
    (drawn,) = read(tmp_path, DUEL + 'pairs = 100000\ndetail = "deals"\n').runs
    found = estimate(drawn, threads=2)
    assert found.pairs == 100_000
    assert 27 < found.deals / found.pairs < 30  # 14.2 deals a match, two matches a pair
    assert 2 * 25 + 28 * 8 < found.bytes / found.pairs < 2 * 27 + 29 * 8.5  # docs/performance.md
    assert 0 < found.seconds < 600


# What it refuses


def test_all_errors_of_a_file_are_told_with_experiment_and_what_is_allowed(tmp_path: Path) -> None:
    text = (
        'extra = 1\n[defaults]\npairs = 0\nrule = "gin"\n'
        + DUEL.replace("simple", "simpel")
        + 'seed = -1\nrules = ["hollywod", "gin"]\n'
        + '[[experiment]]\nplayers = ["greedy", "simple"]\ntest = "strict"\nbounds = [40, 45]\n'
        + '[[experiment]]\nname = "k"\nplayers = "threshold:knock=3"\nparams = { knock_at = "0:10" }\ngauntlet = true\n'
    )
    told = errors(tmp_path, text, "nope.pairs=1")
    wanted = [
        ('--set "nope.pairs=1"', 'no experiment "nope"', "There are: duel k"),
        ("[defaults]", "pairs: a whole number from 1 to 4294967296 is wanted, not 0"),
        ("[defaults]", 'no key "rule"', 'Did you mean "rules"?', "There are: rules options seed pairs threads detail"),
        ('"extra"', "there are: [defaults] and [[experiment]]"),
        ('experiment "duel"', "seed: a whole number", "not -1"),
        ('experiment "duel"', 'no rules preset "hollywod"', "Known: hollywood "),
        ('experiment "duel"', 'no strategy "simpel"', 'Did you mean "simple"?'),
        ("experiment 2", "name is missing"),
        ("experiment 2", "bounds 40:45", "at least 50"),
        ('experiment "k"', 'no key "gauntlet" for kind sweep', "racing"),
        ('experiment "k"', 'no parameter "knock"', "known: knock_at"),
    ]
    assert len(told) == len(wanted)
    for error, pieces in zip(told, wanted, strict=True):
        assert all(piece in error for piece in pieces), error


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("pairs = 1\ndeals = 1", "give pairs or deals, not both"),
        ("pairs = true", "pairs: a whole number from 1 to 4294967296 is wanted, not True"),
        ('pairs = "many"', 'pairs: a whole number from 1 to 4294967296 is wanted, not "many"'),
        ('kind = "duel"', "kind: one of simulate compare sweep tournament is wanted"),
        ('kind = "sweep"', "a sweep needs one player, not 2"),
        ('kind = "tournament"', "at least three"),
        ("options = { undercut_bonus = 2.5 }", "options: a table of rule options"),
        ("options = { undercut_bonu = 25 }", 'Did you mean "undercut_bonus"?'),
        ("bounds = [51, 50]", "two rising percentages"),
        ("bounds = [51]", "bounds: two percentages such as [50, 51] is wanted"),
        ("alpha = 0.7", "alpha 0.7"),
        ('rules = ["gin", "gin"]', "a list of different ones"),
        ('rules = "three-handed"', "three strategies"),
        ('pairings = [["greedy", "simple"]]', "players or pairings, not both"),
        ("racing = 1", "racing: true or false is wanted, not 1"),
        ("params = { knock_at = 5 }", "params: a table such as"),
    ],
)
def test_what_does_not_fit_is_refused(line: str, told: str, tmp_path: Path) -> None:
    (error,) = errors(tmp_path, f"{DUEL}{line}\n")
    assert error.startswith('experiment "duel": ')
    assert told in error


@pytest.mark.parametrize("name", ["a b", "a.b", "../a", "-a", "", "lock", "é", "a" * 61])
def test_name_that_names_no_folder_is_refused(name: str, tmp_path: Path) -> None:
    (error,) = errors(tmp_path, DUEL.replace("duel", name))
    assert "name: a name of letters, digits, - and _" in error


def test_two_runs_of_one_folder_are_refused(tmp_path: Path) -> None:
    (error,) = errors(tmp_path, DUEL + DUEL.replace("duel", "Duel"))
    assert error == 'experiment "Duel": another experiment has this name, too'
    (error,) = errors(tmp_path, DUEL + "seed = [1, 2]\n" + DUEL.replace("duel", "duel-seed2"))
    assert error == 'experiment "duel-seed2": another experiment has this name, too'


@pytest.mark.parametrize("listed", ['["greedy", "simple"], ["greedy", "simple"]', '["greedy"]'])
def test_pairings_that_cannot_be_are_refused(listed: str, tmp_path: Path) -> None:
    (error,) = errors(tmp_path, f'[[experiment]]\nname = "x"\npairings = [{listed}]\n')
    assert "twice" in error or "at least two" in error or "between 2 sides" in error


@pytest.mark.parametrize("text", ["", "experiment = 3\n", "experiment = []\n", "[experiment]\nname = 'x'\n"])
def test_file_without_experiments_is_refused(text: str, tmp_path: Path) -> None:
    assert errors(tmp_path, text) == ["[[experiment]]: at least one such table is wanted"]


def test_file_that_is_none_or_no_toml_is_refused(tmp_path: Path) -> None:
    with pytest.raises(BatchSpecError, match="no file"):
        read_batch(tmp_path / "none.toml", (), SEED)
    (error,) = errors(tmp_path, "[defaults\n")
    assert error.startswith("not TOML: ")
    assert "line 1" in error
