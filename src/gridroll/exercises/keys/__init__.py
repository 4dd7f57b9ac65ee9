"""What lesson 02 asks for, in its order."""

from gridroll.exercises.keys import questions
from gridroll.exercises.keys.chain_keys import CHAIN_KEYS
from gridroll.exercises.keys.episode_keys import EPISODE_KEYS
from gridroll.exercises.keys.first_draws import FIRST_DRAWS
from gridroll.exercises.keys.fold_in_clashes import FOLD_IN_CLASHES
from gridroll.exercises.keys.key_table import KEY_TABLE
from gridroll.exercises.keys.noisy_keys import NOISY_KEYS
from gridroll.exercises.keys.num_shared import NUM_SHARED
from gridroll.exercises.keys.reset_keys import RESET_KEYS

EXERCISES = (
    questions.DISTINCT_STARTS,
    RESET_KEYS,
    KEY_TABLE,
    NUM_SHARED,
    FOLD_IN_CLASHES,
    CHAIN_KEYS,
    questions.SURVIVORS,
    NOISY_KEYS,
    FIRST_DRAWS,
    EPISODE_KEYS,
    questions.WHO_MAY_DRAW,
    questions.WHICH_DETECTOR,
    questions.NO_CORRELATION,
    questions.WHAT_A_REPLAY_PROMISES,
)
