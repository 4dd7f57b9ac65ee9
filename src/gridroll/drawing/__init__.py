"""The pictures of the lessons: plain arrays in, a matplotlib figure out.

Nothing is shown and pyplot is left alone: what happens to a figure is up to the caller.
"""

from gridroll.drawing.batches import active_counts, raster
from gridroll.drawing.episodes import walk, walks
from gridroll.drawing.estimates import counts_in_band, mean_in_funnel
from gridroll.drawing.ideas import axes_picture, log_prob_curves
from gridroll.drawing.keys import shared_draws, tiles
from gridroll.drawing.maps import map_cells
from gridroll.drawing.ownership import detectors, tree_and_chain
from gridroll.drawing.planning import backup, values_by_steps_left
from gridroll.drawing.plans import plan_walk, value_maps
from gridroll.drawing.policies import policy_map
from gridroll.drawing.reinforce import clouds, learning_curve, learning_curves, return_by_logit
from gridroll.drawing.returns import credit, first_to_finish, three_averages

__all__ = [
    "active_counts",
    "axes_picture",
    "backup",
    "clouds",
    "counts_in_band",
    "credit",
    "detectors",
    "first_to_finish",
    "learning_curve",
    "learning_curves",
    "log_prob_curves",
    "map_cells",
    "mean_in_funnel",
    "plan_walk",
    "policy_map",
    "raster",
    "return_by_logit",
    "shared_draws",
    "three_averages",
    "tiles",
    "tree_and_chain",
    "value_maps",
    "values_by_steps_left",
    "walk",
    "walks",
]
