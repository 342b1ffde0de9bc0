"""What a request may say, checked by the schemas that the description shows: the part of JSON Schema used there."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from hunet.model.errors import InvalidValueError

__all__ = ["Schema", "check", "from_query"]

Schema = Mapping[str, Any]

_TYPES: Mapping[str, Any] = {
    "object": dict,
    "array": list,
    "string": str,
    "number": (int, float),
    "integer": int,
    "boolean": bool,
}


def check(what: Any, schema: Schema, where: str) -> None:
    """`InvalidValueError` unless it is as the schema says."""
    kind = schema["type"]
    is_bool = isinstance(what, bool) and kind != "boolean"
    if is_bool or not isinstance(what, _TYPES[kind]):
        raise InvalidValueError(f"{where} is {_shown(what)}: give {_A[kind]}")
    if kind in ("number", "integer"):
        low, high = schema.get("minimum", what), schema.get("maximum", what)
        if not low <= what <= high or ("exclusiveMinimum" in schema and what <= schema["exclusiveMinimum"]):
            raise InvalidValueError(f"{where} is {_shown(what)}: {_limits(schema)}")
    if kind == "string":
        _check_length(len(what), schema, "minLength", "maxLength", where, "letters")
        if "pattern" in schema and not re.fullmatch(schema["pattern"], what):
            raise InvalidValueError(f"{where} is {_shown(what)}: {schema['description']}")
        try:
            what.encode()
        except UnicodeEncodeError:
            raise InvalidValueError(f"{where} is no text: half a letter is in it") from None
    if kind == "array":
        _check_length(len(what), schema, "minItems", "maxItems", where, "entries")
        for i, one in enumerate(what):
            check(one, schema["items"], f"{where}[{i}]")
        if schema.get("uniqueItems") and len(set(what)) != len(what):
            raise InvalidValueError(f"{where} names something twice")
    if kind == "object":
        _check_object(what, schema, where)


def _check_object(what: dict[str, Any], schema: Schema, where: str) -> None:
    known = schema["properties"]
    for name in schema.get("required", ()):
        if name not in what:
            raise InvalidValueError(f"{where} has no {name!r}, which is needed")
    choices = [one["required"][0] for one in schema.get("oneOf", ())]
    if choices and sum(name in what for name in choices) != 1:
        raise InvalidValueError(f"{where} needs one of {' and '.join(choices)}, and not both")
    for name, value in what.items():
        if name not in known:
            raise InvalidValueError(f"{where} has {_shown(name)}, which nobody knows: it may have {', '.join(known)}")
        check(value, known[name], name)


def _check_length(length: int, schema: Schema, low: str, high: str, where: str, unit: str) -> None:
    if not schema.get(low, 0) <= length <= schema.get(high, length):
        most = f" to {schema[high]}" if high in schema else " or more"
        raise InvalidValueError(f"{where} has {length} {unit}: give {schema.get(low, 0)}{most}")


def from_query(text: str, schema: Schema, where: str) -> Any:
    """A parameter as it stands in an address."""
    kind = schema["type"]
    if kind == "integer" and (not text.isascii() or not text.removeprefix("-").isdigit() or len(text) > 20):
        raise InvalidValueError(f"{where} is {_shown(text)}: give a whole number")
    value: Any = int(text) if kind == "integer" else text
    check(value, schema, where)
    return value


_A = {
    "object": "an object",
    "array": "a list",
    "string": "a text",
    "number": "a number",
    "integer": "a whole number",
    "boolean": "true or false",
}


def _limits(schema: Schema) -> str:
    low = schema.get("minimum", schema.get("exclusiveMinimum"))
    above = "above " if "exclusiveMinimum" in schema else ""
    return f"give {above}{low} to {schema['maximum']:g}" if "maximum" in schema else f"give {above}{low} or more"


def _shown(what: Any) -> str:
    return f"{what!r:.60}"
