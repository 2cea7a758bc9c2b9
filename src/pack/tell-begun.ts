/** What a report says while codes are changed after its run: it holds no longer, until that step ends. */
import { readFileSync } from "node:fs";

import { writeSmallFileAtomic } from "../base/files/atomic-file.ts";
import { html } from "./html.ts";
import { inEnglish, type ReportWords } from "./report-words.ts";

export interface BegunStep {
  readonly step: "retire" | "undo";
  /** What finishes it where it was cut short. */
  readonly command: string;
}

const MARK = 'id="begun"';
const VERDICT = /<div class="verdict [a-z]+">[^<]*<\/div>/u;
const HEADER_END = "</header>";

/** Says at the top of a report that a step has begun, in place of its verdict. A report that is gone stays so. */
export function tellBegun(
  file: string,
  { step, command }: BegunStep,
  { begun }: ReportWords = inEnglish,
): void {
  let text: string;
  try {
    text = readFileSync(file, "utf8");
  } catch {
    return;
  }
  if (text.includes(MARK)) return;
  const title = begun[step];
  const verdict = html`<div class="verdict bad">${title}</div>`.text;
  const banner = html`<div class="banner bad" role="note" id="begun">
    <strong>${title}</strong>
    <p>${begun.finish}</p>
    <code class="command">${command}</code>
  </div>`.text;
  const told = text
    .replace(VERDICT, () => verdict)
    .replace(HEADER_END, () => `${HEADER_END}\n    ${banner}`);
  writeSmallFileAtomic(file, Buffer.from(told));
}
