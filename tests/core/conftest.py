"""Every test of the core treats a warning as a failure, and hypothesis tries the same examples in every run."""

import warnings

import pytest
from hypothesis import settings

settings.register_profile("same every run", deadline=None, derandomize=True, database=None)
settings.load_profile("same every run")


@pytest.fixture(autouse=True)
def no_warnings():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        yield
