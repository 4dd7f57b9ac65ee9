"""How a step ends an episode: at the goal, at the limit, or not at all."""

from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

from gridroll import gridworld
from gridroll.classroom.exercise import Case, Exercise, Misconception
from gridroll.exercises._shared import integers, source

Ending = tuple[jax.Array, jax.Array, jax.Array]


def end_of_step(at_goal: jax.Array, elapsed: jax.Array, horizon: jax.Array) -> Ending:
    """Count one step of a running episode, and say whether it ends it and how.

    Args:
        at_goal: () bool, whether the step led onto a goal.
        elapsed: () int32, the steps of the episode BEFORE this one.
        horizon: () int32, the most steps of an episode.

    Returns:
        The steps including this one () int32, terminated () bool, truncated () bool.
    """
    elapsed = elapsed + 1
    terminated = at_goal
    truncated = ~terminated & (elapsed >= horizon)
    return elapsed, terminated, truncated


SCAFFOLD = '''
def end_of_step(at_goal, elapsed, horizon):
    """Count one step of a running episode, and say whether it ends it and how.

    Args:
        at_goal: () bool, whether the step led onto a goal.
        elapsed: () int32, the steps of the episode BEFORE this one.
        horizon: () int32, the most steps of an episode.

    Returns:
        The steps including this one () int32, terminated () bool, truncated () bool.
    """
    elapsed = ...  # count this step
    terminated = ...
    truncated = ...  # the limit is reached, and what else must hold?
    return elapsed, terminated, truncated
'''


def _both_flags(at_goal: Any, elapsed: Any, horizon: Any) -> Ending:
    return elapsed + 1, at_goal, elapsed + 1 >= horizon


def _tests_before_counting(at_goal: Any, elapsed: Any, horizon: Any) -> Ending:
    return elapsed + 1, at_goal, ~at_goal & (elapsed >= horizon)


def _tests_before_counting_both(at_goal: Any, elapsed: Any, horizon: Any) -> Ending:
    return elapsed + 1, at_goal, elapsed >= horizon


def _one_step_early(at_goal: Any, elapsed: Any, horizon: Any) -> Ending:
    return elapsed + 1, at_goal, ~at_goal & (elapsed + 1 >= horizon - 1)


def _limit_first(at_goal: Any, elapsed: Any, horizon: Any) -> Ending:
    limit = elapsed + 1 >= horizon
    return elapsed + 1, at_goal & ~limit, limit


def _limit_terminates(at_goal: Any, elapsed: Any, horizon: Any) -> Ending:
    limit = elapsed + 1 >= horizon
    return elapsed + 1, at_goal | limit, ~at_goal & limit


def _any_end_truncates(at_goal: Any, elapsed: Any, horizon: Any) -> Ending:
    return elapsed + 1, at_goal, at_goal | (elapsed + 1 >= horizon)


def _every_step_truncates(at_goal: Any, elapsed: Any, horizon: Any) -> Ending:
    return elapsed + 1, at_goal, ~at_goal


def _does_not_count(at_goal: Any, elapsed: Any, horizon: Any) -> Ending:
    return elapsed, at_goal, ~at_goal & (elapsed + 1 >= horizon)


def _eight(at_goal: Any, elapsed: Any, horizon: Any) -> Ending:
    return elapsed + 1, at_goal, ~at_goal & (elapsed + 1 >= 8)


def _precedence(at_goal: Any, elapsed: Any, horizon: Any) -> Ending:
    return elapsed + 1, at_goal, (~at_goal & (elapsed + 1)) >= horizon


def _precedence_after(at_goal: Any, elapsed: Any, horizon: Any) -> Ending:
    return elapsed + 1, at_goal, elapsed + 1 >= (horizon & ~at_goal)


def _before_the_limit(at_goal: Any, elapsed: Any, horizon: Any) -> Ending:
    return elapsed + 1, at_goal, ~at_goal & (elapsed + 1 < horizon)


def _never(at_goal: Any, elapsed: Any, horizon: Any) -> Ending:
    return elapsed + 1, jnp.zeros_like(at_goal), jnp.zeros_like(at_goal)


def _nothing(at_goal: Any, elapsed: Any, horizon: Any) -> Ending:
    return jnp.zeros_like(elapsed), jnp.zeros_like(at_goal), jnp.zeros_like(at_goal)


def _case(at_goal: bool, elapsed: int, horizon: int) -> Case:
    return Case((jnp.bool_(at_goal), integers(elapsed), integers(horizon)))


def _visible() -> tuple[Case, ...]:
    return (
        _case(True, 7, 8),
        _case(False, 7, 8),
        _case(False, 6, 8),
        _case(True, 2, 8),
        _case(False, 0, 1),
        _case(False, 2, 5),
    )


def _generate(rng: np.random.Generator) -> Case:
    horizon = int(rng.choice([rng.integers(2, 12), rng.integers(12, 500)]))
    elapsed = horizon - 1 if rng.random() < 0.4 else int(rng.integers(horizon))
    return _case(bool(rng.random() < 0.4), elapsed, horizon)


def _regions(case: Case, expected: Any) -> dict[str, np.ndarray]:
    at_goal, elapsed, horizon = bool(case.args[0]), int(case.args[1]), int(case.args[2])
    last = elapsed + 1 == horizon
    places = {
        "steps that reach a goal on the last allowed step": at_goal and last,
        "steps that reach the limit without a goal": last and not at_goal,
        "steps that reach a goal": at_goal,
        "steps on the last allowed one": last,
        "steps after which the episode goes on": not at_goal and not last,
    }
    return {name: np.asarray(holds) for name, holds in places.items()}


END_OF_STEP = Exercise(
    name="gridworld.end_of_step",
    title="two ways to end",
    task=(
        "Fill the three gaps of `end_of_step(at_goal, elapsed, horizon)`, which is asked about "
        "one step of an episode that is still running."
    ),
    points=2,
    difficulty=2,
    reference=end_of_step,
    parts=(gridworld.step,),
    answer=source(end_of_step).replace(" -> Ending", " -> tuple[jax.Array, jax.Array, jax.Array]"),
    scaffold=SCAFFOLD.lstrip(),
    visible=_visible,
    generate=_generate,
    outputs=("elapsed", "terminated", "truncated"),
    regions=_regions,
    rules={
        "elapsed": "Every step of a running episode counts: one more than before.",
        "terminated": "terminated is true on the step that reaches a goal, whatever the count is.",
        "truncated": (
            "truncated is true on the step number `horizon`, counting this one, unless it reached "
            "a goal."
        ),
    },
    misconceptions=(
        Misconception("constant", "Nothing is counted and nothing ever ends.", _nothing),
        Misconception("never ends", "The count is right, but no flag is ever set.", _never),
        Misconception(
            "both flags",
            "On the last allowed step a goal sets both flags. They are never both true: reaching "
            "the goal is a termination, however late it comes.",
            _both_flags,
        ),
        Misconception(
            "limit tested before counting",
            "This allows one step too many: the limit is compared with the count from before this "
            "step (or with > instead of >=). Count first, then compare.",
            _tests_before_counting,
            also=(_tests_before_counting_both,),
        ),
        Misconception(
            "one step too few",
            "The episode is cut off one step early: an episode may have exactly `horizon` steps.",
            _one_step_early,
        ),
        Misconception(
            "the limit wins over the goal",
            "A goal reached on the last allowed step counts as cut off here, so the success is "
            "lost. The limit counts only if no goal was reached.",
            _limit_first,
        ),
        Misconception(
            "the limit terminates",
            "At the limit, terminated is set without a goal. A cut-off is truncated only.",
            _limit_terminates,
        ),
        Misconception(
            "truncated means ended",
            "Reaching a goal sets truncated as well, even before the limit. truncated says that "
            "the limit cut the episode off.",
            _any_end_truncates,
        ),
        Misconception(
            "the limit is never looked at",
            "Every step without a goal counts as cut off, the first one too. The limit is used up "
            "when the count has reached the horizon: elapsed >= horizon.",
            _every_step_truncates,
        ),
        Misconception(
            "a comparison without parentheses",
            "& binds more tightly than >=, so `a & b >= c` is read as `(a & b) >= c`. Put the "
            "comparison in parentheses: ~terminated & (elapsed >= horizon).",
            _precedence,
            also=(_precedence_after,),
        ),
        Misconception(
            "compared the wrong way round",
            "truncated is true as long as steps are left, and false once they are used up. It is "
            "the other way round: the count has reached the horizon, elapsed >= horizon.",
            _before_the_limit,
        ),
        Misconception(
            "elapsed not counted",
            "The flags are right, but the count comes back as it went in, so the next step would "
            "never come closer to the limit.",
            _does_not_count,
        ),
        Misconception(
            "always eight steps",
            "The limit is fixed at 8. It is the horizon that is passed in.",
            _eight,
        ),
    ),
    hints=(
        "Take a horizon of 8. Which number has the last step, and what was elapsed before it?",
        "Under jit, `not` and `and` need a value that is known now. For arrays: ~ and &.",
        "elapsed = elapsed + 1, then truncated = ~terminated & (elapsed >= horizon).",
    ),
    why="Without `~terminated`, a goal on the last allowed step would set both flags.",
    gain="tell reaching a goal from running out of time",
    explanation=(
        "The step is counted first, so step number `horizon` is the last one. Reaching the goal is "
        "a termination whenever it happens; the limit is asked about only where no goal was "
        "reached, and so the flags are never both true."
    ),
)
