"""What engines do with a batch, and what comes of many."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from typing import Any, Callable, Optional

import pyarrow

from . import _tables
from ._options import StrPath
from ._pipeline import WAIT, IngestReport, Pipeline

Step = Callable[[pyarrow.Table], pyarrow.Table]

#: The one column of what ``ingested`` gives.
REPORT = "report"


def ingested(
    table: pyarrow.Table,
    *,
    config: Optional[StrPath] = None,
    settings: Optional[Mapping[str, Any]] = None,
    wait: float = WAIT,
) -> pyarrow.Table:
    """Brings the rows into the store; one row that tells what was done, with the names of the documents."""
    if table.num_rows == 0:
        return pyarrow.table({REPORT: pyarrow.array([], pyarrow.string())})
    report = Pipeline(config=config, **(settings or {})).ingest_table(table, wait=wait, jobs=1)
    names = [row.source for row in _tables.read(table)[1]]
    return pyarrow.table({REPORT: [json.dumps({"told": report.to_dict(), "run": report.run, "names": names})]})


def _summed(reports: Iterable[str]) -> tuple[IngestReport, list[str]]:
    """The report of all batches as one, and the names of all documents that were looked at."""
    told: dict[str, Any] = {
        "model": None, "files": {}, "chunks": {}, "failures": [], "stopped": False, "published": False, "warnings": [],
        "error": None,
    }  # fmt: skip
    run: dict[str, Any] = {"documents": []}
    names: list[str] = []
    for text in reports:
        one = json.loads(text)
        batch = one["told"]
        told["model"] = batch["model"] or told["model"]
        for counts in ("files", "chunks"):
            for name, count in batch[counts].items():
                told[counts][name] = told[counts].get(name, 0) + count
        told["failures"] += batch["failures"]
        told["warnings"] += [warning for warning in batch["warnings"] if warning not in told["warnings"]]
        told["stopped"], told["published"] = told["stopped"] or batch["stopped"], told["published"] or batch["published"]
        told["error"] = told["error"] or batch["error"]
        names += one["names"]
        run["documents"] += one["run"]["documents"]
    told["failures"].sort(key=lambda failure: str(failure["source"]))
    return IngestReport(told, run), names


def finished(
    reports: Iterable[str],
    *,
    config: Optional[StrPath],
    settings: Optional[Mapping[str, Any]],
    keep: bool,
    wait: float,
) -> IngestReport:
    """The report of all batches as one; with ``keep``, documents of the store that were in none are removed first."""
    report, names = _summed(reports)
    if keep:
        removed = Pipeline(config=config, **(settings or {})).keep(names, wait=wait)
        report["files"]["deleted"] = report["files"].get("deleted", 0) + removed["files"]["deleted"]
    return report


def alone(options: Mapping[str, Any]) -> dict[str, Any]:
    """The options of a step that has one processor: engines have a worker for each."""
    return {"jobs": 1, **options}


def shape(step: Step, schema: pyarrow.Schema) -> pyarrow.Schema:
    """The columns that a step makes of such a table."""
    return step(schema.empty_table()).schema
