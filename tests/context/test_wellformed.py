import json

from hypothesis import given
from hypothesis import strategies as st

from memfold.context.wellformed import wellformed

TEXT = st.text(alphabet=st.characters(exclude_categories=()))
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | TEXT,
    lambda inner: st.lists(inner) | st.dictionaries(TEXT, inner),
    max_leaves=8,
)


@given(value=JSON)
def test_everything_can_be_encoded_and_what_could_is_unchanged(value):
    found = wellformed(value)
    json.dumps(found, ensure_ascii=False).encode()
    try:
        json.dumps(value, ensure_ascii=False).encode()
    except UnicodeEncodeError:
        assert "\ufffd" in json.dumps(found, ensure_ascii=False)
    else:
        assert found == value
