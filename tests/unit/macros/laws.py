"""How generated tests run: with other examples each time; one that fails is printed."""

from hypothesis import settings

LAW = settings(max_examples=100, deadline=None, derandomize=False, print_blob=True)
