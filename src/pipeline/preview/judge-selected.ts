/** Jobs over codes that exist: their sheets and the texts of their frames, judged before the job is saved. Asks no server. */
import { toLevel } from "../../api/design.ts";
import { closing } from "../../base/flow/closing.ts";
import type { ExportJob } from "../../kinds/export/job.ts";
import type { RedesignJob } from "../../kinds/redesign/job.ts";
import { toLarger } from "../../plan/payload.ts";
import { readState } from "../../state/find-state.ts";
import type { State } from "../../state/state.ts";
import { PRESENT_DONE } from "../../state/which-rows.ts";
import { refuseFrameTexts } from "../checks/frame-texts.ts";
import { planPaper } from "../paper/plan-paper.ts";
import type { Ports } from "../ports.ts";

/** The short link of the last run that needs the largest code; before that, a text that every code has room for. */
function toLongest(state: State | undefined): string {
  let longest = "0";
  for (const { shortLink } of state?.rows(PRESENT_DONE) ?? [])
    longest = toLarger(longest, shortLink ?? "");
  return longest;
}

/** Throws what a plan throws of texts that can't be drawn, and of sheets that none of the codes has room on. */
export async function judgeSelected(
  job: RedesignJob | ExportJob,
  { clock, writer }: Pick<Ports, "clock" | "writer">,
): Promise<void> {
  if (job.kind === "redesign") await refuseFrameTexts(job);
  if (job.output.sheets === null) return;
  const nowMs = clock.nowMs();
  await closing(await readState(job.stateDir, { writer, salt: "", nowMs }), async (state) => {
    const longestPayload = toLongest(state);
    const sample = { name: "", rows: 1, longestPayload, longestPath: "", longestCaption: [] };
    await planPaper(job, {
      groups: [sample],
      createdAt: state?.createdAt ?? new Date(nowMs).toISOString(),
      isRehearsal: false,
      inputName: "",
      inputSha256: "",
      design: job.kind === "redesign" ? { error_correction: toLevel(job) } : {},
      links: { publicUrl: undefined, inCapitals: false },
      labels: { sizes: [], press: [], designs: [], printed: [] },
      templateOf: () => undefined,
      finished: undefined,
    });
  });
}
