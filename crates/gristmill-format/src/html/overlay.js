"use strict";
// Text and chunks of an overlay point at one another: a click, j and k, and an address for each chunk.
{
  const all = (selector, from) => [...from.querySelectorAll(selector)];
  const overlays = all(".overlay", document).map((box) => ({ box, chunks: all("article.chunk", box), at: -1 }));
  let current = overlays[0];
  const go = (overlay, index, focus) => {
    const chunk = overlay.chunks[index];
    if (!chunk) return;
    current = overlay;
    overlay.at = index;
    overlay.box.closest("details")?.setAttribute("open", "");
    for (const old of all(".now", document)) old.classList.remove("now");
    const parts = all(`.seg[data-chunk="${index}"]`, overlay.box);
    for (const part of [chunk, ...parts]) part.classList.add("now");
    chunk.scrollIntoView({ block: "nearest" });
    parts[0]?.scrollIntoView({ block: "center" });
    if (focus) chunk.focus({ preventScroll: true });
    history.replaceState(null, "", `#${chunk.id}`);
  };
  document.addEventListener("keydown", (event) => {
    if (!current || event.ctrlKey || event.metaKey || event.altKey || event.target.matches("input, textarea, select")) return;
    if (event.key === "j") go(current, current.at + 1, true);
    if (event.key === "k") go(current, Math.max(current.at - 1, 0), true);
  });
  for (const overlay of overlays) {
    overlay.box.addEventListener("click", (event) => {
      const part = event.target.closest("[data-chunk]");
      if (part && !event.target.closest("a")) go(overlay, Number(part.dataset.chunk), false);
    });
  }
  const named = () => {
    const chunk = document.getElementById(location.hash.slice(1));
    const overlay = overlays.find(({ chunks }) => chunks.includes(chunk));
    if (overlay) go(overlay, overlay.chunks.indexOf(chunk), true);
  };
  window.addEventListener("hashchange", named);
  named();
}
