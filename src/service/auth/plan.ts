/**
 * What an account may have at most: set by the operator, unlimited by default
 * (docs/spec/design.md section 5).
 */
import { z } from "zod";

import { badUsage, type AppError } from "../../base/errors.ts";
import { cutText } from "../../base/text/words.ts";

import { refuse } from "../http/reply.ts";

/** Every account has this; left out = unlimited, allowed. */
export interface Plan {
  /**
   * Dynamic codes of an account, including those of PDFs, GS1 products and published forms. Short
   * links and the codes of landing pages don't count: pages have their own limit (docs/spec/api.md
   * section 8).
   */
  readonly dynamicCodes?: number | undefined;
  /** Landing pages. */
  readonly pages?: number | undefined;
  /** Features of paid plans: forms with fields of type `image` (docs/spec/api.md section 3.1). */
  readonly paid?: boolean | undefined;
  readonly webhooks?: boolean | undefined;
}

const limit = z.number().int().nonnegative().optional();
const permission = z.boolean().optional();

const PlanFile = z.strictObject({
  dynamic_codes: limit,
  pages: limit,
  paid: permission,
  webhooks: permission,
});

/** What a plan looks like. */
export const PLAN_HINT =
  "such as dynamic_codes=500,pages=3,paid=off,webhooks=off, or a JSON file of the same fields";
const words: ReadonlyMap<string, boolean> = new Map([
  ["on", true],
  ["off", false],
]);

/**
 * A plan as an operator writes it: JSON like `{"dynamic_codes": 500, "paid": false}`, or
 * `dynamic_codes=500,paid=off`. Throws "bad-usage".
 */
export function parsePlan(text: string): Plan {
  const result = PlanFile.safeParse(text.trim().startsWith("{") ? readJson(text) : readPairs(text));
  if (!result.success) throw badPlan(text, result.error.issues[0]?.path.join("."));
  const { dynamic_codes: dynamicCodes, ...rest } = result.data;
  return { ...rest, dynamicCodes };
}

function readPairs(text: string): unknown {
  const pairs = text.split(",").map((pair) => {
    const [name = "", value = ""] = pair.split("=", 2).map((part) => part.trim());
    return [name, words.get(value) ?? (/^\d{1,15}$/u.test(value) ? Number(value) : value)];
  });
  return Object.fromEntries(pairs) as unknown;
}

function readJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    throw badPlan(text);
  }
}

const badPlan = (text: string, field = ""): AppError =>
  badUsage(
    `the plan must be made of dynamic_codes, pages (whole numbers), paid and webhooks (on or off), got ${cutText(text, 100)}${field === "" ? "" : ` (wrong at ${field})`}`,
    PLAN_HINT,
  );

/** For one more than the plan allows: 400, with the limit named. `name` is the plan's field. */
export const refuseMore = (max: number, thing: string, name: string) =>
  refuse.whole(`The plan's limit of ${max} ${thing}${max === 1 ? "" : "s"} (${name}) is reached.`);
