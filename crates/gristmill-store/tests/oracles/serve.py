"""Qdrant's REST interface, as much of it as the store uses, over an implementation by its makers:

    serve.py edge      the engine itself (package qdrant-edge-py), which evaluates filters, scores, counts and scrolls
    serve.py memory    the in-memory mode of the client (package qdrant-client)

Prints the port, then serves until its standard input ends. Exit code 3: the package is not installed.
Collections and aliases are kept here, since neither has a server around it.
"""

from __future__ import annotations

import json
import os
import sys
import tempfile
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import unquote, urlsplit


class Refused(Exception):
    def __init__(self, status: int, message: str):
        super().__init__(message)
        self.status = status


def selected(payload: dict, wanted) -> dict | None:
    if wanted is False:
        return None
    if wanted is True or wanted is None:
        return payload
    return {key: value for key, value in payload.items() if key in wanted["include"]}


def is_at(payload: dict | None, key: str, wanted: bool) -> bool:
    """True when a field, or an element of it, is this boolean."""
    value = payload
    for name in key.split("."):
        value = value.get(name) if isinstance(value, dict) else None
    return wanted is value or isinstance(value, list) and any(wanted is one for one in value)


class Edge:
    """A shard of the engine."""

    def __init__(self, config: dict):
        import qdrant_edge as engine

        self.engine = engine
        # Memory, where there is a file system for it: every index is written through to the disk.
        memory = "/dev/shm"
        self.folder = tempfile.TemporaryDirectory(dir=memory if os.access(memory, os.W_OK) else None)
        self.stale = False
        vectors = {
            name: engine.EdgeVectorParams(size=one["size"], distance=engine.Distance.Cosine)
            for name, one in config["vectors"].items()
        }
        sparse = {name: engine.EdgeSparseVectorParams(modifier=engine.Modifier.Idf) for name in config["sparse_vectors"]}
        # Removed points count for how rare words are until a segment is rewritten.
        vacuum = engine.EdgeOptimizersConfig(deleted_threshold=0.0001, vacuum_min_vector_number=1)
        config = engine.EdgeConfig(vectors=vectors, sparse_vectors=sparse, optimizers=vacuum)
        self.shard = engine.EdgeShard.create(self.folder.name, config)

    def close(self) -> None:
        self.shard.close()
        self.folder.cleanup()

    def condition(self, one: dict):
        engine = self.engine
        if "has_id" in one:
            return engine.HasIdCondition(set(one["has_id"]))
        if "has_vector" in one:
            return engine.HasVectorCondition(one["has_vector"])
        if "key" not in one:
            return self.filter(one)
        if "range" in one:
            return engine.FieldCondition(one["key"], range=engine.RangeFloat(**one["range"]))
        match = one["match"]
        if isinstance(match.get("value"), bool):
            # The package takes a boolean for a number: these points are found without it.
            records, _ = self.shard.scroll(engine.ScrollRequest(limit=100_000, with_payload=True))
            held = (record for record in records if is_at(record.payload, one["key"], match["value"]))
            return engine.HasIdCondition({record.id for record in held})
        return engine.FieldCondition(
            one["key"], match=engine.MatchAny(match["any"]) if "any" in match else engine.MatchValue(match["value"])
        )

    def filter(self, given: dict | None):
        if given is None:
            return None
        return self.engine.Filter(**{clause: [self.condition(one) for one in given[clause]] for clause in given})

    def vector(self, given):
        return self.engine.SparseVector(given["indices"], given["values"]) if isinstance(given, dict) else given

    def shown(self, record, request: dict, payload_by_default: bool) -> dict:
        point = {"id": str(record.id)}
        payload = selected(record.payload or {}, request.get("with_payload", payload_by_default))
        if payload is not None:
            point["payload"] = payload
        if request.get("with_vector"):
            point["vector"] = {
                name: {"indices": list(one.indices), "values": list(one.values)} if hasattr(one, "indices") else one
                for name, one in (record.vector or {}).items()
            }
        return point

    def index(self, field: str, kind: str) -> None:
        kinds = self.engine.PayloadSchemaType
        self.shard.update(self.engine.UpdateOperation.create_field_index(field, getattr(kinds, kind.capitalize())))

    def upsert(self, points: list[dict]) -> None:
        made = [
            self.engine.Point(
                point["id"], {name: self.vector(one) for name, one in point["vector"].items()}, point.get("payload") or {}
            )
            for point in points
        ]
        self.shard.update(self.engine.UpdateOperation.upsert_points(made))
        self.stale = True

    def retrieve(self, request: dict) -> list[dict]:
        found = self.shard.retrieve(request["ids"], with_payload=True, with_vector=request.get("with_vector", False))
        return [self.shown(record, request, True) for record in found]

    def scroll(self, request: dict) -> tuple[list[dict], object]:
        records, after = self.shard.scroll(
            self.engine.ScrollRequest(
                offset=request.get("offset"), limit=request.get("limit"), filter=self.filter(request.get("filter")),
                with_payload=True, with_vector=request.get("with_vector", False),
            )
        )
        return [self.shown(record, request, True) for record in records], after

    def count(self, given: dict | None) -> int:
        return self.shard.count(self.engine.CountRequest(exact=True, filter=self.filter(given)))

    def query(self, request: dict) -> list[dict]:
        wanted = request.get("query")
        nearest = None
        if wanted is not None:
            if self.stale:
                self.shard.optimize()
                self.stale = False
            nearest = self.engine.Query.Nearest(self.vector(wanted), using=request["using"])
        elif request.get("limit"):
            return self.scroll({**request, "with_payload": request.get("with_payload", False)})[0]
        found = self.shard.query(
            self.engine.QueryRequest(
                limit=request["limit"], query=nearest, filter=self.filter(request.get("filter")), with_payload=True,
                with_vector=request.get("with_vector", False),
            )
        )
        return [{**self.shown(record, request, False), "score": record.score} for record in found]

    def facet(self, request: dict) -> list[dict]:
        counted = self.shard.facet(
            self.engine.FacetRequest(
                request["key"], limit=request["limit"], exact=True, filter=self.filter(request.get("filter"))
            )
        )
        return [{"value": hit.value, "count": hit.count} for hit in counted.hits]

    def delete(self, request: dict) -> None:
        self.stale = True
        operation = self.engine.UpdateOperation
        if "points" in request:
            self.shard.update(operation.delete_points(request["points"]))
        else:
            self.shard.update(operation.delete_points_by_filter(self.filter(request["filter"])))

    def overwrite(self, ids: list, payload: dict) -> None:
        self.shard.update(self.engine.UpdateOperation.overwrite_payload(ids, payload))


class Memory:
    """A collection of the client's in-memory mode."""

    def __init__(self, config: dict):
        from qdrant_client import QdrantClient, models

        self.models = models
        self.client = QdrantClient(":memory:")
        cosine = models.Distance.COSINE
        self.client.create_collection(
            "c",
            vectors_config={
                name: models.VectorParams(size=one["size"], distance=cosine) for name, one in config["vectors"].items()
            },
            sparse_vectors_config={
                name: models.SparseVectorParams(modifier=models.Modifier.IDF) for name in config["sparse_vectors"]
            },
        )

    def close(self) -> None:
        self.client.close()

    def filter(self, given: dict | None):
        return None if given is None else self.models.Filter(**given)

    def vector(self, given):
        return self.models.SparseVector(**given) if isinstance(given, dict) else given

    def shown(self, record, request: dict, payload_by_default: bool) -> dict:
        point = {"id": str(record.id)}
        payload = selected(record.payload or {}, request.get("with_payload", payload_by_default))
        if payload is not None:
            point["payload"] = payload
        if request.get("with_vector"):
            vectors = record.vector if isinstance(record.vector, dict) else {}
            point["vector"] = {
                name: {"indices": list(one.indices), "values": list(one.values)} if hasattr(one, "indices") else one
                for name, one in vectors.items()
            }
        return point

    def index(self, field: str, kind: str) -> None:
        pass

    def upsert(self, points: list[dict]) -> None:
        self.client.upsert(
            "c",
            [
                self.models.PointStruct(
                    id=point["id"], vector={name: self.vector(one) for name, one in point["vector"].items()},
                    payload=point.get("payload") or {},
                )
                for point in points
            ],
        )

    def retrieve(self, request: dict) -> list[dict]:
        found = self.client.retrieve("c", request["ids"], with_payload=True, with_vectors=request.get("with_vector", False))
        return [self.shown(record, request, True) for record in found]

    def scroll(self, request: dict) -> tuple[list[dict], object]:
        records, after = self.client.scroll(
            "c", self.filter(request.get("filter")), limit=request.get("limit", 10), offset=request.get("offset"),
            with_payload=True, with_vectors=request.get("with_vector", False),
        )
        return [self.shown(record, request, True) for record in records], after

    def count(self, given: dict | None) -> int:
        return self.client.count("c", self.filter(given), exact=True).count

    def query(self, request: dict) -> list[dict]:
        wanted = request.get("query")
        found = self.client.query_points(
            "c", query=None if wanted is None else self.vector(wanted), using=request.get("using"),
            query_filter=self.filter(request.get("filter")), limit=request["limit"], with_payload=True,
            with_vectors=request.get("with_vector", False),
        ).points
        return [{**self.shown(record, request, False), "score": record.score} for record in found]

    def facet(self, request: dict) -> list[dict]:
        hits = self.client.facet(
            "c", request["key"], facet_filter=self.filter(request.get("filter")), limit=request["limit"], exact=True
        ).hits
        return [{"value": hit.value, "count": hit.count} for hit in hits]

    def delete(self, request: dict) -> None:
        which = request["points"] if "points" in request else self.models.FilterSelector(filter=self.filter(request["filter"]))
        self.client.delete("c", which)

    def overwrite(self, ids: list, payload: dict) -> None:
        self.client.overwrite_payload("c", payload, ids)


DONE = {"operation_id": 0, "status": "completed"}


class Server:
    def __init__(self, backend):
        self.backend = backend
        self.collections: dict = {}
        self.aliases: dict[str, str] = {}
        self.lock = threading.Lock()

    def route(self, method: str, path: list[str], body: dict):
        if path == ["collections"]:
            return {"collections": [{"name": name} for name in self.collections]}
        if path == ["aliases"]:
            return {"aliases": [{"alias_name": a, "collection_name": c} for a, c in self.aliases.items()]}
        if path == ["collections", "aliases"]:
            for action in body["actions"]:
                if "delete_alias" in action:
                    self.aliases.pop(action["delete_alias"]["alias_name"], None)
                else:
                    made = action["create_alias"]
                    self.aliases[made["alias_name"]] = made["collection_name"]
            return True
        name, rest = path[1], path[2:]
        if not rest and method == "PUT":
            if name in self.collections:
                raise Refused(409, f"Collection `{name}` already exists!")
            self.collections[name] = (self.backend(body), body, {})
            return True
        if not rest and method == "DELETE":
            self.aliases = {a: c for a, c in self.aliases.items() if c != name}
            was = self.collections.pop(name, None)
            if was:
                was[0].close()
            return was is not None
        name = self.aliases.get(name, name)
        if name not in self.collections:
            raise Refused(404, f"Collection `{name}` doesn't exist!")
        points, config, indexes = self.collections[name]
        if not rest:
            schema = {field: {"data_type": kind} for field, kind in indexes.items()}
            return {"config": {"params": config}, "payload_schema": schema}
        if rest == ["index"]:
            schema = body["field_schema"]
            indexes[body["field_name"]] = schema["type"] if isinstance(schema, dict) else schema
            points.index(body["field_name"], indexes[body["field_name"]])
            return DONE
        return self.work(points, method, "/".join(rest), body)

    def work(self, points, method: str, action: str, body: dict):
        if action == "points" and method == "PUT":
            points.upsert(body["points"])
            return DONE
        if action == "points":
            return points.retrieve(body)
        if action == "points/scroll":
            found, after = points.scroll(body)
            return {"points": found, "next_page_offset": None if after is None else str(after)}
        if action == "points/count":
            return {"count": points.count(body.get("filter"))}
        if action == "points/query/batch":
            return [{"points": points.query(one)} for one in body["searches"]]
        if action == "facet":
            return {"hits": points.facet(body)}
        if action == "points/delete":
            points.delete(body)
            return DONE
        if action == "points/batch":
            for operation in body["operations"]:
                one = operation["overwrite_payload"]
                points.overwrite(one["points"], one["payload"])
            return DONE
        raise Refused(404, action)

    def answer(self, method: str, target: str, data: bytes) -> tuple[int, dict]:
        try:
            body = json.loads(data) if data else {}
            path = [unquote(part) for part in urlsplit(target).path.strip("/").split("/")]
            with self.lock:
                return 200, {"result": self.route(method, path, body), "status": "ok", "time": 0.0}
        except Refused as refusal:
            return refusal.status, {"status": {"error": str(refusal)}}
        except Exception as error:  # Whatever the package thinks of it is what the test wants to see.
            return 400, {"status": {"error": f"{type(error).__name__}: {error}"}}


def main() -> int:
    try:
        if sys.argv[1] == "edge":
            import qdrant_edge  # noqa: F401
        else:
            import qdrant_client  # noqa: F401
    except ImportError:
        return 3
    server = Server({"edge": Edge, "memory": Memory}[sys.argv[1]])

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"
        # Head and body in one piece: else the two wait for one another.
        wbufsize = 1 << 16

        def log_message(self, *_):
            pass

        def work(self):
            data = self.rfile.read(int(self.headers.get("Content-Length") or 0))
            status, answer = server.answer(self.command, self.path, data)
            text = json.dumps(answer, ensure_ascii=False).encode()
            self.send_response(status)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(text)))
            self.end_headers()
            self.wfile.write(text)

        do_GET = do_PUT = do_POST = do_DELETE = work

    serving = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    serving.daemon_threads = True
    threading.Thread(target=serving.serve_forever, daemon=True).start()
    print(serving.server_address[1], flush=True)
    sys.stdin.read()
    return 0


if __name__ == "__main__":
    sys.exit(main())
