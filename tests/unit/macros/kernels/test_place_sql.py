"""The condition and the word of a place agree: asked of SQLite, which knows their SQL."""

import sqlite3
from itertools import product

import pytest

from ..plans import CASES, macros_of

KINDS = ["INSERT", "UPDATE_AFTER", "DELETE", "UPDATE_BEFORE"]
SINCE = 5
SIDES = {"change": "change.", "stored": "state.", "hash": "state._image_hash"}
# the hash stands for the row as text
BY_KIND = "instr('UPDATE_BEFORE, DELETE, INSERT, UPDATE_AFTER', %s_row_kind) * 10 + %s_image_hash"
RANKS = {"FAIL": "(%s_row_kind <> 'UPDATE_BEFORE')", "LAST": BY_KIND}


def row(kind, sequence, row_hash, batch):
    """A change: its hash is 0 where it leaves no row."""
    return kind, sequence, row_hash if kind in KINDS[:2] else 0, batch


CHANGES = [row(*of, 9) for of in product(KINDS, [1, 2, 3], [7, 8])]
STORED = [row(kind, 2, 7, batch) for kind, batch in product(KINDS, [4, 6])]


@pytest.fixture(scope="module")
def ask():
    """What an expression gives for two rows; 'tie' where it raises."""
    connection = sqlite3.connect(":memory:")
    for name in "concat", "to_json", "struct", "raise_error":
        connection.create_function(name, -1, lambda *_: "tie")
    row = "(id, _row_kind, _sequence, _image_hash, _batch_id) as (values (1, ?, ?, ?, ?))"

    def of(sql, change, stored):
        # iif, unlike if, is there in all versions of SQLite
        sql = sql.replace("if(", "iif(").replace(" as _sequence", "").replace("\\'", "''")
        sql = f"with change{row}, state{row} select {sql} from change, state"
        return connection.execute(sql, [*change, *(stored or [None] * 4)]).fetchone()[0]

    yield of
    connection.close()


@pytest.mark.parametrize("tie_handling", ["FAIL", "LAST"])
@pytest.mark.parametrize("since", [0, SINCE])
def test_the_word_says_what_the_condition_does(ask, tie_handling, since):
    model = CASES["default_op_mapping"]
    macros = macros_of(model)
    plan = {**model.plan(), "since": since, "tie_handling": tie_handling}
    ranks = [RANKS[tie_handling].replace("%s", side) for side in ("change.", "state.")]
    sides = {**SIDES, "ranks": ranks}
    word_sql, wins_sql = macros.place_word_sql(plan, sides), macros.place_sql(plan, sides)
    for change, stored in product(CHANGES, STORED):
        word, wins = (ask(sql, change, stored) for sql in (word_sql, wins_sql))
        leaves_the_same = change[1] == stored[1] and change[2] == stored[2]
        if leaves_the_same:
            assert word == "duplicate", (change, stored)
        elif tie_handling == "FAIL":
            assert (word == "tie") == (wins == "tie"), (change, stored)
            assert (word == "new") == (wins == 1), (change, stored)
        else:
            assert word == "tie" or (word == "new") == (wins == 1), (change, stored)


@pytest.mark.parametrize(
    ("change", "stored", "since", "word"),
    [
        (row("INSERT", 2, 8, 9), None, 0, "new"),
        (row("INSERT", 3, 8, 9), row("INSERT", 2, 7, 4), 0, "new"),
        (row("INSERT", 1, 8, 9), row("INSERT", 2, 7, 4), 0, "late"),
        (row("UPDATE_AFTER", 2, 7, 9), row("INSERT", 2, 7, 4), 0, "duplicate"),
        (row("INSERT", 2, 8, 9), row("INSERT", 2, 7, 4), 0, "tie"),
        # the halves of an update, in either order
        (row("UPDATE_BEFORE", 2, 7, 9), row("UPDATE_AFTER", 2, 7, 4), 0, "duplicate"),
        (row("UPDATE_AFTER", 2, 7, 9), row("UPDATE_BEFORE", 2, 7, 4), 0, "new"),
        # a row from before a change of columns, read again with those of today
        (row("INSERT", 2, 8, 9), row("INSERT", 2, 7, 4), SINCE, "new"),
        (row("INSERT", 2, 8, 9), row("INSERT", 2, 7, 6), SINCE, "tie"),
        (row("DELETE", 2, 8, 9), row("INSERT", 2, 7, 4), SINCE, "tie"),
    ],
)
def test_words(ask, change, stored, since, word):
    model = CASES["default_op_mapping"]
    sql = macros_of(model).place_word_sql({**model.plan(), "since": since}, SIDES)
    assert ask(sql, change, stored) == word
