/** Results that an earlier makeready has stored: what they lack is filled where it is read. */
import type { PlanNote } from "../../pipeline/paper/plan-notes.ts";
import type { Reprint } from "../../pipeline/reprint/reprint-result.ts";
import type { ScanResult } from "../../pipeline/scan-back/scan-back.ts";
import type { ReplaceResult } from "../../pipeline/units/replace-units.ts";
import type { TaskLine, TaskResult } from "./task.ts";

/** As JSON has it: any field may be missing. */
type Old<T> = { readonly [K in keyof T]?: T[K] };

const fillLabels = (labels: ScanResult["labels"]): ScanResult["labels"] => ({
  ...labels,
  void: (labels as Old<typeof labels>).void ?? 0,
});

/** It knew no void codes, no older sheets, and no run that was cut short. */
function fillScan(scan: ScanResult): ScanResult {
  const old: Old<ScanResult> = scan;
  return {
    ...scan,
    labels: fillLabels(scan.labels),
    sheets: scan.sheets.map((sheet) => ({ ...sheet, labels: fillLabels(sheet.labels) })),
    void: old.void ?? [],
    older: old.older ?? [],
    unfinished: old.unfinished ?? [],
  };
}

/** The files of every code were made anew when the address moved. */
function fillNote(note: PlanNote, made: number): PlanNote {
  if (note.code !== "address-moves") return note;
  return { ...note, count: (note as Old<typeof note>).count ?? made };
}

/** It counted codes only. */
const fillReprint = (reprint: Reprint): Reprint => ({
  ...reprint,
  labels: (reprint as Old<Reprint>).labels ?? reprint.codes,
});

const fillReplaced = (replaced: ReplaceResult): ReplaceResult =>
  replaced.reprint === undefined
    ? replaced
    : { ...replaced, reprint: fillReprint(replaced.reprint) };

function fillResult(result: TaskResult): TaskResult {
  if (result.step === "reprint") return { ...result, reprint: fillReprint(result.reprint) };
  if (result.step === "replace") return { ...result, replaced: fillReplaced(result.replaced) };
  if (result.step === "scan") return { ...result, scan: fillScan(result.scan) };
  if (result.step !== "plan" && result.step !== "compare") return result;
  const { plan } = result;
  const made = Math.max(0, plan.summary.good - plan.summary.creates);
  return { ...result, plan: { ...plan, notes: plan.notes.map((note) => fillNote(note, made)) } };
}

export const readLine = (text: string): TaskLine => {
  const line = JSON.parse(text) as TaskLine;
  return line.type === "result" ? { ...line, result: fillResult(line.result) } : line;
};
