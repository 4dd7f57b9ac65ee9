"""Broken and hostile answers: each gets its status, its neighbour its marks; nothing is left."""

import os
import platform
import re
import socket
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from sandboxes import SEED, mark, needed

from gridroll.classroom import assess, registry
from gridroll.classroom.errors import UserError
from gridroll.classroom.exercise import Exercise
from gridroll.classroom.grading import engine, remote, sandbox
from gridroll.classroom.grading.records import Answer, Mark
from lessons import ROOT

VICTIM, NEIGHBOUR, SHAPED = "gridworld.move", "gridworld.add_reward", "collector.active_mask"
RIGHT = registry.find(VICTIM).answer
BEFORE = "import os, sys, time, signal, threading\n"
CALLED = f"{BEFORE}def move(*values, **named):\n    "

ROWS: dict[str, tuple[str, str]] = {
    "a constant": ("def move(position, action, length):\n    return position", "failed"),
    "an exception": (f"{CALLED}raise ValueError('no')", "error"),
    "a syntax error": ("def move(:\n    pass", "error"),
    "an error above the definition": ("1 / 0\n" + RIGHT, "error"),
    "an error below the definition": (RIGHT + "\n1 / 0", "passed"),
    "an exit below the definition": (RIGHT + "\nimport sys\nsys.exit(0)", "passed"),
    "an exit of the call": (f"{CALLED}sys.exit(0)", "error"),
    "an endless cell": (f"{BEFORE}while True: pass", "timeout"),
    "an endless call": (f"{CALLED}\n    while True: time.sleep(1)", "timeout"),
    "an endless call that swallows everything": (
        f"{CALLED}\n    while True:\n        try:\n            while True: pass\n"
        "        except BaseException: pass",
        "timeout",
    ),
    "an end of the process": (f"{BEFORE}os._exit(0)", "died"),
    "an end of the process in the call": (f"{CALLED}os._exit(0)", "died"),
    "a segmentation fault": (f"{CALLED}os.kill(os.getpid(), signal.SIGSEGV)", "died"),
    "an end of the waiting process": (
        f"{CALLED}os.kill(os.getppid(), signal.SIGKILL); time.sleep(60)",
        "died",
    ),
    "an end of all processes": (f"{CALLED}os.kill(-1, signal.SIGKILL); time.sleep(60)", "died"),
    "eight gigabytes": (f"{CALLED}return bytearray(8 * 2**30)", "memory"),
    "eight gigabytes of JAX": (f"{CALLED}return jnp.ones((2**31,)) * 2", "memory"),
    "shared memory": (
        f"{CALLED}import mmap\n    m = mmap.mmap(-1, 2 * 2**30)\n"
        "    for _ in range(64): m.write(b'1' * 2**25)\n    time.sleep(60)",
        "memory",
    ),
    "memory of many processes": (
        f"{CALLED}for _ in range(4):\n        if os.fork() == 0:\n            kept = b'1' * 2**29\n"
        "            time.sleep(60)\n    time.sleep(60)",
        "memory",
    ),
    "a burst of processes": (
        f"{BEFORE}\nfor _ in range(300):\n    if os.fork() == 0:\n        time.sleep(60)\n"
        "        os._exit(0)\n",
        "error or timeout",
    ),
    "a burst of threads": (
        f"{BEFORE}\nfor _ in range(5000):\n    threading.Thread(target=time.sleep, args=(60,), "
        f"daemon=True).start()\n{RIGHT}",
        "error",
    ),
    "a detached process": (
        f"{BEFORE}\nif os.fork() == 0:\n    os.setsid()\n    if os.fork() == 0:\n"
        f"        time.sleep(600)\n    os._exit(0)\n{RIGHT}",
        "passed",
    ),
    "a megabyte of text a hundred times": (
        f"for _ in range(100):\n    print('x' * 2**20)\n{RIGHT}",
        "passed",
    ),
    "a full disk": (
        f"{BEFORE}\ntry:\n    for n in range(64):\n        open(f'/tmp/{{n}}', 'wb').write("
        f"bytes(2**24))\nexcept OSError:\n    pass\n{RIGHT}",
        "passed",
    ),
    "a question": (f"answer = input()\n{RIGHT}", "error"),
    "a warning": (f"import warnings\nwarnings.warn('careful')\n{RIGHT}", "passed"),
    "an equal to everything": (
        "class Same(int):\n    def __eq__(self, other): return True\n    __hash__ = int.__hash__\n"
        "def move(*values, **named):\n    return Same(0)",
        "failed",
    ),
    "an array of another class": (
        f"class Own(np.ndarray): pass\n{RIGHT}\nright = move\ndef move(*values, **named):\n"
        "    return np.asarray(right(*values, **named)).view(Own)",
        "failed",
    ),
    "something that explodes when unpickled": (
        f"class Bomb:\n    def __reduce__(self): return (os.system, ('touch x',))\n{CALLED}"
        "return Bomb()",
        "failed",
    ),
    "nan": (f"{CALLED}return jnp.nan", "failed"),
    "the wrong shape": (f"{CALLED}return jnp.zeros((3,), jnp.int32)", "failed"),
    "nothing": (f"{CALLED}pass", "failed"),
    "a patched numpy": (
        "np.array_equal = np.allclose = np.isclose = lambda *a, **k: True\n"
        "def move(position, action, length):\n    return jnp.int32(0)",
        "failed",
    ),
    "a patched check": (
        "import gridroll.classroom as classroom\nclassroom.check = lambda *a, **k: True\n"
        "def move(position, action, length):\n    return jnp.int32(0)",
        "failed",
    ),
    "a group of exceptions": ("raise ExceptionGroup('a', [ValueError(1)])", "error"),
    "an error with half a character": ("raise ValueError('\\ud800')", "error"),
    "an error of an odd name": (
        f"{CALLED}raise type('\\ud800x', (Exception,), {{}})('a')",
        "error",
    ),
    "a text that pattern matching would ponder": (
        f"{CALLED}raise TypeError('carry ' * 300 + 'equal types ' * 300 + 'has type a[] ' * 300)",
        "error",
    ),
    "a shape in place of a value": (
        f"{CALLED}import jax\n    return jax.ShapeDtypeStruct((), jnp.int32)",
        "failed",
    ),
    "another jit": (
        "import gridroll.classroom.calling as calling\n"
        "calling.Jitted = lambda function: function\n"
        "def move(position, action, length):\n"
        "    return jnp.int32(min(max(int(position) + 2 * int(action) - 1, 0), length - 1))",
        "error",
    ),
    "an address in an error": (f"{CALLED}raise ValueError(object())", "error"),
    "a list of a million": (f"{CALLED}return [0] * 10**6", "died"),
    "a printed pass": (f"{CALLED}print('gridworld.move: passed (1 of 1 point)')", "failed"),
    "other settings": (
        f"jax.config.update('jax_enable_x64', True)\n{BEFORE}os.environ['TZ'] = 'Asia/Tokyo'\n"
        f"np.random.seed(0)\n{RIGHT}",
        "passed",
    ),
}  # fmt: skip


@pytest.fixture(scope="module")
def patience() -> Iterator[None]:
    """What never ends is given up sooner, and what takes memory needs less of it to be ended.

    A machine takes seconds to hand out the gigabytes of the real limit.
    """
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(remote, "CALL_SECONDS", 12.0)
        patch.setattr(sandbox, "ALL_MEMORY", 3 * 2**29)
        patch.setenv("GRADER_SECRET", "GRADER_SECRET")
        yield


def graded(
    sources: dict[str, str], near: Callable[[str], bool] = lambda name: True
) -> dict[str, Mark]:
    """The marks of hostile answers, in order; where near, a neighbour's right one follows."""
    right = Answer(NEIGHBOUR, registry.find(NEIGHBOUR).answer)
    answers = []
    for name, text in sources.items():
        answers += [Answer(VICTIM, text), *([right] if near(name) else [])]
    given = engine.judge_answers("gridworld", answers, seed=SEED, sandbox=needed(), root=ROOT)
    assert {mark.status for mark in given if mark.exercise == NEIGHBOUR} <= {"passed"}
    found = (mark for mark in given if mark.exercise == VICTIM)
    return dict(zip(sources, found, strict=True))


@pytest.fixture(scope="module")
def marks(patience: None) -> dict[str, Mark]:
    """The marks of all rows."""
    sources = {row: source for row, (source, _) in ROWS.items()}
    return graded(sources, near=lambda row: ROWS[row][1] not in ("failed", "passed"))


@pytest.mark.parametrize("row", ROWS)
def test_a_broken_or_hostile_answer_gets_its_status_and_the_next_its_marks(
    row: str, marks: dict[str, Mark]
) -> None:
    status = ROWS[row][1]
    assert marks[row].status in status.split(" or "), marks[row].message
    assert marks[row].points == (marks[row].of if status == "passed" else 0)


def test_a_signal_that_was_chosen_tells_nothing(patience: None) -> None:
    sources = {f"signal {n}": f"{CALLED}os.kill(os.getpid(), {n})" for n in (34, 50)}
    told = {given.message for given in graded(sources, near=lambda name: False).values()}
    assert told == {(("", "The code ended the process that it ran in: the process ended itself."),)}


FORGERIES = {
    "answers to questions that were not asked": (
        "import json, os, struct\n"
        "text = json.dumps({'value': {'callable': True, 'parameters': []}, 'nonce': ''}).encode()\n"
        "for number in os.listdir('/proc/self/fd'):\n"
        "    try:\n        os.write(int(number), struct.pack('!Q', len(text)) + text)\n"
        "    except OSError:\n        pass\n"
    ),
    "garbage": (
        "import os\n"
        "for number in os.listdir('/proc/self/fd'):\n"
        "    try:\n        os.write(int(number), b'passed' * 1000)\n"
        "    except OSError:\n        pass\n"
    ),
    "a result file": "open('results.jsonl', 'w').write('{\"status\": \"passed\"}')\n",
}


def test_forged_messages_gain_nothing(patience: None) -> None:
    wrong = CALLED + "return jnp.int32(0)"
    for given in graded({name: text + wrong for name, text in FORGERIES.items()}).values():
        assert given.status in ("died", "failed")
        assert given.points == 0


LOOKS = {
    "the course": f"found = os.path.exists({str(ROOT / 'solutions')!r})",
    "the tests": f"found = os.path.exists({str(ROOT / 'tests')!r})",
    "people": "found = os.path.exists(HIDDEN)",
    "users": "found = os.path.exists('/etc/passwd') or os.path.exists('/etc/shadow')",
    "the environment": "found = 'GRADER_SECRET' in open('/proc/self/environ').read()",
    "other processes": "found = len([n for n in os.listdir('/proc') if n.isdigit()]) > 8",
    "a network card": "found = {n for _, n in __import__('socket').if_nameindex()} > {'lo'}",
    "a service of this machine": (
        "import socket\n"
        "try:\n    socket.create_connection(('127.0.0.1', PORT), 2)\n    found = True\n"
        "except OSError:\n    found = False"
    ),
    "a writable system": (
        "found = False\n"
        "for folder in ('/', '/usr', '/etc', '/root'):\n"
        "    try:\n        open(os.path.join(folder, 'mine'), 'w')\n        found = True\n"
        "    except OSError:\n        pass"
    ),
    "what the last one left": "found = os.path.exists('/tmp/mine')\nopen('/tmp/mine', 'w').close()",
    "what the last one left again": "found = os.path.exists('/tmp/mine')",
    "what comes": (
        "found = False\nos.makedirs('/tmp/a/b/c')\nopen('/tmp/a/b/told', 'w').close()\n"
        "for folder in ('/tmp/a/b', '/tmp/a'):\n    os.chmod(folder, 0)"
    ),
    "what the last one closed": "found = os.path.lexists('/tmp/a')",
    "what the last one left in System V memory": (
        "import ctypes\nlibc = ctypes.CDLL(None)\n"
        "found = libc.shmget(4711, 100, 0o1666) != -1 or libc.msgget(4711, 0o1666) != -1"
    ),
    "what the last one left in a keyring": (
        "import ctypes\nlibc = ctypes.CDLL(None)\n"
        "found = libc.syscall(KEYCTL, 0, -3, 0) != -1"  # is there a keyring of this session?
    ),
    "a queue": (
        "import ctypes\nopened = ctypes.CDLL('librt.so.1').mq_open(b'/a', os.O_CREAT | os.O_RDWR, "
        "0o600, None)\nfound = opened != -1"
    ),
    "a namespace of its own": "import ctypes\nfound = ctypes.CDLL(None).unshare(0x10000000) == 0",
    "the waiting process": (
        "found = False\n"
        "for part in ('mem', 'environ', 'maps', 'fd/3'):\n"
        "    try:\n        open(f'/proc/{os.getppid()}/{part}', 'rb').read(1)\n"
        "        found = True\n"
        "    except OSError:\n        pass"
    ),
    "a file among the devices": (
        "found = True\ntry:\n    open('/dev/mine', 'w')\nexcept OSError:\n    found = False"
    ),
    "being root": "found = os.getuid() == 0 or os.geteuid() == 0",
}


def test_there_is_nothing_to_see_in_the_sandbox(patience: None, tmp_path: Path) -> None:
    secret = tmp_path / "secret"
    secret.write_text("a person's own file")
    with socket.create_server(("127.0.0.1", 0)) as server:
        keyctl = {"x86_64": 250, "aarch64": 219}[platform.machine()]
        port = server.getsockname()[1]
        above = f"import os\nKEYCTL = {keyctl}\nPORT = {port}\nHIDDEN = {str(secret)!r}\n"
        below = f"\nassert not found, 'seen'\n{RIGHT}"
        looks = {name: above + look + below for name, look in LOOKS.items()}
        given = graded(looks, near=lambda name: False)
    seen = {name: mark.status for name, mark in given.items()}
    assert seen == dict.fromkeys(looks, "passed")


# The first exercise's process says that it has ended, and stays to answer for the next one, or
# leaves a process behind that does.
STAYS = """
import json, os, socket, struct, sys, time

def frames():
    frame = sys._getframe()
    while frame:
        yield frame
        frame = frame.f_back

owners = [frame.f_locals.get("self") for frame in frames()]
channel = next(owner.channel for owner in owners if hasattr(owner, "channel"))
"""
ENDS = """
text = json.dumps({"ended": 0, "nonce": ""}).encode()
channel.sendall(struct.pack("!Q", len(text)) + text)
"""
LISTENS = """
if os.fork() == 0:
    for number in range(3, 64):
        try:
            told = socket.socket(fileno=os.dup(number)).recv(1)
        except OSError:
            pass
    time.sleep(60)
"""


@pytest.mark.parametrize("source", [STAYS + ENDS + RIGHT, STAYS + RIGHT + LISTENS])
def test_no_process_answers_for_another_exercise(patience: None, source: str) -> None:
    scaffold = registry.find(NEIGHBOUR).scaffold.replace("...", "0")
    answers = [Answer(VICTIM, source), Answer(NEIGHBOUR, scaffold), Answer(VICTIM, RIGHT)]
    given = engine.judge_answers("gridworld", answers, seed=SEED, sandbox=needed(), root=ROOT)
    assert given[1].points == 0
    assert given[2].status == "passed"


def test_a_fresh_case_is_told_by_no_error_and_no_line(patience: None) -> None:
    shapes = sorted({case.args[0].shape for case in task(SHAPED).visible()})
    source = (
        f"import linecache\n{registry.find(SHAPED).answer}\nright = active_mask\n"
        "def active_mask(terminated, truncated):\n"
        f"    if terminated.shape in {shapes}:\n        return right(terminated, truncated)\n"
        "    lines = [f'SECRET {terminated.shape}\\n'] * 99\n"
        "    linecache.cache['<answer 0>'] = (1, None, lines, '<answer 0>')\n"
        "    raise ValueError(f'SECRET {terminated.shape}')\n"
    )
    given = mark(SHAPED, source)
    assert given.status == "error"
    told = dict(given.message)
    assert "Your line" not in told  # a line for each size would tell it
    assert told["Advice"] == assess.NOT_SHOWN
    assert not re.search(r"SECRET \(", str(given.message))
    assert not {"Got", "Expected", "Called"} & set(dict(given.message))


def test_the_same_error_reads_the_same_in_every_run(patience: None) -> None:
    source = f"{CALLED}raise ValueError(object())"
    (given,) = graded({"an address": source}, near=lambda name: False).values()
    assert "<object object at 0x...>" in str(given.message)


def task(name: str) -> Exercise:
    found = registry.find(name)
    assert isinstance(found, Exercise)
    return found


def test_no_process_is_left() -> None:
    tag = "4242.4242"
    source = f"import os\nif os.fork() == 0:\n    os.execvp('sleep', ['sleep', '{tag}'])\n{RIGHT}"
    assert graded({"sleeper": source})["sleeper"].status == "passed"
    lines = [p.read_bytes() for p in Path("/proc").glob("[0-9]*/cmdline") if os.access(p, os.R_OK)]
    assert not [line for line in lines if tag.encode() in line]


def test_a_deleted_answer_cell_is_missing_and_one_of_prose_tampered() -> None:
    answers = [Answer(VICTIM, None, "missing"), Answer(NEIGHBOUR, None, "tampered")]
    given = engine.judge_answers("gridworld", answers, seed=SEED, sandbox=needed(), root=ROOT)
    assert [(m.status, m.points) for m in given] == [("missing", 0), ("tampered", 0)]


def test_without_bubblewrap_grading_stops_and_says_what_to_do(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("shutil.which", lambda name: None)
    with pytest.raises(UserError, match=r"apt-get install bubblewrap.*--unsafe-no-sandbox"):
        sandbox.find()


def test_where_bubblewrap_may_not_work_grading_stops_and_says_why(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    needed()
    monkeypatch.setattr(sandbox, "_bubblewrap", lambda program: ["false"])
    with pytest.raises(UserError, match="can't make one"):
        sandbox.find()


def test_unsandboxed_answers_are_judged_the_same_and_the_name_says_it() -> None:
    open_air = sandbox.find(unsafe=True)
    assert open_air.name == "unsandboxed"
    answers = [Answer(VICTIM, RIGHT), Answer(NEIGHBOUR, "raise SystemExit")]
    given = engine.judge_answers("gridworld", answers, seed=SEED, sandbox=open_air, root=ROOT)
    assert [m.status for m in given] == ["passed", "error"]


@pytest.mark.parametrize(
    ("folder", "hidden"),
    [(f"{sys.prefix}/lib/python3/site-packages", True), ("/usr/lib/python3/dist-packages", True),
     ("/srv/course/src", False)],
)  # fmt: skip
def test_a_course_that_lies_where_python_is_read_is_hidden(
    folder: str, hidden: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    package = f"{folder}/gridroll"
    monkeypatch.setattr(sandbox, "__file__", f"{package}/classroom/grading/sandbox.py")
    options = list(sandbox._bubblewrap("bwrap"))
    at = [n for n, option in enumerate(options) if option == package]
    assert [options[n - 1] for n in at] == (["--tmpfs", "--remount-ro"] if hidden else [])
    bound = [n for n, option in enumerate(options) if option.startswith("--ro-bind")]
    assert not hidden or max(n for n in bound if options[n + 1] in package) < at[0]
