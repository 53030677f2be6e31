from . import test_shop as t
import pytest
def test_mut(new_project, monkeypatch):
    real=t.read_events
    def cut(b):
        ev=real(b)
        if b==2:
            i=max(i for i,e in enumerate(ev) if e[2] and '"op": "d"' in e[2]); ev.pop(i)
        return ev
    monkeypatch.setattr(t,'read_events',cut); monkeypatch.setattr(t,'BATCHES',range(1,3))
    with pytest.raises(AssertionError) as e: t.test_contents_equal_the_source_after_each_batch(new_project)
    print(str(e.value)[:500])
