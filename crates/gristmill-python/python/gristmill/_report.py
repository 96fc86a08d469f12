"""What is wrong with chunks."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Literal, Optional

from . import _html
from ._errors import UsageError
from ._native import Findings

Severity = Literal["info", "low", "medium", "high"]
Format = Literal["text", "json", "jsonl", "sarif", "github", "gitlab", "junit", "markdown", "html"]

#: From the least to the worst.
SEVERITIES: tuple[Severity, ...] = ("info", "low", "medium", "high")


@dataclass(frozen=True)
class Finding:
    """One thing that is wrong with a chunk."""

    rule: str
    severity: Severity
    #: The chunk's identity; ``#3`` for the fourth chunk given, where it has none.
    chunk_id: str
    #: Place of the chunk among those given, from 0.
    index: int
    message: str
    #: True when ``repair`` mends it.
    fixable: bool
    #: Other chunks that it speaks of, by identity.
    related: tuple[str, ...] = ()
    #: What would mend it, as an order.
    repair: Optional[str] = None
    #: What to do about it.
    help: Optional[str] = None

    def to_dict(self) -> dict[str, Any]:
        """The same as a mapping."""
        return {
            "rule": self.rule,
            "severity": self.severity,
            "chunk_id": self.chunk_id,
            "index": self.index,
            "message": self.message,
            "fixable": self.fixable,
            "related": list(self.related),
            "repair": self.repair,
            "help": self.help,
        }


class Report:
    """What is wrong with a set of chunks. After a repair: what is left, and in ``fixed`` what was mended.

    Its length is the number of findings: a report of sound chunks is false.
    """

    def __init__(self, native: Findings) -> None:
        told = json.loads(native.render("json"))
        scan = told.get("left", told)
        self._native, self._told = native, told
        #: Number of chunks; after a repair, of those that are left.
        self.chunks: int = scan["chunks"]
        #: What is wrong, in the order of the chunks.
        self.findings: tuple[Finding, ...] = tuple(map(_finding, scan["findings"]))
        #: What a repair mended.
        self.fixed: tuple[Finding, ...] = tuple(map(_finding, told.get("fixed", ())))

    def count(self, severity: Optional[Severity] = None) -> int:
        """Number of findings, of one severity where it is named."""
        if severity is None:
            return len(self.findings)
        _rank(severity)
        return sum(finding.severity == severity for finding in self.findings)

    def by_rule(self) -> dict[str, int]:
        """Number of findings by rule, in the order of the names."""
        counts: dict[str, int] = {}
        for finding in sorted(self.findings, key=lambda finding: finding.rule):
            counts[finding.rule] = counts.get(finding.rule, 0) + 1
        return counts

    def by_severity(self) -> dict[str, int]:
        """Number of findings by severity, the worst first."""
        return {severity: self.count(severity) for severity in reversed(SEVERITIES)}

    def fails(self, severity: Severity = "high") -> bool:
        """True when something is at least this bad."""
        least = _rank(severity)
        return any(_rank(finding.severity) >= least for finding in self.findings)

    @property
    def fixable(self) -> int:
        """Number of findings that ``repair`` mends."""
        return sum(finding.fixable for finding in self.findings)

    def render(self, format: Format = "text") -> str:
        """The report as the command writes it, in any of its formats."""
        return self._native.render(format)

    def to_dict(self) -> dict[str, Any]:
        """The report as the command writes it as JSON."""
        told: dict[str, Any] = json.loads(json.dumps(self._told))
        return told

    def __len__(self) -> int:
        return len(self.findings)

    def __iter__(self) -> Iterator[Finding]:
        return iter(self.findings)

    def __getitem__(self, index: int) -> Finding:
        return self.findings[index]

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Report):
            return NotImplemented
        return (self.chunks, self.findings, self.fixed) == (other.chunks, other.findings, other.fixed)

    __hash__ = None  # type: ignore[assignment]

    def __str__(self) -> str:
        return self.render("text")

    def __repr__(self) -> str:
        counts = ", ".join(f"{count} {name}" for name, count in self._counts())
        return f"<Report of {self._chunks()}: {counts or 'no findings'}>"

    def _repr_html_(self) -> str:
        counts = " ".join(_html.badge(f"{count} {name}", name) for name, count in self._counts())
        caption = _html.Html(f"{self._chunks()} {counts or _html.badge('no findings', 'repaired')}")
        worst = sorted(self.findings, key=lambda finding: -_rank(finding.severity))
        mended = [("repaired", finding) for finding in self.fixed]
        rows = [_row(name, finding) for name, finding in [*((f.severity, f) for f in worst), *mended]]
        return _html.table(caption, ("", "rule", "chunk", "what is wrong", "repair"), rows)

    def _chunks(self) -> str:
        return "1 chunk" if self.chunks == 1 else f"{self.chunks:,} chunks"

    def _counts(self) -> list[tuple[str, int]]:
        counts = [*self.by_severity().items(), ("repaired", len(self.fixed))]
        return [(name, count) for name, count in counts if count]


def _row(name: str, finding: Finding) -> tuple[str, ...]:
    done = finding.repair if finding.fixable else None
    message = _html.prose(finding.message)
    chunk = _html.Word(finding.chunk_id) if len(finding.chunk_id) <= 40 else finding.chunk_id
    return _html.badge(name, name), _html.Word(finding.rule), chunk, message, _html.prose(done or "")


def _finding(told: Mapping[str, Any]) -> Finding:
    identity = told["chunk_id"]
    return Finding(
        rule=told["rule"],
        severity=told["severity"],
        chunk_id=f"#{told['index']}" if identity is None else identity,
        index=told["index"],
        message=told["message"],
        fixable=told["fixable"],
        related=tuple(told["related"]),
        repair=told["repair"],
        help=told["help"],
    )


def _rank(severity: str) -> int:
    try:
        return SEVERITIES.index(severity)
    except ValueError:
        raise UsageError(f"there is no severity of this name: {severity}", f"choose one of {', '.join(SEVERITIES)}") from None
