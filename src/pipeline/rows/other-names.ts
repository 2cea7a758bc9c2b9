/** Codes that have another name or folder than their job gave them: an answer was lost, or somebody has changed it. */
import type { Problem } from "../../base/errors.ts";
import { inParts } from "../../base/flow/parts.ts";
import { formatMany } from "../../base/text/words.ts";
import type { RowJob } from "../../kinds/any-job.ts";
import { sayRow } from "../../plan/row-place.ts";
import type { NamedRow } from "../../state/listing.ts";
import type { State } from "../../state/state.ts";
import type { Asking } from "./other-looks.ts";
import { findUpdated, listFirst, SHOWN } from "./other-targets.ts";

type Part = "name" | "folder";

/** A row whose code is called or filed otherwise now. */
interface Renamed {
  readonly key: string;
  /** What differs: was, and is. */
  readonly parts: readonly (readonly [Part, string, string | undefined])[];
}

const fold = (text: string): string => text.normalize("NFKC").trim().toLowerCase();

const foldPath = (path: string): string => path.split("/").map(fold).join("/");

/** A code that lay on the server twice may keep its marker behind its name. */
const isNamed = ({ name, ref }: NamedRow, now: string): boolean =>
  now.trim() === name.trim() || (ref !== null && now === `${name} #${ref}`.trim());

/** A name that the server chose, and a folder that the job doesn't name, are not compared. */
function compare(
  row: NamedRow,
  now: { readonly name: string; readonly folder: string | undefined },
): Renamed["parts"] {
  const { name, folder } = row;
  const isFiled = folder === null || foldPath(folder) === foldPath(now.folder ?? "");
  return [
    ...(name === "" || isNamed(row, now.name) ? [] : [["name", name, now.name] as const]),
    ...(isFiled ? [] : [["folder", folder, now.folder] as const]),
  ];
}

const quote = (text: string | undefined): string =>
  text === undefined ? "none" : JSON.stringify(text);

function sayRenamed(job: RowJob, state: State, renamed: readonly Renamed[]): Problem {
  const count = renamed.length;
  const shown = renamed.slice(0, SHOWN).flatMap(({ key, parts }) => {
    const row = state.row(key);
    const what = parts.map(([part, was, is]) => `${part} ${quote(is)} instead of ${quote(was)}`);
    return row === undefined ? [] : [`${sayRow(job.source, row)} the ${what.join(" and the ")}`];
  });
  const found = new Set(renamed.flatMap(({ parts }) => parts.map(([part]) => part)));
  const names = (["name", "folder"] as const).filter((part) => found.has(part));
  const index =
    job.output.index.length === 0 ? "" : `; the index has the old ${names.join(" and ")}`;
  const [have, it] = count === 1 ? ["has", "it"] : ["have", "them"];
  return {
    message: `${formatMany(count, "code")} ${have} another ${names.join(" or ")} than this job gave ${it}: ${listFirst(count, shown)}. The answer to a change was lost, or another job or a person has changed ${it} since${index}`,
    hint: `to keep this, write the new ${names.join(" and ")} into the rows; to take it back, undo the other job`,
  };
}

/** Asks the data folder of the embedded service; of other servers it is not known. */
export async function findOtherNames(asking: Asking): Promise<Problem[]> {
  const { job, server, ports, state, planned } = asking;
  if (server.baseUrl !== undefined || state === undefined) return [];
  const updated = findUpdated(state, planned);
  const renamed: Renamed[] = [];
  for (const rows of inParts(state.listing.named())) {
    const told = await ports.server.named(
      server.dataDir,
      rows.map(({ id }) => id),
    );
    for (const row of rows) {
      const now = told?.get(row.id);
      const parts = now === undefined || updated.has(row.key) ? [] : compare(row, now);
      if (parts.length > 0) renamed.push({ key: row.key, parts });
    }
  }
  return renamed.length === 0 ? [] : [sayRenamed(job, state, renamed)];
}
