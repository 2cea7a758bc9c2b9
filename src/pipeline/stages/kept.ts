/** A run without files to replace them leaves finished files alone, and says so. */
import type { PlanSummary } from "../../plan/tally.ts";
import type { State } from "../../state/state.ts";
import type { PlanNote } from "../paper/plan-notes.ts";
import { NOTHING_MADE, type Finishing, type Made } from "./stage.ts";
import { failedStage, FAILED_FILES } from "./failed-rows.ts";
import { stages } from "./stages.ts";
import { findKept, type KeptFile } from "./sweep.ts";
import type { Work } from "./work.ts";

/** Files beside those of groups; their names are fixed, so they are found without the state. */
const LOOKUPS = ["index.csv", "index.xlsx", "sheet-map.json"];

/** All that earlier runs have finished in the folder. */
export function findFinished({
  state,
  folder,
}: Pick<Work, "state" | "folder">): Promise<KeptFile[]> {
  const names = stages.flatMap(({ watched }) => watched?.(state) ?? []);
  return findKept(
    folder,
    [...names, ...LOOKUPS].filter((name) => !FAILED_FILES.includes(name)),
  );
}

/** Lists the rows to mend; everything else stays as it is. */
export async function keepAll(work: Finishing, kept: readonly KeptFile[]): Promise<Made> {
  return { ...NOTHING_MADE, ...(await failedStage.make(work, NOTHING_MADE)), kept };
}

/** Without a good row nothing can replace the finished files. */
export const noteKept = ({ good }: PlanSummary, state: State | undefined): PlanNote[] => {
  const isFinished = ["sheets", "zip", "file"].some(
    (kind) => state?.allPackaged(kind).length !== 0,
  );
  return good === 0 && state !== undefined && isFinished ? [{ code: "keeps-files" }] : [];
};
