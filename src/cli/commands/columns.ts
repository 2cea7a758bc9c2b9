import { closing } from "../../base/flow/closing.ts";
import { PLAIN_SOURCE } from "../../job/job.ts";
import { findKeys, guessColumns, guessThings } from "../../pipeline/draft/guess.ts";
import { lookInto } from "../../pipeline/draft/look.ts";
import { withFullestSheet } from "../../read/files/fullest-sheet.ts";
import { openSource } from "../../read/source.ts";
import type { Call } from "../call.ts";
import { listColumns } from "../views/columns-view.ts";
import { readWhole } from "../settings.ts";

export async function columns(call: Call): Promise<void> {
  const file = call.require("a file");
  const sheet = call.text("sheet") ?? null;
  const meant = await withFullestSheet({
    ...PLAIN_SOURCE,
    file: call.resolve(file),
    sheet: sheet !== null && /^\d+$/u.test(sheet) ? Number(sheet) : sheet,
    headerRow: readWhole(call.given("headerRow"), { least: 1 }) ?? null,
  });
  await closing(await openSource(meant, [], call.context.signal), async (source) => {
    const look = await lookInto(source);
    const { columns: profile } = look;
    const guesses = guessColumns(look);
    const { thing } = guessThings(look, guesses)[0] ?? { thing: "text" };
    const keys = findKeys(look, thing, guesses[thing]);
    const { detected, blankRows } = source;
    const { count: rows, warnings } = look;
    const problems = [...warnings, ...look.problems];
    const problemCount = warnings.length + look.problemCount;
    const view = { file, detected, rows, blankRows, profile, keys, problems, problemCount };
    const summary = { ...view, file: source.file, columns: source.columns };
    call.tell("summary", summary, ...listColumns(view, call.context.cwd));
  });
}
