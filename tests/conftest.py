"""Settings of every test: two CPU devices, strict promotion, and a count of traces.

JAX is made strict through its own configuration and not through the environment, because
kernels that other tests start inherit the environment and must run JAX as a student does.
"""

import gc
import os

os.environ["JAX_PLATFORMS"] = "cpu"
os.environ["GRIDROLL_PROGRESS"] = "off"

from collections.abc import Callable, Iterator
from typing import Any

import hypothesis
import jax
import pytest

from gridroll.classroom.compiling import prefer_quick_compilation

jax.config.update("jax_platforms", "cpu")
jax.config.update("jax_num_cpu_devices", 2)
jax.config.update("jax_numpy_dtype_promotion", "strict")
jax.config.update("jax_numpy_rank_promotion", "raise")

hypothesis.settings.register_profile(
    "gridroll", derandomize=True, deadline=None, max_examples=25, database=None
)
hypothesis.settings.load_profile("gridroll")

# Tests compile hundreds of small programs and run each a few times. XLA reads its flags once, when
# the devices are first asked for.
prefer_quick_compilation()
jax.devices()


def pytest_collection_finish() -> None:
    """Let garbage be collected seldom, and never among the modules, which stay to the end.

    Python looks after every 700 new objects, and JAX makes thousands for one small program.
    """
    gc.collect()
    gc.freeze()
    gc.set_threshold(50_000, 20, 100)


TRACE_EVENT = "/jax/core/compile/jaxpr_trace_duration"
# What JAX itself traces to turn a number into an array; none of our functions.
CONVERSIONS = frozenset({"convert_element_type", "_convert_element_type", "stage"})


@pytest.fixture(scope="session", autouse=True)
def recorded_random_flags() -> None:
    """Every recorded output holds for partitionable threefry, so nothing runs without it."""
    flags: Any = jax.config
    assert flags.jax_threefry_partitionable is True
    assert flags.jax_default_prng_impl == "threefry2x32"
    assert len(jax.devices("cpu")) == 2


class Traces:
    """The names of the functions that JAX has traced, in order."""

    def __init__(self) -> None:
        self.names: list[str] = []

    def listen(self, event: str, duration_secs: float, **kwargs: str | int) -> None:
        """Take one of JAX's own timing events; keep the name where it is a trace."""
        name = str(kwargs.get("fun_name", "?"))
        if event == TRACE_EVENT and name not in CONVERSIONS:
            self.names.append(name)

    def of(self, call: Callable[[], Any]) -> list[str]:
        """Return the names of what `call()` made JAX trace."""
        before = len(self.names)
        jax.block_until_ready(call())
        return self.names[before:]


@pytest.fixture
def traces() -> Iterator[Traces]:
    """Count traces: `traces.of(lambda: f(x))` names every function that the call traced."""
    counter = Traces()
    jax.monitoring.register_event_duration_secs_listener(counter.listen)
    yield counter
    jax.monitoring.unregister_event_duration_listener(counter.listen)


class CallCounter:
    """A function that counts its calls. Under jit a call is a trace."""

    def __init__(self, function: Callable[..., Any]) -> None:
        self.function = function
        self.count = 0

    def __call__(self, *arguments: Any) -> Any:
        self.count += 1
        return self.function(*arguments)


@pytest.fixture
def counted() -> Callable[[Callable[..., Any]], CallCounter]:
    """Wrap a function so that `.count` says how often Python, or a trace, called it."""
    return CallCounter
