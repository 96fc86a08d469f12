"""The description against the server, by schemathesis."""
import subprocess
import sys
import pathlib

from place import ingest, server

with server(sys.argv[1]) as (url, _, folder):
    ingest(url)
    schemathesis = pathlib.Path(sys.executable).parent / "schemathesis"
    code = subprocess.call([schemathesis, "run", f"{url}/openapi.json", "--max-examples", "40", "--phases",
                            "examples,coverage,fuzzing,stateful", "--exclude-path-regex", "events$", *sys.argv[2:]], cwd=folder)
sys.exit(code)
