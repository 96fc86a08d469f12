"""gristmill on Ray Data: batches of a dataset are cut, embedded, checked and stored where they are.

>>> import ray, gristmill.ray
>>> documents = ray.data.read_parquet("s3://bucket/documents")                    # doctest: +SKIP
>>> gristmill.ray.chunk(documents, max=600).write_parquet("s3://bucket/chunks")   # doctest: +SKIP
>>> gristmill.ray.ingest(documents, config="gristmill.toml")                      # doctest: +SKIP
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import TYPE_CHECKING, Any, Optional

from ray.data import Dataset

from ._batches import REPORT, Step, alone, finished, ingested
from ._checking import LintOptions
from ._engines import chunk_table, embed_table, scan_table
from ._options import CallOptions, StrPath
from ._pipeline import WAIT, IngestReport

if TYPE_CHECKING:
    from typing_extensions import Unpack

__all__ = ["chunk", "embed", "ingest", "scan"]

#: Rows of a batch where nothing is said.
ROWS = 64


def chunk(
    dataset: Dataset, *, batch_size: int = ROWS, ray: Optional[Mapping[str, Any]] = None, **options: Unpack[CallOptions]
) -> Dataset:
    """The chunks of the rows: ``gristmill.chunk_table`` on each batch. ``ray`` are arguments of ``map_batches``."""
    return _map(dataset, partial(chunk_table, **alone(options)), batch_size, ray)


def embed(
    dataset: Dataset,
    *,
    batch_size: int = ROWS,
    ray: Optional[Mapping[str, Any]] = None,
    vector: str = "vector",
    embed: Optional[Mapping[str, Any]] = None,
    config: Optional[StrPath] = None,
) -> Dataset:
    """The rows with the vectors of their texts: ``gristmill.embed_table`` on each batch."""
    return _map(dataset, partial(embed_table, vector=vector, embed=embed, config=config), batch_size, ray)


def scan(dataset: Dataset, *, by: str = "source", **options: Unpack[LintOptions]) -> Dataset:
    """What is wrong with chunks, a row a finding: ``gristmill.scan_table`` on the chunks of each document.

    Chunks of one document, by the column ``by``, are looked at together; those of different documents are not compared.
    """
    return dataset.groupby(by).map_groups(partial(scan_table, **alone(options)), batch_format="pyarrow")


def ingest(
    dataset: Dataset,
    *,
    config: Optional[StrPath] = None,
    settings: Optional[Mapping[str, Any]] = None,
    keep: bool = False,
    wait: float = WAIT,
    batch_size: int = ROWS,
    ray: Optional[Mapping[str, Any]] = None,
) -> IngestReport:
    """Brings the rows, each a document with a ``source``, into the store from where they are.

    ``settings`` are tables of ``gristmill.toml`` above ``config``, which every worker must find. A document that is in the
    store as it is costs nothing. With ``keep`` the documents of the store that are not in the dataset are removed at the end.
    """
    step = partial(ingested, config=config, settings=settings, wait=wait)
    rows = _map(dataset, step, batch_size, ray).take_all()
    reports = (row[REPORT] for row in rows)
    return finished(reports, config=config, settings=settings, keep=keep, wait=wait)


def _map(dataset: Dataset, step: Step, batch_size: int, ray: Optional[Mapping[str, Any]]) -> Dataset:
    return dataset.map_batches(_Whole(step), batch_size=batch_size, batch_format="pyarrow", **(ray or {}))


class _Whole:
    """A step that leaves a batch without rows alone, which may have no columns."""

    def __init__(self, step: Step) -> None:
        self._step = step

    def __call__(self, table: Any) -> Any:
        return table if table.num_rows == 0 else self._step(table)
