"""The HTTP door does what its description says: schemathesis asks it everything that may and may not be asked."""

from __future__ import annotations

import json
from typing import Any

import httpx
import pytest
import schemathesis
from hypothesis import HealthCheck, Phase, settings

from hunet.node.doors.openapi import description
from tests.node.background import background
from tests.node.doors.web import base_of, token_of
from tests.node.village import ANY
from tests.slow import ALL

ASKED = schemathesis.openapi.from_dict(description()).exclude(path=["/v1/stream", "/v1/wipe"])
"""All but the stream, which does not end, and the request that ends the node."""


@pytest.fixture(scope="module")
def door(tmp_path_factory: pytest.TempPathFactory) -> Any:
    with background() as nodes:
        node = nodes.start(tmp_path_factory.mktemp("described") / "home", http=ANY)
        yield node


@pytest.mark.filterwarnings("ignore:Do not use the `random` module inside strategies")  # schemathesis does
@ASKED.parametrize()
@settings(
    max_examples=150 if ALL else 6,
    deadline=None,
    derandomize=True,
    database=None,
    phases=[Phase.explicit, Phase.generate],
    suppress_health_check=list(HealthCheck),
)
def test_every_request_is_answered_as_described(case: Any, door: Any) -> None:
    case.call_and_validate(base_url=base_of(door), headers={"Authorization": f"Bearer {token_of(door)}"})


def test_the_description_is_whole_and_needs_no_token(door: Any) -> None:
    told = httpx.get(f"{base_of(door)}/openapi.json").json()
    assert told == json.loads(json.dumps(description()))
    assert {"/v1/messages", "/v1/stream", "/v1/interests", "/v1/peers", "/v1/status", "/metrics"} <= set(told["paths"])
