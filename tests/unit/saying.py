"""A chat model that answers each statement with one triple."""

from __future__ import annotations

import json
import re
from typing import Any

NUMBERED = re.compile(r"^(\d+)\. ", re.MULTILINE)


class SayingModel:
    """Answers each statement with one triple."""

    def __init__(self, triple: tuple[str, str, str]) -> None:
        self.fact = dict(zip(("subject", "relation", "object"), triple, strict=True))

    def invoke(self, messages: Any) -> str:
        numbers = NUMBERED.findall(messages[-1][1])
        return json.dumps({"statements": [{"n": int(n), "facts": [self.fact]} for n in numbers]})
