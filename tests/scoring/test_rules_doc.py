"""Every rule that a problem or a line can bear stands in docs/rules.md, and nothing else does."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import scoring
from scoring.house import HOUSE_RULES
from scoring.string_children import TRAITS
from scoring.string_turn import BONUS

ROOT = Path(scoring.__file__).parent
DOC = ROOT.parent / "docs" / "rules.md"
COMPOSED = {*BONUS, *(f"trait-{trait}" for trait in TRAITS), "coins", "research"}
"""Names put together at run time, beside those that stand in the code as they are."""
NAME = re.compile(r"[a-z]+(-[a-z]+)*\Z")


def rule_names(source: str) -> set[str]:
    """Return every text that a module gives as the rule of a Line or a Problem, or returns from a `_rule` property."""
    names: set[str] = set()
    for node in ast.walk(ast.parse(source)):
        if (
            isinstance(node, ast.Call)
            and isinstance(node.func, ast.Name)
            and node.func.id in ("Line", "Problem", "forbidden")
        ):
            given = [k.value for k in node.keywords if k.arg == "rule"] or node.args[:1]
            names |= {
                n.value for g in given for n in ast.walk(g) if isinstance(n, ast.Constant) and isinstance(n.value, str)
            }
        if isinstance(node, ast.FunctionDef) and node.name == "_rule":
            names |= {
                n.value
                for r in ast.walk(node)
                if isinstance(r, ast.Return)
                for n in ast.walk(r)
                if isinstance(n, ast.Constant) and isinstance(n.value, str)
            }
    return {name for name in names if NAME.match(name)} - {"trait-"}


def in_code() -> set[str]:
    """Return every rule's name in the package."""
    return COMPOSED.union(*(rule_names(path.read_text(encoding="utf-8")) for path in ROOT.glob("*.py")))


def in_doc() -> list[str]:
    """Return every rule's name in the document, in its order."""
    return re.findall(r"^\| `([a-z-]+)` \|", DOC.read_text(encoding="utf-8"), flags=re.MULTILINE)


def test_the_list_is_complete_and_has_nothing_else() -> None:
    assert set(in_doc()) == in_code()


def test_no_rule_is_listed_twice_in_one_table() -> None:
    for table in DOC.read_text(encoding="utf-8").split("\n## "):
        names = re.findall(r"^\| `([a-z-]+)` \|", table, flags=re.MULTILINE)
        assert sorted(set(names)) == sorted(names)


def test_every_rule_has_a_sentence() -> None:
    rows = re.findall(r"^\| `[a-z-]+` \| (.*) \|$", DOC.read_text(encoding="utf-8"), flags=re.MULTILINE)
    assert len(rows) == len(in_doc())
    assert all(row.strip().endswith(".") for row in rows)


def test_names_are_found_in_calls_conditions_and_properties() -> None:
    source = 'Line("a-b", 0, (), "x y"); Problem(rule="c", pieces=(), message="d")\n'
    source += 'def _rule(self): return "e" if 1 else "f"'
    assert rule_names(source) == {"a-b", "c", "e", "f"}


def test_every_house_rule_is_listed_with_what_it_decides() -> None:
    rows = re.findall(
        r"^\| ([a-z-]+) \| `([a-z_]+)` \| [^|]+ \| ([^|]+) \|$", DOC.read_text(encoding="utf-8"), flags=re.MULTILINE
    )
    wanted = {(game, name) for game, rules in HOUSE_RULES.items() for name in rules}
    assert {(game, name) for game, name, _ in rows} == wanted
    assert all(decides.startswith(HOUSE_RULES[game][name].decides) for game, name, decides in rows)
