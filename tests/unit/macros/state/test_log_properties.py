from ..plans import CASES, IMAGES, Model, batch, macros_of
from .log import MODEL, POSITION, macros_with_log


def test_log_is_read_back():
    log = macros_with_log(batch()).read_batch_log(MODEL.plan()["relations"]["state"])
    assert log["batch"] == {"id": 2, "position": POSITION}
    assert log["plan"]["uid"] == "model.shop.customers"
    assert log["plan"]["op_mapping"]["INSERT"] == "INSERT"


def test_images_keep_their_names_in_the_log():
    model = Model({**CASES["images"].config, "before": "BEFORE"}, IMAGES)
    macros = macros_of(model)
    log = macros.from_chunks(macros.log_properties(model.plan(), batch()))
    assert (log["plan"]["before"], log["plan"]["after"]) == ("before", "after")
