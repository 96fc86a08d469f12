"""gristmill on Daft: batches of a data frame are cut, embedded, checked and stored where they are.

>>> import daft, gristmill.daft
>>> documents = daft.read_parquet("s3://bucket/documents")                        # doctest: +SKIP
>>> gristmill.daft.chunk(documents, max=600).write_lance("s3://bucket/chunks")    # doctest: +SKIP
>>> gristmill.daft.ingest(documents, config="gristmill.toml")                     # doctest: +SKIP
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import TYPE_CHECKING, Any, Optional

import daft
import pyarrow

from ._batches import REPORT, Step, alone, finished, ingested, shape
from ._checking import LintOptions
from ._engines import chunk_table, embed_table, scan_table
from ._options import CallOptions, StrPath
from ._pipeline import WAIT, IngestReport

if TYPE_CHECKING:
    from typing_extensions import Unpack

__all__ = ["chunk", "embed", "ingest", "scan"]

#: Rows of a batch where nothing is said.
ROWS = 64

#: A column that nobody has: what comes of a row, and which row it came of.
_MADE, _ROW = "__gristmill_made", "__gristmill_row"


def chunk(frame: daft.DataFrame, *, batch_size: int = ROWS, **options: Unpack[CallOptions]) -> daft.DataFrame:
    """The chunks of the rows: ``gristmill.chunk_table`` on each batch."""
    return _map(frame, partial(chunk_table, **alone(options)), batch_size)


def embed(
    frame: daft.DataFrame,
    *,
    batch_size: int = ROWS,
    vector: str = "vector",
    embed: Optional[Mapping[str, Any]] = None,
    config: Optional[StrPath] = None,
) -> daft.DataFrame:
    """The rows with the vectors of their texts: ``gristmill.embed_table`` on each batch."""
    return _map(frame, partial(embed_table, vector=vector, embed=embed, config=config), batch_size)


def scan(frame: daft.DataFrame, *, by: str = "source", **options: Unpack[LintOptions]) -> daft.DataFrame:
    """What is wrong with chunks, a row a finding: ``gristmill.scan_table`` on the chunks of each document.

    Chunks of one document, by the column ``by``, are looked at together; those of different documents are not compared.
    """
    step: Step = partial(scan_table, **alone(options))
    given = _schema(frame)
    names = [by, *(name for name in frame.column_names if name != by)]
    made = shape(step, given)
    row = pyarrow.struct(list(made))

    @daft.func.batch(return_dtype=daft.DataType.from_arrow_type(pyarrow.list_(row)))
    def run(*columns: daft.Series) -> pyarrow.Array:
        found = []
        for key, *lists in zip(*(column.to_pylist() for column in columns)):
            group = dict(zip(names, [[key] * len(lists[0]), *lists]))
            table = pyarrow.table([group[field.name] for field in given], schema=given)
            found.append(step(table).to_pylist())
        return pyarrow.array(found, pyarrow.list_(row))

    grouped = frame.groupby(by).agg(*(daft.col(name).list_agg() for name in names[1:]))
    return _unfolded(grouped.select(run(*(daft.col(name) for name in names)).alias(_MADE)), made)


def ingest(
    frame: daft.DataFrame,
    *,
    config: Optional[StrPath] = None,
    settings: Optional[Mapping[str, Any]] = None,
    keep: bool = False,
    wait: float = WAIT,
    batch_size: int = ROWS,
) -> IngestReport:
    """Brings the rows, each a document with a ``source``, into the store from where they are.

    ``settings`` are tables of ``gristmill.toml`` above ``config``, which every worker must find. A document that is in the
    store as it is costs nothing. With ``keep`` the documents of the store that are not in the frame are removed at the end.
    """
    names = frame.column_names
    step = partial(ingested, config=config, settings=settings, wait=wait)

    @daft.func.batch(return_dtype=daft.DataType.string(), batch_size=batch_size)
    def run(*columns: daft.Series) -> pyarrow.Array:
        table = _table(names, columns)
        reports = step(table)[REPORT].to_pylist()
        return pyarrow.array(reports + [None] * (table.num_rows - len(reports)), pyarrow.large_string())

    rows = frame.select(run(*(daft.col(name) for name in names)).alias(REPORT)).to_pydict()[REPORT]
    reports = (row for row in rows if row is not None)
    return finished(reports, config=config, settings=settings, keep=keep, wait=wait)


def _map(frame: daft.DataFrame, step: Step, batch_size: int) -> daft.DataFrame:
    """What a step makes of the rows. Daft's functions give one value a row: here a list, which is unfolded behind it."""
    names = frame.column_names
    made = shape(step, _schema(frame))
    row = pyarrow.struct(list(made))

    @daft.func.batch(return_dtype=daft.DataType.from_arrow_type(pyarrow.list_(row)), batch_size=batch_size)
    def run(*columns: daft.Series) -> pyarrow.Array:
        table = _table(names, columns)
        numbered = table.append_column(_ROW, pyarrow.array(range(table.num_rows), pyarrow.int64()))
        result = step(numbered).combine_chunks()
        counts = [0] * table.num_rows
        for number in result[_ROW].to_pylist():
            counts[number] += 1
        ends = [0]
        for count in counts:
            ends.append(ends[-1] + count)
        columns_of = [result[field.name].cast(field.type).combine_chunks() for field in made]
        rows = pyarrow.StructArray.from_arrays(columns_of, fields=list(made))
        return pyarrow.ListArray.from_arrays(pyarrow.array(ends, pyarrow.int32()), rows)

    return _unfolded(frame.select(run(*(daft.col(name) for name in names)).alias(_MADE)), made)


def _unfolded(lists: daft.DataFrame, made: pyarrow.Schema) -> daft.DataFrame:
    rows = lists.explode(daft.col(_MADE)).where(~daft.col(_MADE).is_null())
    return rows.select(*(daft.col(_MADE)[field.name].alias(field.name) for field in made))


def _table(names: list[str], columns: tuple[daft.Series, ...]) -> pyarrow.Table:
    return pyarrow.table({name: column.to_arrow() for name, column in zip(names, columns)})


def _schema(frame: daft.DataFrame) -> pyarrow.Schema:
    return frame.schema().to_pyarrow_schema()
