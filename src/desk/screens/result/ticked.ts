/** Labels that were ticked on the picture of a sheet: their rows, and where a row may have several, which of them. */
import { z } from "zod";

import { toCommandLine } from "../../../base/text/shell-words.ts";
import { isRowJob, type Job } from "../../../kinds/any-job.ts";
import type { LabelPlace } from "../../../pipeline/reprint/reprint-labels.ts";
import { toTexts } from "../../jobs.ts";
import type { Task } from "../../tasks/task.ts";
import { jobPath } from "../../view/page.tsx";
import type { MapCell } from "./sheet-map.ts";

/** Whether a row may have several labels. */
export function hasSeveral(job: Job): boolean {
  const sheets = isRowJob(job) ? job.output.sheets : null;
  if (sheets === null) return false;
  const { copies, overs, spares, spareLabels } = sheets;
  return copies !== 1 || overs > 0 || (spares > 0 && spareLabels === "repeat");
}

/** The field of a label's box, and its value. */
export const toField = (
  { key, row, column }: MapCell,
  isOneOfSeveral: boolean,
): { readonly name: string; readonly value: string } =>
  isOneOfSeveral ? { name: "at", value: `${row} ${column} ${key}` } : { name: "key", value: key };

const AT = /^(\d+) (\d+) ([^]*)$/u;

/** A ticked label; `row` and `column` where a row may have several. */
const Tick = z.object({
  file: z.string(),
  page: z.number(),
  key: z.string(),
  row: z.number().optional(),
  column: z.number().optional(),
});
export type Tick = z.infer<typeof Tick>;

/** The field that holds the ticks of other sheets. */
export const KEPT = "kept";

export const keep = (tick: Tick): string => JSON.stringify(tick);

function parseKept(text: string): Tick[] {
  try {
    return [Tick.parse(JSON.parse(text))];
  } catch {
    return [];
  }
}

/**
 * All ticks that a form has sent, each once: those of the shown sheet, and those that were kept of
 * others.
 */
export function readTicks(form: Readonly<Record<string, unknown>>): Tick[] {
  const [file = ""] = toTexts(form["from"]);
  const page = Number(toTexts(form["page"])[0] ?? 0);
  const places = toTexts(form["at"]).flatMap((text) => {
    const [, row, column, key] = AT.exec(text) ?? [];
    if (key === undefined) return [];
    return [{ key, file, page, row: Number(row), column: Number(column) }];
  });
  const keys = toTexts(form["key"]).map((key) => ({ key, file, page }));
  const all = [...toTexts(form[KEPT]).flatMap(parseKept), ...keys, ...places];
  const idOf = (tick: Tick): string =>
    JSON.stringify([tick.file, tick.page, tick.row, tick.column, tick.key]);
  return [...new Map(all.map((tick) => [idOf(tick), tick])).values()];
}

/** Fields of the form, and what the page's address calls them. */
const TYPED = { from: "pdf", sheet: "sheet", start: "start", reason: "reason" } as const;

/** As the fields take them. */
const LONGEST = 200;

/** Where no label was ticked: back to the sheet, with what was typed. */
export function toNoneTicked(manifest: string, form: Readonly<Record<string, unknown>>): string {
  const typed = Object.entries(TYPED).flatMap(([field, name]) =>
    toTexts(form[field]).map((text): [string, string] => [name, text.slice(0, LONGEST)]),
  );
  const query = new URLSearchParams([["none", ""], ...typed]).toString();
  return `${jobPath(manifest)}/result?${query}#reprint`;
}

/** Whether a label of the shown sheet is ticked. */
export const isTicked = (ticks: readonly Tick[], cell: MapCell): boolean =>
  ticks.some(
    ({ key, row = cell.row, column = cell.column }) =>
      key === cell.key && row === cell.row && column === cell.column,
  );

export interface Ticked {
  readonly keys: readonly string[];
  readonly places: readonly LabelPlace[];
  /** The PDF in which all of them lie; undefined for labels of several. */
  readonly from: string | undefined;
}

export function readTicked(form: Readonly<Record<string, unknown>>): Ticked {
  const ticks = readTicks(form);
  const places = ticks.flatMap(({ row, column, ...rest }) =>
    row === undefined || column === undefined ? [] : [{ ...rest, row, column }],
  );
  const files = new Set(ticks.map(({ file }) => file));
  const [from = ""] = files;
  const isOne = files.size === 1 && from !== "";
  return { keys: ticks.map(({ key }) => key), places, from: isOne ? from : undefined };
}

/** The command of the last reprint, before one that of the first label; none where a label of several was ticked. */
export function toReprintCommand(
  task: Pick<Task, "request"> | undefined,
  { manifest, first }: { readonly manifest: string; readonly first: string },
): string[] {
  const { keys = [first], start = 1, from, places = [] } = task?.request.reprint ?? {};
  // No option points at one label of several of a row.
  if (places.length > 0) return [];
  const named = keys.flatMap((key) => ["--key", key]);
  const begun = start === 1 ? [] : ["--start", String(start)];
  const of = from === undefined ? [] : ["--from", from];
  return [toCommandLine(["makeready", "sheets", "reprint", manifest, ...named, ...begun, ...of])];
}
