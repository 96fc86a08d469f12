"use strict";
// What pages cannot do alone: keys, calls, live progress, trying settings.

const $ = (selector, from = document) => from.querySelector(selector);
const $$ = (selector, from = document) => [...from.querySelectorAll(selector)];

function element(name, classes, text) {
  const made = document.createElement(name);
  if (classes) made.className = classes;
  if (text !== undefined) made.textContent = text;
  return made;
}

async function call(path, body) {
  const answer = await fetch(path, {
    method: "POST", headers: { "Content-Type": "application/json" }, body: body ?? "{}",
  });
  const said = await answer.json();
  if (!answer.ok) throw new Error(said.detail ?? answer.statusText);
  return said;
}

function complain(place, error) {
  const note = element("p", "error", error.message);
  note.setAttribute("role", "alert");
  place.after(note);
}

// Buttons that ask for something.
for (const button of $$("button[data-post]")) {
  button.addEventListener("click", async () => {
    button.disabled = true;
    try {
      const job = await call(button.dataset.post, button.dataset.body);
      location.assign(button.dataset.go + job.id);
    } catch (error) {
      complain(button, error);
      button.disabled = false;
    }
  });
}

// Jobs that run.
const FINAL = ["succeeded", "partial", "failed", "cancelled", "superseded"];

function follow(id, show) {
  const events = new EventSource(`/v1/jobs/${id}/events`);
  events.addEventListener("job", (event) => {
    const job = JSON.parse(event.data);
    if (FINAL.includes(job.status)) events.close();
    show(job);
  });
}

function status(place, job) {
  place.textContent = job.status;
  place.className = `status ${job.status}`;
}

const shown = $("[data-job]");
if (shown) {
  follow(shown.dataset.job, (job) => {
    status($(".status", shown), job);
    if (FINAL.includes(job.status)) return location.reload();
    $(".stage", shown).textContent = job.stage ?? job.waiting_until ?? "";
    const { done, total, embedded, written, source } = job.progress;
    const bar = $("progress", shown);
    bar.max = Math.max(total, 1);
    bar.value = done;
    $(".at", shown).textContent = `${done} of ${total} documents, ${embedded} embedded, ${written} written  ${source}`;
  });
} else {
  for (const place of $$("[data-follow]").slice(0, 4)) follow(place.dataset.follow, (job) => status(place, job));
}

// Try settings.
const form = $("#try");
if (form) {
  const settings = (side) => {
    const chunk = {};
    for (const input of $$("[data-name]", side)) {
      chunk[input.dataset.name] = input.type === "range" ? Number(input.value) : input.value;
    }
    chunk.target = Math.min(chunk.target, chunk.max);
    chunk.min = Math.min(chunk.min, chunk.target);
    chunk.overlap = Math.min(chunk.overlap, Math.floor(chunk.max / 2));
    return chunk;
  };
  const told = (chunk) => {
    const flags = Object.entries(chunk).map(([name, value]) => `--${name} ${value}`).join(" ");
    const lines = Object.entries(chunk).map(([name, value]) => `${name} = ${JSON.stringify(value)}`).join("\n");
    return `gristmill chunk PATH ${flags}\n\n# gristmill.toml\n[chunk]\n${lines}`;
  };
  const SHOWN = 200;
  const cut = async (side) => {
    const chunk = settings(side);
    $(".get", side).textContent = told(chunk);
    const place = $(".cut", side);
    try {
      const document_ = { name: form.elements.name.value || "document.md", text: form.elements.text.value };
      const { chunks } = await call("/v1/chunk", JSON.stringify({ document: document_, chunk }));
      const sizes = chunks.map((one) => one.token_count);
      const sum = sizes.reduce((total, size) => total + size, 0);
      place.replaceChildren(element("p", "soft", chunks.length
        ? `${chunks.length} chunks, ${Math.min(...sizes)} to ${Math.max(...sizes)} tokens, ${Math.round(sum / chunks.length)} on average`
        : "no chunk"));
      chunks.slice(0, SHOWN).forEach((one, index) => place.append(card(one, index)));
      return chunks.length;
    } catch (error) {
      place.replaceChildren(element("p", "error", error.message));
      return null;
    }
  };
  const card = (one, index) => {
    const made = element("article", `chunk t${index % 4}`);
    made.append(element("h3", "", `${index + 1} · ${one.token_count} tokens`));
    const text = element("pre");
    const content = [...one.content];
    for (const part of one.metadata.parts) {
      const said = content.slice(part.start, part.end).join("");
      const kind = part.kind === "body" ? "span" : part.kind === "overlap" ? "span" : "ins";
      text.append(element(kind, part.kind === "overlap" ? "overlap" : "", said));
    }
    made.append(text);
    return made;
  };
  let waiting;
  const again = (sides) => {
    clearTimeout(waiting);
    waiting = setTimeout(async () => {
      const counts = await Promise.all(sides.map(cut));
      $("#state").textContent = sides.map((side, i) => `${side.dataset.side.toUpperCase()}: ${counts[i] ?? "wrong"} chunks`).join(", ");
    }, 150);
  };
  const sides = $$("[data-side]", form);
  form.addEventListener("input", (event) => {
    const output = event.target.closest("label")?.querySelector("output");
    if (output) output.textContent = event.target.value;
    again(sides);
  });
  form.addEventListener("submit", (event) => event.preventDefault());
  again(sides);
}

// Pages by number.
document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || event.target.matches("input, textarea, select")) return;
  const link = $$("nav a")[Number(event.key) - 1];
  if (link && /^[1-9]$/.test(event.key)) link.click();
  if (event.key === "/") {
    const field = $("input[type=search]");
    if (field) {
      event.preventDefault();
      field.focus();
    }
  }
});
