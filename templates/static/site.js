// The only script. Pages work without it: it draws the random bits that draws are bound to, and
// shows by itself what is new.
"use strict";

const SOON = 1000; // milliseconds between two looks while a bot thinks
const OFTEN = 5000; // while the page is seen
const SELDOM = 30000; // while it is hidden: its title says whose turn it is
const PATIENCE = 30000; // for which a bot is looked at so often

document.addEventListener("submit", (event) => {
  const bits = event.target.querySelector("input[name=bits]");
  if (bits && !bits.value) {
    const bytes = crypto.getRandomValues(new Uint8Array(16));
    bits.value = Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
  }
});

const findPage = () => document.querySelector("[data-poll]");

// Nothing is replaced under a visitor who types.
const isWriting = () => {
  const fields = Array.from(document.querySelectorAll("textarea, input[type=text]"));
  return fields.some((field) => field.value || field === document.activeElement);
};

// A tap could hit a button that has just appeared, so a move so far is not replaced either.
const isComposing = () => {
  const query = new URLSearchParams(location.search);
  return Boolean(query.get("m") || query.get("at")) && document.querySelector(".news a");
};

const nameSection = (section) => section.querySelector("summary").textContent;

const replace = async () => {
  const query = new URLSearchParams(location.search);
  query.delete("done"); // the reply to a command was seen
  const address = location.pathname + (String(query) ? `?${query}` : "");
  const answer = await fetch(address);
  if (!answer.ok || answer.redirected) {
    location.replace(address);
    return;
  }
  const next = new DOMParser().parseFromString(await answer.text(), "text/html");
  const top = window.scrollY;
  const open = Array.from(document.querySelectorAll("details[open]")).map(nameSection);
  for (const section of next.querySelectorAll("details")) {
    section.open ||= open.includes(nameSection(section));
  }
  for (const part of [".bar", "#main"]) {
    document.querySelector(part).replaceWith(next.querySelector(part));
  }
  window.scrollTo(0, top);
  document.title = next.title;
  history.replaceState(null, "", address);
};

let etag = "";
let changed = Date.now();
let timer = 0;
const look = async () => {
  try {
    const { poll, state } = findPage().dataset;
    const answer = await fetch(poll, { headers: etag ? { "If-None-Match": etag } : {} });
    if (answer.status === 200 && (await answer.text()) !== state) {
      if (isComposing()) {
        document.querySelector(".news a").hidden = false;
      } else if (!isWriting()) {
        await replace();
        etag = answer.headers.get("ETag") || "";
        changed = Date.now();
      }
    } else {
      etag = answer.headers.get("ETag") || etag;
    }
  } catch {
    // The network is away; look again later.
  }
  schedule();
};
const schedule = () => {
  const isSoon = "soon" in findPage().dataset && Date.now() - changed < PATIENCE;
  clearTimeout(timer);
  timer = setTimeout(look, isSoon ? SOON : document.hidden ? SELDOM : OFTEN);
};
if (findPage()) {
  schedule();
  document.addEventListener("visibilitychange", () => document.hidden || look());
}
