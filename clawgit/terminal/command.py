"""What a command of ours is: options that every command takes, the workspace, a printed answer. And
a group, which imports the module of a command only when that command is called.
"""

from collections.abc import Callable, Generator
from contextlib import nullcontext
from functools import cache, partial, update_wrapper
from typing import TYPE_CHECKING, Any

import click

from clawgit.core.doors import copy
from clawgit.core.errors import closest
from clawgit.terminal import output
from clawgit.terminal.command_table import TABLE, UNLISTED, every_command, load, place
from clawgit.terminal.text import options

if TYPE_CHECKING:
    from click.shell_completion import CompletionItem

Answer = tuple[Any, Callable[[Any], str]]
"""What a command answers: a value, whose fields are its JSON shape, and what makes text of it."""

Answers = Generator[Answer | int | None]
"""What a command answers that goes on after an answer is printed; a number is an exit code."""


def command(
    name: str | None = None, *, exact: bool = False, verbatim: bool = False, **attributes: Any
) -> Callable[[Callable[..., Any]], click.Command]:
    """A click command with the shared options, which prints the answer that its function returns.

    A function whose first parameter is `ws` gets the workspace. `exact` shows secrets unmasked,
    to the operator alone. `verbatim` is for programs: no control character is made visible.
    """

    def wrap(function: Callable[..., Any]) -> click.Command:
        answers = answering(function, exact=exact, verbatim=verbatim)
        make = click.command(name, None, add_help_option=False, **attributes)
        made: click.Command = help_option(make(shared_options(answers)))
        return made

    return wrap


def answering(
    function: Callable[..., Any], *, exact: bool = False, verbatim: bool = False
) -> Callable[..., int]:
    """The function as click calls it: with the workspace, if it takes one, and with its answers
    printed. The exit code is 1 where a value is not `ok`.
    """
    opens = function.__code__.co_varnames[:1] == ("ws",)

    def printed(answer: Answer | int | None, typed: dict[str, Any]) -> int:
        if not isinstance(answer, tuple):
            return answer or 0
        value, render = answer
        for told in (value, getattr(value, "change", None)):
            if isinstance(remark := getattr(told, "note", ""), str):
                output.beside(remark)
        output.emit(value, render, verbatim=verbatim)
        if getattr(value, "more", None) is True:
            output.note(f"more follow: -n {typed['limit'] * 10}")
        return int(not getattr(value, "ok", True))

    def call(**typed: Any) -> int:
        options().exact = exact
        with load("terminal.opening:workspace")() if opens else nullcontext() as ws:
            made = function(ws, **typed) if opens else function(**typed)
            answers = made if isinstance(made, Generator) else [made]
            return max((printed(answer, typed) for answer in answers), default=0)

    return update_wrapper(call, function)


def option(names: str, about: str, **more: Any) -> Callable[..., Any]:
    """An option as its help shows it. `--since T` takes a word, "" without it; `--ack [ID]` may
    have one; `--stat` is a flag. A small word names the parameter of the function, where that is
    not the option's own name.
    """
    words = names.split()
    metavar = next((word for word in words if word.upper() == word and word[0] != "-"), None)
    if metavar:
        words.remove(metavar)
        more["metavar"] = metavar
        if metavar[0] == "[":
            more |= {"is_flag": False, "default": None}
        if not {"default", "type", "multiple"} & more.keys():
            more["default"] = ""
    elif not {"type", "flag_value", "is_flag"} & more.keys():
        more["is_flag"] = True
    return click.option(*words, help=about, **more)


def showing_option(
    names: str, about: str, text: Callable[[click.Context], str]
) -> Callable[[Any], Any]:
    """An option that shows a text and ends the command."""

    def show(ctx: click.Context, _: click.Parameter, value: bool) -> None:
        if value and not ctx.resilient_parsing:
            output.unmasked(text(ctx))
            ctx.exit()

    return option(names, about, callback=show, is_eager=True, expose_value=False)


help_option = showing_option("-h --help", "Show this message and exit.", click.Context.get_help)
"""As click's own, which asks gettext for these words in another language: 1 ms of each command."""

SHARE = click.FloatRange(0, 1)


def together(*options: Callable[..., Any]) -> Callable[..., Any]:
    """One decorator for several options, in the order of the help."""

    def wrap(function: Callable[..., Any]) -> Callable[..., Any]:
        for option in reversed(options):
            function = option(function)
        return function

    return wrap


_COUNTABLE = 10**9
"""More than any list has. Numbers far beyond do not fit into SQLite, nor into a list."""


def limit_option(
    default: int, text: str = "At most this many.", most: int | None = None
) -> Callable[..., Any]:
    """-n: how many of a list are shown."""
    return option(
        "-n --limit limit", text, type=click.IntRange(1, most), default=default,
        callback=lambda _, __, value: min(value, _COUNTABLE), show_default=True,
    )  # fmt: skip


def revision_option(text: str) -> Callable[..., Any]:
    """--at: "" without it. An empty one is refused: a script may have lost what it meant."""
    return option("--at REV", text, default=None, callback=_named)


def _named(_: click.Context, __: click.Parameter, value: str | None) -> str:
    if value is not None and not value.strip():
        raise click.BadParameter("Name a change id, a git revision or a date.")
    return value or ""


def _keep(_: click.Context, param: click.Parameter, value: Any) -> None:
    """Stores a given value; without one, a value from before the command stays."""
    if value not in (None, False):
        setattr(options(), str(param.name), value)


def _shared(*, hidden: bool) -> Callable[..., Any]:
    kept = partial(option, expose_value=False, callback=_keep, hidden=hidden, default=None)
    return together(
        kept("-C DIR directory", "The workspace.  [env: CLAWGIT_WORKSPACE]"),
        option("--json as_json", "Answer in JSON.", expose_value=False, callback=_keep,
               hidden=hidden),
        kept("--now ISO", "Set the clock.  [env: CLAWGIT_NOW]"),
        kept("--actor NAME", "Name the agent that calls."),
    )  # fmt: skip


shared_options = _shared(hidden=True)
"""-C, --json, --now and --actor, taken before or after the command; each lands in `options()`. Only
the help of `clawgit` itself lists them."""

top_options = _shared(hidden=False)


def _keep_preview(_: click.Context, param: click.Parameter, value: bool) -> None:
    """`--dry-run` previews where it is given, `--apply` where it is not."""
    is_apply = param.name == "apply"
    if value != is_apply:
        how = "; --apply writes" if is_apply else ""
        options().preview = f"preview, nothing written{how}"


dry_run_option = option(
    "--dry-run", "Show what would change, and change nothing.", callback=_keep_preview,
    expose_value=False,
)  # fmt: skip

apply_option = option(
    "--apply", "Write the changes; without it, only show them.", callback=_keep_preview,
    expose_value=False,
)  # fmt: skip


class LazyGroup(click.Group):
    """The group of the table that `path` names; alone, it runs its own function."""

    def __init__(self, *args: Any, path: str, **attributes: Any) -> None:
        super().__init__(*args, **attributes)
        self.invoke_without_command, self.no_args_is_help = True, False
        self.headings = TABLE[path]
        self.places = {
            name: where for rows in self.headings.values() for name, where in rows.items()
        }

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002 - click's signature
        unlisted = self.headings.get(UNLISTED, ())
        return [name for name in self.places if name not in unlisted]

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:  # noqa: ARG002 - as above
        where = self.places.get(cmd_name)
        return _command(where, cmd_name) if where else None

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        if args[0] not in self.places and not args[0].startswith("-"):
            raise click.UsageError(_refusal(ctx, args[0]), ctx)
        return super().resolve_command(ctx, args)

    def summary(self, name: str) -> str:
        """The first line of a command's help, read from its source: an import of all takes a
        second.
        """
        module, function = place(self.places[name], name)
        return _summaries(module)[function]

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        width = max(map(len, self.list_commands(ctx)), default=0)
        for heading, rows in self.headings.items():
            if heading != UNLISTED:
                with formatter.section(heading):
                    formatter.write_dl([(name.ljust(width), self.summary(name)) for name in rows])

    def shell_complete(self, ctx: click.Context, incomplete: str) -> "list[CompletionItem]":
        # Loads `click.shell_completion`, which other commands do without.
        own = click.Command.shell_complete(self, ctx, incomplete)
        # click would import every command to read its help.
        names = [name for name in self.list_commands(ctx) if name.startswith(incomplete)]
        item = click.shell_completion.CompletionItem
        return [*(item(name, help=self.summary(name)) for name in names), *own]


def group(
    path: str, kind: type[LazyGroup] = LazyGroup
) -> Callable[[Callable[..., Any]], LazyGroup]:
    """A group. Called alone, it does what the function does, which is to show its state; then,
    except with --json, it lists its commands.
    """

    def wrap(function: Callable[..., Any]) -> LazyGroup:
        answers = answering(function)

        def alone(**typed: Any) -> Any:
            ctx = click.get_current_context()
            if ctx.invoked_subcommand is not None:
                return None
            code = answers(**typed)
            if not (code or options().as_json):
                page = ctx.make_formatter()
                made.format_commands(ctx, page)
                output.line(f"\n{page.getvalue().rstrip()}")
            return code

        named = click.group(path.rpartition(" ")[2], cls=kind, path=path, add_help_option=False)
        made: LazyGroup = help_option(named(shared_options(update_wrapper(alone, function))))
        return made

    return wrap


def _command(where: str, name: str) -> click.Command:
    """The command that is there; with words after it, one that is given these first."""
    found: click.Command = load(":".join(place(where, name)))
    words = where.split()[1:]
    if words:
        found, parse = copy.copy(found), found.parse_args
        found.parse_args = lambda ctx, args: parse(ctx, [*words, *args])  # type: ignore[method-assign]
    return found


_MOST = 3
"""How many commands are named that a mistyped one may mean."""


def _refusal(ctx: click.Context, word: str) -> str:
    """The message for a word that is no command of the group of `ctx`. What is like it comes from
    other groups, too: `clawgit memory triage` means `clawgit triage`.
    """
    group, paths = ctx.command_path.partition(" ")[2], [path for path, _ in every_command()]
    names = closest(word, (path.rpartition(" ")[2] for path in paths))
    near = [f"clawgit {path}" for path in paths if path.rpartition(" ")[2] in names]
    near.sort(key=lambda path: not path.startswith(f"clawgit {group} "))
    meant = f" Did you mean {' or '.join(near[:_MOST])}?" if near else ""
    return f"No such command {word!r}.{meant}"


@cache
def _summaries(module: str) -> dict[str, str]:
    with open(f"{_PACKAGE}/{module.replace('.', '/')}.py", encoding="utf-8") as file:  # noqa: PTH123 - pathlib takes 5 ms to load
        source = file.read()
    functions = (part.partition("(") for part in source.split("\ndef ")[1:])
    return {
        name: rest.partition('"""')[2].partition("\n")[0].removesuffix('"""')
        for name, _, rest in functions
    }


_PACKAGE = __file__.rpartition("/terminal/")[0]
