"""A folder with documents and a server over it."""
import contextlib
import hashlib
import http.server
import json
import os
import pathlib
import re
import subprocess
import tempfile
import threading
import time
import urllib.request

CONFIG = """version = 1
[[source]]
name = "docs"
path = "docs"
[chunk]
max = 120
overlap = 20
[eval]
questions = "questions.jsonl"
[server]
push = "docs"
webhook_secret_env = "HOOK"
"""


def write(folder, large=False):
    docs = pathlib.Path(folder) / "docs"
    docs.mkdir()
    for n in range(12):
        paragraphs = "\n\n".join(f"## Part {p}\n\nThe pump of station {n} has part {p}. It is kept dry and looked at each week. "
                                 f"A second sentence of part {p} says where it stands." for p in range(8))
        (docs / f"station-{n}.md").write_text(f"# Station {n}\n\n{paragraphs}\n\n| a | b |\n|---|---|\n| 1 | {n} |\n")
    (docs / "damaged.md").write_text("# Damaged\n\n```python\nprint(1)\n\nNever closed.\n")
    if large:
        text = "\n\n".join(f"## Section {n}\n\n" + f"Sentence of section {n} about valves. " * 12 for n in range(1700))
        (docs / "large.md").write_text("# Large\n\n" + text + "\n")
    questions = [{"id": f"q{n}", "question": f"Which part has the pump of station {n}?", "doc": f"station-{n}.md",
                  "quotes": [f"The pump of station {n} has part 3."]} for n in range(12)]
    lines = "\n".join(json.dumps(question) for question in questions)
    (pathlib.Path(folder) / "questions.jsonl").write_text(lines + "\n")
    (pathlib.Path(folder) / "gristmill.toml").write_text(CONFIG)


@contextlib.contextmanager
def server(program, *more, large=False, token=None):
    with tempfile.TemporaryDirectory() as folder:
        write(folder, large)
        if token:
            hashed = hashlib.sha256(token.encode()).hexdigest()
            with open(pathlib.Path(folder) / "gristmill.toml", "a") as settings:
                settings.write(f'[[server.token]]\nhash = "sha256:{hashed}"\nscope = "write"\n')
        process = subprocess.Popen([os.path.abspath(program), "serve", "--bind", "127.0.0.1:0", *more], cwd=folder,
                                   env={**os.environ, "HOOK": "secret"}, stderr=subprocess.PIPE, text=True)
        try:
            for line in process.stderr:
                found = re.search(r"serves at (http://\S+)", line)
                if found:
                    break
            yield found.group(1), process, folder
        finally:
            process.terminate()
            process.wait(10)


def ingest(url):
    request = urllib.request.Request(url + "/v1/jobs", b"{}", {"Content-Type": "application/json"})
    job = json.load(urllib.request.urlopen(request))
    for _ in range(20):
        job = json.load(urllib.request.urlopen(f"{url}/v1/jobs/{job['id']}?wait=60s"))
        if job["finished_at"]:
            return job
        time.sleep(0.1)
    raise SystemExit(f"the job does not end: {job}")


@contextlib.contextmanager
def other():
    """Another program of this machine that shows a page."""
    class Page(http.server.BaseHTTPRequestHandler):
        def do_GET(self):
            self.send_response(200)
            self.end_headers()
            self.wfile.write(b"<!doctype html><title>other</title>")

        def log_message(self, *_):
            pass

    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), Page) as listening:
        threading.Thread(target=listening.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{listening.server_address[1]}/"
        listening.shutdown()
