/** The hot folder: spreadsheets that are put into a folder are run, one after the other. */
import path from "node:path";

import { AppError } from "../../base/errors.ts";
import { toShortPath } from "../../base/format-problem.ts";
import { duration, parseDuration } from "../../job/shapes/fields.ts";
import { lockFolder } from "../../state/lock.ts";
import { readFlag, readText, type CliContext, type Input } from "../context.ts";
import { EXIT_ROWS_FAILED } from "../exit-codes.ts";
import { readDataDir } from "../settings.ts";
import { toPeople } from "../terminal.ts";
import { HotFolder, type Delivered } from "../watch/hot-folder.ts";
import { makeRunOrder } from "../watch/run-order.ts";

const SETTLE_MS = 2000;
const LOOK_MS = 500;

function readSettle(input: Input): number {
  const text = readText(input, "settle");
  if (text === undefined) return SETTLE_MS;
  if (duration.safeParse(text).success) return parseDuration(text);
  throw new AppError("bad-usage", `--settle must be a time with a unit, like "5s", got ${text}`);
}

function makeTell(context: CliContext, input: Input) {
  const isJson = readFlag(input, "json");
  const people = toPeople(context);
  const write = (line: object): void =>
    context.out(`${JSON.stringify({ type: "order", ...line })}\n`);
  return {
    delivered: (one: Delivered): void => {
      if (isJson) return write({ event: "delivered", ...one });
      const why = one.reason === undefined ? "" : `: ${one.reason.split("\n")[0] ?? ""}`;
      people.out(`${one.file} → ${toShortPath(one.folder, context.cwd)}${why}\n`);
    },
    waiting: (name: string, reason: string): void => {
      if (isJson) return write({ event: "waiting", name, reason });
      people.err(`${name} waits: ${reason.split("\n")[0] ?? ""}\n`);
    },
  };
}

export async function watch(context: CliContext, input: Input): Promise<number> {
  const { argument } = input;
  if (argument === undefined) {
    throw new AppError("bad-usage", "a folder must be named, got none", {
      hint: "makeready watch orders",
    });
  }
  const { clock, ids, signal, cwd } = context;
  const folder = path.resolve(cwd, argument);
  const settleMs = readSettle(input);
  const dataDir = readDataDir(context, input) ?? path.join(folder, ".makeready");
  const tell = makeTell(context, input);
  let mended = 0;
  const hot = new HotFolder({
    folder,
    settleMs,
    clock,
    ids,
    signal,
    run: makeRunOrder(context, input, dataDir),
    tell: (one) => {
      if (one.place === "mend") mended += 1;
      tell.delivered(one);
    },
    tellWaiting: tell.waiting,
  });
  await hot.prepare();
  const lock = await lockFolder(path.join(folder, "work"));
  try {
    const isOnce = readFlag(input, "once");
    if (!isOnce)
      toPeople(context).err(
        `watching ${toShortPath(path.join(folder, "in"), cwd)}; stop with Ctrl-C\n`,
      );
    for (;;) {
      const waiting = await hot.look();
      if (signal.aborted || (isOnce && waiting === 0)) break;
      await clock.sleep(LOOK_MS, signal);
    }
    return isOnce && mended > 0 ? EXIT_ROWS_FAILED : 0;
  } finally {
    lock.release();
  }
}
