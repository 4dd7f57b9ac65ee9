"""What lesson 05 asks for, in its order."""

from gridroll.exercises.planning import questions
from gridroll.exercises.planning.back_up import BACK_UP
from gridroll.exercises.planning.count_band import COUNT_BAND
from gridroll.exercises.planning.expected_return import EXPECTED_RETURN
from gridroll.exercises.planning.luck_report import LUCK_REPORT
from gridroll.exercises.planning.occupancy import OCCUPANCY
from gridroll.exercises.planning.optimal import OPTIMAL
from gridroll.exercises.planning.policy_value import POLICY_VALUE
from gridroll.exercises.planning.return_variance import RETURN_VARIANCE

EXERCISES = (
    BACK_UP,
    questions.TWO_STEPS_LEFT,
    POLICY_VALUE,
    OCCUPANCY,
    EXPECTED_RETURN,
    COUNT_BAND,
    questions.AS_FAR_OFF,
    OPTIMAL,
    RETURN_VARIANCE,
    LUCK_REPORT,
    questions.GOAL_AMONG_STARTS,
    questions.WHAT_ROW_SUMS_TO,
    questions.WHAT_1_8_SAYS,
    questions.T_IS_SHORTENED,
)
