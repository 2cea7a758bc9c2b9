/** The hot folder: spreadsheets that are put into a folder are run, one after the other. */
import { existsSync } from "node:fs";
import path from "node:path";

import { EXIT_REFUSED, EXIT_ROWS_FAILED } from "../../base/exit-codes.ts";
import { toShortPath } from "../../base/text/format-problem.ts";
import { toProgramLine } from "../../base/text/program-words.ts";
import { quoteWord } from "../../base/text/shell-words.ts";
import {
  FOLDER_MANIFESTS,
  type Delivered,
  type HotFolderParts,
} from "../../pipeline/hot-folder/hot-folder.ts";
import { runOrder, type OrderRules } from "../../pipeline/hot-folder/run-order.ts";
import { watchFolder } from "../../pipeline/hot-folder/watch-folder.ts";
import { Call } from "../call.ts";
import { makePorts, readOpenOptions, readPatience } from "../open-job.ts";
import { readDataDir, readDuration } from "../settings.ts";
import { toPeople } from "../terminal.ts";

const SETTLE_MS = 2000;

const REHEARSAL =
  "REHEARSAL: the codes point to this computer; watch with --public-url and your address before printing";

const firstLine = (text: string): string => text.split("\n")[0] ?? "";

function tellDelivered(call: Call, one: Delivered): void {
  const why = one.reason === undefined ? "" : `: ${firstLine(one.reason)}`;
  const rehearsal = one.isRehearsal ? `; ${REHEARSAL}` : "";
  const says = `${one.file} → ${toShortPath(one.folder, call.context.cwd)}${why}${rehearsal}`;
  call.tell("order", { event: "delivered", ...one }, says);
}

/** Orders run in silence; only `--yes` answers questions, since no one is there. */
function readRules(call: Call, folder: string): OrderRules {
  const dataDir = readDataDir(call) ?? path.join(folder, ".makeready");
  const alone = { ...call.context, ask: undefined };
  // Refused here where it is odd: no order is at fault.
  const { report } = makePorts(call);
  return {
    options: { ...readOpenOptions(call), dataDir },
    request: { isConfirmed: call.has("yes"), patienceMs: readPatience(call) },
    portsOf: (argument) => {
      const order = new Call(alone, { ...call.input, argument });
      return { ...makePorts(order), report, on: () => undefined };
    },
    cwd: call.context.cwd,
  };
}

function tellBegin(call: Call, folder: string): void {
  const { err } = toPeople(call.context);
  const { cwd } = call.context;
  const [shown, watched] = [toShortPath(folder, cwd), toShortPath(path.join(folder, "in"), cwd)];
  // Typed behind the `cd`.
  const program = toProgramLine({ ...call.context, cwd: folder });
  if (!FOLDER_MANIFESTS.some((name) => existsSync(path.join(folder, name))))
    err(
      `no job.yaml in ${shown}: only spreadsheets with a manifest of their own name in ${watched} are run, as menus.csv with menus.yaml; cd ${quoteWord(shown)} && ${program} init job --source YOUR.xlsx writes a job.yaml\n`,
    );
  if (!call.has("once")) err(`watching ${watched}; stop with Ctrl-C\n`);
}

export async function watch(call: Call): Promise<number> {
  const folder = call.resolve(call.require("a folder", "makeready watch orders"));
  const { clock, ids, signal, cwd } = call.context;
  const rules = readRules(call, folder);
  const isOnce = call.has("once");
  let [delivered, mended, waiting] = [0, 0, 0];
  const refused = new Set<string>();
  const parts: HotFolderParts = {
    folder,
    settleMs: readDuration(call.given("settle")) ?? SETTLE_MS,
    clock,
    ids,
    signal,
    run: (order) => runOrder(order, rules),
    tell: (one) => {
      delivered += 1;
      if (one.place === "mend") mended += 1;
      refused.delete(one.name);
      tellDelivered(call, one);
    },
    tellWaiting: (name, reason, exitCode) => {
      waiting += 1;
      if (exitCode === EXIT_REFUSED) refused.add(name);
      else refused.delete(name);
      const says = `${name} waits: ${firstLine(reason)}`;
      call.note("order", { event: "waiting", name, reason }, says);
    },
  };
  await watchFolder(parts, { isOnce, onBegin: () => tellBegin(call, folder) });
  if (isOnce && delivered + waiting === 0 && !signal.aborted && !call.isJson)
    call.say(`nothing to do: no spreadsheet in ${toShortPath(path.join(folder, "in"), cwd)}`);
  if (isOnce && refused.size > 0) return EXIT_REFUSED;
  return isOnce && mended > 0 ? EXIT_ROWS_FAILED : 0;
}
