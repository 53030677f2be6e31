import pytest


@pytest.mark.parametrize(
    ("name", "found"), [("ID", "Id"), ("id", "Id"), ("name", "name"), ("i", None), ("Ünit", "ünit")]
)
def test_as_the_list_spells_it(macros, name, found):
    assert macros.find_name(name, ["Id", "name", "ünit"]) == found
