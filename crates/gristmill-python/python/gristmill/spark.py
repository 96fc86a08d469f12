"""gristmill on Spark: batches of a data frame are cut, embedded, checked and stored where they are.

>>> import gristmill.spark
>>> documents = spark.read.parquet("s3a://bucket/documents")                      # doctest: +SKIP
>>> gristmill.spark.chunk(documents, max=600).write.parquet("s3a://bucket/chunks")  # doctest: +SKIP
>>> gristmill.spark.ingest(documents, config="gristmill.toml")                    # doctest: +SKIP

How many rows a batch has says ``spark.sql.execution.arrow.maxRecordsPerBatch``.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import partial
from typing import TYPE_CHECKING, Any, Optional

import pyarrow
from pyspark.sql.pandas.types import from_arrow_schema, to_arrow_schema

from ._batches import REPORT, Step, alone, finished, ingested, shape
from ._checking import LintOptions
from ._engines import chunk_table, embed_table, scan_table
from ._options import CallOptions, StrPath
from ._pipeline import WAIT, IngestReport

if TYPE_CHECKING:
    from pyspark.sql import DataFrame
    from typing_extensions import Unpack

__all__ = ["chunk", "embed", "ingest", "scan"]


def chunk(frame: DataFrame, **options: Unpack[CallOptions]) -> DataFrame:
    """The chunks of the rows: ``gristmill.chunk_table`` on each batch."""
    return _map(frame, partial(chunk_table, **alone(options)))


def embed(
    frame: DataFrame,
    *,
    vector: str = "vector",
    embed: Optional[Mapping[str, Any]] = None,
    config: Optional[StrPath] = None,
) -> DataFrame:
    """The rows with the vectors of their texts: ``gristmill.embed_table`` on each batch."""
    return _map(frame, partial(embed_table, vector=vector, embed=embed, config=config))


def scan(frame: DataFrame, *, by: str = "source", **options: Unpack[LintOptions]) -> DataFrame:
    """What is wrong with chunks, a row a finding: ``gristmill.scan_table`` on the chunks of each document.

    Chunks of one document, by the column ``by``, are looked at together; those of different documents are not compared.
    """
    step: Step = partial(scan_table, **alone(options))
    made = from_arrow_schema(shape(step, to_arrow_schema(frame.schema)))

    def run(table: pyarrow.Table) -> pyarrow.Table:
        return step(table)

    return frame.groupBy(by).applyInArrow(run, made)


def ingest(
    frame: DataFrame,
    *,
    config: Optional[StrPath] = None,
    settings: Optional[Mapping[str, Any]] = None,
    keep: bool = False,
    wait: float = WAIT,
) -> IngestReport:
    """Brings the rows, each a document with a ``source``, into the store from where they are.

    ``settings`` are tables of ``gristmill.toml`` above ``config``, which every worker must find. A document that is in the
    store as it is costs nothing. With ``keep`` the documents of the store that are not in the frame are removed at the end.
    """
    step = partial(ingested, config=config, settings=settings, wait=wait)
    rows = frame.mapInArrow(_Batches(step), f"{REPORT} string").collect()
    reports = (row[REPORT] for row in rows)
    return finished(reports, config=config, settings=settings, keep=keep, wait=wait)


def _map(frame: DataFrame, step: Step) -> DataFrame:
    made = from_arrow_schema(shape(step, to_arrow_schema(frame.schema)))
    return frame.mapInArrow(_Batches(step), made)


class _Batches:
    """A step over the batches of a partition."""

    def __init__(self, step: Step) -> None:
        self._step = step

    def __call__(self, batches: Iterable[pyarrow.RecordBatch]) -> Iterator[pyarrow.RecordBatch]:
        for batch in batches:
            yield from self._step(pyarrow.Table.from_batches([batch])).to_batches()
