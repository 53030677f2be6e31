"""How generated tests run: other examples each time, and a failing one is printed to be run again."""

from hypothesis import settings

LAW = settings(max_examples=100, deadline=None, derandomize=False, print_blob=True)
