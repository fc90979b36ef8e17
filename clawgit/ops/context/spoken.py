"""What conversations said about a matter, for a context: after the notes, if there is room."""

from collections.abc import Collection, Iterable, Iterator
from datetime import timedelta
from itertools import islice

from clawgit.domain.context.openclaw import is_shared
from clawgit.domain.context.passage import ContextPassage
from clawgit.domain.context.slots import RecalledPassage
from clawgit.domain.conversation.chat import Message
from clawgit.domain.search.folding import tellers
from clawgit.domain.search.question import read_question
from clawgit.errors import ClawgitError
from clawgit.ops.context.asking import ContextRequest
from clawgit.ops.context.files import Moment
from clawgit.ops.context.memory import MemoryFiles
from clawgit.ops.context.recall import LONGEST_QUESTION
from clawgit.ops.conversation.chat import open_chat
from clawgit.ops.safety.masking import is_planted
from clawgit.ops.search.session_search import FoundMessage, certain_of, found_messages
from clawgit.ops.workspace.workspace import Workspace
from clawgit.stores.state import state_file
from clawgit.values import NamedTuple

_MOST = 5
_LONGEST = 1_000
"""Characters. A longer message is in the transcript, and in `chat search`."""

_STILL_OPEN = timedelta(hours=24)
"""What was said in the same session since then is before the model already."""


class Spoken(NamedTuple):
    """The messages that answer, best first. `note` says why there are none, if they could not be
    read.
    """

    found: list[RecalledPassage]
    note: str = ""


def spoken(
    workspace: Workspace,
    asking: ContextRequest,
    when: Moment,
    memory: MemoryFiles,
    told: Collection[str],
) -> Spoken:
    """What conversations said, without what repeats a text of `told`.

    Nothing is shown in a session that others can read, nor taken from one, where anyone may write.
    Conversations have no past state, and a store on a server is not asked: that takes too long.
    """
    is_here = workspace.config.settings.chat_store == "sqlite"
    is_private = not is_shared(asking.session)
    if not (asking.message.strip() and is_here and is_private) or when.commit:
        return Spoken([])
    if not state_file(workspace.place).exists():
        return Spoken([])
    try:
        found = _found(workspace, asking, when)
    except ClawgitError as error:
        return Spoken([], f"conversations were not searched: {error.message}")
    is_told, planted = tellers(told), is_planted(workspace)
    fresh = (
        one for one in found if not is_told(one.message.text) and not planted(one.message.text)
    )
    return Spoken([*_passages(islice(fresh, _MOST), workspace, memory)])


def _found(workspace: Workspace, asking: ContextRequest, when: Moment) -> list[FoundMessage]:
    message = asking.message.strip()

    def is_news(one: Message) -> bool:
        """Whether it says what the model does not have before it."""
        if is_shared(one.session) or len(one.text) > _LONGEST:
            return False
        if one.session == asking.session and when.now - one.time < _STILL_OPEN:
            return False
        return one.text.strip() != message

    settings = workspace.config.settings
    question = read_question(message[:LONGEST_QUESTION], when.now, workspace.zone)
    with open_chat(workspace) as chat:
        found = found_messages(workspace, chat.store, question, settings, when.now, is_news)
    return certain_of(found, settings.min_score)


def _passages(
    found: Iterable[FoundMessage], workspace: Workspace, memory: MemoryFiles
) -> Iterator[RecalledPassage]:
    for one in found:
        message = one.message
        day = message.time.astimezone(workspace.zone).date()
        text = f"- {message.role}, {day}: {' '.join(message.text.split())}"
        heads = ("## Conversations",)
        passage = ContextPassage(f"chat:{message.key}", 0, 0, text, heads, "turn")
        for each in memory.standing([passage]):
            yield RecalledPassage(each, one.stood.score, answers=True)
