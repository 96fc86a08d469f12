"""200 clients for a minute: statuses and memory."""
import asyncio
import collections
import json
import sys
import time

from place import ingest, server

CLIENTS, SECONDS = 200, float(sys.argv[2]) if len(sys.argv) > 2 else 60
CALLS = [("GET", "/healthz", None), ("GET", "/v1/jobs?limit=5", None), ("GET", "/v1/documents", None), ("GET", "/", None),
         ("POST", "/v1/search", {"query": "pump of station 3"}), ("POST", "/v1/scan", {"chunks": ["```\nx\n", "y\n```\n"]}),
         ("POST", "/v1/chunk", {"document": {"text": "# T\n\n" + "Some words here. " * 50}}),
         ("GET", "/document?source=station-3.md", None)]


async def client(number, address, end, seen):
    host, port = address
    reader = writer = None
    turn = number
    while time.monotonic() < end:
        method, path, body = CALLS[turn % len(CALLS)]
        turn += 1
        try:
            if writer is None:
                reader, writer = await asyncio.open_connection(host, port)
            data = json.dumps(body).encode() if body else b""
            head = f"{method} {path} HTTP/1.1\r\nHost: {host}:{port}\r\nContent-Type: application/json\r\nContent-Length: {len(data)}\r\n\r\n"
            writer.write(head.encode() + data)
            head = await reader.readuntil(b"\r\n\r\n")
            status = int(head.split(b" ", 2)[1])
            headers = head.lower()
            length = int(headers.split(b"content-length:")[1].split(b"\r\n")[0])
            await reader.readexactly(length)
            retry = b"retry-after:" in headers
            seen[(status, retry)] += 1
            if retry:
                await asyncio.sleep(0.05)
        except (OSError, asyncio.IncompleteReadError) as error:
            seen[type(error).__name__] += 1
            reader = writer = None


def memory(pid):
    with open(f"/proc/{pid}/status") as status:
        return next(int(line.split()[1]) // 1024 for line in status if line.startswith("VmRSS"))


async def main():
    with server(sys.argv[1]) as (url, process, _):
        ingest(url)
        host, port = url.removeprefix("http://").split(":")
        seen, sizes = collections.Counter(), []
        end = time.monotonic() + SECONDS
        clients = [asyncio.create_task(client(n, (host, int(port)), end, seen)) for n in range(CLIENTS)]
        while time.monotonic() < end:
            await asyncio.sleep(SECONDS / 12)
            sizes.append(memory(process.pid))
        await asyncio.gather(*clients)
        print("answers:", dict(seen))
        print("memory in MB:", sizes)
        bad = [key for key in seen if not isinstance(key, tuple) or not (key[0] == 200 or (key[0] in (429, 503) and key[1]))]
        print("bad:", bad or "none")
        return bool(bad)


sys.exit(asyncio.run(main()))
