"""What a lesson asks for: the records that the modules in `gridroll.exercises` are made of."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from types import EllipsisType
from typing import Any

import numpy as np


@dataclass(frozen=True, eq=False)
class Case:
    """One input. Everything in it has a JSON form: arrays, keys, sizes, records, policies."""

    args: tuple[Any, ...]
    kwargs: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class Fault:
    """The first thing that is wrong with an answer, in words."""

    summary: str  # one line: what is wrong
    call: str = ""  # what was called with what
    whole_call: str = ""  # the same with every number, where that is longer
    where: str = ""  # the first place that differs: "active[t=2, b=1]"
    got: str = ""
    expected: str = ""
    advice: str = ""  # what to do next
    rule: str = ""  # the rule that is broken
    notes: tuple[str, ...] = ()  # what else can be said of all the differences
    line: str = ""  # the student's own line, where an error came from it
    traceback: str = ""
    property: str = ""  # the name of the property that failed, if it was one
    error: bool = False  # whether the student's code raised


@dataclass(frozen=True)
class Misconception:
    """A named mistake: what somebody who makes it writes, and what they should read."""

    name: str
    message: str
    implementation: Callable[..., Any]
    also: tuple[Callable[..., Any], ...] = ()  # other ways to write the same mistake
    raises: str = ""  # a pattern that its error message matches, where it can't run at all
    property: str = ""  # the property that it breaks, where only a property can tell
    replay: Callable[[Case, Any], Any] | None = None  # its bookkeeping, on the student's own draws


@dataclass(frozen=True)
class Property:
    """Something that must hold of the function as a whole, such as keys that are all distinct.

    The test gets the function, the function under jit, and a generator made from the seed of the
    fresh cases: keys, worlds and sizes that are drawn from it can't be known beforehand.
    """

    name: str
    test: Callable[[Callable[..., Any], Any, np.random.Generator], Fault | None]


@dataclass(frozen=True, eq=False)
class Exercise:
    """A function to write, or (with `broken`) to mend."""

    name: str  # "collector.rollout"
    title: str
    task: str  # one sentence
    points: int
    difficulty: int  # 1 to 5
    reference: Callable[..., Any]
    answer: str  # the source text of the reference answer
    scaffold: str  # the source text that the student starts from
    visible: Callable[[], tuple[Case, ...]]
    generate: Callable[[np.random.Generator], Case]
    misconceptions: tuple[Misconception, ...]
    hints: tuple[str, str, str]
    why: str  # after a pass: why the likeliest wrong answer fails
    gain: str  # after a pass: "you can now ..."
    explanation: str  # beside the answer, when it is offered
    outputs: tuple[str, ...] = ()  # the names of what it returns, where it returns several things
    axes: tuple[str, ...] = ()  # the names of the axes of an output: ("t", "b")
    rules: Mapping[str, str] = field(default_factory=dict)  # field -> the rule that it follows
    regions: Callable[[Case, Any], Mapping[str, np.ndarray]] | None = None
    replay: Callable[[Case, Any], Any] | None = None  # what should follow the student's own draws
    properties: tuple[Property, ...] = ()
    probe: Callable[[Callable[..., Any]], Callable[..., Any]] | None = None  # what is judged of it
    shown: Callable[[Case], Case] | None = None  # what a message shows of a case
    jit: bool = True
    generated: int = 20
    eager: int = 10  # how many cases, the visible ones first, are called eagerly
    jit_from: int = 0  # the first visible case that is called under jit: others cost a compilation
    stretch: bool = False
    parts: tuple[Callable[..., Any], ...] = ()  # other library functions that give the answer away
    leaks: tuple[str, ...] = ()
    broken: Callable[..., Any] | None = None
    witness: Callable[[Any], Case] | None = None  # a student's witness as a case, or ValueError

    @property
    def kind(self) -> str:
        """Code to write or a diagnosis."""
        return "code" if self.broken is None else "diagnosis"

    @property
    def function_name(self) -> str:
        """The name that the student's function has."""
        return self.name.partition(".")[2]

    @property
    def check_call(self) -> str:
        """The source text of the check cell."""
        witness = "" if self.broken is None else ", witness=witness"
        return f'check("{self.name}", {self.function_name}{witness})'

    def header(self, number: int | None, total: int) -> str:
        """The Markdown above the student's cell."""
        place = "Stretch exercise" if number is None else f"Exercise {number} of {total}"
        level = f"difficulty {self.difficulty} of 5"
        facts = f"{self.points} points · {level}" if self.points != 1 else f"1 point · {level}"
        return (
            f"### {place}: {self.title}\n\n"
            f"*{facts} · edit only the next cell, then run it and the check below it*\n\n"
            f"{self.task}"
        )


@dataclass(frozen=True)
class Prediction:
    """A guess that is committed before a run and compared after it; it can't be wrong for marks."""

    name: str
    title: str
    task: str
    form: str  # what a guess looks like, in words: "three whole numbers"
    truth: Callable[[], Any]
    explain: Callable[[Any], str]  # truth -> why it is so
    guess: str  # the source text of the guess in the solution
    accepts: Callable[[Any], bool]  # whether a guess has the right form
    placeholder: str = "..."
    points: int = 1
    hints: tuple[str, ...] = ()
    stretch: bool = False
    leaks: tuple[str, ...] = ()  # texts that must not stand above the prediction in a lesson
    kind: str = "prediction"
    check_call: str = ""

    @property
    def scaffold(self) -> str:
        """The cell that the student fills in."""
        return f'predict("{self.name}", {self.placeholder})'

    @property
    def answer(self) -> str:
        """The cell in the solution."""
        return f'predict("{self.name}", {self.guess})'

    def header(self, number: int | None, total: int) -> str:
        """The Markdown above the student's cell."""
        return (
            f"### Predict: {self.title}\n\n*1 point for committing a guess, right or wrong*\n\n"
            f"{self.task} Write {self.form} in place of `...`."
        )


@dataclass(frozen=True)
class Option:
    """One answer to a choice, with what to say to whoever picks it."""

    text: str
    explanation: str


@dataclass(frozen=True)
class Choice:
    """A question with lettered answers, one of them right."""

    name: str
    title: str
    task: str
    options: Mapping[str, Option]  # "a" -> option
    right: str
    points: int = 1
    hints: tuple[str, ...] = ()
    stretch: bool = False
    leaks: tuple[str, ...] = ()
    kind: str = "choice"
    check_call: str = ""

    @property
    def scaffold(self) -> str:
        """The cell that the student fills in."""
        return f'check("{self.name}", ...)'

    @property
    def answer(self) -> str:
        """The cell in the solution."""
        return f'check("{self.name}", "{self.right}")'

    def header(self, number: int | None, total: int) -> str:
        """The Markdown above the student's cell: the question and its options."""
        lines = "\n".join(f"- **{letter}**: {o.text}" for letter, o in self.options.items())
        return f"### {self.title}\n\n{self.task}\n\n{lines}"


@dataclass(frozen=True)
class Open:
    """A question that is answered in prose and read by a person: no check passes or fails it."""

    name: str
    title: str
    task: str
    points: int
    answer: str  # a model answer, in Markdown
    good: tuple[str, ...]  # what a good answer says, a sentence each, for whoever reads it
    leaks: tuple[str, ...] = ()
    scaffold: str = "*Your answer here.*"
    kind: str = "open"

    def header(self, number: int | None, total: int) -> str:
        """The Markdown above the student's cell."""
        points = "1 point" if self.points == 1 else f"{self.points} points"
        facts = f"*{points} · a person reads it · write in the next cell, in place of its text*"
        return f"### {self.title}\n\n{facts}\n\n{self.task}"

    @property
    def guide(self) -> str:
        """The Markdown below the model answer: how it is marked."""
        return "A good answer says:\n\n" + "\n".join(f"- {line}" for line in self.good)


Task = Exercise | Prediction | Choice  # what a check judges


def is_placeholder(value: Any) -> bool:
    """Whether a value still holds the scaffold's `...`."""
    if isinstance(value, list | tuple):
        return any(is_placeholder(v) for v in value)
    if isinstance(value, dict):
        return any(is_placeholder(v) for v in value.values())
    return isinstance(value, EllipsisType)
