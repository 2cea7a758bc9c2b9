/** zod's findings -> the body of a 400 (docs/spec/api.md section 7). */
import type { z } from "zod";

import { NON_FIELD, type FieldErrors } from "../../api/errors.ts";
import { cutText } from "../../base/text/words.ts";

import { refuse } from "./reply.ts";

const SHOWN_CHARACTERS = 60;

/** A value as refusals name it, shortened. */
export const showValue = (value: unknown): string =>
  cutText(JSON.stringify(value) ?? String(value), SHOWN_CHARACTERS);

function toMessage(issue: z.core.$ZodIssue): string {
  if (issue.input === undefined && issue.code !== "custom") return "This field is required.";
  const isShown = issue.input === null || typeof issue.input !== "object";
  if (!issue.message.startsWith("Must") || !isShown) {
    return `${issue.message}.`;
  }
  return `${issue.message}, got ${showValue(issue.input)}.`;
}

interface Node {
  [key: string]: string[] | Node;
}

/** Adds a message under its path; a message of a parent stays as it is. */
function place(root: Node, path: readonly PropertyKey[], message: string): void {
  const keys = path.length === 0 ? [NON_FIELD] : path.map(String);
  let node = root;
  for (const key of keys.slice(0, -1)) {
    const below = node[key];
    if (Array.isArray(below)) {
      below.push(message);
      return;
    }
    node = node[key] = below ?? {};
  }
  const last = keys.at(-1) ?? NON_FIELD;
  const there = node[last];
  if (Array.isArray(there)) there.push(message);
  else if (there === undefined) node[last] = [message];
  else place(there, [], message);
}

/**
 * For a value with several possible forms: when its fields show which form was meant, report the
 * faults in them, which say more than "no form fits".
 */
function unfold(issue: z.core.$ZodIssue): readonly z.core.$ZodIssue[] {
  if (issue.code !== "invalid_union") return [issue];
  const meant = issue.errors.find(
    (inner) => inner.length > 0 && inner.every(({ path }) => path.length > 0),
  );
  if (meant === undefined) return [issue];
  return meant.map((inner) => ({ ...inner, path: [...issue.path, ...inner.path] }));
}

export function toFieldErrors(issues: readonly z.core.$ZodIssue[]): FieldErrors {
  const root: Node = {};
  for (const issue of issues.flatMap(unfold)) place(root, issue.path, toMessage(issue));
  return root;
}

/** The parsed value, or a 400 that names every fault. Unknown fields are dropped. */
export function parseOrRefuse<Shape extends z.ZodType>(
  shape: Shape,
  value: unknown,
): z.output<Shape> {
  const result = shape.safeParse(value, { reportInput: true });
  if (result.success) return result.data;
  throw refuse.fields(toFieldErrors(result.error.issues));
}
