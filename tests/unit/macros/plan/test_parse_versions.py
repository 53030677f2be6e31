import pytest

from ..plans import CONTENTS, FLAT, TRUNCATES, Model
from ..render import CompilerError
from ..runs import Runs

TWO = {"stored_as_scd_type": 2}


@pytest.mark.parametrize(
    ("config", "argument", "words"),
    [
        ({"stored_as_scd_type": 3}, "stored_as_scd_type", "'3' is not one of 1, 2"),
        ({"valid_to": "until"}, "valid_to", "it is of versions, and the model has none"),
        ({**TWO, "unique_key": None}, "unique_key", "versions are of a key, and no key was set"),
        (
            {**TWO, "track_history_columns": "name", "track_history_columns_except": "lsn"},
            "track_history_columns",
            "track_history_columns_except is given too",
        ),
        ({**TWO, "track_history_columns": "nome"}, "track_history_columns", "'nome' is not in"),
        (
            {**TWO, "track_history_columns_except": "nome"},
            "track_history_columns_except",
            "'nome' is not in the input",
        ),
        ({**TWO, "valid_from": "NAME"}, "valid_from", "also another column of the contents"),
        ({**TWO, "valid_to": "Valid_From"}, "valid_from", "also another column of the contents"),
        ({**TWO, "is_current": "_batch_id"}, "input", "the name of a column that is generated"),
        ({**TWO, "adopt": True}, "adopt", "the rows of a table do not say since when"),
        ({**TWO, "tombstone_retention": "1 day"}, "tombstone_retention", "a deletion ends"),
        ({**TWO, "state_ttl": "1 day"}, "state_ttl", "all rows of a key are needed for ever"),
        (
            {**TWO, "changelog": True, "on_schema_change": "sync_all_columns"},
            "on_schema_change",
            "without a column versions become equal to their neighbours",
        ),
    ],
)
def test_what_does_not_go_with_versions(invalid, config, argument, words):
    with invalid(argument, words):
        Model(config, FLAT).plan()


@pytest.mark.parametrize(
    ("config", "kernel"),
    [
        ({"stored_as_scd_type": 1}, "last_write_wins"),
        ({"stored_as_scd_type": "2"}, "versions"),
        ({**TWO, "soft_delete": "gone"}, "partial_versions"),
        ({**TWO, "op_mapping": TRUNCATES}, "partial_versions"),
    ],
)
def test_the_kernel(config, kernel):
    assert Model(config, FLAT).plan()["kernel"] == kernel


def run_again(config, changed):
    """A model that ran, and then has other configs."""
    runs = Runs(Model({**TWO, **config}, FLAT))
    runs.run()
    runs.model = Model({**TWO, **config, **changed}, FLAT)
    macros = runs.macros()
    plan = macros.from_changelog_plan(runs.model.node, runs.model.query, CONTENTS)
    return macros.next_batch(plan)


def test_what_is_tracked_may_change_without_a_changelog():
    assert run_again({}, {"track_history_columns": "name", "valid_to": "until"})["id"] == 2


def test_a_changelog_has_versions_as_they_were(invalid):
    said = "it is ['name'], and the changelog was made with ['lsn', 'name']"
    with invalid("track_history_columns", said):
        run_again({"changelog": True}, {"track_history_columns": "name"})


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ({"track_history_columns": ["name", "lsn"]}, {"track_history_columns": ["LSN", "Name"]}),
        ({"track_history_columns": "name"}, {"track_history_columns_except": "lsn"}),
        ({}, {"track_history_columns": ["name", "lsn"], "is_current": "Is_Current"}),
    ],
)
def test_the_same_versions_may_be_said_otherwise(before, after):
    unsaid = dict.fromkeys(["track_history_columns", "track_history_columns_except"])
    before = {"changelog": True, **before}
    assert run_again(before, {**unsaid, **after})["id"] == 2


def test_a_changelog_of_versions_does_not_become_one_of_rows(invalid):
    with invalid("stored_as_scd_type", "it is 1, and the changelog was made with 2"):
        run_again({"changelog": True}, {"stored_as_scd_type": 1})


def test_a_full_refresh_does_not_rename_the_columns_of_a_changelog():
    """So it is no way out; of other rules for what is a version it is."""
    with pytest.raises(CompilerError, match="To fix: set it back; or rename or drop the changelog"):
        run_again({"changelog": True}, {"valid_to": "until"})
    with pytest.raises(CompilerError, match="or run with --full-refresh, which emits"):
        run_again({"changelog": True}, {"track_history_columns": "name"})
