import pytest

pytest.register_assert_rewrite("memfold.testing.checks")
