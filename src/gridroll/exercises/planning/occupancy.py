"""Where the episodes are, forwards from the starts."""

from collections.abc import Callable
from typing import Any

import numpy as np

from gridroll import planning
from gridroll.classroom.describe import describe
from gridroll.classroom.exercise import Case, Exercise, Fault, Misconception, Property
from gridroll.classroom.reference import expected_result
from gridroll.exercises._probes import sparing
from gridroll.exercises.planning import wrong_chances
from gridroll.exercises.planning.cases import (
    drawn_case,
    from_library,
    policy_cases,
    policy_table,
    short_corridor,
    with_starts,
)
from gridroll.exercises.planning.policy_value import regions

SCAFFOLD = '''
def occupancy(world, probabilities, num_steps):
    """The chance of being active in each cell before each transition, forwards from the starts.

    Args:
        world: the rules; each entry of `starts` is equally likely, also where a cell stands there
            more than once.
        probabilities: (S, A) float32, of each action in each cell.
        num_steps: T, the transitions that are collected.

    Returns:
        (T, S) float32. Row t is before transition t; it is 0 on goals and from the world's
        horizon on.
    """
    nowhere = jnp.zeros(world.goal.shape, jnp.float32)

    def move(chance, t):
        # 1. `chance` is row t. How much of it goes along each action (S, A), and where to?
        arriving = ...
        # 2. Who has reached a goal is active no longer, and after transition t = horizon - 1
        #    nobody is.
        following = ...
        # 3. Hand on row t + 1, and emit row t.
        return ...

    # 4. Row 0: the chance 1, shared out over world.starts.
    first = ...
    _, chance = ...
    return chance
'''


def starts_that_repeat(
    eager: Callable[..., Any], jitted: Callable[..., Any], rng: np.random.Generator
) -> Fault | None:
    """A cell that stands among the starts twice has the chance of both entries."""
    faults = (_repeated(jitted, int(rng.integers(3)), rng) for _ in range(3))
    return next((fault for fault in faults if fault is not None), None)


def _repeated(way: Callable[..., Any], start: int, rng: np.random.Generator) -> Fault | None:
    world = with_starts(short_corridor(int(rng.integers(2, 9))), (start, start))
    case = Case((world, policy_table(rng, world), 3))
    got, wanted = np.asarray(way(*case.args)), np.asarray(expected_result(OCCUPANCY, case))
    if got.shape == wanted.shape and np.allclose(got, wanted, atol=1e-5):
        return None
    return Fault(
        "It is right until a cell stands among the starts twice.",
        call=f"occupancy(world, probabilities, 3), with world.starts = {[start, start]}",
        where="row 0",
        got=describe(got[:1]),
        expected=describe(wanted[:1]),
        rule="Each of the K entries of world.starts adds 1 / K to its cell.",
    )


OCCUPANCY = Exercise(
    name="planning.occupancy",
    title="where the episodes are",
    task="Write `occupancy(world, probabilities, num_steps)` with a scan from the starts on.",
    points=3,
    difficulty=3,
    reference=planning.occupancy,
    answer=from_library(planning.occupancy),
    scaffold=SCAFFOLD.lstrip(),
    visible=policy_cases,
    generate=drawn_case,
    eager=2,  # the corridors: maps are compiled once, under jit
    axes=("t", "s"),
    probe=sparing,
    properties=(Property("repeated starts", starts_that_repeat),),
    regions=regions,
    rules={
        "": "Row 0 is 1 / K on each of the K starts. A cell of row t + 1 adds up, over all cells s "
        "and actions a that lead to it, chance[t, s] * probabilities[s, a]; it is 0 on goals and "
        "from the horizon on."
    },
    misconceptions=(
        Misconception(
            "goal keeps mass",
            "Whoever has reached a goal is still counted there. An episode that is over is active "
            "nowhere: the chance of a goal is set to 0, and the row sums to less than 1.",
            wrong_chances.goal_keeps_mass,
        ),
        Misconception(
            "renormalised",
            "Each row sums to 1. What is missing from 1 is the chance that the episode is over, "
            "and that is what makes the curve of active environments fall. Don't divide it away.",
            wrong_chances.renormalised,
            also=(wrong_chances.renormalised_at_the_end,),
        ),
        Misconception(
            "overwritten",
            "Where several actions lead to one cell, only one of them is counted. Their chances "
            "add up: .at[...].add(...), not .set(...).",
            wrong_chances.overwritten,
        ),
        Misconception(
            "gathered",
            "Each cell looks up the chances of the cells that its own actions lead to. That is "
            "how a value is made, backwards. Here a cell hands its chance on to where its actions "
            "lead: nowhere.at[world.next_position].add(...).",
            wrong_chances.gathered,
        ),
        Misconception(
            "taken after the step",
            "Row t is the chance after transition t, so the starts are missing and who ends is "
            "left out. It is the mask of lesson 03 once more: active is asked before the step. "
            "Emit the row that went in.",
            wrong_chances.after_the_step,
        ),
        Misconception(
            "no horizon",
            "Some are active from the world's horizon on. No episode goes on there.",
            wrong_chances.no_horizon,
        ),
        Misconception(
            "horizon one late",
            "Row t = horizon has chances. The last active row is horizon - 1, so `move` at t makes "
            "a row of 0 when t + 1 >= world.horizon.",
            wrong_chances.horizon_late,
        ),
        Misconception(
            "horizon one early",
            "Row horizon - 1 is 0. One more transition is allowed there, so episodes are active.",
            wrong_chances.horizon_early,
        ),
        Misconception(
            "starts not shared out",
            "Each start has the chance 1, so row 0 sums to the number of starts. One episode "
            "begins on one of them: 1 / K each.",
            wrong_chances.starts_not_shared,
        ),
        Misconception(
            "first start only",
            "Every episode begins on the first start. All entries of world.starts are equally "
            "likely.",
            wrong_chances.first_start_only,
        ),
        Misconception(
            "an entry overwritten",
            "Two entries of world.starts name one cell, and only one of them was counted. Their "
            "chances add up: .at[world.starts].add(...), not .set(...).",
            wrong_chances.entry_overwritten,
            property="repeated starts",
        ),
        Misconception(
            "starts anywhere",
            "Row 0 is the same for all cells. Episodes begin on world.starts only.",
            wrong_chances.anywhere,
        ),
        Misconception(
            "every action equally likely",
            "The chances are those of the uniform policy, whatever `probabilities` says.",
            wrong_chances.uniform,
        ),
        Misconception(
            "one number for each row",
            "This is the chance to be active anywhere, (T,). Keep the cells apart: (T, S).",
            wrong_chances.sums,
        ),
        Misconception(
            "one row more",
            "There are T + 1 rows. A row belongs to a transition that is about to be taken, and "
            "there are T of those.",
            wrong_chances.one_row_more,
        ),
        Misconception(
            "added up over time",
            "Each row has the rows before it added in. Row t is about one moment.",
            wrong_chances.running_sums,
        ),
        Misconception("constant", "Nobody is ever anywhere.", wrong_chances.zeros),
    ),
    hints=(
        "Follow one cell: half of its chance goes to the left neighbour, half to the right. What "
        "arrives in a cell from both sides is added.",
        "chance[:, None] * probabilities is (S, A): what goes along each action. "
        "x.at[places].add(amounts) adds amounts at these places, several at one place too.",
        "arriving = nowhere.at[world.next_position].add(chance[:, None] * probabilities); "
        "following = jnp.where(world.goal | (t + 1 >= world.horizon), 0.0, arriving); return "
        "following, chance. Row 0: nowhere.at[world.starts].add(1 / world.starts.shape[0]).",
    ),
    why="Rows that are made to sum to 1 hide how many episodes are over.",
    gain="draw the curve of active environments before anybody collects",
    explanation=(
        "What is in a cell is handed on along its actions, and what arrives in one cell from "
        "several sides is added there. Goals and the horizon take out who is finished, so each "
        "row sums to the chance that an episode is still running. scan emits the row that went in."
    ),
)
