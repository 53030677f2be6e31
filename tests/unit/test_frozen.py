import pytest

from tests.frozen import WRITERS, WrittenError, frozen

from .macros.plans import CASES
from .macros.render import ENVIRONMENT, Macros

ARGUMENTS = {
    **{"__setitem__": (0, 1), "__delitem__": (0,), "__ior__": ({},), "__iadd__": ([],)},
    **{"__imul__": (2,), "pop": (0,), "setdefault": (0, 1), "update": ({},), "append": (1,)},
    **{"extend": ([],), "insert": (0, 1), "remove": (1,)},
}


@pytest.mark.parametrize(
    ("kind", "name"), [(kind, name) for kind, names in WRITERS.items() for name in names]
)
def test_each_way_to_write_is_refused(kind, name):
    plain = {0: 1} if kind is dict else [1]
    getattr(kind(plain), name)(*ARGUMENTS.get(name, ()))
    for value in (frozen(plain), frozen({"a": [plain]})["a"][0], frozen([(plain,)])[0][0]):
        with pytest.raises(WrittenError, match=name):
            getattr(value, name)(*ARGUMENTS.get(name, ()))
        assert value == plain


def test_no_way_to_write_is_forgotten():
    for kind, names in WRITERS.items():
        reads = {"copy", "count", "fromkeys", "get", "index", "items", "keys", "values"}
        assert {name for name in dir(kind) if name[0] != "_"} - set(names) <= reads


@pytest.mark.parametrize(
    "text", ["{% do plan.unique_key.append('x') %}", "{% do plan.update({'a': 1}) %}"]
)
def test_a_template_that_writes_into_a_plan_fails(text):
    with pytest.raises(WrittenError):
        ENVIRONMENT.from_string(text).render({"plan": CASES["default_op_mapping"].plan()})


def test_what_is_made_of_it_can_be_written_to():
    plan = CASES["default_op_mapping"].plan()
    made = Macros().merged(plan, {"since": 2})
    made["since"] = 3
    assert plan["since"] == 0
