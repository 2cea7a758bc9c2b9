/** What assistants may ask of a desk: names, arguments and answers of the tools. */
import type { OfferedTool } from "../../service/mcp/protocol.ts";

type Json = Readonly<Record<string, unknown>>;

export const PAGE = 10;
/** The longest wait of a call, s. */
export const MOST_WAIT_S = 50;
/** The default wait of a call for a plan, s. */
export const PLAN_WAIT_S = 20;

const text: Json = { type: "string" };
const count: Json = { type: "integer" };
const flag: Json = { type: "boolean" };
const texts: Json = { type: "array", items: text };
const orNull = (...types: readonly string[]): Json => ({ type: [...types, "null"] });

/** All named fields are always there. */
const toObject = (properties: Json): Json & { readonly type: "object" } => ({
  type: "object",
  properties,
  required: Object.keys(properties),
  additionalProperties: false,
});

const toList = (name: string, entry: Json): Json & { readonly type: "object" } =>
  toObject({ count, next: orNull("integer"), [name]: { type: "array", items: toObject(entry) } });

const job: Json = { type: "string", description: "Manifest as list_jobs names it" };
const page: Json = { type: "integer", minimum: 1, default: 1 };
const wait = (seconds: number): Json => ({
  type: "integer",
  minimum: 0,
  maximum: MOST_WAIT_S,
  default: seconds,
  description: "So many seconds the answer may wait for the end",
});

const toInput = (properties: Json, required: readonly string[] = []) =>
  ({ type: "object", properties, required, additionalProperties: false }) as const;

const plan: Json = {
  ...toObject({
    id: text,
    can_run: flag,
    why_not: orNull("string"),
    needs_confirmation: flag,
    is_rehearsal: flag,
    server: text,
    rows: count,
    creates: count,
    changes: count,
    unchanged: count,
    refused: count,
    sheets: count,
    files: texts,
    writes: count,
    says: texts,
  }),
  type: ["object", "null"],
};

const result: Json = {
  ...toObject({
    outcome: text,
    verdict: text,
    rows: count,
    created: count,
    changed: count,
    unchanged: count,
    failed: count,
    codes: count,
    codes_read: count,
    codes_compared: count,
    files: texts,
    says: texts,
  }),
  type: ["object", "null"],
};

const now: Json = {
  ...toObject({ stage: text, done: count, total: count, failed: count }),
  type: ["object", "null"],
};

const status = toObject({ job: text, state: text, now, fault: orNull("string"), plan, result });

const reads = { readOnlyHint: true, destructiveHint: false, idempotentHint: true };

export const tools: readonly OfferedTool[] = [
  {
    name: "list_jobs",
    title: "List jobs",
    description: "The jobs of the folder and where each stands.",
    inputSchema: toInput({ page }),
    outputSchema: toList("jobs", {
      job: text,
      name: text,
      kind: orNull("string"),
      state: text,
      rows: count,
      rows_done: count,
      rows_to_mend: count,
      fault: orNull("string"),
    }),
    annotations: reads,
  },
  {
    name: "plan_job",
    title: "Plan job",
    description:
      "Says what a run would do and cost. Changes nothing. The plan's id is what run_job asks for.",
    inputSchema: toInput({ job, wait_seconds: wait(PLAN_WAIT_S) }, ["job"]),
    outputSchema: status,
    annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: true },
  },
  {
    name: "run_job",
    title: "Run job",
    description:
      "Does what a plan says and never more: where anything has changed since, the run is refused. " +
      "Show the plan to the person first.",
    inputSchema: toInput(
      {
        job,
        plan: { type: "string", description: "Id of the job's newest plan" },
        confirmed: {
          type: "boolean",
          default: false,
          description: "True when the person said yes to a plan with needs_confirmation",
        },
        wait_seconds: wait(0),
      },
      ["job", "plan"],
    ),
    outputSchema: status,
    annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: false },
  },
  {
    name: "job_status",
    title: "Job status",
    description: "What goes on with a job now, its newest plan, and what its last run came to.",
    inputSchema: toInput({ job, wait_seconds: wait(0) }, ["job"]),
    outputSchema: status,
    annotations: reads,
  },
  {
    name: "find_sheets",
    title: "Find label sheets",
    description:
      "Label sheets that manifests may name in output.sheets.sheet: by maker, number, page, size or " +
      "count, such as `herma 4270`, `a4 24up`, `63.5x38.1`. Without words: all.",
    inputSchema: toInput({ words: { type: "string", maxLength: 200 }, page }),
    outputSchema: toList("sheets", {
      name: text,
      title: text,
      page: text,
      labels: count,
      label_width_mm: { type: "number" },
      label_height_mm: { type: "number" },
      status: text,
    }),
    annotations: reads,
  },
];

/** Instructions for a model before it uses any tool. */
export const instructions =
  "Plans and runs jobs of one folder: a spreadsheet becomes codes and print-ready sheets. A job is " +
  "named by its manifest. plan_job first, show the person the figures and what `says` has, then " +
  "run_job with the plan's id. Runs go on by themselves: ask job_status. Lists come in pages of " +
  `${PAGE} entries while \`next\` is not null. Files are named relative to the folder.`;
