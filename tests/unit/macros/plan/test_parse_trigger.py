import pytest

from ..plans import WHERE

NONE_SET = {"processing_time": None, "run_for": None, "idle_for": None}


@pytest.mark.parametrize("value", [None, "available_now"])
def test_what_is_there(macros, value):
    assert macros.parse_trigger(WHERE, value) == NONE_SET


@pytest.mark.parametrize(
    ("ends", "found"),
    [
        ({"run_for": "1 hour"}, {"run_for": 3600, "idle_for": None}),
        ({"idle_for": "5 minutes"}, {"run_for": None, "idle_for": 300}),
        ({"run_for": "2 days", "idle_for": "1 week"}, {"run_for": 172800, "idle_for": 604800}),
    ],
)
def test_from_time_to_time(macros, ends, found):
    trigger = macros.parse_trigger(WHERE, {"processing_time": "1 minute", **ends})
    assert trigger == {"processing_time": "60 seconds", **found}


@pytest.mark.parametrize("value", ["once", "10 seconds", {}, {"idle_for": "1 hour"}, 10, []])
def test_neither(macros, invalid, value):
    with invalid("trigger", "is neither 'available_now' nor has it a processing_time"):
        macros.parse_trigger(WHERE, value)


def test_without_an_end(macros, invalid):
    with invalid("trigger", "it has no end, and neither would dbt run"):
        macros.parse_trigger(WHERE, {"processing_time": "1 minute"})


def test_an_end_before_the_second_micro_batch(macros, invalid):
    with invalid("trigger", "idle_for is not longer than processing_time"):
        macros.parse_trigger(WHERE, {"processing_time": "1 minute", "idle_for": "60 seconds"})


@pytest.mark.parametrize("name", ["processing_time", "run_for", "idle_for"])
def test_what_is_no_time(macros, invalid, name):
    trigger = {"processing_time": "1 second", "idle_for": "1 hour", name: "soon"}
    with invalid(f"trigger.{name}", "'soon' is not a duration"):
        macros.parse_trigger(WHERE, trigger)
