"""A store kept in step with its sources, and asked."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from types import TracebackType
from typing import Any, Callable, Literal, Optional, Union

from . import _html, _native, _options, _tables
from ._errors import GuardError, InputError
from ._options import StrPath
from ._told import Told

Progress = Optional[Callable[[int, int, str], object]]
Value = Union[str, int, float, bool]

#: How long a batch waits, in seconds, while other workers write.
WAIT = 600.0


class Plan(Told):
    """What an ingest would do, in the shape of ``gristmill plan --format json``."""

    @property
    def is_empty(self) -> bool:
        """True when the store is in step."""
        return not self._told["documents"]

    def __repr__(self) -> str:
        return f"<Plan: {_counts(self._told['files'])}>"

    def _repr_html_(self) -> str:
        rows = [(d["source"], d["change"]) for d in self._told["documents"]]
        return _html.table(repr(self)[1:-1], ("document", "change"), rows)


class IngestReport(Told):
    """What an ingest did, in the shape of ``gristmill ingest --format json``; ``run`` is the report of the run."""

    def __init__(self, told: dict[str, Any], run: dict[str, Any]) -> None:
        super().__init__(told)
        self.run = run

    @property
    def is_complete(self) -> bool:
        """True when the store is in step: nothing failed, nothing stopped the run."""
        return not (self._told["failures"] or self._told["error"] or self._told["stopped"] or self._told["warnings"])

    def __repr__(self) -> str:
        return f"<IngestReport: {_counts(self._told['files'])}>"

    def _repr_html_(self) -> str:
        rows = [(f["source"], f["message"]) for f in self._told["failures"]]
        return _html.table(repr(self)[1:-1], ("failed", "why"), rows)


class Pipeline:
    """A store and what it is kept in step with, by the settings of a ``gristmill.toml``.

    It holds nothing open between calls, and may be sent to other processes.
    """

    def __init__(self, *, config: Optional[StrPath] = None, **tables: Any) -> None:
        """``tables`` are those of ``gristmill.toml``, such as ``embed={"provider": "openai"}``; they stand above ``config``."""
        self._config = _options.config_path(config)
        self._tables = {name: value for name, value in tables.items() if value is not None}
        self._settings = json.dumps(self._tables, default=_options.plain)

    @classmethod
    def from_config(cls, config: StrPath, **tables: Any) -> Pipeline:
        """By a settings file."""
        return cls(config=config, **tables)

    def __enter__(self) -> Pipeline:
        return self

    def __exit__(
        self,
        kind: Optional[type[BaseException]],
        error: Optional[BaseException],
        traceback: Optional[TracebackType],
    ) -> None:
        """Nothing is open."""

    def plan(
        self,
        *,
        max_delete: Optional[float] = None,
        allow_empty_source: bool = False,
        rebuild: bool = False,
        jobs: Optional[int] = None,
        on_progress: Progress = None,
    ) -> Plan:
        """What ``apply`` would do now. Nothing is written and nothing is embedded."""
        guards = _guards(max_delete, None, allow_empty_source, rebuild, None)
        told = _native.plan(self._sources(), guards, self._settings, self._config, jobs, on_progress)
        return Plan(json.loads(told))

    def apply(
        self,
        plan: Optional[Plan] = None,
        *,
        max_delete: Optional[float] = None,
        max_cost: Optional[float] = None,
        allow_empty_source: bool = False,
        rebuild: bool = False,
        jobs: Optional[int] = None,
        on_progress: Progress = None,
    ) -> IngestReport:
        """Brings the store in step with the sources. With a plan it does just that, or raises when something has changed.

        ``max_delete`` is a share of the documents in percent, ``max_cost`` dollars: more raises ``GuardError``, and nothing is
        done. Documents that fail are in the report and are tried again next time.
        """
        planned = None if plan is None else json.dumps(plan.to_dict())
        guards = _guards(max_delete, max_cost, allow_empty_source, rebuild, planned)
        made = _native.ingest(self._sources(), guards, self._settings, self._config, jobs, on_progress)
        return _report(made)

    def ingest_table(
        self, table: Any, *, gone: Sequence[str] = (), wait: float = WAIT, jobs: Optional[int] = None
    ) -> IngestReport:
        """Brings the rows of an Arrow table into the store, each a document with a ``source`` and a text.

        Other documents stay as they are, but those that ``gone`` names, which are removed. Many processes may do this at a
        time with different documents: each embeds on its own, then waits its turn to write, for ``wait`` seconds at most.
        """
        _, rows = _tables.read(table)
        nameless = next((index for index, row in enumerate(rows) if not row.source), None)
        if nameless is not None:
            raise InputError(f"no source in the row at index {nameless}", "it is what a document is known by in the store")
        batch = {
            "names": [row.source for row in rows],
            "contents": [row.text.encode() for row in rows],
            "gone": list(gone),
            "wait": wait,
        }
        return _report(_native.ingest_batch(batch, self._settings, self._config, jobs))

    def documents(self) -> list[dict[str, Any]]:
        """The documents in the store: ``id``, ``source``, ``source_hash``, ``chunks``, ``complete``."""
        return list(json.loads(_native.stored(self._settings, self._config)))

    def keep(self, sources: Sequence[str], *, max_delete: float = 50.0, wait: float = WAIT) -> IngestReport:
        """Removes the documents of the store that are not among ``sources``, as a last step after batches.

        ``max_delete`` is the share of the documents, in percent, that may go; more raises ``GuardError``.
        """
        kept, stored = set(sources), [document["source"] for document in self.documents()]
        gone = [source for source in stored if source not in kept]
        if len(gone) * 100 > max_delete * len(stored):
            raise GuardError(
                f"{len(gone):,} of {len(stored):,} documents would be removed, above {max_delete:g} %",
                "a larger `max_delete` allows it",
            )
        batch = {"names": [], "contents": [], "gone": gone, "wait": wait}
        return _report(_native.ingest_batch(batch, self._settings, self._config, None))

    def search(
        self,
        question: str,
        k: int = 5,
        *,
        retriever: Literal["hybrid", "dense", "bm25"] = "hybrid",
        filter: Optional[Mapping[str, Value]] = None,
        expand: int = 0,
        parent: bool = False,
        budget: Optional[int] = None,
    ) -> dict[str, list[dict[str, Any]]]:
        """The best ``hits``, best first, each with its ``record``; with ``expand``, ``parent`` or ``budget`` also ``passages``.

        ``expand`` takes in so many neighbours, ``parent`` the whole section; ``budget`` is in tokens, for all passages.
        """
        asked = {
            "text": question,
            "k": k,
            "retriever": retriever,
            "filters": [f"{name}={_plain(value)}" for name, value in (filter or {}).items()],
            "expand": expand,
            "parent": parent,
            "budget": budget,
        }
        found: dict[str, list[dict[str, Any]]] = json.loads(_native.search(asked, self._settings, self._config))
        return found

    def _sources(self) -> dict[str, Any]:
        return {"paths": [], "root": None, "own": [] if self._config is None else [self._config]}


def _guards(
    max_delete: Optional[float], max_cost: Optional[float], allow_empty_source: bool, rebuild: bool, plan: Optional[str]
) -> dict[str, Any]:
    return {
        "max_delete": max_delete,
        "max_cost": max_cost,
        "allow_empty_source": allow_empty_source,
        "rebuild": rebuild,
        "plan": plan,
    }


def _report(made: tuple[str, str]) -> IngestReport:
    told, run = json.loads(made[0]), json.loads(made[1])
    _options.tell_notes(run["notes"])
    return IngestReport(told, run)


def _plain(value: Value) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def _counts(files: Mapping[str, int]) -> str:
    told = [f"{count:,} {name}" for name, count in files.items() if count]
    return ", ".join(told) or "nothing to do"
