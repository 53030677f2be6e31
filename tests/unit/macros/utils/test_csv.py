def test_names_in_a_row(macros):
    assert macros.csv(["id", "a`b"]) == "`id`, `a``b`"
    assert macros.csv([]) == ""


def test_around_each_name(macros):
    text = macros.csv(["id", "line"], prefix="_row.", suffix=" is not null", separator=" and ")
    assert text == "_row.`id` is not null and _row.`line` is not null"
