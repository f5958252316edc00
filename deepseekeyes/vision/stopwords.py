"""Words too common to tell what a question is about."""

from __future__ import annotations

from typing import Final

STOPWORDS: Final = frozenset(
    """
    a about after all also an and any are as at be been before being but by can could did do does doing for from had has
    have having he her here hi him his how i if in into is it its itself just let like me more most much many my no not
    now of on only or other our out over own please say same she should show shows so some such tell than that the their
    them then there these they this those through to too under until up very was we were what when where which while who
    whom why will with would you your picture image screenshot photo
    的 了 是 在 和 与 吗 呢 有 这 那 个 什么 多少 哪个 哪些 怎么 为什 如何 请问 图中 图片 图里 这个 那个 是多 是什 少是
    です ます した ある これ それ なに 何で は何 ですか
    """.split()  # noqa: SIM905 - a list of words is read best as words
)
