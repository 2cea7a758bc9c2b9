/** Label and sheet, live: follows the typing, keeps the last good picture, shows faults. */
import { signal, type Signal } from "@preact/signals";
import { useEffect } from "preact/hooks";

import type { LabelAnswer, LabelProps, LookName, ShownLook } from "../screens/label/label-props.ts";
import { mount } from "./mount.ts";

const TYPING_MS = 120;
const FORBIDDEN = 403;
const names: readonly LookName[] = ["label", "sheet", "code"];

const looks: Readonly<Record<LookName, Signal<ShownLook | undefined>>> = {
  label: signal(undefined),
  sheet: signal(undefined),
  code: signal(undefined),
};
const isDrawing = signal(false);
/** Undefined while the desk answers. */
const silence = signal<"offline" | "signedOut" | undefined>(undefined);
const said = signal("");

let asked = new AbortController();
let timer = 0;

/** A file is sent by a button only: a picture needs none. */
function toBody(form: HTMLFormElement): FormData {
  const body = new FormData(form);
  body.delete("file");
  return body;
}

const findForm = (): HTMLFormElement | null => document.querySelector("#label-form");

/** Takes new pictures; where nothing can be drawn, the old picture stays and the fault is shown. */
function take({ looks: drawn, start, said: words }: LabelAnswer): void {
  for (const name of names) {
    const look = drawn[name];
    if (look === undefined) continue;
    const pictures = look.pictures.length > 0 ? look.pictures : (looks[name].value?.pictures ?? []);
    looks[name].value = { ...look, pictures };
  }
  if (words !== undefined) said.value = words;
  const field = findForm()?.querySelector<HTMLInputElement>("#start");
  if (start !== undefined && field != null) field.value = String(start);
}

async function ask(address: string, more: Readonly<Record<string, string>>): Promise<void> {
  const form = findForm();
  if (form === null) return;
  const { signal } = asked;
  const body = toBody(form);
  for (const [name, value] of Object.entries(more)) body.set(name, value);
  try {
    const answer = await fetch(address, { method: "POST", body, signal });
    if (answer.status === FORBIDDEN) {
      silence.value = "signedOut";
      return;
    }
    if (!answer.ok) throw new Error(String(answer.status));
    take((await answer.json()) as LabelAnswer);
    silence.value = undefined;
  } catch {
    if (!signal.aborted) silence.value = "offline";
  }
}

/** The label first: people look at it while typing. */
async function draw(address: string, more: Readonly<Record<string, string>> = {}): Promise<void> {
  asked.abort();
  asked = new AbortController();
  const { signal } = asked;
  isDrawing.value = true;
  if (Object.keys(more).length > 0) await ask(address, more);
  else for (const name of ["label", "sheet"]) await ask(address, { looks: name });
  if (!signal.aborted) isDrawing.value = false;
}

/** The form itself sends what was typed. */
function stopTimer(): void {
  clearTimeout(timer);
  timer = 0;
}

function listen(address: string): () => void {
  const form = findForm();
  const later = (event: Event): void => {
    if ((event.target as HTMLElement).id === "find-stock") return;
    said.value = "";
    clearTimeout(timer);
    timer = setTimeout(() => {
      timer = 0;
      void draw(address);
    }, TYPING_MS);
  };
  // Keeps changes when the page is left while typing; nothing has to be drawn for that.
  const leave = (): void => {
    if (timer === 0 || form === null) return;
    const body = toBody(form);
    body.set("looks", "none");
    fetch(address, { method: "POST", body, keepalive: true }).catch(() => {});
  };
  form?.addEventListener("input", later);
  form?.addEventListener("submit", stopTimer);
  addEventListener("pagehide", leave);
  return () => {
    form?.removeEventListener("input", later);
    form?.removeEventListener("submit", stopTimer);
    removeEventListener("pagehide", leave);
  };
}

/** The search over label sheets, which pages without script leave to the browser's own. */
function addSearch({ find, found, foundOne }: LabelProps["words"]): void {
  const place = document.querySelector<HTMLElement>("[data-find-stock]");
  if (place === null) return;
  const label = document.createElement("label");
  label.textContent = find;
  label.htmlFor = "find-stock";
  const field = document.createElement("input");
  field.id = "find-stock";
  field.type = "search";
  const count = document.createElement("p");
  count.className = "hint";
  count.setAttribute("aria-live", "polite");
  const stocks = [...document.querySelectorAll<HTMLElement>(".stock")];
  const filter = (): void => {
    const words = field.value.toLowerCase().replaceAll("×", "x").split(/\s+/u).filter(Boolean);
    let shown = 0;
    for (const stock of stocks) {
      const isFound = words.every((word) => stock.dataset["search"]?.includes(word) === true);
      stock.hidden = !isFound;
      shown += Number(isFound);
    }
    count.textContent = shown === 1 ? foundOne : found.replace("{count}", String(shown));
  };
  field.addEventListener("input", filter);
  field.addEventListener("keydown", (event) => {
    if (event.key === "Enter") event.preventDefault();
  });
  filter();
  place.replaceChildren(label, field, count);
}

/** As a picker takes it: `#abc` has two digits of each; undefined for what is no colour, or not yet. */
function toWhole(typed: string): string | undefined {
  const [, digits] = /^#((?:[0-9a-f]{3}){1,2})$/iu.exec(typed.trim()) ?? [];
  if (digits === undefined) return undefined;
  return `#${digits.length === 3 ? digits.replaceAll(/./gu, "$&$&") : digits}`;
}

/** A picker beside each colour, for people who know no numbers. */
function addPickers(): void {
  for (const field of document.querySelectorAll<HTMLInputElement>("[data-color]")) {
    const picker = document.createElement("input");
    // Of an empty field: what the codes have then.
    const usual = field.dataset["color"] ?? "#000000";
    picker.type = "color";
    picker.value = toWhole(field.value) ?? usual;
    picker.setAttribute("aria-label", field.labels?.[0]?.textContent ?? field.name);
    picker.addEventListener("input", () => {
      field.value = picker.value;
      field.dispatchEvent(new Event("input", { bubbles: true }));
    });
    field.addEventListener("change", () => (picker.value = toWhole(field.value) ?? usual));
    field.addEventListener("input", () => {
      picker.value = toWhole(field.value || usual) ?? picker.value;
    });
    field.after(picker);
  }
}

const Says = ({ look, words }: { look: ShownLook; words: LabelProps["words"] }) => (
  <div aria-live="polite">
    {words.english === "" ||
    ![...look.faults, ...look.warnings].some(({ isEnglish }) => isEnglish) ? null : (
      <p class="hint">{words.english}</p>
    )}
    {look.faults.map(({ text, isEnglish }) => (
      <p class="banner bad" key={text} lang={isEnglish ? "en" : undefined}>
        {text}
      </p>
    ))}
    {look.facts.map((fact) => (
      <p class="fact" key={fact}>
        {fact}
      </p>
    ))}
    {look.warnings.length === 0 ? null : (
      <div class="banner warn">
        <strong>{words.warnings}</strong>
        {look.warnings.map(({ text, isEnglish }) => (
          <p key={text} lang={isEnglish ? "en" : undefined}>
            {text}
          </p>
        ))}
      </div>
    )}
  </div>
);

function Sheet({ url, props }: { readonly url: string; readonly props: LabelProps }) {
  const choose = (event: MouseEvent): void => {
    event.preventDefault();
    // Enter and Space click nowhere: the number is typed instead.
    if (event.detail === 0) return;
    const { width } = (event.currentTarget as HTMLElement).getBoundingClientRect();
    void draw(props.address, {
      "at.x": String(event.offsetX),
      "at.y": String(event.offsetY),
      width: String(width),
    });
  };
  return (
    <>
      <p class="hint">{props.words.clickSheet}</p>
      <button type="button" class="sheet-button" onClick={choose}>
        <img src={url} alt={props.words.sheetButton} />
      </button>
    </>
  );
}

function Look({ name, props }: { readonly name: LookName; readonly props: LabelProps }) {
  const look = looks[name].value;
  if (look === undefined) return null;
  return (
    <section class={`look look-${name}`}>
      <h2>{props.words.titles[name]}</h2>
      {look.pictures.map(({ url, alt }, at) =>
        name === "sheet" && at === 0 ? (
          <Sheet key={alt} url={url} props={props} />
        ) : (
          <img key={alt} src={url} alt={alt} />
        ),
      )}
      <Says look={look} words={props.words} />
    </section>
  );
}

function Label(props: LabelProps) {
  const { address, words } = props;
  useEffect(() => {
    for (const name of names) looks[name].value = props.looks[name];
    addSearch(words);
    addPickers();
    return listen(address);
  }, [address]);
  return (
    <>
      <p class="soft">{words.live}</p>
      <p role="status" class="hint">
        {silence.value === undefined
          ? isDrawing.value
            ? words.waiting
            : said.value
          : words[silence.value]}
      </p>
      {names.map((name) => (
        <Look key={name} name={name} props={props} />
      ))}
    </>
  );
}

mount("label", Label);
