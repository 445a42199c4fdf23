// The only script. Pages work without it: it draws the random bits that draws are bound to, and
// shows by itself what is new.
"use strict";

for (const form of document.querySelectorAll("form[method=post]")) {
  form.addEventListener("submit", () => {
    const bits = form.querySelector("input[name=bits]");
    if (bits && !bits.value) {
      const bytes = crypto.getRandomValues(new Uint8Array(16));
      bits.value = Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
    }
  });
}

const page = document.querySelector("[data-poll]");
if (page) {
  const began = Date.now();
  let etag = "";
  const isWriting = () =>
    Array.from(document.querySelectorAll("textarea, input[type=text]")).some((one) => one.value);
  const look = async () => {
    if (!document.hidden) {
      try {
        const answer = await fetch(page.dataset.poll, { headers: etag ? { "If-None-Match": etag } : {} });
        etag = answer.headers.get("ETag") || etag;
        if (answer.status === 200 && (await answer.text()) !== page.dataset.state && !isWriting()) {
          // Without what was chosen before: the board has changed.
          location.replace(location.pathname);
          return;
        }
      } catch {
        // The network is away; look again later.
      }
    }
    const isSoon = "soon" in page.dataset && Date.now() - began < 30000;
    setTimeout(look, isSoon ? 1000 : 5000);
  };
  setTimeout(look, "soon" in page.dataset ? 500 : 3000);
}
