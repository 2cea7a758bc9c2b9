/**
 * A plan that was looked at and saved: what `run --plan` carries out, or refuses when the rows, the
 * manifest or the state have changed since.
 */
import { createHash } from "node:crypto";

import { AppError, badUsage } from "../base/errors.ts";
import { isRecord } from "../base/is-record.ts";
import type { Planned } from "./planner.ts";
import type { PlanSummary } from "./tally.ts";

const VERSION = 1;

/** The facts of a plan. Two plans with equal facts do the same. */
export interface PlanFacts {
  readonly job: string;
  /** Base URL, or `embedded`. */
  readonly server: string;
  readonly inputSha256: string;
  /** Over every row: its wish, and what is to be done for it. */
  readonly actionsSha256: string;
}

export interface PlanFile extends PlanFacts {
  readonly makeready_plan: number;
  readonly writer: string;
  /** For people. */
  readonly counts: Partial<PlanSummary>;
}

/** Hashes over all that a planner decided, row by row. */
export class ActionsHash {
  #hash = createHash("sha256");
  #wishes = createHash("sha256");

  /** Before the first row, also where all rows are planned once more. */
  begin(): void {
    [this.#hash, this.#wishes] = [createHash("sha256"), createHash("sha256")];
  }

  add(planned: Planned): void {
    this.#hash.update(`${JSON.stringify(planned)}\n`);
    this.#wishes.update(`${JSON.stringify(planned.good ? planned.row : planned.bad)}\n`);
  }

  hex(): string {
    return this.#hash.copy().digest("hex");
  }

  /** Hash over all that the rows want, done or not. */
  wishes(): string {
    return this.#wishes.copy().digest("hex");
  }
}

export function formatPlanFile(facts: PlanFacts, writer: string, summary: PlanSummary): string {
  const { creates, updates, restyles, retags, resumes, unchanged, bad, vanished, writes } = summary;
  const counts = { creates, updates, restyles, retags, resumes, unchanged, bad, vanished, writes };
  const file: PlanFile = { makeready_plan: VERSION, writer, ...facts, counts };
  return `${JSON.stringify(file, null, 2)}\n`;
}

const FACTS = ["job", "server", "inputSha256", "actionsSha256"] as const;

/** True for facts that are whole. */
export const isPlanFacts = (value: unknown): value is PlanFacts =>
  isRecord(value) && FACTS.every((fact) => typeof value[fact] === "string");

/** Throws `bad-usage` for a text that is no plan, `plan-stale` for one of a newer program. */
export function parsePlanFile(text: string, file: string): PlanFacts {
  const plan = readObject(text);
  const version = plan?.["makeready_plan"];
  if (typeof version === "number" && version > VERSION) {
    throw new AppError(
      "plan-stale",
      `${file} must be a plan of version ${VERSION}, got ${version}`,
      {
        hint: "make the plan anew with this makeready",
      },
    );
  }
  if (version !== VERSION || !isPlanFacts(plan)) {
    throw badUsage(
      `--plan must name a saved plan, got ${file}`,
      "makeready plan JOB.yaml --out plan.json",
    );
  }
  return plan;
}

function readObject(text: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isRecord(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** fact -> the message when it has changed; the fact that explains most comes first. */
const CHANGES: Readonly<Record<(typeof FACTS)[number], string>> = {
  job: "it is a plan of another job",
  server: "the server is another",
  inputSha256: "the spreadsheet has changed",
  actionsSha256: "the manifest or the state has changed",
};

/** Throws `plan-stale` (exit 6) when a run would now do something else. */
export function checkPlan(
  saved: PlanFacts,
  now: PlanFacts,
  { file, hint }: { readonly file: string; readonly hint: string },
): void {
  const changed = FACTS.find((fact) => saved[fact] !== now[fact]);
  if (changed === undefined) return;
  throw new AppError(
    "plan-stale",
    `${file} must fit the job as it is now, but ${CHANGES[changed]}`,
    { hint },
  );
}
