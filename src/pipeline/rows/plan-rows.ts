/** `plan` of a job that reads rows: what a run would do and cost. Nothing is written. */
import { closing } from "../../base/flow/closing.ts";
import type { RowJob } from "../../kinds/any-job.ts";
import { ActionsHash } from "../../plan/plan-file.ts";
import { readState } from "../../state/find-state.ts";
import { toStateError } from "../../state/schema.ts";
import { stateFile, type State } from "../../state/state.ts";
import type { Source } from "../../read/source.ts";
import { refuseOtherServer } from "../address/moved-server.ts";
import { findUnset } from "../address/server.ts";
import type { Ports } from "../ports.ts";
import { toProgramHash } from "./program-hash.ts";
import type { JobPlan } from "../results.ts";
import { rememberPublicUrl } from "../address/public-address.ts";
import { openJobRows } from "../address/foreign-server.ts";
import type { PlanRequest } from "../strategy.ts";
import { askAddress } from "./ask-address.ts";
import { describePlan, toPlanFacts } from "./describe-plan.ts";
import { checkPlanTemplates } from "./plan-templates.ts";
import { findElsewhere } from "./elsewhere.ts";
import { foreseeFound } from "./found-again.ts";
import { findFormerOutput } from "./former-output.ts";
import { refuseLost } from "./lost-state.ts";
import { warnOfMovedOutput } from "./moved-output.ts";
import { planRows } from "./read-plan.ts";
import { findSeal } from "./seal.ts";
import { refuseOtherSerials } from "./serial-origin.ts";
import { addWarnings, checkAddress, type ServerAddress } from "./server-address.ts";
import { refuseOtherJob } from "./whose-state.ts";

type Request = PlanRequest<RowJob>;

interface Opened {
  readonly source: Source;
  /** Undefined before the first run. */
  readonly state: State | undefined;
  readonly nowMs: number;
  readonly server: ServerAddress;
}

/** The plan of a run that finds everything as the last whole one left it; undefined for any other. */
async function recallPlan(
  { job, server, isExact }: Request,
  ports: Ports,
  { source, state, server: far }: Opened,
): Promise<JobPlan | undefined> {
  if (state === undefined || isExact || far.moved !== undefined) return undefined;
  const { writer } = ports;
  const program = toProgramHash(ports.programFolder);
  const seal = await findSeal({ job, server, source, state, writer, program });
  if (seal === undefined) return undefined;
  const { createdAt } = state;
  const elsewhere = await findElsewhere({ job, server, ports, state });
  const { mostDecodedAll } = ports;
  const given = { planned: seal, state, createdAt, source, mostDecodedAll, far };
  return describePlan(job, server, { ...given, ...elsewhere });
}

async function makePlan(
  request: Request,
  ports: Ports,
  { source, state, nowMs, server: far }: Opened,
): Promise<JobPlan> {
  const { job, server } = request;
  const actions = new ActionsHash();
  const planned = await planRows({
    job,
    server,
    source,
    state,
    nowMs,
    retryFailed: false,
    actions,
  });
  return closing(planned.spool, async () => {
    const templates = await checkPlanTemplates(request, ports, planned);
    const { spool } = planned;
    const former = await findFormerOutput(request, ports, { state, spool });
    const changedKey = planned.changedKey ?? former.refused;
    const first = changedKey === undefined ? [] : [changedKey];
    const { warnings, templateOf } = templates;
    const moved = warnOfMovedOutput(job, ports, state);
    const told = [...first, ...former.warnings, ...moved, ...planned.warnings, ...warnings];
    const shown = { ...planned, warnings: told };
    const createdAt = state?.createdAt ?? new Date(nowMs).toISOString();
    const { writer } = ports;
    const address = await askAddress(job, server, { ports, state });
    const elsewhere = await findElsewhere({ job, server, ports, state, planned });
    const { mostDecodedAll } = ports;
    const found = { planned: shown, state, createdAt, source, writer, mostDecodedAll, far };
    const plan = await describePlan(job, server, { ...found, templateOf, address, ...elsewhere });
    const refused = changedKey === undefined ? {} : ({ isRefused: true } as const);
    return { ...plan, ...refused, facts: toPlanFacts(request, source, actions) };
  });
}

/** A run of a server without workspace or token is refused: the plan says so first. */
function tellUnset(plan: JobPlan, { job, server }: Request, ports: Ports): JobPlan {
  const unset = findUnset(job, server, ports);
  if (unset === undefined) return plan;
  const { message, hint } = unset;
  const first = { message: `a run can't begin: ${message}`, hint };
  return { ...plan, warnings: [first, ...plan.warnings], isRefused: true };
}

export async function planRowJob(request: Request, ports: Ports): Promise<JobPlan> {
  const { job } = request;
  const source = await openJobRows(request, ports);
  const nowMs = ports.clock.nowMs();
  const { dir } = job.output;
  const options = { writer: ports.writer, salt: "", nowMs };
  let state = await readState(dir, options);
  try {
    if (state === undefined) await refuseLost(job);
    const server = rememberPublicUrl(request.server, state);
    if (state !== undefined)
      await refuseOtherServer(job, server, { ports, state, isWritten: false });
    const again = await foreseeFound(server, state, { ports, folder: dir, options });
    ({ state } = again);
    const address = addWarnings(await checkAddress(job, server, { ports, state }), again.warnings);
    refuseOtherJob(state, request.job);
    refuseOtherSerials(state, source);
    const known = { ...request, server };
    const opened = { source, state, nowMs, server: address };
    const plan = (await recallPlan(known, ports, opened)) ?? (await makePlan(known, ports, opened));
    return tellUnset(plan, known, ports);
  } catch (error) {
    throw toStateError(stateFile(dir), error);
  } finally {
    state?.close();
    await source.close();
  }
}
