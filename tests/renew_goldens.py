"""Write the goldens again: `python tests/renew_goldens.py`.

A golden is a whole trajectory that the slow oracle collects by the key protocol, one draw at a
time. It may change only when the protocol or the contract is changed on purpose.
"""

import json
import os
from pathlib import Path
from typing import Any

import jax
import jax.numpy as jnp
from oracles import SlowWorld, column_of, slow_corridor, slow_rollout

FOLDER = Path(__file__).parent / "goldens"
FIELDS = ("observation", "action", "reward", "active", "terminated", "truncated")

CORRIDOR = {"seed": 5, "num_envs": 64, "num_steps": 8}
MAP = {"seed": 14, "num_envs": 7, "num_steps": 9}
MAP_WORLD = SlowWorld("S..#\n.#.G\nS.G.", horizon=7, step_reward=-0.25, goal_reward=3.0)
MAP_THETA = [[((3 * s + 5 * a) % 7 + 5 * (a == 1)) / 4 for a in range(4)] for s in range(12)]


def derive(name: str) -> dict[str, Any]:
    """Return the golden of this name, collected with the slow oracle."""
    if name == "corridor":
        world, theta, run, softmax = slow_corridor(), jnp.zeros(4), CORRIDOR, False
    else:
        world, theta, run, softmax = MAP_WORLD, jnp.float32(MAP_THETA), MAP, True
    key = jax.random.key(run["seed"])
    finals, rows = slow_rollout(world, theta, key, run["num_envs"], run["num_steps"], softmax)
    golden: dict[str, Any] = {"run": run}
    golden |= {field: column_of(rows, field) for field in FIELDS}
    golden["final"] = [[state.position, state.elapsed, state.done] for state in finals]
    return golden


def as_text(golden: dict[str, Any]) -> str:
    """Return JSON with one line for each row, so that a difference can be read."""
    parts = []
    for name, value in golden.items():
        if name == "run":
            parts.append(f'"run": {json.dumps(value)}')
        else:
            rows = ",\n  ".join(json.dumps(row) for row in value)
            parts.append(f'"{name}": [\n  {rows}\n ]')
    return "{\n " + ",\n ".join(parts) + "\n}\n"


def main() -> None:
    """Derive every golden, and put each in its place in one move."""
    FOLDER.mkdir(exist_ok=True)
    for name in ("corridor", "map"):
        path = FOLDER / f"{name}.json"
        beside = path.with_suffix(".part")
        beside.write_text(as_text(derive(name)), encoding="utf-8")
        os.replace(beside, path)


if __name__ == "__main__":
    main()
