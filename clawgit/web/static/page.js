// Comfort only: every page works without it. Times in the reader's zone, keys, and news of changes.
"use strict";

const zone = new Intl.DateTimeFormat(undefined, { dateStyle: "medium", timeStyle: "short" });
function localTimes(root) {
  for (const each of root.querySelectorAll("time[datetime]")) {
    const when = new Date(each.dateTime);
    if (!Number.isNaN(when.getTime())) each.textContent = zone.format(when);
  }
}

function step(by) {
  const rows = [...document.querySelectorAll("article, .rows > li a, .hits > li a")];
  const at = rows.indexOf(document.activeElement.closest("article, a"));
  const next = rows[at < 0 ? (by > 0 ? 0 : rows.length - 1) : at + by];
  if (next) { next.focus(); next.scrollIntoView({ block: "nearest" }); }
}

const keys = {
  j: () => step(1),
  k: () => step(-1),
  "/": () => document.getElementById("q").focus(),
  u: () => { location.href = document.body.dataset.base; },
  "?": () => { document.querySelector("footer").scrollIntoView(); },
};
document.addEventListener("keydown", (event) => {
  const typing = event.target.closest("input, textarea, select");
  if (typing && event.key === "Escape") typing.blur();
  if (typing || event.ctrlKey || event.metaKey || event.altKey || !keys[event.key]) return;
  event.preventDefault();
  keys[event.key]();
});

// Whoever writes on the page keeps his words: then a line says that something is new.
function isEdited() {
  return [...document.querySelectorAll("main input:not([type=hidden]), main textarea")].some(
    (field) => field.value !== field.defaultValue || field === document.activeElement);
}

async function showNews(head) {
  if (document.body.dataset.head === head) return;
  if (isEdited()) { document.getElementById("news").hidden = false; return; }
  const answer = await fetch(location.href);
  if (!answer.ok) return;
  const fresh = new DOMParser().parseFromString(await answer.text(), "text/html");
  localTimes(fresh);
  document.getElementById("main").replaceWith(fresh.getElementById("main"));
  document.body.dataset.head = head;
}

localTimes(document);
if (document.body.dataset.head) {
  const events = new EventSource(document.body.dataset.base + "events");
  events.onmessage = (event) => showNews(event.data);
}
