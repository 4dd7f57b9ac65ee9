"""The pictures of the lessons: plain arrays in, a matplotlib figure out.

Nothing is shown and pyplot is left alone: what happens to a figure is up to the caller.
"""

from gridroll.drawing.batches import active_counts, raster
from gridroll.drawing.episodes import walk, walks
from gridroll.drawing.ideas import axes_picture, log_prob_curves
from gridroll.drawing.keys import shared_draws, tiles
from gridroll.drawing.maps import map_cells
from gridroll.drawing.ownership import detectors, tree_and_chain
from gridroll.drawing.returns import credit, first_to_finish, three_averages

__all__ = [
    "active_counts",
    "axes_picture",
    "credit",
    "detectors",
    "first_to_finish",
    "log_prob_curves",
    "map_cells",
    "raster",
    "shared_draws",
    "three_averages",
    "tiles",
    "tree_and_chain",
    "walk",
    "walks",
]
