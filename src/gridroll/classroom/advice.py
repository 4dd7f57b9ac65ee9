"""What usually causes an error, and what to do about it: one table, read from the top."""

import re
from dataclasses import dataclass

from gridroll.classroom.forms import is_record
from gridroll.classroom.forms import kind as kind_of


@dataclass(frozen=True)
class Rule:
    """Errors of one kind, whose message matches the pattern; the text may use its groups."""

    kind: str  # the name of the error's class or of a base of it; "" for any
    pattern: str  # is looked for in the error's message
    text: str


CHOOSE = (
    "Choose between two values with `jnp.where`; combine flags with `&`, `|` and `~`, a "
    "comparison in parentheses: `(a > 0) & b`."
)
BATCH = (
    "Map it over the batch: `jax.vmap(function, in_axes=(...))`, with 0 for each argument that has "
    "one entry for every environment and None for what they share."
)

RULES = (
    Rule("TracerBoolConversionError", "",
         "`if`, `while`, `and`, `or` and `not` need a value that is known now, and under jit an "
         f"array's value is not. {CHOOSE}"),
    Rule("", r"truth value of an array|truth value of an empty array",
         "`if`, `while`, `and`, `or` and `not` ask for one True or False, and this is an array of "
         f"several. {CHOOSE}"),
    Rule("TracerArrayConversionError", "",
         "A NumPy function got a traced array. Under jit use `jnp` where you wrote `np`, and index "
         "`jnp` arrays only."),
    Rule("TracerIntegerConversionError", "",
         "A traced array was used as a plain integer (a size, an index of a Python list, `range`). "
         "Index a `jnp` array instead, or take the size from `.shape`."),
    Rule("NonConcreteBooleanIndexError", "",
         "A mask as an index gives an array whose size depends on values, and jit needs every "
         "shape in advance. Keep the shape and use `jnp.where`."),
    Rule("ConcretizationTypeError", "",
         "A traced array was turned into a Python number (`int`, `float`, `.item()`, a shape). "
         "Under jit its value isn't known; keep it an array."),
    Rule("TypeError", r"Shapes must be 1D sequences of concrete values",
         "The shape of an array was computed from a traced value. Under jit every shape has to be "
         "known in advance: take it from `.shape` of an argument, or from a plain Python number."),
    Rule("UnexpectedTracerError", "",
         "A value from inside a jitted function was kept outside of it (a global, an attribute, an "
         "appended list). Return it instead."),
    Rule("NotImplementedError", "", "The scaffold's `raise NotImplementedError` is still there."),
    Rule("UnboundLocalError", r"local variable '(\w+)'",
         "`\\1` is read here before this function has given it a value on that way through it."),
    Rule("NameError", "",
         "A name is not defined here: run the cells above, from the top, or mend its spelling."),
    Rule("", r"'ellipsis'",
         "A `...` of the scaffold is still there: write the value in its place."),
    # Loops and branches of JAX.
    Rule("TypeError", r"scan body output must be a pair, got None",
         "The body of the scan returns nothing. It returns two things, `return new_carry, output`: "
         "the carry for the next step, and what is kept of this one."),
    Rule("TypeError", r"scan body output must be a pair",
         "The body of a scan returns exactly two things, `return new_carry, output`: the carry for "
         "the next step, and what is kept of this one. Put several values into one tuple: `return "
         "(a, b), (c, d)`."),
    Rule("TypeError",
         r"carry.*same pytree structure",
         "What the body gives back as carry isn't built as what came in: another number of parts, "
         "or parts in another order. Start with, and return, the same tuple or record."),
    Rule("TypeError",
         r"carry.*equal types.*has type (\w+)\[\].*has type (?!\1)(\w+)\[\]",
         "The carry goes into the body as \\1 and comes out as \\2. Start it in the dtype that it "
         "will have, `jnp.\\2(0)`, or keep its dtype in the body."),
    Rule("TypeError", r"carry.*equal types.*has type (\w+\[[\d,]*\]).*has type (\w+\[[\d,]*\])",
         "The carry goes into the body as \\1 and comes out as \\2. It has to keep its shape and "
         "dtype: start it in those that it will have, or keep them in the body."),
    Rule("TypeError", r"carry.*type",
         "`scan` needs the carry to come out of its body as it went in: the same structure, shapes "
         "and dtypes. Start it with the dtype that it will have."),
    Rule("ValueError", r"scan got no values to scan over",
         "`jax.lax.scan(body, init, xs)` walks along the first axis of `xs`. Give it an array, or "
         "`length=...` where there is none; the start of the carry comes second."),
    Rule("ValueError", r"scan got value with no leading axis",
         "`jax.lax.scan(body, init, xs)` walks along the first axis of `xs`, and one of its arrays "
         "has no axis. The start of the carry comes second, what is walked along comes third."),
    Rule("IndexError", r"^tuple index out of range$",
         "Something has fewer entries than the line asks for. If it calls `scan`: "
         "`jax.lax.scan(body, init, xs)` takes the start of the carry second, and third the array "
         "that it walks along."),
    Rule("TypeError", r"lax.scan: f argument should be a callable",
         "`jax.lax.scan(body, init, xs)` takes the function first, then the start of the carry, "
         "and third the array that it walks along."),
    Rule("ValueError", r"scan got values with different leading axis sizes: ([\d, ]+)",
         "The arrays that the scan walks along have different lengths: \\1. They need the same "
         "first axis."),
    Rule("TypeError", r"cond branches must have equal output types",
         "Both branches have to return the same structure, shapes and dtypes."),
    # Batches and vmap.
    Rule("ValueError", r"(\w[\w.]*) has shape (\([\d, ]+\)); it must have shape \(\)",
         "`\\1` came in the shape \\2, as for a batch; the function takes one environment, where "
         f"the shape is (). {BATCH}"),
    Rule("ValueError", r"keys of shape (\([\d, ]+\)); it must be one|given a key array of shape",
         "One key is wanted, and an array of keys came. Take one, `keys[0]`, or map over all of "
         "them with `jax.vmap`, one call for each key."),
    Rule("ValueError", r"vmap got inconsistent sizes",
         "`vmap` maps every argument along its first axis unless `in_axes` says otherwise: give 0 "
         "to what has one entry for each environment and None to what they share."),
    Rule("ValueError", r"vmap was requested to map its argument along axis",
         "`vmap` maps along an axis, and one of the arguments has none. In `in_axes`, give None to "
         "what all environments share, such as the world, and 0 to what has one entry for each."),
    Rule("ValueError", r"vmap in_axes must be an int.*len\(in_axes\)=(\d+), len\(args\)=(\d+)",
         "`in_axes` has \\1 entries and the call has \\2 arguments: give one entry for each."),
    # Keys and draws.
    Rule("TypeError", r"key accepts a scalar seed, but was given a PRNG key",
         "That is a key already: draw with it, or split it. `jax.random.key` makes a key of a "
         "whole number."),
    Rule("ValueError", r"randint parameter shapes must be broadcast-compatible",
         "`jax.random.randint(key, (), low, high)` draws one number between two single numbers. To "
         "draw an index, `high` is how many entries there are: `x.shape[0]`."),
    # Arrays.
    Rule("TypeError", r"immutable|does not support item assignment",
         "JAX arrays and tuples can't be changed in place. For an array write "
         "`x = x.at[i].set(value)`; of a record make a new one."),
    Rule("AttributeError", r"can't set attribute|cannot assign to field",
         "A record can't be changed in place: make a new one, or "
         "`record._replace(field=value)` for a named tuple."),
    Rule("", r"incompatible shapes for broadcasting|could not be broadcast together",
         "Two arrays of these shapes can't be combined entry by entry. Print the `.shape` of both; "
         "`x[:, None]` adds an axis."),
    Rule("IndexError", r"[Tt]oo many indices.* is (\d+)-dimensional, but (\d+) were indexed",
         "The number of axes is \\1 and the number of indices \\2. One number, of shape (), has no "
         "axis and takes no index."),
    Rule("IndexError", r"only integers, slices",
         "An index has to be a whole number, a slice or an array of whole numbers."),
    Rule("IndexError", r"index (-?\d+) is out of bounds for axis (\d+) with size (\d+)",
         "The index \\1 was used where there are \\3 entries, with the numbers from 0 on: keep it "
         "inside before it is used, for example with `clip`."),
    Rule("", r"axis (-?\d+) is out of bounds for array of dimension (\d+)",
         "The axis \\1 was asked for and the array has \\2; axes are counted from 0. `stack` makes "
         "a new axis, `concatenate` joins along one that is there."),
    Rule("TypeError", r"(\w[\w.]*) is of dtype float\d+; it must be an integer",
         "`\\1` holds floats, and the numbers of cells are whole: make it with a dtype, "
         "`np.zeros(shape, np.int32)`, or cast it with `.astype(np.int32)`."),
    Rule("TypeError", r"Indexer must have integer or boolean type.*float",
         "An index has to be a whole number, and this is a float: look for a division or a "
         "constant such as 1.0, or cast it with `.astype(jnp.int32)`."),
    Rule("TypeError", r"boolean (negative|subtract)|(neg|sub) does not accept dtype bool",
         "`-` is no operation on True and False: `~` turns a flag round, `&` and `|` combine two."),
    Rule("TypeError", r"(not|and|or) does not accept dtype float",
         "`~`, `&` and `|` combine flags and whole numbers, and one of these is a float. A "
         "comparison such as `x > 0` makes a flag; put it in parentheses, because `&` binds "
         "more tightly."),
    Rule("TypeError", r"Using a non-tuple sequence for multidimensional indexing",
         "A JAX array can't be indexed with a Python list: make an array of it, `jnp.array(...)`."),
    Rule("TypeError", r"iteration over a 0-d array|len\(\) of unsized object",
         "One number, of shape (), was taken apart, looped over or asked for its length: it has no "
         "entries."),
    Rule("TypeError", r"unhashable type: '\S*(Array|Tracer|ndarray)",
         "An array can't be looked up in a dict or a set: index an array, "
         "`jnp.array([...])[index]`, or choose with `jnp.where`."),
    Rule("ValueError", r"(too many|not enough) values to unpack \(expected (\d+)(?:, got (\d+))?",
         "\\1 values: on the left stand \\2 names. Print what the right-hand side gives, and write "
         "one name for each part of it."),
    # Python.
    Rule("AttributeError", r"'NoneType' object has no attribute",
         "Something gave None where a value was wanted: does the function that made it end with a "
         "`return`?"),
    Rule("TypeError", r"^where requires .*NoneType",
         "`jnp.where(condition, a, b)` needs both values: what to take where the condition holds, "
         "and what to take elsewhere."),
    Rule("TypeError", r"NoneType",
         "Something is None where a value was wanted: a function without a `return`, or a method "
         "that changes its object and gives nothing back."),
    Rule("AttributeError", r"'(bool|int|float)' object has no attribute 'astype'",
         "This is a plain Python \\1 and no array. `jnp.asarray(value, dtype)` makes an array of "
         "it."),
    Rule("AttributeError", r"has no attribute '(\w+)'",
         "There is nothing named `\\1` here: look it up in the docstring, or print the value."),
    Rule("TypeError", r"is not subscriptable|tuple indices must be integers or slices, not str",
         "A field of a record is read with a dot, `state.position`; square brackets are for "
         "arrays, lists and dicts."),
    Rule("AssertionError", "",
         "An `assert` of yours failed. Leave it out: under jit it can't look at a value either."),
    Rule("RecursionError", "",
         "The function calls itself without end: is one name used for two things?"),
    Rule("TypeError", r"cannot unpack non-iterable function object",
         "A function came where its result was wanted: call it, or look whether a later cell gave "
         "its name to another function."),
    Rule("TypeError", r"Only scalar arrays can be converted to Python scalars",
         "An array came where one Python number is wanted. `scan` walks along one argument: put "
         "several arrays into a tuple, `jax.lax.scan(body, init, (first, second))`."),
    Rule("TypeError", r"'module' object is not callable",
         "A module was called: name the function in it, such as `jnp.where(...)`."),
    Rule("TypeError", r"'\S*(Array|Tracer|ndarray)\S*' object is not callable",
         "An array was called like a function: an index stands in square brackets, `table[s, a]`."),
    Rule("TypeError", r"object is not callable",
         "Something that is no function stands before a parenthesis: an operator left out, or a "
         "name given to a value."),
)  # fmt: skip

MOST_READ = 700  # characters; a pattern may try every way to divide a text
OWN_PARAMETERS = "The function's parameters are not those that the scaffold gave it."
BODY_PARAMETERS = "`scan` calls its body with two arguments: `def body(carry, x):`."
OTHER_PARAMETERS = (
    "The function that is called on this line takes other arguments: compare the call with its "
    "parameters, one by one."
)
ARGUMENTS = re.compile(r"positional argument|keyword argument|required keyword-only")


def advice(error: BaseException, line: str = "") -> str:
    """What to do about an error that came from this line of the student's, or "".

    Without a line the error came from the call of the student's own function.
    """
    message = str(error)[:MOST_READ]
    if isinstance(error, TypeError) and ARGUMENTS.search(message):
        if not line:
            return OWN_PARAMETERS
        return BODY_PARAMETERS if "scan(" in line else OTHER_PARAMETERS
    if isinstance(error, AttributeError) and is_record(error.obj):
        return f"There is no `{error.name}` here: {kind_of(error.obj)} has no other fields."
    kinds = {"", *(kind.__name__ for kind in type(error).__mro__)}
    for rule in RULES:
        found = re.search(rule.pattern, message, re.S) if rule.kind in kinds else None
        if found is not None:
            text = found.expand(rule.text)
            return text[0].upper() + text[1:]
    return ""
