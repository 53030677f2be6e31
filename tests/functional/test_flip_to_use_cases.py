"""FLIP-564's use cases of TO_CHANGELOG, 4.2.2.1 to 4.2.2.9, and its examples, by their numbers.

Each is a model that calls the macro. A change is (row kind symbol, sequence, id, name, ts_ms); an
event is (sequence, op code, values..), and an image is (id, name).
"""

from __future__ import annotations

from collections import Counter

import pytest

KINDS = {"+I": "INSERT", "-U": "UPDATE_BEFORE", "+U": "UPDATE_AFTER", "-D": "DELETE"}
UPSERT_CODES = "op_mapping={'INSERT': 'c', 'DELETE': 'd', 'UPDATE_AFTER': 'u'}"
PAIR_CODES = "op_mapping={'INSERT': 'c', 'DELETE': 'd', 'UPDATE_BEFORE, UPDATE_AFTER': 'u'}"
PUT_DROP = "op_mapping={'UPDATE_AFTER': 'put', 'DELETE': 'drop'}"
BOTH = "before='before', after='after'"
PAYLOAD = "before='payload', after='payload'"
KEY = "unique_key='id'"

RETRACT = [("+I", 1, 1, "a"), ("-U", 2, 1, "a"), ("+U", 2, 1, "b"), ("+I", 3, 2, "x"),
           ("-D", 4, 2, "x")]  # fmt: skip
# no row before, and of a deleted row just the key
UPSERT = [("+I", 1, 1, "a"), ("+U", 2, 1, "b"), ("+I", 3, 2, "x"), ("-D", 4, 2, None)]
FLAT = [(1, "c", 1, "a"), (2, "u", 1, "b"), (3, "c", 2, "x"), (4, "d", 2, "x")]
ONE = [(seq, code, (id_, name)) for seq, code, id_, name in FLAT]
NESTED = [(1, "c", None, (1, "a")), (2, "u", (1, "a"), (1, "b")), (3, "c", None, (2, "x")),
          (4, "d", (2, "x"), None)]  # fmt: skip
FLAG = "op='deleted', op_mapping={'INSERT, UPDATE_AFTER': 'false', 'DELETE': 'true'}"
FLAGGED = [(1, "false", 1, "a"), (2, "false", 1, "b"), (3, "false", 2, "x"), (4, "true", 2, "x")]
I_U_D = "op='op_code', op_mapping={'INSERT': 'I', 'DELETE': 'D', 'UPDATE_AFTER': 'U'}"
# a row that moves from key 1 to key 2, and one that is filtered away
MOVES = [("+I", 1, 1, "a"), ("-U", 2, 1, "a"), ("+U", 2, 2, "a")]

# number: (arguments, changes in, events out)
CASES = {
    "4_2_2_1_retract": (f"{KEY}, {FLAG}", RETRACT, FLAGGED),
    "4_2_2_1_upsert": (f"{KEY}, {FLAG}", UPSERT, FLAGGED),
    "4_2_2_2_retract": (
        f"{KEY}, {I_U_D}",
        RETRACT,
        [(seq, code.translate({99: "I", 117: "U", 100: "D"}), *row) for seq, code, *row in FLAT],
    ),
    "4_2_2_2_upsert": (
        f"{KEY}, {I_U_D}",
        UPSERT,
        [(seq, code.translate({99: "I", 117: "U", 100: "D"}), *row) for seq, code, *row in FLAT],
    ),
    "4_2_2_3_flat": (f"{KEY}, uid='nested-cdc-out', {UPSERT_CODES}", RETRACT, FLAT),
    "4_2_2_3_payload": (f"{KEY}, uid='nested-cdc-out', {PAYLOAD}, {UPSERT_CODES}", RETRACT, ONE),
    "4_2_2_4": (f"{KEY}, {PAYLOAD}, {UPSERT_CODES}", UPSERT, ONE),
    "4_2_2_5_retract": (
        f"{KEY}, produces_full_deletes=false, {UPSERT_CODES}",
        RETRACT,
        [*FLAT[:3], (4, "d", 2, None)],
    ),
    "4_2_2_5_upsert": (
        f"{KEY}, produces_full_deletes=false, {UPSERT_CODES}",
        UPSERT,
        [*FLAT[:3], (4, "d", 2, None)],
    ),
    # with a code for each kind and no row that is needed, changes pass as they are
    "key_only_kinds_upsert": (
        f"{KEY}, produces_full_deletes=false",
        UPSERT,
        [(seq, KINDS[kind], *row) for kind, seq, *row in UPSERT],
    ),
    "key_only_kinds_retract": (
        f"{KEY}, produces_full_deletes=false",
        RETRACT,
        [(seq, KINDS[kind], *row) for kind, seq, *row in RETRACT[:-1]]
        + [(4, "DELETE", 2, None)],
    ),
    "4_2_2_6_retract": (f"{KEY}, produces_full_deletes=true, {UPSERT_CODES}", RETRACT, FLAT),
    "4_2_2_6_upsert": (f"{KEY}, produces_full_deletes=true, {UPSERT_CODES}", UPSERT, FLAT),
    "4_2_2_7": (f"{KEY}, {BOTH}, state_ttl='1 hour', {PAIR_CODES}", RETRACT, NESTED),
    "4_2_2_7_without_a_key": (f"{BOTH}, {PAIR_CODES}", RETRACT, NESTED),
    "4_2_2_8": (f"{KEY}, {BOTH}, state_ttl='1 hour', {UPSERT_CODES}", UPSERT, NESTED),
    "4_2_2_9": (
        f"{KEY}, {BOTH}, passthrough='ts_ms', {PAIR_CODES}",
        RETRACT,
        [(seq, code, seq * 10, *images) for seq, code, *images in NESTED],
    ),
    "4_2_1_1": (
        "",
        RETRACT,
        [(seq, KINDS[kind], id_, name) for kind, seq, id_, name in RETRACT],
    ),
    "4_2_1_2_1_names_update_before": (
        KEY,
        UPSERT,
        [(seq, KINDS[kind], id_, name) for kind, seq, id_, name in RETRACT],
    ),
    "4_2_1_2_2": (
        "before='before_state', after='after_state', " + PAIR_CODES,
        [("-U", 1, 5, "old"), ("+U", 1, 5, "new")],
        [(1, "u", (5, "old"), (5, "new"))],
    ),
    # beyond the FLIP's examples
    "a_dropped_kind": ("op_mapping={'INSERT': 'I'}", RETRACT, [(1, "I", 1, "a"), (3, "I", 2, "x")]),
    "halves_of_a_group_are_delete_and_insert": (
        f"{BOTH}, {PAIR_CODES}",
        [("-U", 1, 1, "a"), ("+U", 2, 2, "b")],
        [(1, "d", (1, "a"), None), (2, "c", None, (2, "b"))],
    ),
    "halves_without_such_codes_keep_theirs": (
        BOTH + ", op_mapping={'UPDATE_BEFORE, UPDATE_AFTER': 'u'}",
        [("-U", 1, 1, "a"), ("+U", 2, 2, "b"), ("+I", 3, 3, "c")],
        [(1, "u", (1, "a"), None), (2, "u", None, (2, "b"))],
    ),
    "without_a_key_pairs_at_one_sequence_stay_apart": (
        f"{BOTH}, {PAIR_CODES}",
        [("-U", 1, 1, "a"), ("+U", 1, 1, "A"), ("-U", 1, 2, "b"), ("+U", 1, 2, "B")],
        [(1, "d", (1, "a"), None), (1, "c", None, (1, "A")), (1, "d", (2, "b"), None),
         (1, "c", None, (2, "B"))],
    ),
    "with_a_key_pairs_at_one_sequence_are_joined": (
        f"{KEY}, {BOTH}, {PAIR_CODES}",
        [("+I", 0, 1, "a"), ("+I", 0, 2, "b"), ("-U", 1, 1, "a"), ("+U", 1, 1, "A"),
         ("-U", 1, 2, "b"), ("+U", 1, 2, "B")],
        [(0, "c", None, (1, "a")), (0, "c", None, (2, "b")), (1, "u", (1, "a"), (1, "A")),
         (1, "u", (2, "b"), (2, "B"))],
    ),
    "kinds_with_codes_of_their_own_are_events_of_their_own": (
        BOTH + ", op_mapping={'INSERT': 'c', 'UPDATE_AFTER': 'c', 'UPDATE_BEFORE': 'd',"
        " 'DELETE': 'd'}",
        RETRACT,
        [(1, "c", None, (1, "a")), (2, "d", (1, "a"), None), (2, "c", None, (1, "b")),
         (3, "c", None, (2, "x")), (4, "d", (2, "x"), None)],
    ),
    "a_move_deletes_the_old_key": (
        f"{KEY}, {UPSERT_CODES}",
        MOVES,
        [(1, "c", 1, "a"), (2, "d", 1, "a"), (2, "u", 2, "a")],
    ),
    "a_move_without_a_key_is_an_update": (
        f"{BOTH}, {PAIR_CODES}",
        MOVES,
        [(1, "c", None, (1, "a")), (2, "u", (1, "a"), (2, "a"))],
    ),
    "changes_that_change_nothing": (
        f"{KEY}, {UPSERT_CODES}",
        [("+I", 1, 1, "a"), ("+I", 1, 1, "a"), ("+U", 2, 1, "a"), ("-D", 4, 1, None),
         ("-D", 5, 1, None), ("+U", 6, 1, "b")],
        [(1, "c", 1, "a"), (4, "d", 1, "a"), (6, "c", 1, "b")],
    ),
    "a_log_that_begins_in_the_middle": (
        f"{KEY}, {BOTH}, {UPSERT_CODES}",
        [("-U", 1, 1, "a"), ("+U", 1, 1, "b"), ("+U", 2, 2, "x"), ("-D", 3, 3, "z")],
        [(1, "u", (1, "a"), (1, "b")), (2, "u", None, (2, "x")), (3, "d", (3, "z"), None)],
    ),
    "a_log_that_begins_in_the_middle_in_a_group": (
        f"{KEY}, {BOTH}, {PAIR_CODES}",
        [("-U", 1, 1, "a"), ("+U", 1, 1, "b"), ("+U", 2, 2, "x"), ("-U", 3, 3, "z")],
        [(1, "u", (1, "a"), (1, "b")), (2, "c", None, (2, "x")), (3, "d", (3, "z"), None)],
    ),
    "with_a_ttl_nothing_was_before_the_log": (
        f"{KEY}, {UPSERT_CODES}, state_ttl='0'",
        [("+U", 2, 2, "x"), ("-D", 3, 3, "z")],
        [(2, "c", 2, "x")],
    ),
    # 4.2.1.3.1: with a ttl the first UPDATE_BEFORE of a key is kept for its UPDATE_AFTER
    "with_a_ttl_a_leading_pair_is_an_update": (
        f"{KEY}, {BOTH}, {PAIR_CODES}, state_ttl='1 hour'",
        [("-U", 1, 1, "10"), ("+U", 1, 1, "20")],
        [(1, "u", (1, "10"), (1, "20"))],
    ),
    "with_a_ttl_both_halves_of_a_leading_pair_are_written": (
        f"{KEY}, state_ttl='0'",
        [("-U", 1, 1, "10"), ("+U", 1, 1, "20")],
        [(1, "UPDATE_BEFORE", 1, "10"), (1, "UPDATE_AFTER", 1, "20")],
    ),
    "with_a_ttl_an_update_before_says_nothing_of_other_changes": (
        f"{KEY}, {BOTH}, {PAIR_CODES}, state_ttl='0'",
        [("-U", 1, 1, "a"), ("+U", 1, 2, "a"), ("+I", 2, 1, "b"), ("-U", 3, 3, "z"),
         ("-D", 4, 3, "z")],
        [(1, "c", None, (2, "a")), (2, "c", None, (1, "b"))],
    ),
    # what is known of the row before is not what a reader has
    "a_leading_pair_that_changes_nothing_is_written": (
        f"{KEY}, {BOTH}, {PAIR_CODES}",
        [("-U", 5, 1, "a"), ("+U", 5, 1, "a")],
        [(5, "u", (1, "a"), (1, "a"))],
    ),
    "a_new_row_without_a_code_for_insert_keeps_its_kind": (
        f"{KEY}, produces_full_deletes=false, {PUT_DROP}",
        [("+U", 1, 1, "a"), ("-D", 2, 1, None), ("+U", 3, 1, "b")],
        [(1, "put", 1, "a"), (2, "drop", 1, None), (3, "put", 1, "b")],
    ),
    "a_changed_row_without_a_code_for_update_keeps_its_kind": (
        f"{KEY}, {PUT_DROP.replace('UPDATE_AFTER', 'INSERT')}",
        [("+I", 1, 1, "a"), ("+I", 2, 1, "b"), ("-D", 3, 1, None)],
        [(1, "put", 1, "a"), (2, "put", 1, "b"), (3, "drop", 1, "b")],
    ),
    "a_kind_that_has_no_code_is_left_out": (
        f"{KEY}, {PUT_DROP}",
        [("+I", 1, 1, "a"), ("+U", 2, 1, "b")],
        [(2, "put", 1, "b")],
    ),
    **{
        f"a_move_is_a_delete_where_{name}_share_a_code": (
            f"{KEY}, produces_full_deletes=false, {more}",
            MOVES,
            [(1, "c", *rows[0]), (2, "d", *rows[1]), (2, "u", *rows[2])],
        )
        for name, more, rows in [
            ("the_halves_of_an_update", PAIR_CODES, [(1, "a"), (1, None), (2, "a")]),
            (
                "two_entries",
                PAIR_CODES.replace("BEFORE, UPDATE_AFTER'", "BEFORE': 'u', 'UPDATE_AFTER'"),
                [(1, "a"), (1, None), (2, "a")],
            ),
            (
                "one_image_and_halves",
                f"{PAYLOAD}, {PAIR_CODES}",
                [[(1, "a")], [(1, None)], [(2, "a")]],
            ),
        ]
    },
    "equal_rows_are_changes_with_a_ttl": (
        f"{KEY}, {BOTH}, {UPSERT_CODES}, state_ttl='1 hour'",
        [("+I", 1, 1, "a"), ("+U", 2, 1, "a")],
        [(1, "c", None, (1, "a")), (2, "u", (1, "a"), (1, "a"))],
    ),
    "a_key_that_passes_through": (
        f"{KEY}, after='after', passthrough='id', {UPSERT_CODES}",
        UPSERT,
        [(1, "c", 1, ("a",)), (2, "u", 1, ("b",)), (3, "c", 2, ("x",)), (4, "d", 2, None)],
    ),
    "one_image_of_two_where_halves_have_codes": (
        f"{KEY}, after='after', passthrough='id'",
        UPSERT[:2],
        [
            *[(1, "INSERT", 1, ("a",)), (2, "UPDATE_BEFORE", 1, None)],
            (2, "UPDATE_AFTER", 1, ("b",)),
        ],
    ),
    "the_image_before_alone": (
        f"{KEY}, before='before', op_mapping={{'UPDATE_BEFORE': 'b', 'DELETE': 'd'}}",
        RETRACT[:3],
        [(2, "b", (1, "a"))],
    ),
    "partial_deletes_with_images": (
        f"{KEY}, {BOTH}, produces_full_deletes=false, {PAIR_CODES}",
        UPSERT,
        [*NESTED[:3], (4, "d", (2, None), None)],
    ),
}  # fmt: skip


def changes_sql(changes, with_ts=False):
    rows = ", ".join(
        f"('{KINDS[kind]}', {seq}, {int(kind == '+U')}, {id_}, {value(name)}, {seq * 10})"
        for kind, seq, id_, name in changes
    )
    columns = "_row_kind, _sequence, _ordinal, id, name" + ", ts_ms" * with_ts
    return (
        f"select {columns} from values {rows} as c (_row_kind, _sequence, _ordinal, id, name,"
        " ts_ms)"
    )


def value(name):
    return "cast(null as string)" if name is None else f"'{name}'"


def model(arguments, changes):
    return f"""
    {{{{ config(materialized='table') }}}}
    with changes as ({changes_sql(changes, "ts_ms" in arguments)})
    {{{{ dbt_changelog.to_changelog({", ".join(filter(None, ["'changes'", arguments]))}) }}}}
    """


@pytest.fixture(scope="module")
def project(new_project, home):
    files = {f"models/case_{n}.sql": model(given, rows) for n, (given, rows, _) in CASES.items()}
    project = new_project(files, name="flip_to", home=home)
    project.run("run")
    return project


@pytest.mark.parametrize("number", CASES)
def test_use_case(project, number):
    *_, expected = CASES[number]
    rows = project.sql(f"select * from case_{number}")
    names = [name for name in rows[0].__fields__ if name not in ("_sequence", "_ordinal")]
    found = [(row["_sequence"], *(plain(row[name]) for name in names)) for row in rows]
    assert Counter(found) == Counter(expected)


def plain(found):
    return tuple(found) if isinstance(found, tuple) else found


def test_events_are_ordered_by_sequence_and_ordinal(project):
    rows = project.sql("select * from case_4_2_1_1 order by _sequence, _ordinal")
    assert [row["op"] for row in rows] == [KINDS[kind] for kind, *_ in RETRACT]


@pytest.mark.parametrize(
    ("arguments", "changes", "words"),
    [
        (
            KEY,
            [("+I", 1, "int(null)", "a")],
            "Invalid 'unique_key' in to_changelog(...) of model 'bad'",
        ),
        (KEY, [("+I", "null", 1, "a")], "Invalid '_sequence' in to_changelog(...) of model 'bad'"),
        (
            f"{BOTH}, {PAIR_CODES}",
            [("+I", "null", 1, "a")],
            "Invalid '_sequence' in to_changelog(...) of model 'bad'",
        ),
        (KEY, [("+I", 1, 1, "a"), ("+I", 1, 1, "b")], "two different changes of one key"),
        (KEY, [("+I", 1, 1, "a"), ("-D", 1, 1, "a")], "two different changes of one key"),
        # one key has one row: another INSERT of it changes that row
        (
            f"{KEY}, encoding='append'",
            [("+I", 1, 1, "a"), ("+I", 2, 1, "b")],
            'append has no event for the change {"_row_kind":"UPDATE_AFTER","id":1}',
        ),
    ],
)
def test_wrong_data(project, arguments, changes, words):
    project.write("models/bad.sql", model(arguments, changes).replace("null * 10", "0"))
    result = project.run("run", "--select", "bad", expect_failure=True)
    assert words in result.nodes["bad"].message
    assert "To fix: " in result.nodes["bad"].message


def test_unknown_row_kind(project):
    text = model("", RETRACT).replace("'DELETE'", "'delete'")
    project.write("models/bad.sql", text)
    result = project.run("run", "--select", "bad", expect_failure=True)
    assert "Unknown row kind in to_changelog(...) of model 'bad'" in result.nodes["bad"].message
