"""A table of a TOML file, read with every fault noted as one clear line."""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Mapping
from typing import Any


class Section:
    """One table of the file. Readers note in `faults` what cannot be and go on: all faults are found at once."""

    def __init__(self, where: str, table: object, faults: list[str]) -> None:
        """Read `table`, which the messages call `where`."""
        self.where = where
        self.faults = faults
        self._known: set[str] = set()
        self._table: Mapping[str, Any] = table if isinstance(table, dict) else {}
        if not isinstance(table, dict):
            self.fault(f"is {table!r}, expected a table of keys")

    def fault(self, message: str) -> None:
        """Note a fault of this table."""
        self.faults.append(f"deck.toml: {self.where} {message}" if self.where else f"deck.toml: {message}")

    def __contains__(self, key: str) -> bool:
        return key in self._table

    @property
    def keys(self) -> tuple[str, ...]:
        """Return the keys as written."""
        return tuple(self._table)

    def raw(self, key: str) -> Any:
        """Return what stands at `key`, unchecked, or None."""
        self._known.add(key)
        return self._table.get(key)

    def integer(self, key: str, least: int, most: int, default: int | None = None) -> int | None:
        """Return a whole number from `least` to `most`."""
        value = self.raw(key)
        if value is None:
            return default
        if not isinstance(value, int) or isinstance(value, bool) or not least <= value <= most:
            self.fault(f"{key} = {_shown(value)}, expected a whole number from {least} to {most}")
            return default
        return value

    def number(self, key: str, least: float, most: float) -> float | None:
        """Return a number from `least` to `most`."""
        value = self.raw(key)
        if value is not None and not _is_number(value, least, most):
            self.fault(f"{key} = {_shown(value)}, expected a number from {least:g} to {most:g}")
            return None
        return None if value is None else float(value)

    def pair(self, key: str, least: float, most: float) -> tuple[float, float] | None:
        """Return two numbers, each from `least` to `most`."""
        value = self.raw(key)
        if value is None:
            return None
        if not isinstance(value, list) or len(value) != 2 or not all(_is_number(v, least, most) for v in value):
            self.fault(f"{key} = {_shown(value)}, expected [width, height], each {least:g} to {most:g} mm")
            return None
        return float(value[0]), float(value[1])

    def flag(self, key: str) -> bool:
        """Return true or false; false where it is not written."""
        value = self.raw(key)
        if value not in (None, True, False) or (isinstance(value, int | float) and not isinstance(value, bool)):
            self.fault(f"{key} = {_shown(value)}, expected true or false")
        return value is True

    def text(self, key: str) -> str | None:
        """Return a text of 1 to 200 characters on one line."""
        value = self.raw(key)
        if value is None:
            return None
        if not isinstance(value, str) or not 1 <= len(value) <= 200 or not value.isprintable():
            self.fault(f"{key} = {_shown(value)}, expected a short text in quotes")
            return None
        return value

    def choice(self, key: str, choices: Iterable[str]) -> str | None:
        """Return one of `choices`."""
        value, allowed = self.raw(key), tuple(choices)
        if value is not None and value not in allowed:
            self.fault(f"{key} = {_shown(value)}, expected one of {', '.join(allowed)}")
            return None
        return None if value is None else str(value)

    def unknown(self) -> None:
        """Note every key that no reader asked for."""
        for key in self._table:
            if key not in self._known:
                near = difflib.get_close_matches(key, self._known, 1)
                hint = f'did you mean "{near[0]}"?' if near else f"known here: {', '.join(sorted(self._known))}"
                self.fault(f"has the unknown key {_shown(key)}: {hint}")


def _is_number(value: object, least: float, most: float) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and least <= value <= most


def _shown(value: object) -> str:
    text = f'"{value}"' if isinstance(value, str) else str(value).lower() if isinstance(value, bool) else repr(value)
    text = text if text.isprintable() else repr(value)
    return text if len(text) <= 60 else text[:57] + "…"
