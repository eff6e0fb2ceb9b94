// Keeps the sentence, the examples and the buttons true while the owner chooses.
"use strict";
(() => {
  const form = document.getElementById("consent");
  if (!form) return;
  document.documentElement.classList.add("js");
  const parts = ["sentence", "preview", "decision"];
  let newest = 0;
  let waiting;

  const allow = () => form.querySelector("button[value=allow]");
  // A click that was meant for another window must not allow anything.
  const holdBack = () => {
    const button = allow();
    if (!button || button.disabled) return;
    button.disabled = true;
    setTimeout(() => { button.disabled = false; }, 800);
  };

  const refresh = async () => {
    const turn = ++newest;
    const button = allow();
    if (button) button.disabled = true;
    form.setAttribute("aria-busy", "true");
    try {
      const body = new URLSearchParams(new FormData(form));
      const answer = await fetch(form.action, { method: "POST", body, credentials: "same-origin" });
      const page = new DOMParser().parseFromString(await answer.text(), "text/html");
      if (turn !== newest) return;
      if (!page.getElementById("consent")) { location.reload(); return; }
      for (const id of parts) {
        const [old, fresh] = [document.getElementById(id), page.getElementById(id)];
        if (old && fresh) old.replaceWith(document.adoptNode(fresh));
      }
    } catch {
      // The server cannot be reached: the button beside the choices still sends them.
      document.documentElement.classList.remove("js");
    } finally {
      if (turn === newest) form.removeAttribute("aria-busy");
    }
  };

  form.addEventListener("change", (event) => {
    const name = event.target.name || "";
    // Narrowing something means choosing it.
    const key = name.replace(/^(field|range|since|until):/, "");
    if (key !== name) {
      for (const box of form.querySelectorAll("input[name=stream]")) {
        if (box.value === key) box.checked = true;
      }
    }
    if (name.startsWith("range:") && event.target.value) {
      const first = form.elements["since:" + key];
      if (first) first.value = "";
    }
    clearTimeout(waiting);
    waiting = setTimeout(refresh, 150);
  });
  // Enter in a field shows what it means; it never decides.
  form.addEventListener("keydown", (event) => {
    if (event.key === "Enter" && event.target.matches("input, select")) {
      event.preventDefault();
      refresh();
    }
  });
  window.addEventListener("focus", holdBack);
  holdBack();
})();
