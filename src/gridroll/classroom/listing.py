"""The source text of a library object, taken from its file and never from a second copy."""

import ast
from pathlib import Path


def package_folder() -> Path:
    """Return the folder of the installed gridroll package."""
    return Path(__file__).resolve().parent.parent


def listing(name: str, package: Path) -> str:
    """Return the source of ``name`` ("gridworld.step"): decorators, docstring and body.

    ``package`` is the folder that holds the modules. Nothing is imported. Raises LookupError, with
    the names to choose from, when there is no such module or no such name at its top level.
    """
    module, _, target = name.rpartition(".")
    path = package.joinpath(*module.split(".")) if module else package
    path = path / "__init__.py" if path.is_dir() else path.with_suffix(".py")
    if not module or not path.is_file():
        raise LookupError(f"no module {module or name!r} to take {name!r} from")
    source = path.read_text(encoding="utf-8")
    found = {key: node for node in ast.parse(source).body for key in _names(node)}
    if target not in found:
        public = ", ".join(sorted(key for key in found if not key.startswith("_")))
        raise LookupError(f"{module} has no {target!r} at its top level; it has {public}")
    node = found[target]
    first = min([node.lineno, *(d.lineno for d in getattr(node, "decorator_list", []))])
    return "\n".join(source.splitlines()[first - 1 : node.end_lineno])


def _names(node: ast.stmt) -> list[str]:
    """Return the names that a top-level statement defines."""
    if isinstance(node, ast.FunctionDef | ast.ClassDef):
        return [node.name]
    targets = node.targets if isinstance(node, ast.Assign) else [getattr(node, "target", None)]
    return [target.id for target in targets if isinstance(target, ast.Name)]
