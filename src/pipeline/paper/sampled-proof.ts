/** Where a job may ask for a sampled proof (`output.sheets.proof`), and what its plan says of it. */
import { AppError } from "../../base/errors.ts";
import { formatCount } from "../../base/text/words.ts";
import { type JobLabel, type JobSheets, MOST_DECODED_ALL } from "../../job/job.ts";
import type { PlanNote } from "./plan-notes.ts";
import type { WorkJob } from "../stages/work.ts";

const hasOthers = (label: JobLabel | null): boolean =>
  label?.art.items.some(({ kind }) => kind === "symbol" || kind === "image") ?? false;

/** Things on labels whose modules can't be compared. */
function findOthers({ label, background, back, codeStyle }: JobSheets): string | undefined {
  if (hasOthers(label) || hasOthers(back?.label ?? null)) return "symbols or pictures on labels";
  if (background !== null || (back?.background ?? null) !== null) return "a page behind labels";
  return codeStyle === null ? undefined : "a style of codes (code_style)";
}

/** What a plan finds of its sheets. */
interface PlannedSheets {
  /** Copies, overs and those of spare cells included. */
  readonly labels: number;
  readonly notes: readonly PlanNote[];
}

/**
 * The note of a plan whose proof is sampled. Throws `manifest-invalid` where a sample would prove
 * nothing or save nothing. `most`: up to so many labels all codes are decoded; `later`: rows for
 * another run.
 */
export function planSampled(
  { file, output: { sheets } }: Pick<WorkJob, "file" | "output">,
  { labels, notes }: PlannedSheets,
  {
    most = MOST_DECODED_ALL,
    later = 0,
  }: { readonly most?: number | undefined; readonly later?: number },
): PlanNote[] {
  if (sheets?.proof !== "sampled") return [];
  const refuse = (message: string, hint: string): never => {
    const where = { file, field: "output.sheets.proof" };
    throw new AppError("manifest-invalid", `output.sheets.proof: sampled ${message}`, {
      where,
      hint,
    });
  };
  const isDesigned = notes.some(({ code }) => code === "design-inks");
  const others = findOthers(sheets) ?? (isDesigned ? "designs of codes" : undefined);
  if (others !== undefined)
    refuse(`must go without ${others}: each of these codes is decoded`, "proof: full");
  if (labels <= most)
    refuse(
      `must have more than ${formatCount(most)} labels, got ${formatCount(labels)}`,
      `proof: full decodes every code; up to ${formatCount(most)} take minutes at most`,
    );
  return [{ code: "proof-sampled", labels, ...(later > 0 && { later }) }];
}
