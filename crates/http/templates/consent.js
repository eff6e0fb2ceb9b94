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

  const followStreams = () => {
    for (const box of form.querySelectorAll("input[name=account]")) {
      const streams = [...box.parentNode.querySelectorAll("input[name=stream]")];
      const ticked = streams.filter((one) => one.checked).length;
      box.checked = ticked > 0 && ticked === streams.length;
      box.indeterminate = ticked > 0 && ticked < streams.length;
    }
  };
  const find = document.getElementById("find");
  if (find) find.addEventListener("input", () => {
    for (const account of form.querySelectorAll(".pick")) {
      account.hidden = !account.querySelector("summary").textContent.toLowerCase().includes(find.value.toLowerCase());
    }
  });

  form.addEventListener("change", (event) => {
    if (event.target === find) return;
    const name = event.target.name || "";
    const boxes = [...form.querySelectorAll("input[name=stream]")];
    // Narrowing something means choosing it.
    const key = name.replace(/^(all|field|range|since|until):/, "");
    if (key !== name && (event.target.type !== "checkbox" || event.target.checked)) {
      for (const box of boxes) if (box.value === key) box.checked = true;
    }
    // One field means not all of them, and all of them means no single one.
    if (name.startsWith("field:") && event.target.checked) form.elements["all:" + key].checked = false;
    if (name.startsWith("all:") && event.target.checked) {
      for (const box of form.querySelectorAll("fieldset.fields input")) {
        if (box.name === "field:" + key) box.checked = false;
      }
    }
    // The tick of an account is the tick of everything in it.
    if (name === "account") {
      for (const box of event.target.parentNode.querySelectorAll("input[name=stream]")) box.checked = event.target.checked;
    }
    followStreams();
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
  followStreams();
  holdBack();
})();
