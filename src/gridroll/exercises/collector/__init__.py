"""What lesson 03 asks for."""

from gridroll.exercises.collector.active_mask import ACTIVE_MASK
from gridroll.exercises.collector.log_prob import LOG_PROB
from gridroll.exercises.collector.rollout import ROLLOUT
from gridroll.exercises.collector.running_sum import RUNNING_SUM
from gridroll.exercises.collector.step_batch import STEP_BATCH

EXERCISES = (RUNNING_SUM, STEP_BATCH, LOG_PROB, ACTIVE_MASK, ROLLOUT)
