"""What lesson 04 asks for, in its order."""

from gridroll.exercises.returns import questions
from gridroll.exercises.returns.averages import AVERAGES
from gridroll.exercises.returns.episode_length import EPISODE_LENGTH
from gridroll.exercises.returns.evaluation_report import EVALUATION_REPORT
from gridroll.exercises.returns.masked_mean import MASKED_MEAN
from gridroll.exercises.returns.returns_to_go import RETURNS_TO_GO
from gridroll.exercises.returns.standard_error import STANDARD_ERROR
from gridroll.exercises.returns.stream_returns import STREAM_RETURNS
from gridroll.exercises.returns.sum_to_end import SUM_TO_END

EXERCISES = (
    SUM_TO_END,
    RETURNS_TO_GO,
    EPISODE_LENGTH,
    questions.NEAR_THE_MEAN,
    AVERAGES,
    questions.PADDING_FACTORS,
    questions.WHICH_REPORT,
    MASKED_MEAN,
    STANDARD_ERROR,
    STREAM_RETURNS,
    EVALUATION_REPORT,
    questions.WHICH_QUESTION,
    questions.WHY_WHERE,
    questions.WHAT_MENDS,
    questions.HALF_THE_ERROR,
)
