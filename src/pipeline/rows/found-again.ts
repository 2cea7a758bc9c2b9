/**
 * Codes that a retry has counted as gone, and that the embedded service has again: a newer copy of its
 * data was put back. They are taken back before anything is planned, so that none is made twice.
 */
import type { Problem } from "../../base/errors.ts";
import { inParts } from "../../base/flow/parts.ts";
import { formatMany } from "../../base/text/words.ts";
import { openCopy } from "../../state/find-state.ts";
import type { State, StateOptions } from "../../state/state.ts";
import { listKeys } from "./gone-codes.ts";
import type { Ports } from "../ports.ts";
import type { ServerChoice } from "../address/server.ts";

interface FoundAgain {
  readonly key: string;
  readonly id: string;
}

type Asker = Pick<Ports, "server">;

/** Looks only. */
async function findAgain(
  { baseUrl, dataDir }: ServerChoice,
  state: State,
  { server }: Asker,
): Promise<FoundAgain[]> {
  // No code of a remote server is ever forgotten.
  if (baseUrl !== undefined) return [];
  const found: FoundAgain[] = [];
  for (const rows of inParts(state.retired.forgotten())) {
    const there = await server.named(
      dataDir,
      rows.flatMap(({ codes }) => codes.map(({ codeId }) => codeId)),
    );
    for (const { key, codes } of rows) {
      const code = codes.find(({ codeId }) => there?.has(codeId));
      if (code !== undefined) found.push({ key, id: code.id });
    }
  }
  return found;
}

function sayAgain(found: readonly FoundAgain[], { dataDir }: ServerChoice): Problem {
  const count = formatMany(found.length, "code");
  const are = found.length === 1 ? "it is" : "they are";
  const keys = listKeys(found.map(({ key }) => key));
  return {
    message: `the service in ${dataDir} has ${count} of this job again that a retry had counted as gone, ${keys}: ${are} taken back, and not made a second time`,
    hint: "labels of them work again",
  };
}

interface TakenBack {
  readonly keys: ReadonlySet<string>;
  /** What is to be said of it. */
  readonly warnings: readonly Problem[];
}

/** Takes back what the service has again. */
export async function takeBackFound(
  choice: ServerChoice,
  state: State,
  ports: Asker,
): Promise<TakenBack> {
  const found = await findAgain(choice, state, ports);
  for (const { key, id } of found) state.retired.takeBack(key, id);
  return {
    keys: new Set(found.map(({ key }) => key)),
    warnings: found.length === 0 ? [] : [sayAgain(found, choice)],
  };
}

/** The same for a plan, which changes nothing: it looks at a copy of the state from then on. */
export async function foreseeFound(
  choice: ServerChoice,
  state: State | undefined,
  {
    ports,
    folder,
    options,
  }: {
    readonly ports: Asker;
    readonly folder: string;
    readonly options: StateOptions;
  },
): Promise<{ readonly state: State | undefined; readonly warnings: readonly Problem[] }> {
  if (state === undefined || (await findAgain(choice, state, ports)).length === 0)
    return { state, warnings: [] };
  state.close();
  const copy = openCopy(folder, options);
  const { warnings } =
    copy === undefined ? { warnings: [] } : await takeBackFound(choice, copy, ports);
  return { state: copy, warnings };
}
