/** What is chosen in a form is kept while it is chosen: a closed tab loses nothing. */
const PAUSE_MS = 200;

function keepForm(form: HTMLFormElement, address: string): void {
  let timer = 0;
  const stop = (): void => {
    clearTimeout(timer);
    timer = 0;
  };
  const keep = (): void => {
    stop();
    // What can't be kept now is kept with the next change, or saved.
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
