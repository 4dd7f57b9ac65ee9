"""What lesson 06 asks for, in its order."""

from gridroll.exercises.reinforce import questions
from gridroll.exercises.reinforce.baseline import BASELINE
from gridroll.exercises.reinforce.bernoulli_score import BERNOULLI_SCORE
from gridroll.exercises.reinforce.learning_report import LEARNING_REPORT
from gridroll.exercises.reinforce.policy_gradient import POLICY_GRADIENT
from gridroll.exercises.reinforce.softmax_score import SOFTMAX_SCORE
from gridroll.exercises.reinforce.surrogate import SURROGATE
from gridroll.exercises.reinforce.to_go_weights import TO_GO_WEIGHTS
from gridroll.exercises.reinforce.update import UPDATE
from gridroll.exercises.reinforce.z_scores import Z_SCORES

EXERCISES = (
    questions.WHICH_LOGIT,
    BERNOULLI_SCORE,
    questions.WHY_NOT_THROUGH,
    SURROGATE,
    POLICY_GRADIENT,
    TO_GO_WEIGHTS,
    BASELINE,
    Z_SCORES,
    questions.VARIANCE_ORDER,
    SOFTMAX_SCORE,
    LEARNING_REPORT,
    UPDATE,
    questions.WHY_A_BASELINE,
    questions.LONGER_RECORD,
    questions.WHAT_MENDS,
)
