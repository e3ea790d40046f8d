"use strict";
// The page of a run that goes on: its parts are replaced when the server says that there is something new.
(() => {
  const source = new EventSource(`events${location.search}`);
  let busy = false;
  source.onmessage = async () => {
    if (busy) return;
    busy = true;
    try {
      const text = await (await fetch(location.href)).text(), made = new DOMParser().parseFromString(text, "text/html");
      document.querySelector("main").replaceWith(made.querySelector("main"));
      document.dispatchEvent(new Event("renewed"));
    } finally { busy = false; }
  };
})();
