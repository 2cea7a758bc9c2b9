/** `vanished-rows.csv`: codes that live on though the spreadsheet has their rows no longer. */
import { rm } from "node:fs/promises";
import path from "node:path";

import { rowKinds } from "../../kinds/names.ts";
import { writeIndexCsv } from "../../pack/index-file.ts";
import type { StateRow } from "../../state/row.ts";
import type { State } from "../../state/state.ts";
import { VANISHED_WITH_CODE } from "../../state/which-rows.ts";
import { PUBLIC_URL } from "../address/public-address.ts";
import type { Work } from "./work.ts";
import { toDelimiter, toIndexRow } from "./lookups.ts";
import { toSheetOf } from "./sheet-of.ts";
import type { Stage } from "./stage.ts";

/** Relative to the output folder. */
const VANISHED_ROWS = "vanished-rows.csv";

/** Only codes that rows made can be left over; one that is no longer selected isn't the job's. */
export const isMaker = ({ job }: Pick<Work, "job">): boolean =>
  rowKinds.some((kind) => kind === job.kind);

/** Rows that vanished, each as the index had it; in no archive any more. */
export const listVanished = (work: Pick<Work, "job" | "state">): StateRow[] =>
  isMaker(work) ? work.state.goneRows(VANISHED_WITH_CODE) : [];

const isAny = (state: State): boolean => state.count(VANISHED_WITH_CODE) > 0;

export const vanishedStage: Stage = {
  name: "vanished-rows",
  isTimed: false,
  async make(work) {
    const file = path.join(work.folder, VANISHED_ROWS);
    const rows = listVanished(work);
    if (rows.length === 0) {
      if (isMaker(work)) await rm(file, { force: true });
      return { vanished: null };
    }
    const publicUrl = work.state.meta(PUBLIC_URL);
    const names = {
      publicUrl,
      toZip: () => undefined,
      sheetOf: toSheetOf(work),
    };
    const listed = rows.map((row) => toIndexRow(row, names));
    await writeIndexCsv(file, listed, toDelimiter(work));
    return { vanished: { file, rows: rows.length } };
  },
  recall(work) {
    const rows = isMaker(work) ? work.state.count(VANISHED_WITH_CODE) : 0;
    return { vanished: rows === 0 ? null : { file: path.join(work.folder, VANISHED_ROWS), rows } };
  },
  describe: (_work, { vanished }) =>
    vanished === null ? [] : [{ role: "vanished-rows", ...vanished }],
  watched: (state) => (isAny(state) ? [VANISHED_ROWS] : []),
};
