"""What can be said of all the differences at once, for mistakes that are on no list."""

from collections.abc import Callable, Iterator, Mapping

import numpy as np

FEWEST_ANSWERS = 3  # right ones, before a result is called constant


def patterns(
    pairs: list[tuple[np.ndarray, np.ndarray]], axes: tuple[str, ...] = ()
) -> tuple[str, ...]:
    """Sentences that hold for every (got, expected) pair of one field; at most two."""
    found: list[str] = []
    for sentence, holds in _candidates(axes):
        if all(_same(holds(expected), got) for got, expected in pairs):
            found.append(sentence)
    factor = _factor(pairs)
    if factor and not found:
        found.append(factor)
    if not found and _constant(pairs):
        found.append(
            f"It is the same in all {len(pairs)} cases compared here; their right answers differ."
        )
    return tuple(found[:2])


def region_notes(
    masks: list[np.ndarray], regions: list[Mapping[str, np.ndarray]]
) -> tuple[str, ...]:
    """Say which region holds every difference: "every difference lies on padding"."""
    shared = [r for r in regions if r]
    if not shared or len(shared) != len(masks):
        return ()
    for name in shared[0]:
        fits = [
            m.shape == r[name].shape and not (m & ~r[name]).any()
            for m, r in zip(masks, shared, strict=True)
        ]
        if all(fits) and any(m.any() for m in masks):
            whole = all((m == r[name]).all() for m, r in zip(masks, shared, strict=True))
            every = ", and all of those are wrong" if whole else ""
            return (f"Every difference lies on {name}{every}.",)
    return ()


def _candidates(
    axes: tuple[str, ...],
) -> Iterator[tuple[str, Callable[[np.ndarray], np.ndarray | None]]]:
    time = "along time" if axes[:1] == ("t",) else "along the first axis"
    yield "It is the negative of what is expected.", lambda x: _number(x, np.negative)
    yield "Every boolean is the opposite of what is expected.", lambda x: _logical(x)
    yield f"It is what is expected, reversed {time}.", lambda x: _ranked(x, 1, lambda y: y[::-1])
    yield (
        "It is what is expected with the two axes exchanged.",
        lambda x: _ranked(x, 2, lambda y: y.T),
    )
    yield (
        f"It is what is expected, one place late {time}.",
        lambda x: _ranked(x, 1, lambda y: np.concatenate([y[:1] * 0, y[:-1]])),
    )
    yield (
        f"It is what is expected, one place early {time}.",
        lambda x: _ranked(x, 1, lambda y: np.concatenate([y[1:], y[:1] * 0])),
    )
    yield "Everywhere it is one more than expected.", lambda x: _number(x, lambda y: y + 1)
    yield "Everywhere it is one less than expected.", lambda x: _number(x, lambda y: y - 1)
    yield "It is the exponential of what is expected.", lambda x: _number(x, np.exp)


def _number(x: np.ndarray, change: Callable[[np.ndarray], np.ndarray]) -> np.ndarray | None:
    if x.dtype.kind not in "if":
        return None
    with np.errstate(all="ignore"):
        return np.asarray(change(x))


def _logical(x: np.ndarray) -> np.ndarray | None:
    return ~x if x.dtype.kind == "b" else None


def _ranked(
    x: np.ndarray, rank: int, change: Callable[[np.ndarray], np.ndarray]
) -> np.ndarray | None:
    return np.asarray(change(x)) if x.ndim >= rank and len(x) > 1 else None


def _same(changed: np.ndarray | None, got: np.ndarray) -> bool:
    if changed is None or changed.shape != got.shape:
        return False
    if changed.dtype.kind == "f" or got.dtype.kind == "f":
        return bool(np.allclose(changed, got, rtol=1e-4, atol=1e-5, equal_nan=True))
    return bool((changed == got).all())


def _factor(pairs: list[tuple[np.ndarray, np.ndarray]]) -> str:
    """One constant that every entry was multiplied by."""
    ratios = []
    for got, expected in pairs:
        if got.shape != expected.shape or got.dtype.kind != "f" or expected.dtype.kind != "f":
            return ""
        endless = np.isinf(expected)
        some = (np.abs(expected) > 1e-6) & ~endless
        if (got[endless] != expected[endless]).any() or (
            np.abs(got[~some & ~endless]) > 1e-5
        ).any():
            return ""
        ratios.append((got[some].astype(float) / expected[some]).ravel())
    flat = np.concatenate(ratios) if ratios else np.zeros(0)
    if flat.size < 2 or not np.isfinite(flat).all() or not np.allclose(flat, flat[0], rtol=1e-3):
        return ""
    if flat[0] == 0 or abs(flat[0] - 1) < 0.01:
        return ""
    return f"Everywhere it is {flat[0]:.4g} times what is expected."


def _constant(pairs: list[tuple[np.ndarray, np.ndarray]]) -> bool:
    """One result where several different ones are right; a few cases could agree by chance."""
    first = pairs[0][0]
    right = {(expected.shape, expected.tobytes()) for _, expected in pairs}
    return len(right) >= FEWEST_ANSWERS and all(
        got.shape == first.shape and (got == first).all() for got, _ in pairs
    )
