/** Codes that earlier runs of a retarget found for its rows: a row that renamed its code finds it again. */
import { sha256 } from "../../base/ids/ids.ts";
import { columnsOf, readTemplate } from "../../job/template/template.ts";
import type { RetargetJob } from "../../kinds/retarget/job.ts";
import type { CodeBefore, CodeIndex, TargetCode } from "../../plan/retarget.ts";
import { headerOf } from "../../read/header/header.ts";
import type { State } from "../../state/state.ts";

type Cells = Readonly<Record<string, string>>;

/**
 * What a row is known by: the columns of its key and those that `match` names its code by; where
 * there are none, all of them.
 */
function makeMark({ source, match }: RetargetJob): (cells: Cells) => string {
  const { key, columns } = source;
  const named = columnsOf(readTemplate(match.value).template);
  const names = [...new Set([...key, ...named])];
  return (cells) => {
    const headers = Object.keys(cells);
    const known =
      names.length === 0
        ? Object.entries(cells)
        : names.map((name) => cells[headerOf(columns, name, headers)] ?? "");
    return sha256(JSON.stringify(known)).slice(0, 16);
  };
}

/**
 * How a row's code of an earlier run is looked up; undefined for jobs whose changes leave alone what
 * their rows match by. A code that the server no longer has is not answered.
 */
export function recallTargets(
  job: RetargetJob,
  state: State,
  byId: (id: string) => TargetCode | undefined,
): CodeIndex["before"] {
  if (job.set.displayName === null || !job.match.by.includes("display_name")) return undefined;
  const toMark = makeMark(job);
  const found = new Map<string, { readonly id: string; readonly isFinished: boolean }>();
  for (const { key: id, cells, isFinished } of state.selected.found())
    found.set(toMark(cells), { id, isFinished });
  return ({ cells }): CodeBefore | undefined => {
    const known = found.get(toMark(cells));
    const code = known && byId(known.id);
    return code && known && { code, isFinished: known.isFinished };
  };
}
