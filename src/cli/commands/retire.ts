import { AppError } from "../../base/errors.ts";
import type { RetireAction } from "../../pipeline/results.ts";
import { readFlag, readList, readText, type CliContext, type Input } from "../context.ts";
import { makeView } from "../make-view.ts";
import { makePorts, openJob } from "../open-job.ts";
import { tellResult } from "../tell-result.ts";
import { readPatience } from "./run.ts";

/** A path of folders, as `code.folder` writes it. */
function toFolder(text: string): string {
  const names = text.split("/").map((name) => name.trim());
  if (names.every((name) => name !== "")) return names.join("/");
  throw new AppError("bad-usage", `--folder must be a path like Old/2026, got ${text}`);
}

function readAction(input: Input): RetireAction | undefined {
  const folder = readText(input, "folder");
  const isDelete = readFlag(input, "delete");
  if (folder !== undefined && isDelete) {
    throw new AppError("bad-usage", "one of --folder and --delete must be given, got both");
  }
  if (folder !== undefined) return { does: "file", folder: toFolder(folder) };
  return isDelete ? { does: "delete" } : undefined;
}

export async function retire(context: CliContext, input: Input): Promise<number> {
  const job = await openJob(context, input);
  const action = readAction(input);
  const keys = readList(input, "key");
  if (action === undefined) {
    await job.retire(makePorts(context, makeView(context, input), input), { keys });
    return 0;
  }
  const request = {
    action,
    keys,
    isConfirmed: readFlag(input, "yes"),
    patienceMs: readPatience(context, input),
  };
  return tellResult(context, input, async (ports) => {
    const result = await job.retire(ports, request);
    if ("did" in result) return result;
    throw new AppError("bug", "a retire with an action must come to a result");
  });
}
