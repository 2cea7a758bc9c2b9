/** Void codes among those that a job has found: its sheets print them, and their short links say that they are void. */
import type { PressWarning } from "../../base/shapes/press-warning.ts";
import { inParts } from "../../base/flow/parts.ts";
import { cutKey } from "../../base/text/words.ts";
import type { StateRow } from "../../state/row.ts";
import type { ServerChoice } from "../address/server.ts";
import type { Ports } from "../ports.ts";

const NAMED = 5;

/** Asks the data folder of the embedded service; no other server knows which codes are void. */
export async function findVoidAmong(
  rows: Iterable<Pick<StateRow, "key" | "wanted">>,
  { baseUrl, dataDir }: ServerChoice,
  { server }: Pick<Ports, "server">,
): Promise<PressWarning[]> {
  if (baseUrl !== undefined) return [];
  const found: { readonly key: string; readonly name: string }[] = [];
  for (const some of inParts(rows)) {
    const ids = some.map(({ key }) => key);
    const dead = await server.voided(dataDir, ids);
    for (const { key, wanted } of some)
      if (dead.has(key)) found.push({ key, name: cutKey(wanted.displayName || key) });
  }
  if (found.length === 0) return [];
  const first = found.slice(0, NAMED);
  const [keys, what] = [first.map(({ key }) => key), first.map(({ name }) => name)];
  return [{ code: "codes-void", count: found.length, rows: keys, what }];
}
