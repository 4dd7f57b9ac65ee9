"""What lesson 01 asks for, in its order."""

from gridroll.exercises.gridworld import questions
from gridroll.exercises.gridworld.add_reward import ADD_REWARD
from gridroll.exercises.gridworld.corridor_table import CORRIDOR_TABLE
from gridroll.exercises.gridworld.end_of_step import END_OF_STEP
from gridroll.exercises.gridworld.from_map import FROM_MAP
from gridroll.exercises.gridworld.move import MOVE
from gridroll.exercises.gridworld.reset import RESET
from gridroll.exercises.gridworld.step import STEP
from gridroll.exercises.gridworld.torus_table import TORUS_TABLE

EXERCISES = (
    MOVE,
    questions.TIMES_PRINTED,
    questions.GOAL_ON_LAST_STEP,
    END_OF_STEP,
    CORRIDOR_TABLE,
    RESET,
    STEP,
    questions.RIGHT_FROM_ROW_END,
    FROM_MAP,
    TORUS_TABLE,
    ADD_REWARD,
    questions.BOTH_BRANCHES,
    questions.WHAT_TRUNCATED_SAYS,
    questions.WHY_ABSORB,
    questions.WHICH_NUMBER,
)
