"""Finding exercises by name, without importing any lesson that isn't asked for."""

import difflib
import importlib
import pkgutil

from gridroll.classroom.exercise import Choice, Exercise, Open, Prediction, Task


class UnknownExerciseError(LookupError):
    """No exercise has this name; the message says which are near."""


def lessons() -> tuple[str, ...]:
    """The modules that have exercises, in the order of the alphabet."""
    import gridroll.exercises

    names = (module.name for module in pkgutil.iter_modules(gridroll.exercises.__path__))
    return tuple(sorted(name for name in names if not name.startswith("_")))


def lesson_exercises(module: str) -> tuple[Task, ...]:
    """Everything that a lesson asks for and a check judges, in the lesson's order."""
    if module not in lessons():
        raise UnknownExerciseError(
            f"no lesson is called {module!r}; there are {', '.join(lessons())}"
        )
    tasks: tuple[Task, ...] = importlib.import_module(f"gridroll.exercises.{module}").EXERCISES
    return tasks


def open_questions(module: str) -> tuple[Open, ...]:
    """What a person reads and marks: `OPEN`, where a lesson has such questions."""
    if module not in lessons():
        return ()
    found: tuple[Open, ...]
    found = getattr(importlib.import_module(f"gridroll.exercises.{module}"), "OPEN", ())
    return found


def find(name: str) -> Task:
    """The exercise of this name, such as "collector.rollout"."""
    if not isinstance(name, str):
        raise UnknownExerciseError(
            f"an exercise is named by a string such as 'collector.rollout', not {name!r}"
        )
    module = name.partition(".")[0]
    known = [task.name for task in lesson_exercises(module)] if module in lessons() else []
    for task in lesson_exercises(module) if known else ():
        if task.name == name:
            return task
    if not known:
        known = [task.name for lesson in lessons() for task in lesson_exercises(lesson)]
    near = difflib.get_close_matches(name, known, n=3, cutoff=0.4) or known
    raise UnknownExerciseError(f"no exercise is called {name!r}; did you mean {', '.join(near)}?")


def numbered(module: str) -> tuple[Exercise, ...]:
    """The exercises of a lesson that count: code and diagnosis, not marked stretch."""
    return tuple(
        task for task in lesson_exercises(module) if isinstance(task, Exercise) and not task.stretch
    )


def questions(module: str) -> tuple[Prediction | Choice, ...]:
    """The predictions and choices of a lesson."""
    return tuple(t for t in lesson_exercises(module) if isinstance(t, Prediction | Choice))
