import pytest

from ..project import operation
from ..render import CompilerError


def test_a_stream_can_not_be_counted():
    macros, _ = operation({"materialized": "changelog_stream", "function": "from_changelog"})
    with pytest.raises(CompilerError) as caught:
        macros.diagnose("customers")
    said = "Invalid 'model' in this operation: 'customers' reads a stream, whose events can only"
    assert str(caught.value).startswith(said)
    assert macros.warehouse.statements == []
