"""What the micro-batches of a run did, together."""

from ..render import Macros


def test_of_what_is_there_after_each_micro_batch_the_last_one_counts():
    first = {"rows_inserted": 2, "rows_hidden": 11, "events_waiting": 3}
    second = {"rows_inserted": 1, "rows_hidden": 12, "events_waiting": 0, "truncates": 1}
    expected = {"rows_inserted": 3, "rows_hidden": 12, "events_waiting": 0, "truncates": 1}
    assert Macros()._added(first, second) == expected
