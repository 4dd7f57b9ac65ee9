"""Values between the two processes: JSON, with arrays as dtype, shape and bytes.

Nothing is ever unpickled, and nothing that came is called: what isn't of an exact, known type goes
over as the name of its type.
"""

import base64
import collections
import dataclasses
import re
import sys
from typing import Any

import numpy as np

DTYPES = ("bool", "int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64",
          "float16", "bfloat16", "float32", "float64", "complex64", "complex128")  # fmt: skip
KINDS = ("int", "float", "ellipsis", "list", "tuple", "dict", "array", "keys", "form", "record",
         "policy", "foreign")  # fmt: skip
PLAIN = (type(None), bool, int, str)
MOST_SHOWN = 200  # characters of what can't go over
MOST_PARTS = 100_000  # of a value
MOST_DEPTH = 50  # of lists in lists
MOST_CLASSES = 100  # a record that isn't ours needs one of its own
SUBJECT = "gridroll."


class WireError(ValueError):
    """What came is no message of ours."""


def encode(value: Any) -> Any:
    """A value as JSON. Every type is compared exactly: a subclass isn't what it is derived from."""
    kind = type(value)
    if kind in PLAIN:
        return value if kind is not int else {"int": str(value)}
    if kind is float:
        return {"float": value.hex()}
    if value is ...:
        return {"ellipsis": True}
    if kind in (list, tuple):
        return {kind.__name__: [encode(v) for v in value]}
    if kind is dict and all(type(k) is str for k in value):
        return {"dict": [[k, encode(v)] for k, v in value.items()]}
    return _array(value) or _record(value) or _foreign(value)


def decode(value: Any, forms: bool = False) -> Any:
    """The value that `encode` was given, made of our own types whatever came.

    Args:
        value: what came.
        forms: whether shapes and dtypes were asked for; elsewhere they are no values.

    Raises:
        WireError: it isn't what `encode` makes, or has more parts than a function gives back.
    """
    return _Decoder(forms).value(value)


def _array(value: Any) -> Any:
    jax = sys.modules.get("jax")
    if isinstance(value, np.generic) and type(value).__module__ == "numpy":
        value = np.asarray(value)
    if type(value) is np.ndarray and value.dtype.name in DTYPES:
        return {"array": value.dtype.name, "shape": list(value.shape), "data": _text(value),
                "numpy": True}  # fmt: skip
    if jax is None:
        return None
    if type(value) is jax.ShapeDtypeStruct:
        return {"form": str(value.dtype), "shape": list(value.shape)}
    if not isinstance(value, jax.Array) or isinstance(value, jax.core.Tracer):
        return None
    if not type(value).__module__.startswith("jax"):
        return None  # a class of the student's own
    if jax.dtypes.issubdtype(value.dtype, jax.dtypes.prng_key):
        words = np.asarray(jax.random.key_data(value))
        return {"keys": list(words.shape), "data": _text(words)}
    numbers = np.asarray(value)
    return {"array": numbers.dtype.name, "shape": list(numbers.shape), "data": _text(numbers)}


def _text(numbers: np.ndarray) -> str:
    return base64.b64encode(np.ascontiguousarray(numbers).tobytes()).decode("ascii")


def _record(value: Any) -> Any:
    kind = type(value)
    if isinstance(value, tuple) and hasattr(kind, "_fields"):
        fields = [(name, encode(part)) for name, part in zip(kind._fields, value, strict=True)]
    elif dataclasses.is_dataclass(kind):
        known = _known(kind)
        if known and "parameter_shape" in kind.__dataclass_fields__:  # a policy: functions
            return {"policy": value.name}
        fields = [(f.name, encode(getattr(value, f.name))) for f in dataclasses.fields(value)]
    else:
        return None
    return {"record": _known(kind) or "", "name": kind.__name__, "fields": fields}


def _known(kind: type) -> str:
    """Where a record of the course's own is defined, or ""."""
    module = sys.modules.get(kind.__module__)
    own = kind.__module__.startswith(SUBJECT) and kind.__module__.count(".") == 1
    return f"{kind.__module__}:{kind.__name__}" if own and _of(module, kind.__name__) else ""


def _of(module: Any, name: str) -> Any:
    """A record class that a loaded module defines, or None."""
    kind = getattr(module, name, None)
    return kind if isinstance(kind, type) and kind.__module__ == module.__name__ else None


def _foreign(value: Any) -> Any:
    kind = type(value)
    if isinstance(value, type) or callable(value):
        text = getattr(value, "__name__", kind.__name__)
    else:
        try:
            text = repr(value)
        except BaseException:
            text = kind.__name__
    return {"foreign": str(kind.__name__)[:MOST_SHOWN], "text": str(text)[:MOST_SHOWN],
            "callable": callable(value)}  # fmt: skip


class _Decoder:
    """Reads one message, and counts what it makes."""

    def __init__(self, forms: bool) -> None:
        self.forms = forms
        self.left = MOST_PARTS
        self.depth = 0
        self.classes = MOST_CLASSES

    def value(self, told: Any) -> Any:
        """One value, and all that is in it."""
        self.left -= 1
        if self.left < 0:
            raise WireError(f"a value of more than {MOST_PARTS} parts")
        self.depth += 1
        if self.depth > MOST_DEPTH:
            raise WireError(f"a value nested more than {MOST_DEPTH} deep")
        try:
            return self._read(told)
        finally:
            self.depth -= 1

    def _read(self, told: Any) -> Any:
        if type(told) is str:
            return told.encode("utf-8", "replace").decode()
        if type(told) in (type(None), bool):
            return told
        if type(told) is not dict or not told:
            raise WireError("no value of ours")
        kind = next(iter(told))
        if kind not in KINDS:
            raise WireError("no value of ours")
        try:
            return getattr(self, f"_{kind}")(told)
        except WireError:
            raise
        except (RecursionError, MemoryError):
            raise
        except Exception as error:  # each class has errors of its own for a name or a number
            raise WireError("a value that can't be read") from error

    def _int(self, told: dict[str, Any]) -> int:
        return int(told["int"])

    def _float(self, told: dict[str, Any]) -> float:
        return float.fromhex(told["float"])

    def _ellipsis(self, told: dict[str, Any]) -> Any:
        return ...

    def _list(self, told: dict[str, Any]) -> list[Any]:
        return [self.value(part) for part in told["list"]]

    def _tuple(self, told: dict[str, Any]) -> tuple[Any, ...]:
        return tuple(self.value(part) for part in told["tuple"])

    def _dict(self, told: dict[str, Any]) -> dict[str, Any]:
        return {self.value(name): self.value(part) for name, part in told["dict"]}

    def _array(self, told: dict[str, Any]) -> Any:
        name = told["array"]
        numbers = np.frombuffer(_bytes(told["data"]), _dtype(name)).reshape(_shape(told["shape"]))
        narrow = name.endswith("64") and name != "complex64"  # JAX would cut it
        keep = told.get("numpy") or narrow
        if keep:
            return numbers.copy()
        import jax

        return jax.device_put(numbers.copy())  # jnp.asarray compiles a program for each shape

    def _keys(self, told: dict[str, Any]) -> Any:
        import jax

        words = np.frombuffer(_bytes(told["data"]), np.uint32).reshape(_shape(told["keys"]))
        return jax.random.wrap_key_data(jax.device_put(words.copy()))

    def _form(self, told: dict[str, Any]) -> Any:
        import jax

        if not self.forms:
            return self._foreign({"foreign": "ShapeDtypeStruct", "text": "a shape and a dtype"})
        keys = jax.random.key(0).dtype  # the only other kind of array
        dtype = keys if told["form"] == str(keys) else _dtype(told["form"])
        return jax.ShapeDtypeStruct(_shape(told["shape"]), dtype)

    def _count_class(self) -> None:
        self.classes -= 1
        if self.classes < 0:
            raise WireError(f"a value with more than {MOST_CLASSES} records")

    def _record(self, told: dict[str, Any]) -> Any:
        self._count_class()
        fields = {str(name): self.value(part) for name, part in told["fields"]}
        name = told["name"]
        if not all(type(n) is str and n.isidentifier() for n in (name, *fields)):
            raise ValueError(name)
        module, _, own = told["record"].partition(":")
        if module.startswith(SUBJECT) and module.count(".") == 1 and module in sys.modules:
            kind = _of(sys.modules[module], own)
            named: Any = getattr(kind, "_fields", None) or getattr(kind, "__dataclass_fields__", ())
            if kind is not None and set(named) == set(fields):
                return kind(**fields)
        return collections.namedtuple(name, fields)(**fields)

    def _policy(self, told: dict[str, Any]) -> Any:
        for name in ("gridroll.policy", "gridroll.exercises._probes"):
            for held in vars(sys.modules.get(name, object)).values():
                if hasattr(held, "parameter_shape") and getattr(held, "name", "") == told["policy"]:
                    return held
        raise ValueError(told["policy"])

    def _foreign(self, told: dict[str, Any]) -> Any:
        name, text = (_shown(told[part]) for part in ("foreign", "text"))
        if told.get("callable"):

            def stand_in() -> None:
                """It isn't called."""

            stand_in.__name__ = text if text.isidentifier() else "function"
            return stand_in
        self._count_class()
        return type(name, (Foreign,), {"__repr__": lambda self: text})()


class Foreign:
    """Stands for a value that is none of the types that go over."""


def _shown(told: Any) -> str:
    """The beginning of a text, without half characters."""
    shown = str(told)[:MOST_SHOWN].encode("utf-8", "replace").decode()
    return without_addresses(shown)


def without_addresses(text: str) -> str:
    """A text without addresses in memory, which differ from run to run."""
    return re.sub(r"0x[0-9a-f]{6,16}", "0x...", text)


def _bytes(told: Any) -> bytes:
    return base64.b64decode(told, validate=True)


def _dtype(name: Any) -> Any:
    if name not in DTYPES:
        raise ValueError(name)
    return _jnp().bfloat16 if name == "bfloat16" else np.dtype(name)


def _shape(value: Any) -> tuple[int, ...]:
    if type(value) is not list or not all(type(n) is int and n >= 0 for n in value):
        raise ValueError("a shape")
    return tuple(value)


def _jnp() -> Any:
    import jax.numpy as jnp

    return jnp
