"""Documents in, retrieval-ready chunks out; finds and repairs broken chunks.

>>> import gristmill as gm
>>> [chunk.text for chunk in gm.chunk("# Pumps\\n\\nCheck the valve.")]
['# Pumps\\n\\nCheck the valve.']
"""

from ._checking import check, repair
from ._chunk import Chunk
from ._chunking import chunk, tokens
from ._curating import RunReport, curate
from ._document import Block, Document, Notice, Section, extract
from ._engines import chunk_table, embed_table, scan_table
from ._errors import (
    BugError,
    CancelledError,
    ConfigError,
    Error,
    GristmillWarning,
    GuardError,
    InputError,
    RemoteError,
    StoreError,
    UsageError,
)
from ._evaluating import EvalReport, evaluate
from ._native import Table, __version__
from ._pipeline import IngestReport, Pipeline, Plan
from ._report import Finding, Report

__all__ = [
    "Block",
    "BugError",
    "CancelledError",
    "Chunk",
    "ConfigError",
    "Document",
    "Error",
    "EvalReport",
    "Finding",
    "GristmillWarning",
    "GuardError",
    "IngestReport",
    "InputError",
    "Notice",
    "Pipeline",
    "Plan",
    "RemoteError",
    "Report",
    "RunReport",
    "Section",
    "StoreError",
    "Table",
    "UsageError",
    "__version__",
    "check",
    "chunk",
    "chunk_table",
    "curate",
    "embed_table",
    "evaluate",
    "extract",
    "repair",
    "scan_table",
    "tokens",
]
