"""Every page in Chromium: keys, mouse, axe-core, a document of 2,000 chunks; screenshots."""
import pathlib
import shutil
import sys
import time

import axe_core_python
from playwright.sync_api import sync_playwright

from place import ingest, other, server

AXE = next(pathlib.Path(axe_core_python.__file__).parent.rglob("axe.min.js")).read_text()
PAGES = ["/", "/document?source=station-3.md", "/document?source=damaged.md", "/try?source=station-1.md", "/findings",
         "/search?q=pump+of+station+3", "/evaluation?strategies=markdown,fixed&grid=target%3D60,100", "/jobs", "/jobs/job-1", "/docs", "/login", "/nowhere-page"]


def serious(page):
    found = page.evaluate(f"() => {{ {AXE}; return axe.run(); }}")
    return [(v["id"], v["impact"], [n["target"] for n in v["nodes"]][:3]) for v in found["violations"]
            if v["impact"] in ("serious", "critical")]


def until(page, condition):
    """Waits for a condition; the pages' policy forbids what the tool's own waiting needs."""
    end = time.monotonic() + 30
    while not page.evaluate(condition):
        assert time.monotonic() < end, condition
        page.wait_for_timeout(50)


def keys(page, url):
    page.goto(url + "/document?source=station-3.md")
    page.keyboard.press("j")
    page.keyboard.press("j")
    assert page.evaluate("location.hash") == "#c1", page.evaluate("location.hash")
    assert page.evaluate("document.activeElement.id") == "c1"
    page.keyboard.press("k")
    assert page.evaluate("location.hash") == "#c0"
    assert page.locator("article.chunk.now").count() == 1
    page.locator(".seg[data-chunk='2']").first.click()
    assert page.evaluate("location.hash") == "#c2", page.evaluate("location.hash")
    assert "now" in page.locator("#c2").get_attribute("class")
    page.goto(url + "/document?source=station-3.md#c3")
    assert "now" in page.locator("#c3").get_attribute("class")
    page.keyboard.press("6")
    page.wait_for_url("**/jobs")
    page.goto(url + "/")
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.className") == "skip"
    page.keyboard.press("Enter")
    assert page.evaluate("location.hash") == "#main"
    page.keyboard.press("/")
    page.keyboard.type("station-7")
    page.keyboard.press("Enter")
    page.wait_for_url("**/?q=station-7")
    assert page.locator("tbody tr").count() == 1


def tries(page, url):
    page.goto(url + "/try?source=station-1.md")
    until(page, "document.querySelectorAll('[data-side=a] article').length > 0")
    before = page.locator("[data-side=a] article").count()
    slider = page.locator("[data-side=a] input[data-name=max]")
    slider.focus()
    for _ in range(5):
        page.keyboard.press("PageDown")
    slider.fill("60")
    until(page, f"document.querySelectorAll('[data-side=a] article').length > {before}")
    assert "--max 60" in page.locator("[data-side=a] .get").inner_text(timeout=1000) or \
        "--max 60" in page.locator("[data-side=a] .get").text_content()


def jobs(page, url):
    page.goto(url + "/jobs")
    page.get_by_role("button", name="Ingest what has changed").click()
    page.wait_for_url("**/jobs/job-*")
    page.get_by_text("succeeded").first.wait_for(timeout=20000)
    page.get_by_role("button", name="Again").click()
    page.wait_for_url("**/jobs/job-3")


def tokens(page, url, out):
    """In with a token, out again; a page of another program of this machine cannot act with the cookie."""
    page.goto(url + "/jobs")
    page.wait_for_url("**/login")
    page.screenshot(path=out / "login-token.png")
    page.get_by_label("Token").fill("letmein")
    page.get_by_role("button", name="Log in").click()
    page.get_by_role("heading", name="Documents").wait_for()
    page.goto(url + "/jobs")
    page.get_by_role("button", name="Ingest what has changed").click()
    page.wait_for_url("**/jobs/job-1")
    page.get_by_text("succeeded").first.wait_for(timeout=20000)
    call = """path => fetch(path, {method: 'POST', mode: 'no-cors', credentials: 'include',
              headers: {'Content-Type': 'text/plain'}, body: '{}'}).then(() => 'sent', () => 'not sent')"""
    with other() as foreign:
        page.goto(foreign)
        for path in ("/v1/jobs/job-1/retry", "/logout"):
            assert page.evaluate(call, url + path) == "sent"
    page.goto(url + "/jobs")
    assert page.locator("tbody tr").count() == 1
    page.screenshot(path=out / "jobs-token.png")
    page.get_by_role("button", name="Log out").click()
    page.wait_for_url("**/login")
    page.goto(url + "/jobs")
    page.wait_for_url("**/login")


def large(page, url):
    began = time.monotonic()
    page.goto(url + "/document?source=large.md", timeout=120000)
    count = page.locator("article.chunk").count()
    took = time.monotonic() - began
    began = time.monotonic()
    for _ in range(20):
        page.keyboard.press("j")
    stepped = (time.monotonic() - began) / 20
    assert page.evaluate("location.hash") == "#c19"
    print(f"a document of {count} chunks: {took:.2f} s to show, {stepped * 1000:.0f} ms a step")
    assert count >= 2000, count


def main(program, out):
    out = pathlib.Path(out)
    out.mkdir(parents=True, exist_ok=True)
    wrong = []
    with server(program) as (url, _, _), server(program, large=True) as (large_url, _, _), sync_playwright() as play:
        ingest(url)
        browser = play.chromium.launch(executable_path=shutil.which("chromium"), args=["--no-sandbox"])
        for scheme in ("light", "dark"):
            for name, width, height in (("desktop", 1280, 800), ("phone", 390, 844)):
                page = browser.new_context(color_scheme=scheme, viewport={"width": width, "height": height}).new_page()
                page.on("pageerror", lambda error: wrong.append(("script", str(error))))
                page.on("console", lambda said: wrong.append(("console", said.text)) if said.type == "error" and "404" not in said.text else None)
                for at in PAGES:
                    page.goto(url + at)
                    page.wait_for_timeout(400)
                    slug = "".join(c if c.isalnum() else "-" for c in at.strip("/")) or "documents"
                    page.screenshot(path=out / f"{slug}-{name}-{scheme}.png")
                    wrong += [(at, name, scheme, *found) for found in serious(page)]
                    if page.evaluate("document.documentElement.scrollWidth > innerWidth + 1"):
                        wrong.append((at, name, scheme, "wider than the window"))
        page = browser.new_context().new_page()
        page.on("pageerror", lambda error: wrong.append(("script", str(error))))
        for part in (keys, tries, jobs, large):
            part(page, large_url if part is large else url)
            print(part.__name__, "good")
        with server(program, token="letmein") as (guarded, _, _):
            tokens(browser.new_context().new_page(), guarded, out)
            print("tokens good")
        browser.close()
    for one in wrong:
        print("wrong:", one)
    print(len(wrong), "faults")
    return bool(wrong)


sys.exit(main(*sys.argv[1:3]))
