import pytest

PAIR = ["UPDATE_BEFORE", "UPDATE_AFTER"]
PLAN = {"upserts_only": True, "images": True, "before": "before"}


@pytest.mark.parametrize("kinds", [PAIR, ["INSERT"], ["UPDATE_BEFORE"]])
def test_a_changelog_has_them_all(macros, kinds):
    assert macros.emitted_kinds({**PLAN, "upserts_only": False}, kinds) == kinds


@pytest.mark.parametrize(
    ("kinds", "emitted"),
    [
        (PAIR, ["UPDATE_AFTER"]),
        (["INSERT", "UPDATE_AFTER"], ["UPDATE_AFTER"]),
        (["DELETE"], ["DELETE"]),
        (["UPDATE_BEFORE"], ["UPDATE_BEFORE"]),
    ],
)
def test_contents_need_the_last(macros, kinds, emitted):
    assert macros.emitted_kinds(PLAN, kinds) == emitted


def test_update_before_without_an_image_says_nothing(macros):
    assert macros.emitted_kinds({**PLAN, "before": None}, ["UPDATE_BEFORE"]) == []
    assert macros.emitted_kinds({**PLAN, "images": False, "before": None}, ["UPDATE_BEFORE"])
