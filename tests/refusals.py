"""How a test asks for an error, and the bad sizes and keys that several modules must refuse."""

import re
from collections.abc import Callable
from typing import Any, NamedTuple

import jax
import jax.numpy as jnp
import numpy as np
import pytest


def refuses(
    call: Callable[[], Any],
    kind: type[Exception] | tuple[type[Exception], ...],
    came: str | list[str],
    allowed: str | list[str],
) -> str:
    """Assert that `call()` raises exactly `kind`, in one line that names both halves.

    Args:
        call: what is expected to fail.
        kind: the class of the error, or several; a subclass is not enough.
        came: patterns (any case) for what was given; each must be found.
        allowed: patterns (any case) for what may be given; each must be found.
    """
    with pytest.raises(kind) as refusal:
        call()
    message = str(refusal.value)
    kinds = kind if isinstance(kind, tuple) else (kind,)
    assert refusal.type in kinds, f"{kind} wanted, got {refusal.type.__name__}"
    assert "\n" not in message, f"one line wanted, got {message!r}"
    for half, patterns in (("what came", came), ("what is allowed", allowed)):
        for pattern in [patterns] if isinstance(patterns, str) else patterns:
            found = re.search(pattern, message, re.IGNORECASE)
            assert found, f"{half} ({pattern}) is missing in: {message!r}"
    return message


# Sizes (horizon, num_envs, num_steps): what came, the error, a pattern for what came.
BAD_SIZES = [
    (0, ValueError, r"\b0\b"),
    (-2, ValueError, "-2"),
    (np.int64(-2), ValueError, "-2"),
    (jnp.int32(0), ValueError, r"\b0\b"),
    (2**31, ValueError, "2147483648"),
    (2.0, TypeError, r"2\.0|float"),
    (2.5, TypeError, r"2\.5|float"),
    (np.float32(2), TypeError, r"2\.0|float"),
    (jnp.float32(2), TypeError, r"2\.0|float"),
    ("2", TypeError, "'2'|str"),
    (None, TypeError, "None"),
    (True, TypeError, "True|bool"),
    (np.bool_(True), TypeError, "True|bool"),
    ([2], TypeError, r"list|\[2\]"),
    (np.array([2, 3]), TypeError, r"\(2,\)|\[2"),
]
SIZE_IDS = [f"{type(size[0]).__name__}-{size[0]}" for size in BAD_SIZES]


class BadKey(NamedTuple):
    """What is not one typed key, and what an error says about it."""

    name: str
    make: Callable[[], Any]
    kind: type[Exception]
    came: str
    allowed: str = r"jax\.random\.key"


BAD_KEYS = [
    BadKey("legacy", lambda: jax.random.PRNGKey(0), TypeError, "uint32"),
    BadKey("numpy", lambda: np.zeros(2, np.uint32), TypeError, "uint32|array"),
    BadKey("seed", lambda: 0, TypeError, r"\b0\b|int"),
    BadKey("numpy-seed", lambda: np.int64(7), TypeError, r"\b7\b|int"),
    BadKey("none", lambda: None, TypeError, "None"),
    BadKey("batch", lambda: jax.random.split(jax.random.key(0), 3), ValueError, r"\(3,\)", "one"),
    BadKey("batch-of-1", lambda: jax.random.key(0)[None], ValueError, r"\(1,\)", "one"),
]
