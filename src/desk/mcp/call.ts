/** Answers a tool call with what the screens of the desk show, in English. */
import { AppError, badUsage } from "../../base/errors.ts";
import { cutText } from "../../base/text/words.ts";
import { findSheets } from "../../print/layout/find-sheets.ts";
import { showCommands } from "../../base/text/program-words.ts";
import { listSheets } from "../../print/layout/sheet-files.ts";
import type { DeskContext } from "../context.ts";
import { resolveInside } from "../folder.ts";
import { readCards, type JobCard } from "../job-cards.ts";
import { findRunning, findTask, openDeskJob } from "../jobs.ts";
import { readAnswer } from "../screens/plan/answer.ts";
import { startTask } from "../tasks/start.ts";
import { readStanding, tail } from "../tasks/tail.ts";
import { programOf } from "../view/page.tsx";
import { sayStatus, toRefusal } from "./status.ts";
import { MOST_WAIT_S, PAGE, PLAN_WAIT_S, tools } from "./tools.ts";

type Json = Record<string, unknown>;
type Args = Readonly<Record<string, unknown>>;

interface ToolResult extends Json {
  readonly content: { readonly type: "text"; readonly text: string }[];
  readonly structuredContent?: Json;
  readonly isError?: true;
}

export interface Call {
  readonly name: string;
  readonly args: Args;
  /** Of the request: ends the wait when the client goes away. */
  readonly signal: AbortSignal;
}

const refuse = (message: string, hint?: string): AppError => badUsage(message, hint);

/** A whole number of the arguments, within its bounds. */
function readCount(args: Args, name: string, { least, most, otherwise }: Record<string, number>) {
  const value = args[name] ?? otherwise;
  const isFit = Number.isInteger(value) && Number(value) >= (least ?? 0);
  if (isFit && Number(value) <= (most ?? Infinity)) return Number(value);
  throw refuse(
    `${name} must be a whole number from ${least}${most === undefined ? "" : ` to ${most}`}, got ${cutText(JSON.stringify(value))}`,
  );
}

function readText(args: Args, name: string, otherwise?: string): string {
  const value = args[name] ?? otherwise;
  if (typeof value === "string") return value;
  throw refuse(`${name} must be a text, got ${cutText(JSON.stringify(value) ?? "nothing")}`);
}

function toPage(args: Args, name: string, all: readonly Json[]): Json {
  const page = readCount(args, "page", { least: 1, otherwise: 1 });
  const next = page * PAGE < all.length ? page + 1 : null;
  return { count: all.length, next, [name]: all.slice((page - 1) * PAGE, page * PAGE) };
}

function toState({ kind, isRunning, isStarted, done, all }: JobCard): string {
  if (kind === undefined) return "broken";
  if (isRunning) return "running";
  if (!isStarted) return "never run";
  return done === all ? "done" : "partly done";
}

const toCard = (card: JobCard): Json => ({
  job: card.manifest,
  name: cutText(card.name),
  kind: card.kind ?? null,
  state: toState(card),
  rows: card.all,
  rows_done: card.done,
  rows_to_mend: card.toMend,
  fault: card.fault === undefined ? null : cutText(card.fault, 300),
});

async function listJobs(desk: DeskContext, args: Args): Promise<Json> {
  return toPage(args, "jobs", (await readCards(desk)).map(toCard));
}

async function listFound(args: Args): Promise<Json> {
  const found = findSheets(await listSheets(), readText(args, "words", ""));
  const sheets = found.map(({ sheet, as }) => ({
    name: as ?? sheet.name,
    title: sheet.title,
    page: (sheet.paper ?? sheet.page).name,
    labels: sheet.perSheet,
    label_width_mm: sheet.label.widthMm,
    label_height_mm: sheet.label.heightMm,
    status: sheet.status,
  }));
  return toPage(args, "sheets", sheets);
}

async function readManifest({ folder }: DeskContext, args: Args): Promise<string> {
  const manifest = readText(args, "job");
  await resolveInside(folder, manifest);
  return manifest;
}

/** Waits for the end of the task, as long as the call wishes. */
async function wait(
  desk: DeskContext,
  manifest: string,
  { args, signal, otherwise }: Call & { readonly otherwise: number },
): Promise<void> {
  const limits = { least: 0, most: MOST_WAIT_S, otherwise };
  const seconds = readCount(args, "wait_seconds", limits);
  const [running, planned] = [
    await findRunning(desk, manifest),
    await findTask(desk, manifest, ["plan"]),
  ];
  const task = running ?? planned;
  if (task === undefined || seconds === 0) return;
  if (!(await readStanding(task, desk.clock.nowMs())).isRunning) return;
  const enough = AbortSignal.any([signal, AbortSignal.timeout(seconds * 1000)]);
  for await (const _line of tail(task, 0, { clock: desk.clock, signal: enough }));
}

async function planJob(desk: DeskContext, call: Call): Promise<Json> {
  const manifest = await readManifest(desk, call.args);
  await openDeskJob(desk, manifest);
  if ((await findRunning(desk, manifest)) !== undefined) {
    throw refuse(
      `no run of ${manifest} may go on while it is planned`,
      "ask job_status until it ends",
    );
  }
  await startTask({ step: "plan", manifest }, desk);
  await wait(desk, manifest, { ...call, otherwise: PLAN_WAIT_S });
  return sayStatus(desk, manifest);
}

/** Like the screen of the plan: runs only the newest plan, while it holds, and once. */
async function runJob(desk: DeskContext, call: Call): Promise<Json> {
  const { args } = call;
  const manifest = await readManifest(desk, args);
  const { job } = await openDeskJob(desk, manifest);
  const id = readText(args, "plan");
  const running = await findRunning(desk, manifest);
  if (running !== undefined) {
    throw refuse(`one run of ${manifest} goes on already`, "ask job_status until it ends");
  }
  const answer = await readAnswer(desk, manifest, job);
  if (answer.task === undefined || answer.task.id !== id) {
    throw refuse(
      `plan must be the id of the newest plan of ${manifest}, got ${cutText(id)}`,
      "plan_job makes one and returns its id",
    );
  }
  const why = toRefusal(answer);
  if (why !== undefined) throw refuse(why, "plan_job makes a new plan");
  const needsYes = answer.plan?.notes.some(({ code }) => code === "needs-yes") === true;
  if (needsYes && args["confirmed"] !== true) {
    throw new AppError(
      "confirm-needed",
      "the plan makes more changes than safety.confirm_over allows without a yes",
      { hint: "show the plan to the person, and send confirmed: true when they said yes" },
    );
  }
  const run = { isConfirmed: args["confirmed"] === true };
  await startTask({ step: "run", manifest, planTask: id, run }, desk);
  await wait(desk, manifest, { ...call, otherwise: 0 });
  return sayStatus(desk, manifest);
}

async function tellStatus(desk: DeskContext, call: Call): Promise<Json> {
  const manifest = await readManifest(desk, call.args);
  await wait(desk, manifest, { ...call, otherwise: 0 });
  return sayStatus(desk, manifest);
}

function carryOut(desk: DeskContext, call: Call): Promise<Json> {
  switch (call.name) {
    case "list_jobs":
      return listJobs(desk, call.args);
    case "plan_job":
      return planJob(desk, call);
    case "run_job":
      return runJob(desk, call);
    case "job_status":
      return tellStatus(desk, call);
    case "find_sheets":
      return listFound(call.args);
    default:
      throw new AppError("bug", `a tool must be listed, got ${call.name}`);
  }
}

function refuseUnknown({ name, args }: Call): void {
  const tool = tools.find((one) => one.name === name);
  const known = Object.keys(tool?.inputSchema["properties"] ?? {});
  const unknown = Object.keys(args).find((arg) => !known.includes(arg));
  if (unknown === undefined) return;
  throw refuse(`arguments must be of ${known.join(", ")}, got ${cutText(unknown)}`);
}

/** How many problems of a refusal a model gets. */
const MOST_PROBLEMS = 5;

/** A refusal is a result with `isError`, in the words of the desk. */
export async function callTool(desk: DeskContext, call: Call): Promise<ToolResult> {
  try {
    refuseUnknown(call);
    const body = await carryOut(desk, call);
    return { content: [{ type: "text", text: JSON.stringify(body) }], structuredContent: body };
  } catch (error) {
    if (!(error instanceof AppError) || error.code === "bug") throw error;
    const { message, hint, problems } = error;
    const lines = [message, ...problems.slice(0, MOST_PROBLEMS).map((one) => one.message), hint];
    const said = lines.filter((line) => line !== undefined).map((line) => cutText(line, 500));
    const text = showCommands(said.join("\n"), programOf(desk));
    return { content: [{ type: "text", text }], isError: true };
  }
}
