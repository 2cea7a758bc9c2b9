/**
 * Shows faults before a form is sent, in the server's words, and prevents sending it twice. The page
 * works without it.
 */
export const FORM_SCRIPT = `(() => {
  const form = document.querySelector("form");
  const button = form.querySelector("button");
  const summary = document.getElementById("summary");
  const boxes = [...form.querySelectorAll("[data-field]")];
  form.noValidate = true;
  const controlsOf = (box) => [...box.querySelectorAll("input, select, textarea")];
  const isLarge = (control) =>
    [...(control.files || [])].some((file) => file.size > Number(control.dataset.maxBytes));
  const findFault = (box) => {
    const controls = controlsOf(box);
    if (box.dataset.one !== undefined && !controls.some((one) => one.checked)) return box.dataset.missing;
    if (controls.some(isLarge)) return box.dataset.invalid;
    const wrong = controls.find((one) => !one.validity.valid);
    if (wrong === undefined) {
      const blank = controls.some((one) => one.required && one.type !== "radio" && one.value.trim() === "");
      return blank ? box.dataset.missing : "";
    }
    const { valueMissing, badInput } = wrong.validity;
    return valueMissing && !badInput ? box.dataset.missing : box.dataset.invalid;
  };
  const show = (box, fault) => {
    const error = box.querySelector(".error");
    error.textContent = fault;
    error.hidden = fault === "";
    box.classList.toggle("wrong", fault !== "");
    for (const one of controlsOf(box)) {
      if (fault === "") one.removeAttribute("aria-invalid");
      else one.setAttribute("aria-invalid", "true");
    }
  };
  const toEntry = (box) => {
    const link = document.createElement("a");
    link.href = "#" + box.dataset.field;
    link.textContent = box.querySelector("label, legend").firstChild.textContent.trim() + ": " + box.querySelector(".error").textContent;
    const entry = document.createElement("li");
    entry.append(link);
    return entry;
  };
  form.addEventListener("submit", (event) => {
    for (const box of boxes) show(box, findFault(box));
    const wrong = boxes.filter((box) => box.classList.contains("wrong"));
    if (wrong.length === 0) {
      button.disabled = true;
      button.textContent = form.dataset.sending;
      return;
    }
    event.preventDefault();
    summary.querySelector("h2").textContent =
      wrong.length === 1 ? form.dataset.checkOne : form.dataset.checkMany.replace("{n}", wrong.length);
    summary.querySelector("ul").replaceChildren(...wrong.map(toEntry));
    summary.hidden = false;
    summary.focus();
  });
  form.addEventListener("change", (event) => {
    const box = event.target.closest("[data-field]");
    if (box !== null && box.classList.contains("wrong")) show(box, findFault(box));
  });
  addEventListener("pageshow", () => {
    button.disabled = false;
    button.textContent = form.dataset.submit;
  });
  if (!summary.hidden) summary.focus();
})();`;
