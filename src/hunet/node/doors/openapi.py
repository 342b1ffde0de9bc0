"""The description of the HTTP door, as OpenAPI 3.1: made of the table of operations."""

from __future__ import annotations

from typing import Any

import hunet
from hunet.node.doors.operations import OPERATIONS, STREAM_PARAMETERS, Operation
from hunet.node.doors.schema import Schema

__all__ = ["description"]

_REFUSALS = {400: "What was asked is not well-formed.", 401: "The token is missing or wrong."}


def description() -> dict[str, Any]:
    """All of it."""
    paths: dict[str, Any] = {}
    for operation in OPERATIONS:
        paths.setdefault(operation.path, {})[operation.method.lower()] = _operation(operation)
    paths["/v1/stream"] = {"get": _text("stream", "Messages as they come, as server-sent events.", "text/event-stream")}
    paths["/v1/stream"]["get"]["parameters"] = [_parameter(*one, needed=()) for one in STREAM_PARAMETERS.items()]
    paths["/v1/stream"]["get"]["responses"]["400"] = _refusal(_REFUSALS[400])
    paths["/metrics"] = {"get": _text("metrics", "Figures for Prometheus.", "text/plain")}
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "hunet node",
            "version": hunet.__version__,
            "description": "A node of a human network, on this machine. Every request carries the token of the address "
            "that the node printed: `Authorization: Bearer TOKEN`.",
        },
        "security": [{"token": []}],
        "components": {"securitySchemes": {"token": {"type": "http", "scheme": "bearer"}}},
        "paths": paths,
    }


def _operation(operation: Operation) -> dict[str, Any]:
    answers = {
        str(operation.status): _json("Done.", operation.answer),
        **{str(status): _refusal(why) for status, why in _REFUSALS.items()},
    }
    if operation.may_refuse:
        answers["409"] = _refusal("Well-formed, but not possible here.")
    said: dict[str, Any] = {"operationId": operation.do, "summary": operation.summary, "responses": answers}
    if operation.query:
        said["parameters"] = [_parameter(*one, needed=operation.needed) for one in operation.query.items()]
    if operation.body is not None:
        said["requestBody"] = {"required": True, "content": {"application/json": {"schema": operation.body}}}
        answers["413"] = _refusal("Too long.")
        answers["415"] = _refusal("Something else than application/json.")
    return said


def _parameter(name: str, schema: Schema, needed: tuple[str, ...]) -> dict[str, Any]:
    return {"name": name, "in": "query", "required": name in needed, "schema": schema}


def _text(name: str, summary: str, kind: str) -> dict[str, Any]:
    answers = {
        "200": {"description": "Here.", "content": {kind: {"schema": {"type": "string"}}}},
        "401": _refusal(_REFUSALS[401]),
    }
    return {"operationId": name, "summary": summary, "responses": answers}


def _refusal(why: str) -> dict[str, Any]:
    return _json(why, {"type": "object", "properties": {"error": {"type": "string"}}, "required": ["error"]})


def _json(what: str, schema: Schema) -> dict[str, Any]:
    return {"description": what, "content": {"application/json": {"schema": schema}}}
