from ..plans import CONTENTS


def test_beside_the_contents(macros):
    state = macros.sibling_relation(CONTENTS, "state")
    assert str(state) == "analytics.customers__state"
    assert state.is_table
