"""The tools for agents, by the official client, over standard input and output and over HTTP."""
import asyncio
import json
import os
import sys
import tempfile

from mcp import ClientSession, StdioServerParameters
from mcp.client.stdio import stdio_client

try:
    from mcp.client.streamable_http import streamablehttp_client as http_client
except ImportError:
    from mcp.client.streamable_http import streamable_http_client as http_client

from place import server, write

READING = {"inspect_corpus", "extract_document", "chunk_preview", "scan_chunks", "fix_chunks", "plan_ingest", "job_status",
           "search", "explain_chunk", "eval_strategies"}


async def ask(session, name, **arguments):
    result = await session.call_tool(name, arguments)
    said = json.loads(result.content[0].text)
    failed = getattr(result, "isError", None)
    failed = getattr(result, "is_error", None) if failed is None else failed
    return failed, said


async def tour(session, writes):
    begun = await session.initialize()
    offered = {tool.name for tool in (await session.list_tools()).tools}
    assert offered == READING | ({"apply_plan"} if writes else set()), offered
    failed, corpus = await ask(session, "inspect_corpus")
    assert not failed and corpus["corpus"]["totals"]["documents"] == 13, corpus
    failed, text = await ask(session, "extract_document", source="station-1.md")
    assert not failed and "Station 1" in text["text"]
    failed, cut = await ask(session, "chunk_preview", source="station-1.md", chunk={"max": 60})
    assert not failed and cut["chunks"] > 3, cut
    failed, scanned = await ask(session, "scan_chunks", chunks=["```\nx\n", "y\n```\n"])
    assert not failed and scanned["findings"], scanned
    failed, fixed = await ask(session, "fix_chunks", chunks=["```\nx\n", "y\n```\n"])
    assert not failed and fixed["chunks"], fixed
    failed, plan = await ask(session, "plan_ingest")
    assert not failed and plan["plan_id"], plan
    failed, compared = await ask(session, "eval_strategies", strategies=["markdown", "fixed"])
    assert not failed and len(compared["questions"]["ranking"]) == 2 and not compared["synthetic"], compared
    failed, _ = await ask(session, "eval_strategies", grid="taget=1")
    assert failed
    failed, _ = await ask(session, "extract_document", source="../gristmill.toml")
    assert failed
    failed, applied = await ask(session, "apply_plan", plan_id=plan["plan_id"])
    assert failed != writes, applied
    if not writes:
        return begun
    failed, job = await ask(session, "job_status", job_id=applied["job_id"], wait_seconds=60)
    assert not failed and job["job"]["status"] in ("succeeded", "partial"), job
    failed, found = await ask(session, "search", query="pump of station 3", k=3)
    assert not failed and found["hits"], found
    failed, told = await ask(session, "explain_chunk", chunk_id=found["hits"][0]["record"]["chunk_id"])
    assert not failed and told["source"], told
    return begun


async def over_stdio(program, *more):
    with tempfile.TemporaryDirectory() as folder:
        write(folder)
        parameters = StdioServerParameters(command=os.path.abspath(program), args=["mcp", *more], cwd=folder)
        async with stdio_client(parameters) as (read, send), ClientSession(read, send) as session:
            await tour(session, "--allow-write" in more)


async def over_http(program):
    with server(program) as (url, _, _):
        async with http_client(url + "/mcp") as streams, ClientSession(streams[0], streams[1]) as session:
            await tour(session, False)


async def main(program):
    await over_stdio(program)
    print("stdio, reading: good")
    await over_stdio(program, "--allow-write")
    print("stdio, writing: good")
    await over_http(program)
    print("HTTP, reading: good")


asyncio.run(main(sys.argv[1]))
