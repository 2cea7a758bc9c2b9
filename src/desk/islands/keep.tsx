/** Keeps the choices of a form as they are made, so that a closed tab loses nothing. */
const PAUSE_MS = 200;

function keepForm(form: HTMLFormElement, address: string): void {
  let timer = 0;
  const stop = (): void => {
    clearTimeout(timer);
    timer = 0;
  };
  const keep = (): void => {
    stop();
    // If this fails, the next change or the save keeps them.
    fetch(address, { method: "POST", body: new FormData(form), keepalive: true }).catch(() => {});
  };
  form.addEventListener("input", () => {
    stop();
    timer = setTimeout(keep, PAUSE_MS);
  });
  form.addEventListener("submit", stop);
  addEventListener("pagehide", () => {
    if (timer !== 0) keep();
  });
}

for (const form of document.querySelectorAll<HTMLFormElement>("form[data-keep]")) {
  keepForm(form, form.dataset["keep"] ?? "");
}
