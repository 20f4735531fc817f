"""Other names of subjects, as users know them: "k8s" is "kubernetes"."""

from __future__ import annotations

import re
from collections.abc import Mapping

from memstrata_integrations.errors import InvalidInputError

__all__ = ["Aliases"]


class Aliases:
    """Names that stand for other names, whole words in any case.

    An alias says the same in other words: it never adds a word to a key that the statement lacks.

    Args:
        names: Alias to name.

    Example:
        >>> Aliases({"k8s": "kubernetes"}).resolve("the K8s cluster")
        'the kubernetes cluster'
    """

    def __init__(self, names: Mapping[str, str]) -> None:
        if not isinstance(names, Mapping):
            raise InvalidInputError(
                f'aliases={names!r} must map an alias to the name it stands for: {{"k8s": "kubernetes"}}'
            )
        for alias, name in names.items():
            if not isinstance(alias, str) or not isinstance(name, str):
                raise InvalidInputError(
                    f"aliases={{{alias!r}: {name!r}}}: both must be text, an alias and the one name that it stands for"
                )
        kept: dict[str, str] = {}
        for alias, name in names.items():
            folded, target = " ".join(alias.split()).casefold(), " ".join(name.split())
            if kept.setdefault(folded, target) != target:
                raise InvalidInputError(
                    f"alias {alias!r} stands for {name!r} and, in other capitals, for {kept[folded]!r}; aliases are "
                    "read in any case, so one of them must go"
                )
        self._names = kept
        for alias, name in self._names.items():
            if not alias or not name:
                raise InvalidInputError(f"aliases={dict(names)!r} holds an empty name: {alias!r} stands for {name!r}")
            if name.casefold() != alias and name.casefold() in self._names:
                raise InvalidInputError(
                    f"alias {alias!r} stands for {name!r}, which is an alias itself; name the last one directly"
                )
        longest = sorted(self._names, key=len, reverse=True)
        self._pattern = re.compile(rf"(?<![\w-])(?:{'|'.join(map(re.escape, longest))})(?![\w-])", re.IGNORECASE)

    def resolve(self, subject: str) -> str:
        """Return a subject with every alias in it replaced by the name that it stands for."""
        return (
            self._pattern.sub(lambda m: self._names[" ".join(m[0].split()).casefold()], subject)
            if self._names
            else subject
        )
