/** What lists must know of the spreadsheet of the last run, kept in the state: the file may be gone. */
import path from "node:path";

import type { Source } from "../../read/source.ts";
import type { State } from "../../state/state.ts";
import { ANY } from "../../state/which-rows.ts";
import type { Work } from "../stages/work.ts";

type Input = Work["input"];

/** Meta: as JSON. */
const INPUT = "input";

export const toInput = (file: string, source: Source | undefined): Input => ({
  name: path.basename(file),
  sha256: source?.sha256 ?? "",
  columns: source?.columns ?? [],
  delimiter: source?.detected.delimiter,
});

export const rememberInput = (state: State, input: Input): void =>
  state.setMeta(INPUT, JSON.stringify(input));

/** As the last run has read it; states of before know the columns by their cells. */
export function recallInput(state: State, file: string): Input {
  const kept = state.meta(INPUT);
  if (kept !== undefined) return JSON.parse(kept) as Input;
  const [row] = [...state.bad.list(), ...state.page(ANY, { afterSeq: -1, limit: 1 })];
  const sha256 = state.meta("input_sha256") ?? "";
  return { ...toInput(file, undefined), sha256, columns: Object.keys(row?.cells ?? {}) };
}
