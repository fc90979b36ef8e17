"""What a tool takes, from the signature of its function: the schema that a model is shown, and the
check of what it sends.
"""

import inspect
from collections.abc import Callable, Mapping
from typing import Annotated, Any, Literal, NamedTuple, get_args

from annotated_types import Interval, MaxLen
from pydantic import BaseModel, ConfigDict, Field, ValidationError, create_model
from pydantic.alias_generators import to_camel

from clawgit.config.kinds import near
from clawgit.errors import UsageError
from clawgit.ops.search.search import Searcher
from clawgit.ops.workspace.workspace import Workspace
from clawgit.stores.access import Showing

_LONGEST = MaxLen(20_000)
_MOST_TEXTS = MaxLen(50)
_NONE = type(None)

_Room = Annotated[int, "Room for the answer, in tokens.", Interval(ge=200, le=1_000_000)]


class Bench(NamedTuple):
    """What a call works with. `shown` records the hits that the caller sees."""

    workspace: Workspace
    searcher: Callable[[], Searcher]
    client: str
    budget: int
    encoded: Callable[[object], Any]
    shown: Callable[[Showing], None]


class Tool(NamedTuple):
    """One tool.

    `params`: the name of each parameter, as a caller spells it, and as the function does. `room` is
    the parameter that every tool has. `writes` (it changes files) and `replaces` (it removes
    existing text) are hints for the client. `prose` names the member of the answer that a model
    reads instead of JSON.
    """

    name: str
    title: str
    act: Callable[..., object]
    about: str
    params: Mapping[str, str]
    room: str
    model: type[BaseModel]
    writes: bool = False
    replaces: bool = False
    prose: str = ""

    @property
    def schema(self) -> dict[str, Any]:
        """The JSON schema of an object with these members and no other."""
        made = self.model.model_json_schema()
        for member in made["properties"].values():
            for word in ("title", "default"):
                member.pop(word, None)
        made.pop("title")
        return made

    def taken(self, given: Mapping[str, Any]) -> dict[str, Any]:
        """The parameters of a call, checked; UsageError says what the tool takes.

        null counts as not given, and so does a blank text or list for a required parameter.
        """
        told = {name: value for name, value in given.items() if value is not None}
        for name, field in self.model.model_fields.items():
            if field.is_required() and _is_blank(told.get(name)):
                told.pop(name, None)
        try:
            made = self.model.model_validate(told)
        except ValidationError as error:
            raise self._refusal(error) from error
        return {name: getattr(made, name) for name in told}

    def _refusal(self, error: ValidationError) -> UsageError:
        # A misspelt name first: the parameter that is missing may be the one that was meant.
        wrong = min(error.errors(), key=lambda one: one["type"] != "extra_forbidden")
        name, takes = str(wrong["loc"][0]), f"{self.name} takes {', '.join(self.params)}."
        if wrong["type"] == "extra_forbidden":
            hint = f"{near(name, self.params)} {takes}".lstrip()
            return UsageError(f"{self.name} has no parameter {name[:80]!r}.", hint=hint)
        if wrong["type"] == "missing":
            about = self.model.model_fields[name].description
            return UsageError(f"{self.name} needs {name}: {about}", hint=takes)
        return UsageError(f"{name}: {wrong['msg']}.", hint=takes)


def tool_of(act: Callable[..., object], title: str, **traits: Any) -> Tool:
    """A tool from a function. A parameter is `Annotated[type, text, limit]`; a limit that is a
    tuple lists the values to choose from.
    """
    name, about = act.__name__, " ".join(inspect.cleandoc(act.__doc__ or "").split())
    # Memory tools are spelt as OpenClaw's are.
    spelt = to_camel if name.startswith("memory_") else str
    params, fields, room = {}, {}, spelt("max_tokens")
    for word, param in inspect.signature(act).parameters.items():
        if word != "bench":
            needed = param.default is param.empty
            params[spelt(word.rstrip("_"))] = word
            fields[spelt(word.rstrip("_"))] = (
                _kind(*get_args(param.annotation)),
                ... if needed else param.default,
            )
    params[room], fields[room] = room, (_kind(*get_args(_Room)), None)
    strict = ConfigDict(extra="forbid", allow_inf_nan=False)
    model: type[BaseModel] = create_model(name, __config__=strict, **fields)  # type: ignore[call-overload]
    return Tool(name, title, act, about, params, room, model, **traits)


def _kind(kind: Any, about: str, *limits: Any) -> Any:
    """The type of a field as pydantic has it; None is never sent."""
    kind = next(iter(get_args(kind)), kind) if _NONE in get_args(kind) else kind
    if limits and isinstance(limits[0], tuple):
        return Annotated[Literal[limits[0]], Field(description=about)]
    if kind is str:
        limits = limits or (_LONGEST,)
    elif kind == list[str]:
        kind, limits = list[Annotated[str, _LONGEST]], (_MOST_TEXTS,)
    return Annotated[kind, Field(description=about), *limits]


def _is_blank(value: Any) -> bool:
    """Whether a value says nothing: a blank text, or a list without a text."""
    texts = value if isinstance(value, list) else (value,)
    return not any(str(text).strip() for text in texts if text is not None)
