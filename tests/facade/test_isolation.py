"""Nobody sees, finds, changes or counts what another user, agent, tenant or session holds."""

import pytest
from tests.facade.driving import TinyEmbedder, ids, texts

from memfold import FoldConfig, InvalidScope, NotFound

SMALL = FoldConfig(window=1, segment_messages=2)
STRANGERS = {
    "another user": {"user": "bob"},
    "an agent's part": {"user": "ann", "agent": "planner"},
    "another tenant": {"user": "ann", "tenant": "acme"},
    "a name that runs on": {"user": "ann ", "agent": ""},
    "the parts of one name": {"user": "nn", "tenant": "defaulta"},
}


@pytest.fixture(params=STRANGERS.values(), ids=STRANGERS)
def pair(request, open_memory):
    """Ann with a conversation and its folds, and a stranger with one message."""
    memory = open_memory(fold=SMALL, embedder=TinyEmbedder())
    ann, other = memory.user("ann"), memory.user(**request.param)
    for at in range(8):
        ann.session("chat").add("user", f"The passphrase of vault {at} is heron-{at}. 密码是苍鹭。")
    other.session("own").add("user", "The weather is nice.")
    return memory, ann, other


def test_search_and_context_stay_within_the_owner(pair):
    _, _, other = pair
    assert {hit.message.text for hit in other.search("passphrase heron 密码", k=99)} == {
        "The weather is nice."
    }
    assert other.search("passphrase", sessions=["chat"]) == []
    for session in ("own", "chat", "new"):
        context = other.session(session).context("What is the passphrase? 密码？", max_tokens=2000)
        assert "heron" not in context.text
        assert "苍鹭" not in context.text


def test_nothing_can_be_read(pair):
    _, ann, other = pair
    assert [info.id for info in other.sessions()] == ["own"]
    assert other.session("chat").length == 0
    assert other.session("chat").messages() == []
    assert other.session("chat").folds() == []
    assert other.stats().messages == 1
    for handle in [ann.session("chat").messages()[4].id, ann.session("chat").folds()[0].id]:
        with pytest.raises(NotFound):
            other.expand(handle)
    assert texts(other.expand("m1")) == ["The weather is nice."]  # ids count for each owner


def test_nothing_can_be_changed(pair):
    _, ann, other = pair
    before = texts(ann.session("chat").messages())
    for change in [
        lambda: other.session("chat").edit("m2", "changed"),
        lambda: other.session("chat").cut("m2"),
        lambda: other.session("chat").fork("mine"),
    ]:
        with pytest.raises(NotFound):
            change()
    (item,) = other.forget(["m2"]).items
    assert item.outcome == "unknown"
    other.session("chat").erase()
    other.erase(everything=True)
    assert texts(ann.session("chat").messages()) == before
    assert ann.search("passphrase", k=1)


def test_keys_are_each_owners_own(pair):
    _, ann, other = pair
    ann.session("chat").add("user", "hello", key="k")
    assert other.session("chat").add("user", "hello", key="k").items[0].outcome == "stored"


def test_sessions_of_one_user_are_apart_but_searched_together(ann):
    one, two = ann.session("one"), ann.session("two")
    one.add("user", "The passphrase is heron.")
    two.add("user", "The passphrase was stork.")
    assert texts(one.messages()) == ["The passphrase is heron."]
    assert {hit.message.session for hit in ann.search("passphrase")} == {"one", "two"}
    assert ids(ann.search("passphrase", sessions={"two"})) == ["m2"]
    for change in [two.edit, lambda id, _: two.cut(id)]:
        with pytest.raises(NotFound):
            change("m1", "changed")
    with pytest.raises(NotFound):
        two.fork("three", before="m1")


def test_erasing_a_user_takes_every_agents_part_and_no_other_tenant(open_memory):
    memory = open_memory()
    for scope in [{}, {"agent": "planner"}, {"tenant": "acme"}]:
        memory.user("ann", **scope).session("s").add("user", "hello")
    memory.user("bob").session("s").add("user", "hello")
    assert memory.erase("ann").count("erased") == 2
    left = {(scope.tenant, scope.user, scope.agent) for scope in memory.owners()}
    assert left == {("acme", "ann", ""), ("default", "bob", "")}


@pytest.mark.parametrize("name", ["", None, 7, b"ann", "a\x00b", "a\nb", "\ud800", "x" * 513])
def test_names_are_checked(memory, name):
    with pytest.raises(InvalidScope):
        memory.user(name)
    with pytest.raises(InvalidScope):
        memory.user("ann", tenant=name)
    with pytest.raises(InvalidScope):
        memory.erase(name)
    if name is not None:
        with pytest.raises(InvalidScope):
            memory.user("ann").session(name)
    if name != "":
        with pytest.raises(InvalidScope):
            memory.user("ann", agent=name)


@pytest.mark.parametrize("name", ["安", "ann@example.com", "a/b", "😀", "'; DROP TABLE messages"])
def test_names_may_be_anything_one_can_write(memory, name):
    session = memory.user(name, tenant=name, agent=name).session(name)
    session.add("user", "hello")
    assert texts(memory.user(name, tenant=name, agent=name).session(name).messages()) == ["hello"]
    assert memory.user(name, tenant=name, agent=name).sessions()[0].id == name
