"""What lesson 03 asks for, in its order."""

from gridroll.exercises.collector import questions
from gridroll.exercises.collector.active_counts import ACTIVE_COUNTS
from gridroll.exercises.collector.active_mask import ACTIVE_MASK
from gridroll.exercises.collector.episode_report import EPISODE_REPORT
from gridroll.exercises.collector.episode_return import EPISODE_RETURN
from gridroll.exercises.collector.log_prob import LOG_PROB
from gridroll.exercises.collector.rollout import ROLLOUT
from gridroll.exercises.collector.running_sum import RUNNING_SUM
from gridroll.exercises.collector.step_batch import STEP_BATCH

EXERCISES = (
    RUNNING_SUM,
    STEP_BATCH,
    LOG_PROB,
    ACTIVE_MASK,
    questions.FIRST_COUNTS,
    ROLLOUT,
    questions.CUT_OFF,
    EPISODE_RETURN,
    questions.FIRST_RETURN_TO_GO,
    ACTIVE_COUNTS,
    EPISODE_REPORT,
    questions.WHICH_AXIS,
    questions.WHAT_CURVE_SHOWS,
    questions.WHEN_STORED,
    questions.LAST_ROWS,
)
