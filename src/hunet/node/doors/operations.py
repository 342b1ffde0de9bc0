"""What can be asked over HTTP: the request of `service.py` that answers, and the schemas of what goes in and out.

The description (`openapi.py`) is made of this table, and requests are checked against it.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from hunet.node.doors.schema import Schema
from hunet.node.history import MOST_AT_ONCE
from hunet.node.message import MOST_PAYLOAD

__all__ = ["MOST_BODY", "OPERATIONS", "STREAM_PARAMETERS", "Operation", "message_schema"]

MOST_BODY = 2**18
"""Bytes of a request: a message of 64 KiB in base64, with much room."""
_MOST_CURSOR = 2**62
_WEEK = 7 * 86_400

_TAG: Schema = {"type": "string", "minLength": 1, "maxLength": 63, "description": "A tag, such as jazz or talks/room1."}
_CURSOR: Schema = {"type": "integer", "minimum": 0, "maximum": _MOST_CURSOR}
_TEXT: Schema = {"type": "string"}
_NUMBER: Schema = {"type": "number"}
_COUNT: Schema = {"type": "integer", "minimum": 0}
_FLAG: Schema = {"type": "boolean"}


def _maybe(schema: Schema) -> Schema:
    return {**schema, "type": [schema["type"], "null"]}


def _object(required: Mapping[str, Schema], **more: Schema) -> Schema:
    return {"type": "object", "properties": {**required, **more}, "required": list(required)}


def _body(required: Mapping[str, Schema], **more: Schema) -> dict[str, Any]:
    return {**_object(required, **more), "additionalProperties": False}


def _list(items: Schema) -> Schema:
    return {"type": "array", "items": items}


message_schema: Schema = _object(
    {
        "cursor": {**_COUNT, "description": "Its number in this node's history; later ones are higher."},
        "id": {**_TEXT, "pattern": "^[0-9a-f]{32}$"},
        "tags": _list(_TEXT),
        "text": _maybe({**_TEXT, "description": "What it says; null if that is no text."}),
        "data": {**_TEXT, "contentEncoding": "base64", "description": "What it says, as bytes in base64."},
        "author": {**_TEXT, "description": "The public key that signed it."},
        "author_name": _TEXT,
        "own": {**_FLAG, "description": "Whether it was published here."},
        "age": {**_NUMBER, "description": "Seconds since it was published."},
        "came": {**_NUMBER, "description": "Seconds since it came here."},
        "ends": _maybe({**_NUMBER, "description": "Seconds until it ends; null for never."}),
        "hops": {**_COUNT, "description": "Transfers it took to get here."},
        "from": _maybe({**_TEXT, "description": "The device that brought it; null for one's own."}),
        "from_name": _maybe(_TEXT),
        "taken_by": _maybe({**_COUNT, "description": "Devices that took one's own message from this node."}),
    }
)

_SETTINGS: Schema = {"type": "object"}


@dataclass(frozen=True)
class Operation:
    """One method of one path."""

    method: str
    path: str
    do: str
    """The request of `service.py`."""
    summary: str
    answer: Schema
    query: Mapping[str, Schema] = field(default_factory=dict)
    needed: tuple[str, ...] = ()
    """Parameters of the query without which nothing can be done."""
    body: Schema | None = None
    status: int = 200
    may_refuse: bool = False
    """Whether what is well-formed may still be impossible here: answered with 409."""


STREAM_PARAMETERS: Mapping[str, Schema] = {
    "since": {**_CURSOR, "description": "Begin after this cursor; without, with what comes from now on."},
    "tag": _TAG,
}

OPERATIONS: tuple[Operation, ...] = (
    Operation(
        "POST",
        "/v1/messages",
        "pub",
        "Publish a message. Answers when it is on the disk.",
        _object({"id": _TEXT}),
        body={"oneOf": [{"required": ["text"]}, {"required": ["data"]}]}
        | _body(
            {"tags": {**_list(_TAG), "minItems": 1, "maxItems": 16, "uniqueItems": True}},
            text={"type": "string", "maxLength": MOST_PAYLOAD // 4, "description": "What to say; or give data."},
            data={
                "type": "string",
                "maxLength": 4 * math.ceil(MOST_PAYLOAD / 3),
                "pattern": "^([A-Za-z0-9+/]{4})*([A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$",
                "description": "Bytes in base64, up to 64 KiB.",
            },
            lifetime={
                "type": "number",
                "exclusiveMinimum": 0,
                "maximum": _WEEK,
                "default": 86_400,
                "description": "Seconds.",
            },
        ),
        status=201,
        may_refuse=True,
    ),
    Operation(
        "GET",
        "/v1/messages",
        "messages",
        "What came and what was published here, the oldest first: after a cursor, or the last ones before one.",
        _object({"messages": _list(message_schema), "cursor": _COUNT, "first": _COUNT}),
        query={
            "since": {**_CURSOR, "description": "Only what is after this cursor."},
            "before": {**_CURSOR, "description": "The last ones before this cursor."},
            "tag": _TAG,
            "search": {"type": "string", "minLength": 1, "maxLength": 200, "description": "Words that must be in it."},
            "most": {"type": "integer", "minimum": 1, "maximum": MOST_AT_ONCE, "default": 100},
        },
        may_refuse=True,
    ),
    Operation(
        "POST",
        "/v1/read",
        "read",
        "Everything of a tag up to a cursor has been read.",
        _object({"tag": _TEXT, "unread": _COUNT}),
        body=_body({"tag": _TAG, "cursor": _CURSOR}),
    ),
    Operation(
        "GET",
        "/v1/interests",
        "interests",
        "The tags that this node follows, and how much of each is unread.",
        _object(
            {
                "interests": _list(
                    _object(
                        {
                            "tag": _TEXT,
                            "level": _NUMBER,
                            "hops": _COUNT,
                            "ends": _maybe(_NUMBER),
                            "messages": _COUNT,
                            "unread": _COUNT,
                            "read": {**_COUNT, "description": "The cursor up to which it has been read."},
                        }
                    )
                )
            }
        ),
    ),
    Operation(
        "POST",
        "/v1/interests",
        "sub",
        "Follow a tag, or follow it otherwise than before.",
        _object({"tag": _TEXT}),
        body=_body(
            {"tag": _TAG},
            level={"type": "number", "exclusiveMinimum": 0, "maximum": 1, "default": 1},
            hops={"type": "integer", "minimum": 0, "maximum": 65_535, "default": 0, "description": "0: from anywhere."},
            lifetime={"type": "number", "exclusiveMinimum": 0, "maximum": 10**9, "description": "Seconds."},
        ),
        status=201,
        may_refuse=True,
    ),
    Operation(
        "DELETE",
        "/v1/interests",
        "unsub",
        "Follow a tag no more.",
        _object({"tag": _TEXT}),
        query={"tag": _TAG},
        needed=("tag",),
        may_refuse=True,
    ),
    Operation(
        "GET",
        "/v1/peers",
        "peers",
        "Who is near now, and who was in the last 24 hours.",
        _object(
            {
                "peers": _list(_object({"peer": _TEXT, "name": _TEXT, "seconds": _NUMBER})),
                "today": _list(
                    _object(
                        {
                            "peer": _TEXT,
                            "name": _TEXT,
                            "near": _FLAG,
                            "contacts": _list(_object({"began": _NUMBER, "ended": _NUMBER})),
                        }
                    )
                ),
            }
        ),
    ),
    Operation(
        "GET",
        "/v1/carried",
        "carried",
        "What this node carries, how much room there is, and what it let go, and why.",
        _object({"own": _object({"messages": _COUNT, "bytes": _COUNT}), "gone": {"type": "object"}}),
    ),
    Operation(
        "GET",
        "/v1/leak",
        "leak",
        "What a stranger and a member of the network can find out about this node's interests.",
        {"type": "object"},
    ),
    Operation("GET", "/v1/status", "status", "How the node is.", _object({"hunet": _TEXT, "network": _TEXT})),
    Operation(
        "GET",
        "/v1/settings",
        "settings",
        "What this node runs, since when and by whose choice; what is to run next, and what ran before.",
        _object(
            {
                "now": _object(
                    {"protocol": _TEXT, "settings": _SETTINGS, "changed": _SETTINGS, "for": _maybe(_NUMBER)}
                ),
                "next": _maybe(_object({"protocol": _TEXT, "in": _NUMBER})),
                "previous": _maybe(_object({"protocol": _TEXT})),
                "refused": _maybe(_TEXT),
            }
        ),
    ),
    Operation(
        "POST",
        "/v1/pause",
        "pause",
        "Meet nobody for a while, or go on.",
        _object({"paused": _FLAG}),
        body=_body({"paused": _FLAG}),
    ),
    Operation(
        "POST",
        "/v1/wipe",
        "wipe",
        "Remove everything that this node keeps, its keys too, and stop. The network's name must be given to be sure.",
        _object({"network": _TEXT}),
        body=_body({"network": {"type": "string", "maxLength": 100}}),
        may_refuse=True,
    ),
)
