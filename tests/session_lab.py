"""Sessions for tests: messages in short notation, and any session at all."""

from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from typing import Any

from hypothesis import strategies as st

from clawgit.talk.rules.session import SessionMessage, said_in
from clawgit.talk.rules.transcript import entry_of

START = datetime(2026, 2, 14, 9, 0, tzinfo=UTC)


def said(role: str, content: object, at: int = 0, **more: object) -> SessionMessage:
    value = {
        "role": role,
        "content": content,
        "timestamp": (START + timedelta(minutes=at)).isoformat(),
        **more,
    }
    found = said_in(entry_of(value, str(at)))
    assert found is not None
    return found


def talk(*texts: str) -> list[SessionMessage]:
    """User and assistant in turn, a minute apart."""
    return [said(("user", "assistant")[at % 2], text, at) for at, text in enumerate(texts)]


def call(ident: str, at: int = 0) -> SessionMessage:
    return said(
        "assistant",
        [{"type": "toolCall", "id": ident, "name": "exec", "arguments": {"command": "ls"}}],
        at,
    )


def result(ident: str, text: str, at: int = 0, *, image: bool = False) -> SessionMessage:
    picture = [{"type": "image", "data": "QUJD", "mimeType": "image/png"}] if image else []
    return said(
        "toolResult",
        [{"type": "text", "text": text}, *picture],
        at,
        toolCallId=ident,
        toolName="exec",
    )


def entry(kind: str, ident: str, **body: object) -> Mapping[str, Any]:
    return {"type": kind, "id": ident, "timestamp": START.isoformat(), **body}


_TEXT = st.one_of(
    st.sampled_from(
        ["", "ok", "We decided to use REST.", "Why?", "On 3 March, at 10:00.", "记住", "x" * 300]
    ),
    st.text(max_size=40),
)


@st.composite
def sessions(draw: st.DrawFn) -> list[SessionMessage]:
    """User, assistant, calls and their results in any order, instructions and an old summary among
    them."""
    messages: list[SessionMessage] = []
    for at in range(draw(st.integers(0, 14))):
        ident = draw(st.sampled_from("abcd"))
        messages.append(
            draw(
                st.sampled_from(
                    [
                        said("user", draw(_TEXT), at),
                        said("assistant", draw(_TEXT), at),
                        said("system", draw(_TEXT), at),
                        said("compactionSummary", draw(_TEXT), at),
                        call(ident, at),
                        result(
                            ident,
                            draw(_TEXT) * draw(st.integers(1, 9)),
                            at,
                            image=draw(st.booleans()),
                        ),
                        said("tool", draw(_TEXT), at, toolCallId=ident),
                    ]
                )
            )
        )
    return messages
