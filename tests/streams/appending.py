"""Reading from source which code appends to streams that have an owner, and whether as the owner.

What is a store is told by its annotation (`StreamStore` and the like), so a store under any name is seen;
what cannot be told is reported, too.
"""

import ast
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import NamedTuple

from radio.streams import names

OWNED = ("in/", "pub/")
SHARED_CONSTANTS = {
    name for name, value in vars(names).items() if isinstance(value, str) and not value.startswith(OWNED)
}
SHARED_FUNCTIONS = {
    name
    for name in dir(names)
    if callable(made := getattr(names, name)) and not name.startswith("_")
    if not str(made(*["x"] * made.__code__.co_argcount)).startswith(OWNED)
}
WRITERS = {"CoalescingWriter"}
MUST_MATCH = {"append": True, "trim": False, "append_exact": False, "claim": False}
"""Whether `match_seq_num` has to be spelt; a trim takes none, and the helpers always have it."""

Locals = dict[str, list[ast.expr]]
"""What each local name of a function is assigned."""


class Fault(NamedTuple):
    line: int
    why: str


@dataclass
class Known:
    """Names, without what stands before their last dot, of stores and of owners' pens."""

    stores: set[str] = field(default_factory=set)
    writers: set[str] = field(default_factory=set)


def last_name(node: ast.expr | None) -> str:
    """`c` of `a.b.c`."""
    return node.attr if isinstance(node, ast.Attribute) else getattr(node, "id", "")


def learn(tree: ast.AST, known: Known) -> None:
    """Note what in this module is annotated as a store, or made as a pen."""
    for node in ast.walk(tree):
        if isinstance(node, ast.arg) and node.annotation is not None:
            note(node.arg, node.annotation, known)
        elif isinstance(node, ast.AnnAssign):
            note(last_name(node.target), node.annotation, known)
        elif isinstance(node, ast.Assign):
            for target in node.targets:
                for name, value in pairs(target, node.value):
                    copy(name, value, known)


def note(name: str, annotation: ast.expr, known: Known) -> None:
    kinds = set(alternatives(annotation))
    if any(kind.endswith("Store") for kind in kinds):
        known.stores.add(name)
    if kinds & WRITERS:
        known.writers.add(name)


def alternatives(annotation: ast.expr) -> Iterator[str]:
    """`A` and `B` of `A | B`; nothing of what is made from a type, as a list of it is."""
    if isinstance(annotation, ast.BinOp):
        yield from alternatives(annotation.left)
        yield from alternatives(annotation.right)
    elif isinstance(annotation, ast.Constant) and isinstance(annotation.value, str):
        yield annotation.value
    else:
        yield last_name(annotation)


def copy(name: str, value: ast.expr, known: Known) -> None:
    """A name that is given what another name holds."""
    if isinstance(value, ast.Await):
        value = value.value
    called = last_name(value.func) if isinstance(value, ast.Call) else ""
    if called in WRITERS:
        known.writers.add(name)
    elif called == "open_store" or called.endswith("Store") or last_name(value) in known.stores:
        known.stores.add(name)


def pairs(target: ast.expr, value: ast.expr) -> Iterator[tuple[str, ast.expr]]:
    if isinstance(target, ast.Name | ast.Attribute):
        yield last_name(target), value
    elif isinstance(target, ast.Tuple) and isinstance(value, ast.Tuple):
        for one, its in zip(target.elts, value.elts, strict=True):
            yield from pairs(one, its)


def is_shared(name: ast.expr | None, local: Locals) -> bool:
    """Whether everybody may write that stream."""
    if isinstance(name, ast.Call):
        return last_name(name.func) in SHARED_FUNCTIONS
    if isinstance(name, ast.Name) and name.id in local:
        return all(is_shared(value, {}) for value in local[name.id])
    return last_name(name) in SHARED_CONSTANTS


def faults(source: str, known: Known) -> list[Fault]:
    """What in a module appends to an owned stream without its owner's token or place, or cannot be told."""
    tree = ast.parse(source)
    functions = [n for n in ast.walk(tree) if isinstance(n, ast.FunctionDef | ast.AsyncFunctionDef)]
    called = {id(n.func) for n in ast.walk(tree) if isinstance(n, ast.Call)}
    found: set[Fault] = set()
    seen: set[int] = set()
    for scope in [*functions, tree]:  # what lies in a function is judged by its names
        local = assigned(scope)
        for node in ast.walk(scope):
            if id(node) in seen or not isinstance(node, ast.Call | ast.Attribute):
                continue
            seen.add(id(node))
            if why := _why(node, known, local, called):
                found.add(Fault(node.lineno, why))
    return sorted(found)


def assigned(function: ast.AST) -> Locals:
    found: Locals = {}
    for node in ast.walk(function):
        if isinstance(node, ast.Assign):
            for target in node.targets:
                for name, value in pairs(target, node.value):
                    found.setdefault(name, []).append(value)
    return found


def _why(node: ast.AST, known: Known, local: Locals, called: set[int]) -> str | None:
    if isinstance(node, ast.Attribute) and node.attr in ("append", "trim"):
        is_store = last_name(node.value) in known.stores
        return (
            "handed on, so that nobody sees how it is called" if is_store and id(node) not in called else None
        )
    if not isinstance(node, ast.Call):
        return None
    method = last_name(node.func)
    if method in WRITERS:
        return _token_fault(node)
    if method not in MUST_MATCH:
        return None
    if isinstance(node.func, ast.Attribute) and method in ("append", "trim"):
        receiver = last_name(node.func.value)
        if receiver in known.writers:
            return None
        if receiver not in known.stores:
            return (
                "on something that is annotated as neither a store nor a pen" if _like_a_store(node) else None
            )
    place = 0 if method in ("append", "trim") else 1
    stream = node.args[place] if len(node.args) > place else None
    if is_shared(stream, local):
        return None
    return _token_fault(node) or (_place_fault(node) if MUST_MATCH[method] else None)


def _like_a_store(call: ast.Call) -> bool:
    """No list is appended to, and no text trimmed, in this way."""
    return bool(call.keywords) or len(call.args) > 1 or any(isinstance(a, ast.Starred) for a in call.args)


def _token_fault(call: ast.Call) -> str | None:
    return None if _is_given(call, "fencing_token") else "without a token"


def _place_fault(call: ast.Call) -> str | None:
    return None if _is_given(call, "match_seq_num") else "without its place"


def _is_given(call: ast.Call, keyword: str) -> bool:
    values = [k.value for k in call.keywords if k.arg == keyword]
    return bool(values) and not (isinstance(values[0], ast.Constant) and values[0].value is None)
