/**
 * Void codes that a job's sheets still have: a run that makes a PDF anew prints them again
 * (docs/ledger.md).
 */
import { cutKey } from "../../base/text/words.ts";
import type { PressWarning } from "../../base/shapes/press-warning.ts";
import type { State } from "../../state/state.ts";
import { readVoidUnits } from "../../state/unit-ledger.ts";
import type { PlanNote } from "../paper/plan-notes.ts";
import type { WorkJob } from "../stages/work.ts";
import { toUnitOwner } from "./unit-owner.ts";

interface Place {
  readonly job: Pick<WorkJob, "name" | "file" | "output">;
  readonly dataDir: string;
  readonly state: State;
  /** Rows that vanish in this run; their codes go off the sheets. */
  readonly gone?: readonly string[] | undefined;
}

const NAMED = 5;

/** Rows whose codes are void, by the PDF that prints them. */
function listVoid({ job, dataDir, state, gone = [] }: Place): Map<string, string[]> {
  const found = new Map<string, string[]>();
  if (job.output.sheets === null) return found;
  const vanishing = new Set(gone);
  for (const key of readVoidUnits(dataDir, toUnitOwner({ job, dataDir, state }))) {
    if (vanishing.has(key) || state.isGone(key)) continue;
    const group = state.row(key)?.placing.sheets;
    if (group != null) found.set(group, [...(found.get(group) ?? []), key]);
  }
  return found;
}

/** Of the PDF `group`, which is made anew. */
export function warnOfVoid(place: Place, group: string): PressWarning[] {
  const keys = listVoid(place).get(group) ?? [];
  if (keys.length === 0) return [];
  const rows = keys.slice(0, NAMED);
  return [{ code: "codes-void", count: keys.length, rows, what: rows.map(cutKey) }];
}

/** Of all PDFs of the job: which ones are made anew is known only during the run. */
export function noteVoid(place: Place): PlanNote[] {
  const keys = [...listVoid(place).values()].flat();
  if (keys.length === 0) return [];
  return [{ code: "void-codes", count: keys.length, examples: keys.slice(0, NAMED).map(cutKey) }];
}
