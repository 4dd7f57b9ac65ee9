"""Answers of many people to every exercise: right in unusual ways, and wrong in unlisted ways.

`answers/collector/rollout.py` answers `collector.rollout`. Its functions `right_<how>` must pass
and its functions `wrong_<what>` must be refused with a useful message; the first line of each says
what is unusual or wrong about it. None is a near copy of a misconception of the exercise, which
`test_exercises.py` tries. `test_answers.py` finds a new file by itself.
"""

# Exercises without a file here. Write the file, then strike the name out.
OWED = frozenset(
    {
        "gridworld.move",
        "gridworld.end_of_step",
        "gridworld.corridor_table",
        "gridworld.reset",
        "gridworld.step",
        "gridworld.from_map",
        "gridworld.torus_table",
        "gridworld.add_reward",
        "keys.reset_keys",
        "keys.key_table",
        "keys.num_shared",
        "keys.fold_in_clashes",
        "keys.chain_keys",
        "keys.noisy_keys",
        "keys.first_draws",
        "keys.episode_keys",
        "returns.sum_to_end",
        "returns.returns_to_go",
        "returns.episode_length",
        "returns.averages",
        "returns.masked_mean",
        "returns.standard_error",
        "returns.stream_returns",
        "returns.evaluation_report",
    }
)
