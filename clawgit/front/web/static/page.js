// Comfort only: every page works without it. Times in the reader's zone, keys, and news of changes.
"use strict";

const forms = {
  moment: new Intl.DateTimeFormat("en-GB", { dateStyle: "long", timeStyle: "short" }),
  date: new Intl.DateTimeFormat("en-GB", { dateStyle: "medium" }),
  clock: new Intl.DateTimeFormat("en-GB", { timeStyle: "short" }),
};
const full = new Intl.DateTimeFormat("en-GB", { dateStyle: "full" });
function localTimes(root) {
  for (const each of root.querySelectorAll("time[datetime]")) {
    const when = new Date(each.dateTime);
    if (!Number.isNaN(when.getTime())) each.textContent = forms[each.className || "moment"].format(when);
  }
  // In the reader's zone a change may be of another day: the days are made anew.
  let section;
  for (const row of [...root.querySelectorAll(".day > article")]) {
    const when = new Date(row.querySelector("time").dateTime);
    const day = when.toLocaleDateString("sv");
    if (section?.dataset.day !== day) {
      const made = `<section class="day" data-day="${day}"><h2>${full.format(when)}</h2></section>`;
      row.parentElement.insertAdjacentHTML("beforebegin", made);
      section = row.parentElement.previousElementSibling;
    }
    section.append(row);
  }
  for (const each of root.querySelectorAll(".day")) if (!each.querySelector("article")) each.remove();
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
  "?": () => { document.querySelector("body > footer").scrollIntoView(); },
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
  const edited = isEdited();
  const answer = await fetch(edited ? document.body.dataset.base + "search" : location.href);
  if (!answer.ok) return;
  const fresh = new DOMParser().parseFromString(await answer.text(), "text/html");
  document.getElementById("news").replaceWith(fresh.getElementById("news"));
  if (edited) return;
  localTimes(fresh);
  document.getElementById("main").replaceWith(fresh.getElementById("main"));
  document.body.dataset.head = head;
}

localTimes(document);
let newest = document.body.dataset.head;
async function look() {
  // A server that was ended, or a session that is out: the page stays as it is.
  const answer = await fetch(document.body.dataset.base + "head").catch(() => null);
  const head = answer?.ok ? await answer.text().catch(() => newest) : newest;
  if (head !== newest) {
    newest = head;
    await showNews(head).catch(() => null);
  }
  // Only now: a server that is busy is not asked again meanwhile.
  setTimeout(look, 1000);
}
if (newest) setTimeout(look, 1000);
