"""Rule C6 on our own code: what goes into a stream that has an owner goes with the owner's token.

Read from the source: outside `radio.streams`, each call of a store's `append` or `trim`, of `append_exact` or
of `claim` passes `fencing_token`, unless its stream is one of those that everybody may write.
"""

import ast
from collections.abc import Iterator
from pathlib import Path

import radio
from radio.streams import names

ROOT = Path(radio.__file__).parent
OWNED = ("in/", "pub/")
METHODS = {"append", "trim"}
FUNCTIONS = {"append_exact", "claim"}
STORES = {"store", "_store"}
SHARED_CONSTANTS = {
    name for name, value in vars(names).items() if isinstance(value, str) and not value.startswith(OWNED)
}
SHARED_FUNCTIONS = {"catalog", "member"}

Locals = dict[str, list[ast.expr]]
"""What each local name of a function is assigned."""


def last_name(node: ast.expr | None) -> str:
    """`c` of `a.b.c`."""
    return node.attr if isinstance(node, ast.Attribute) else getattr(node, "id", "")


def stream_of(call: ast.Call) -> ast.expr | None:
    """The stream that a call appends to, as written; raises `LookupError` if it does not append."""
    called = last_name(call.func)
    if isinstance(call.func, ast.Attribute) and called in METHODS and last_name(call.func.value) in STORES:
        place = 0
    elif called in FUNCTIONS:
        place = 1
    else:
        raise LookupError
    return call.args[place] if len(call.args) > place else None


def is_shared(name: ast.expr | None, known: Locals) -> bool:
    """Whether everybody may write that stream."""
    if isinstance(name, ast.Call):
        return last_name(name.func) in SHARED_FUNCTIONS
    if isinstance(name, ast.Name) and name.id in known:
        return all(is_shared(value, {}) for value in known[name.id])
    return last_name(name) in SHARED_CONSTANTS


def assigned(function: ast.AST) -> Locals:
    found: Locals = {}
    for node in ast.walk(function):
        if isinstance(node, ast.Assign):
            for target in node.targets:
                for name, value in pairs(target, node.value):
                    found.setdefault(name, []).append(value)
    return found


def pairs(target: ast.expr, value: ast.expr) -> Iterator[tuple[str, ast.expr]]:
    if isinstance(target, ast.Name):
        yield target.id, value
    elif isinstance(target, ast.Tuple) and isinstance(value, ast.Tuple):
        for one, its in zip(target.elts, value.elts, strict=True):
            yield from pairs(one, its)


def unfenced(source: str) -> list[int]:
    """Lines that append to what may be an owned stream without a token."""
    tree = ast.parse(source)
    functions: list[ast.AST] = [
        n for n in ast.walk(tree) if isinstance(n, ast.FunctionDef | ast.AsyncFunctionDef)
    ]
    lines: set[int] = set()
    for scope in functions or [tree]:
        known = assigned(scope)
        for node in ast.walk(scope):
            if isinstance(node, ast.Call) and not any(k.arg == "fencing_token" for k in node.keywords):
                try:
                    stream = stream_of(node)
                except LookupError:
                    continue
                if not is_shared(stream, known):
                    lines.add(node.lineno)
    return sorted(lines)


def test_no_code_outside_the_log_appends_to_an_owned_stream_without_a_token() -> None:
    found = [
        f"{path.relative_to(ROOT.parent)}:{line}"
        for path in sorted(ROOT.rglob("*.py"))
        if not path.is_relative_to(ROOT / "streams")
        for line in unfenced(path.read_text())
    ]
    assert found == []


def test_the_check_sees_what_it_must() -> None:
    bad = """
await store.append(names.broadcast(station), [record])
await self._store.append(name, [record], match_seq_num=3)
await append_exact(store, names.cast(cast), [record], match_seq_num=3)
await writer.claim(store, names.cast(cast), [record])
await self.store.trim(names.broadcast(station), 7)
"""
    assert unfenced(bad) == [2, 3, 4, 5, 6]
    good = """
await store.append(names.broadcast(station), [record], fencing_token=mine)
await self._store.append(names.JOBS, [record])
await store.append(CONTROL, [record])
await claim(store, names.catalog(cast), [recipe])
await claim(store, names.cast(cast), [meta], fencing_token="")
found.append(record)
await self._pen.append(record)
"""
    assert unfenced(good) == []


def test_the_check_follows_a_local_name_to_its_stream() -> None:
    source = """
async def write(store, cast):
    name, place = names.{0}(cast), 0
    await store.append(name, [record], match_seq_num=place)
"""
    assert unfenced(source.format("catalog")) == []
    assert unfenced(source.format("cast")) == [4]
