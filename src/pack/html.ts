import { isUrl } from "../base/text/url.ts";

/** Text that is HTML already. Everything else is escaped when it enters a template. */
export class Html {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

export type HtmlValue = string | number | Html | undefined | readonly HtmlValue[];

const ENTITIES: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

// Control characters but tab and line feed have no place in a page; NUL would end some readers.
// eslint-disable-next-line no-control-regex
const NOT_TEXT = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/gu;

/** For text and for attributes in quotes. Control characters become U+FFFD. */
export function escapeHtml(text: string): string {
  return text
    .toWellFormed()
    .replace(NOT_TEXT, "\ufffd")
    .replace(/[&<>"']/gu, (character) => ENTITIES[character] ?? character);
}

function toHtml(value: HtmlValue): string {
  if (value === undefined) return "";
  if (value instanceof Html) return value.text;
  if (typeof value === "object") return value.map(toHtml).join("");
  return escapeHtml(String(value));
}

/** A template whose values are escaped, lists joined, `undefined` left out. */
export function html(strings: TemplateStringsArray, ...values: readonly HtmlValue[]): Html {
  const parts = strings.map((text, i) => text + toHtml(values[i]));
  return new Html(parts.join(""));
}

/** A relative path as an address, or undefined where it would leave the folder. */
export function toRelativeHref(path: string): string | undefined {
  const segments = path.split("/");
  const isInside = segments.every((part) => part !== "" && part !== "." && part !== "..");
  if (!isInside || path.includes("\\")) return undefined;
  return `./${segments.map((part) => encodeURIComponent(part.toWellFormed())).join("/")}`;
}

/** The address itself when a browser may follow it, undefined for `javascript:` and the like. */
export function toWebHref(address: string): string | undefined {
  return isUrl(address) && /^https?:\/\//iu.test(address) ? address : undefined;
}
