LONG = "coalesce(" + "a" * 80 + ")"


def test_a_short_call_is_one_line(macros):
    assert macros.call_sql("if", ["a > b", "a", "null"]) == "if(a > b, a, null)"
    assert macros.terms_sql("a", "<", "b") == "a < b"
    assert macros.all_of_sql(["a"]) == "a"


def test_a_long_one_has_a_line_for_each_argument(macros):
    assert macros.call_sql("if", [LONG, "a", "null"]) == f"if(\n  {LONG},\n  a,\n  null\n)"
    assert macros.terms_sql(LONG, "<", "b") == f"{LONG}\n  < b"


def test_what_has_several_lines_is_indented_as_a_whole(macros):
    inner = macros.call_sql("if", [LONG, "a", "b"])
    assert macros.call_sql("f", [inner, "c"]) == (
        f"f(\n  if(\n    {LONG},\n    a,\n    b\n  ),\n  c\n)"
    )
    assert macros.terms_sql("x", "=", inner) == f"x\n  = if(\n    {LONG},\n    a,\n    b\n  )"
    assert macros.all_of_sql(["x", inner]) == f"x\n  and if(\n    {LONG},\n    a,\n    b\n  )"
