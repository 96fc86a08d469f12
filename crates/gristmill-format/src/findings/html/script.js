"use strict";
const form = document.getElementById("filters");
if (form) {
  const articles = [...document.querySelectorAll("main article")];
  const sections = [...document.querySelectorAll("main section")];
  const apply = () => {
    const rule = form.elements.rule.value, fixable = form.elements.fixable.checked;
    let shown = 0;
    for (const article of articles) {
      const { severity, rule: own, fixable: can } = article.dataset;
      const hit = form.elements[severity].checked && (!rule || rule === own) && (!fixable || can === "true");
      article.hidden = !hit;
      shown += hit;
    }
    for (const section of sections) section.hidden = !section.querySelector("article:not([hidden])");
    form.elements.count.value = shown === articles.length ? "" : shown + " of " + articles.length + " shown";
  };
  form.addEventListener("change", apply);
  form.addEventListener("submit", (event) => event.preventDefault());
  form.hidden = false;
  apply();
}
