import type { AppError } from "../../base/errors.ts";
import { readVariable } from "../../base/settings.ts";
import { formatMany } from "../../base/text/words.ts";
import { isRowJob } from "../../kinds/any-job.ts";
import { checkCodesAddress, checkGone, checkJob } from "../../pipeline/doctor/job-checks.ts";
import type { Check } from "../../pipeline/doctor/check.ts";
import { examine, toExit, type Subject } from "../../pipeline/doctor/examine.ts";
import { readForeign } from "../../pipeline/address/foreign-server.ts";
import { findStoreFault } from "../../pipeline/open.ts";
import { readMoved, settleAddress } from "../../pipeline/address/public-address.ts";
import { toLenientPort } from "../../service/embedded/lenient.ts";
import type { Call } from "../call.ts";
import { makePorts, openJob, readAccess, readAddress } from "../open-job.ts";
import { requireDataDir } from "../settings.ts";

async function readSubject(call: Call): Promise<Subject> {
  if (call.input.argument !== undefined) {
    const opened = await openJob(call);
    const { job, server } = opened;
    const ports = makePorts(call);
    const moved = await readMoved(job, server, ports);
    const foreign = await readForeign({ job, server }, ports);
    const gone = isRowJob(job) ? await checkGone(job, server, ports) : [];
    const named = await checkJob(opened, ports);
    const writes = job.kind !== "export" && job.kind !== "report";
    const checkCodes = isRowJob(job) ? () => checkCodesAddress(job, server, ports) : undefined;
    const { api, output } = job;
    return { folder: output.dir, api, server, named, moved, foreign, gone, writes, checkCodes };
  }
  const { env, cwd } = call.context;
  const baseUrl = call.text("baseUrl") ?? readVariable(env, "baseUrl");
  const { changesPublicUrl = false, publicUrl } = readAddress(call);
  const given = publicUrl ?? readVariable(env, "publicUrl");
  const dataDir = requireDataDir(call);
  const asked = { baseUrl, dataDir, given, changesPublicUrl, limits: "off" } as const;
  let moved: Subject["moved"];
  const onMoved = ({ message, hint = "" }: AppError): void => void (moved = { message, hint });
  const port = toLenientPort(onMoved);
  const refused = baseUrl === undefined ? findStoreFault(env) : undefined;
  if (refused !== undefined) onMoved(refused);
  const server = await settleAddress(asked, port);
  const api = baseUrl === undefined ? {} : { baseUrl };
  return { folder: call.file("out") ?? cwd, server, api, moved };
}

const SIGNS = { ok: "ok", warning: "warning", failed: "FAILED" } as const;

const listCheck = ({ name, status, says, fix }: Check): string[] => [
  `  ${SIGNS[status].padEnd(8)} ${name.padEnd(11)} ${says}`,
  ...(fix === undefined ? [] : [`           → ${fix}`]),
];

function sayVerdict(warnings: number, failed: number): string {
  if (failed > 0) return `${formatMany(failed, "check")} failed`;
  return warnings > 0 ? `ready, with ${formatMany(warnings, "warning")}` : "all is well";
}

export async function doctor(call: Call): Promise<number> {
  const { context } = call;
  const world = { ...context, access: readAccess(call) };
  const checks = await examine(await readSubject(call), world);
  const count = (status: Check["status"]): number =>
    checks.filter((check) => check.status === status).length;
  const [warnings, failed] = [count("warning"), count("failed")];
  const exitCode = toExit(checks);
  if (call.isJson) for (const { exit: _exit, ...check } of checks) call.json("check", check);
  call.tell(
    "summary",
    { checks: checks.length, warnings, failed, exitCode },
    context.writer,
    ...checks.flatMap(listCheck),
    sayVerdict(warnings, failed),
  );
  return exitCode;
}
