"""What is read out of cells that nobody vouches for: IPython's forms, and what an answer needs."""

import contextlib

import pytest
from sandboxes import mark, marks

from gridroll.classroom import registry
from gridroll.classroom.exercise import Choice
from gridroll.classroom.grading import cells
from gridroll.classroom.grading.records import Answer

MOVE, ADD = "gridworld.move", "gridworld.add_reward"
RIGHT = registry.find(MOVE).answer
DEEP = "x = " + " + ".join(["1"] * 20_000)


@pytest.mark.parametrize(
    ("source", "kept"),
    [
        ("y = a", "a = 1"),
        ("y = b", "a = 2\nb = a"),
        ("y = f(3)", "import math\ndef f(x):\n    return math.sqrt(x)"),
        ("y = c", "c = 1\nc += 1"),
        ("y = rows", "rows = []\nfor row in range(3):\n    rows.append(row)"),
        ("y = table", "table = {}\ntable['a'] = 1"),
        ("y = g(1)", "if True:\n\n    def g(a):\n        return a"),
        ("y = 3", ""),
        ("def y(a, b):\n    f = a\n    return [c for c in f]", ""),
        ("def y(x):\n    def inner():\n        return a + x\n    return inner", "a = 1"),
        ("y = (", ""),
        ("y = late(2)", "def late(x):\n    return below + x\nbelow = 3"),
        ("y = await a", "a = 1"),
    ],
)
def test_of_the_cells_above_only_what_an_answer_needs_is_run(source: str, kept: str) -> None:
    before = [
        "import math, os",
        "a = 2\nb = a\nprint(a)",
        "a = 1",
        "def f(x):\n    return math.sqrt(x)",
        "c = 1",
        "c += 1",
        "rows = []\nfor row in range(3):\n    rows.append(row)\nprint(rows)",
        "table = {}\ntable['a'] = 1\ntable['a']",
        "if True:\n    def g(a):\n        return a",
        "def late(x):\n    return below + x\nbelow = 3",
        "this is no Python",
    ]
    got = "\n".join(cells.needed([source], before))
    assert got.replace("import math, os", "import math") == kept


@pytest.mark.parametrize(
    "text",
    [
        "a = 1\nif False:\n    a = 2",
        "a = 1\ntry:\n    a = nothing\nexcept NameError:\n    pass",
        "a = 1\na: int",
        "a = 1\nfor a in []:\n    pass",
        "a: int = 1",
        "(a := 1)",
        "from string import *\na = digits[1]",
        "%time a = 1",
        "a = %time '1'",
        "class Box:\n    pass\nBox.inner = Box()\nBox.inner.value = '1'\na = Box.inner.value",
        "from functools import singledispatch\n@singledispatch\ndef f(x):\n    return x\n"
        "@f.register\ndef _(x: int):\n    return '1'\na = f(3)",
        "async def g():\n    return 1\nimport asyncio\na = asyncio.run(g())",
        "rows = [2, 1]\nrows.reverse()\na = rows[0]",
        "f = lambda: below\nbelow = 1\na = f()",
        "from functools import partial\nf = partial(lambda x: x + below, 0)\nbelow = 1\na = f()",
        "if True:\n    def f():\n        return below\nbelow = 1\na = f()",
        "match [1, 2]:\n    case [a, *rest]:\n        pass",
        "a = 0\ndef setup():\n    global a\n    a = 1\nsetup()",
        "kinds = {}\ndef kind(name):\n    def keep(f):\n        kinds[name] = f\n"
        "        return f\n    return keep\n@kind('one')\ndef one():\n    return 1\n"
        "a = kinds['one']()",
        "found = []\nclass Base:\n    def __init_subclass__(cls):\n        found.append(cls)\n"
        "class Part(Base):\n    pass\na = len(found)",
        "import numpy as np\na = np.zeros((), int)\na.fill(1)",
        "import numpy as np\na = np.zeros((), int)\nnp.copyto(a, 1)",
        "class Box:\n    pass\nbox = Box()\nsetattr(box, 'v', 1)\na = box.v",
        "import heapq\nheap = [2]\nheapq.heappush(heap, 1)\na = heap[0]",
        "class Box:\n    def keep(self, v):\n        self.v = v\nbox = Box()\nbox.keep(1)\n"
        "a = box.v",
        f"big = 0x{'f' * 5000}\na = 1",
        "\n".join(
            [
                "f0 = lambda: g0()",
                *(
                    f"def g{n}():\n    return f{n + 1}()\nf{n + 1} = lambda: g{n + 1}()"
                    for n in range(30)
                ),
                "def g30():\n    return 1",
                "a = f0()",
            ]
        ),
    ],
)
def test_what_is_run_of_the_cells_above_gives_a_name_the_value_that_it_has_in_a_notebook(
    text: str,
) -> None:
    found: dict[str, object] = {}
    for statement in cells.needed(["y = a"], [cells.plain(text)]):
        with contextlib.suppress(NameError):
            exec(statement, found)
    assert str(found["a"]) == "1"


@pytest.mark.parametrize("text", [DEEP, "(" * 9_000, "x = '\0'", "\ud800", "-" * 90_000 + "1"])
def test_a_text_that_cannot_be_read_as_python_is_like_an_empty_one(text: str) -> None:
    assert cells.needed(["y = x"], [text, "x = 1"]) == ["x = 1"]
    assert cells.needed([text], ["x = 1"]) == []
    assert cells.function_text([text], "move") == ""
    assert cells.plain(text) == text


@pytest.mark.parametrize(
    "text", ["!ls\n" * 600, ";" * 600 + "a", "a" * 20_000 + " b?", "!a\n" * 20 + "[1]," * 50_000]
)
def test_a_text_that_ipython_gives_up_on_or_ponders_stays_as_it_is(text: str) -> None:
    assert cells.plain(text) == text


@pytest.mark.parametrize(
    ("source", "lines"),
    [
        ("x = 1", ["x = 1"]),
        ("%%time\nx = 1", ["", "x = 1"]),
        ("%%capture out\nx = 1", ["", "x = 1"]),
        ("%matplotlib inline\nx = 1", ["get_ipython().run_line_magic('matplotlib', 'inline')"]),
        ("x = 1\n!ls", ["x = 1", "get_ipython().system('ls')"]),
        ("jnp.where?", ["get_ipython().run_line_magic('pinfo', 'jnp.where')"]),
        ("%%bash\nrm -r x", ["get_ipython().run_cell_magic('bash', '', 'rm -r x\\n')"]),
        ("if 1:\n    %time x = 2", ["if 1:", "    x = 2"]),
        ("x = %time f('a', 2)", ["x = f('a', 2)"]),
    ],
)
def test_ipythons_forms_become_python_line_for_line(source: str, lines: list[str]) -> None:
    got = cells.plain(source).rstrip("\n").split("\n")
    assert got[: len(lines)] == lines


@pytest.mark.parametrize(
    "source",
    [
        f"%%time\n{RIGHT}",
        f"%matplotlib inline\n{RIGHT}",
        f"{RIGHT}\n%timeit move(jnp.int32(1), jnp.int32(0), 4)\n!ls\nmove?\ndisplay(move)",
        f"%time step = 1\n{RIGHT}\nassert step == 1",
        f"{RIGHT}\nget_ipython().ast_transformers",
    ],
    ids=["a cell magic", "a line magic", "magics below", "a timed statement", "the shell itself"],
)
def test_a_right_answer_with_ipythons_forms_passes_as_in_a_notebook(source: str) -> None:
    assert mark(MOVE, source).status == "passed"


def test_a_magic_that_runs_another_language_defines_no_function() -> None:
    given = mark(MOVE, f"%%bash\n{RIGHT}")
    assert (given.status, given.points) == ("failed", 0)
    assert "defines no function `move`" in str(given.message)


@pytest.mark.parametrize("text", [DEEP, f"{DEEP}\n{RIGHT}", "'" + "x" * 200_000 + "'"])
def test_an_answer_that_cannot_be_read_costs_its_own_marks_alone(text: str) -> None:
    given = marks("gridworld", [Answer(MOVE, text), Answer(ADD, registry.find(ADD).answer)])
    assert given[MOVE].status in ("error", "failed")
    assert given[MOVE].points == 0
    assert given[ADD].status == "passed"


HELPER = "def clipped(position, length):\n    return jnp.clip(position, 0, length - 1)"
USES = "def move(position, action, length):\n    return clipped(position + 2 * action - 1, length)"
SCAFFOLD = registry.find(MOVE).scaffold
ANSWER, CHECK = "answer-gridworld-move", "check-gridworld-move"


@pytest.mark.parametrize(
    ("answer", "status"),
    [
        (Answer(MOVE, "print(move(0, 1, 4))", earlier=(RIGHT,)), "passed"),
        (Answer(MOVE, USES, earlier=(HELPER,)), "passed"),
        (Answer(MOVE, RIGHT, earlier=("1 / 0", "def move(:")), "passed"),
        (Answer(MOVE, "def move(position, action, length):\n    return position", earlier=(RIGHT,)),
         "failed"),
        (Answer(MOVE, USES, own=(("", HELPER),)), "passed"),
        (Answer(MOVE, USES, own=((CHECK, HELPER),)), "error"),
        (Answer(MOVE, USES, own=((ANSWER, HELPER),)), "passed"),
        (Answer(MOVE, "move = jax.jit(move, static_argnums=2)", own=(("", RIGHT),)), "passed"),
        (Answer(MOVE, "print(move(0, 1, 4))", own=(("", RIGHT),)), "failed"),
        (Answer(MOVE, SCAFFOLD, own=((ANSWER, RIGHT),)), "passed"),
        (Answer(MOVE, SCAFFOLD, own=((ANSWER, USES), (ANSWER, "print('mine')"), ("", HELPER))),
         "passed"),
        (Answer(MOVE, SCAFFOLD, own=((CHECK, RIGHT),)), "not_attempted"),
        (Answer(MOVE, SCAFFOLD, own=(("", RIGHT),)), "not_attempted"),
        (Answer(MOVE, "x = await sleep()", earlier=(RIGHT,)), "passed"),
        (Answer(MOVE, f"import asyncio\nawait asyncio.sleep(0)\n{RIGHT}"), "passed"),
    ],
    ids=["split below", "split above", "an error in a copy", "the last definition counts",
         "a helper above", "a helper below the check",
         "a helper below the answer cell", "a function from above that is wrapped",
         "a function from above that is tried", "the function below the answer cell",
         "both", "the function below the check", "the function above the answer cell",
         "an await that fails", "an await"],
)  # fmt: skip
def test_cells_count_as_in_a_notebook_that_runs_from_top_to_bottom(
    answer: Answer, status: str
) -> None:
    given = marks("gridworld", [answer])[MOVE]
    assert (given.status, given.points) == (status, int(status == "passed"))
    told = "A cell of your own defines `move`" in str(given.message)
    tried = answer.own and "print" in str(answer.source)
    assert told == (status == "not_attempted" or bool(tried))


CLASSES = {
    "a class variable": "class Config:\n    none: ClassVar[list] = [0]\n    least: int = 0",
    "keywords alone": "class Config:\n    _: KW_ONLY\n    least: int = 0",
}


@pytest.mark.parametrize("text", CLASSES)
def test_a_dataclass_of_a_cell_above_is_made_as_in_a_notebook(text: str) -> None:
    helper = (
        "from dataclasses import KW_ONLY, dataclass\nfrom typing import ClassVar\n@dataclass\n"
        f"{CLASSES[text]}\nCONFIG = Config()"
    )
    uses = (
        "def move(position, action, length):\n"
        "    return jnp.clip(position + 2 * action - 1, CONFIG.least, length - 1)"
    )
    given = marks("gridworld", [Answer(MOVE, uses, own=(("", helper),))])
    assert given[MOVE].status == "passed"


def test_a_letter_and_a_witness_count_in_a_cell_right_below_as_in_a_notebook() -> None:
    choice = registry.find("collector.last_rows")
    report = registry.find("collector.episode_report")
    mended, _, witness = report.answer.rpartition("witness =")
    assert isinstance(choice, Choice)
    own = (
        ("answer-collector-episode-report", f"witness ={witness}"),
        ("answer-collector-last-rows", f'check("{choice.name}", "{choice.right}")'),
    )
    answers = [
        Answer(report.name, mended, own=own),
        Answer(choice.name, choice.scaffold, own=own),
    ]
    given = marks("collector", answers)
    assert {name: given[name].status for name in (report.name, choice.name)} == {
        report.name: "passed",
        choice.name: "passed",
    }


def test_a_students_own_state_goes_with_the_librarys_as_in_a_notebook() -> None:
    lines = (
        "def step(world, state, action):",
        "    moved = world.next_position[state.position, action]",
        "    elapsed = state.elapsed + 1",
        "    terminated = world.goal[moved]",
        "    truncated = (elapsed == world.horizon) & ~terminated",
        "    after = State(moved, elapsed, terminated | truncated)",
        "    new = jax.tree.map(lambda a, b: jnp.where(state.done, a, b), state, after)",
        "    reward = jnp.where(terminated, world.goal_reward, world.step_reward)",
        "    return (new, jnp.where(state.done, 0.0, reward).astype(jnp.float32),",
        "            ~state.done & terminated, ~state.done & truncated)",
    )
    assert mark("gridworld.step", "\n".join(lines)).status == "passed"
