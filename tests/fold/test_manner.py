import pytest

from memfold.fold.manner import SMALL_TALK, manner, opener_end


@pytest.mark.parametrize(
    "text",
    ["Hi!", "Thanks, Ann!", "OK.", "Sounds great!", "That's so cool!", "How are you?", "Good night",
     "你好！", "好的。", "谢谢", "太好了！", "没问题，收到。", "还有什么可以帮您的吗？",
     "Let me know if you need anything else.", "Caroline, thanks!", "That's lovely, Tom!"],
)  # fmt: skip
def test_small_talk(text):
    assert manner(text) == SMALL_TALK


@pytest.mark.parametrize(
    ("more", "less"),
    [
        ("The router costs 120 euros.", "What does the router cost?"),
        ("这台路由器一百二十块。", "这台路由器多少钱？"),
        ("这台路由器一百二十块。", "这台路由器贵吗"),
        ("I bought a router.", "Routers can be bought."),
        ("我买了一台路由器。", "路由器可以买到。"),
        ("Please never restart it.", "It was restarted."),
        ("以后不要重启它。", "它重启了。"),
        ("The router is old.", "Thanks!"),
        ("路由器很旧了。", "谢谢！"),
    ],
)
def test_what_counts_more(more, less):
    assert manner(more) > manner(less)


def test_what_the_user_says_counts_more_and_a_tool_less():
    text = "I have found three routers."
    assert manner(text, speaker="user") > manner(text, speaker="Ann")
    assert manner(text, speaker="Ann") > manner(text, speaker="assistant")
    assert manner(text, is_tool=True) < manner(text, speaker="assistant")


@pytest.mark.parametrize(
    ("text", "rest"),
    [
        ("Yeah, we moved to Oslo.", "we moved to Oslo."),
        ("Thanks, Ann! Wow, that is a lot.", "that is a lot."),
        ("好的，我明天去买。", "我明天去买。"),
        ("Well-known routers break.", "Well-known routers break."),
        ("Right turns are forbidden.", "Right turns are forbidden."),
        ("对不起，我忘了。", "对不起，我忘了。"),
        ("好像坏了。", "好像坏了。"),
        ("Thanks!", "Thanks!"),
        ("", ""),
    ],
)
def test_openers_are_left_out(text, rest):
    assert text[opener_end(text) :] == rest
