"""The first lines that run in the sandbox: they take our modules from the channel, as texts."""

import importlib.util
from pathlib import Path

PACKAGES = ("gridroll", "gridroll.classroom", "gridroll.classroom.grading", "gridroll.exercises")
MODULES = tuple(f"gridroll.classroom.grading.{name}" for name in ("messages", "wire", "child"))

SOURCE = f"""
import json, socket, struct, sys, types
channel = socket.socket(fileno=int(sys.argv[1]))
def exactly(count):
    text = b""
    while len(text) < count:
        text += channel.recv(count - len(text))
    return text
texts = json.loads(exactly(struct.unpack("!Q", exactly(8))[0]))["sources"]
for name in {PACKAGES!r}:
    sys.modules[name] = types.ModuleType(name)
    sys.modules[name].__path__ = []
    exec(texts.get(name, ""), sys.modules[name].__dict__)
for name in {MODULES!r}:
    sys.modules[name] = module = types.ModuleType(name)
    package, _, short = name.rpartition(".")
    setattr(sys.modules[package], short, module)
    exec(compile(texts[name], name, "exec"), module.__dict__)
module.main(channel, sys.argv[2] == "1")
"""

# What a notebook imports from the classroom. It draws and records nothing here, and remembers
# what `check` and `predict` were given.
CLASSROOM = """
given = []

class _Verdict:
    name = status = text = ""
    points = of = 0
    diagnosis = None
    passed = False

def check(name, answer=..., *values, **named):
    given.append([name, answer])
    return _Verdict()

def predict(name, *guess):
    given.append([name, *guess])
    return _Verdict()

def yours(name, otherwise):
    return otherwise

def __getattr__(name):
    if name.startswith("__"):
        raise AttributeError(name)
    return _Nothing()

class _Nothing:
    def __call__(self, *values, **named):
        return None

    def __getattr__(self, name):
        return self
"""


def texts() -> dict[str, str]:
    """The modules that the waiting process is made of."""
    return {name: text_of(name) for name in MODULES} | {"gridroll.classroom": CLASSROOM}


def text_of(name: str) -> str:
    """The source text of an installed module, without importing it."""
    spec = importlib.util.find_spec(name)
    if spec is None or spec.origin is None:
        raise ModuleNotFoundError(name)
    return Path(spec.origin).read_text(encoding="utf-8")
