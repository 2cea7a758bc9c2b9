import type { z } from "zod";

import type { Problem } from "../base/errors.ts";
import { didYouMean } from "../base/suggest.ts";

import { schemasAt } from "./coerce.ts";
import {
  keyPlaceAt,
  nodeAt,
  placeAt,
  toFieldName,
  type Place,
  type TreeNode,
  type TreePath,
} from "./tree.ts";

type Issue = z.core.$ZodIssue;

export interface ManifestContext {
  readonly root: TreeNode;
  readonly schema: z.core.$ZodType;
  readonly file: string;
}

const TYPE_RULES: Readonly<Record<string, string>> = {
  string: "must be text",
  number: "must be a number",
  int: "must be a whole number",
  boolean: "must be true or false",
  array: "must be a list",
  object: "must be a map (key: value)",
  record: "must be a map (key: value)",
};

const TOKEN_KEY = /^(?:api[_-]?)?(?:token|key|secret|password|authorization)$/iu;
const MAX_SHOWN = 60;

/** What stands there, short, for "got …". */
function showNode(node: TreeNode | undefined): string {
  if (node === undefined) return "nothing";
  if (node.kind !== "scalar") return node.kind === "map" ? "a map" : "a list";
  if (node.value === null) return "nothing";
  const text = typeof node.value === "string" ? JSON.stringify(node.text) : node.text;
  return text.length > MAX_SHOWN ? `${text.slice(0, MAX_SHOWN)}…` : text;
}

/** Of a union's answers, the one that fits what stands there best. */
function pickBranch(branches: readonly Issue[][]): Issue[] {
  const isForeign = (issues: Issue[]): boolean =>
    issues.some(({ code, path }) => code === "invalid_type" && path.length === 0);
  return branches.find((issues) => !isForeign(issues)) ?? [];
}

function fieldsOf(context: ManifestContext, path: TreePath): string[] {
  return schemasAt(context.schema, path).flatMap(({ _zod: { def } }) =>
    def.type === "object" ? Object.keys(def.shape) : [],
  );
}

class IssueReader {
  readonly #context: ManifestContext;

  constructor(context: ManifestContext) {
    this.#context = context;
  }

  read(issue: Issue, above: TreePath = []): Problem[] {
    const path = [...above, ...issue.path];
    switch (issue.code) {
      case "unrecognized_keys":
        return issue.keys.map((key) => this.#unknownKey(path, key));
      case "invalid_union": {
        const branch = pickBranch(issue.errors);
        if (branch.length > 0) return branch.flatMap((inner) => this.read(inner, path));
        return [this.#mismatch(path, this.#unionRule(issue))];
      }
      case "invalid_key":
        return issue.issues.map((inner) => this.#badName(path, inner.message));
      case "invalid_type":
        return [this.#mismatch(path, this.#ownRule(issue) ?? TYPE_RULES[issue.expected] ?? "")];
      case "invalid_value":
        return [this.#badValue(path, issue)];
      default:
        return [this.#mismatch(path, this.#ownRule(issue) ?? issue.message)];
    }
  }

  #ownRule(issue: Issue): string | undefined {
    return issue.message.startsWith("must") ? issue.message : undefined;
  }

  #unionRule(issue: z.core.$ZodIssueInvalidUnion): string {
    const rules = issue.errors.flatMap(([first]) =>
      first?.code === "invalid_type" ? [TYPE_RULES[first.expected]?.replace("must be ", "")] : [],
    );
    return `must be ${[...new Set(rules)].filter((rule) => rule !== undefined).join(" or ")}`;
  }

  #problem(path: TreePath, place: Place, text: { message: string; hint?: string }): Problem {
    const where = { file: this.#context.file, ...place, field: toFieldName(path) };
    return { message: text.message, hint: text.hint, where };
  }

  #mismatch(path: TreePath, rule: string): Problem {
    const { root } = this.#context;
    const node = nodeAt(root, path);
    const field = toFieldName(path) || "manifest";
    const place = placeAt(root, path);
    if (node !== undefined) {
      return this.#problem(path, place, { message: `${field} ${rule}, got ${showNode(node)}` });
    }
    const about = schemasAt(this.#context.schema, path)
      .map((schema) => this.#describe(schema))
      .find((text) => text !== undefined);
    return this.#problem(path, place, {
      message: `${field} must be given, got nothing`,
      hint: about === undefined ? `add "${String(path.at(-1))}: …"` : `add it: ${about}`,
    });
  }

  #describe(schema: z.core.$ZodType): string | undefined {
    return (schema as z.ZodType).description;
  }

  #badValue(path: TreePath, issue: z.core.$ZodIssueInvalidValue): Problem {
    const node = nodeAt(this.#context.root, path);
    const own = this.#ownRule(issue);
    if (node?.kind !== "scalar" || own !== undefined) {
      return this.#mismatch(path, own ?? `must be one of ${issue.values.join(", ")}`);
    }
    const values = issue.values.map(String);
    const message = `${toFieldName(path)} must be one of ${values.join(", ")}, got ${showNode(node)}`;
    const hint = didYouMean(node.text, values);
    const near = hint.startsWith("did");
    return this.#problem(path, node.place, near ? { message, hint } : { message });
  }

  #badName(path: TreePath, rule: string): Problem {
    const place = keyPlaceAt(this.#context.root, path.slice(0, -1), String(path.at(-1)));
    const message = `${toFieldName(path)} ${rule}, got ${JSON.stringify(path.at(-1))}`;
    return this.#problem(path, place, { message });
  }

  #unknownKey(path: TreePath, key: string): Problem {
    const place = keyPlaceAt(this.#context.root, path, key);
    const field = [...path, key];
    if (TOKEN_KEY.test(key)) {
      return this.#problem(field, place, {
        message: `${toFieldName(field)} must not stand in a manifest: secrets never do`,
        hint: "remove it and set MAKEREADY_TOKEN, or name a file in api.token_file",
      });
    }
    const known = fieldsOf(this.#context, path).filter((name) => name !== "$schema");
    const message = `${toFieldName(field)} must be a known field, got "${key}"`;
    return this.#problem(field, place, { message, hint: didYouMean(key, known) });
  }
}

/** What zod found -> problems with places and fixes. */
export function toProblems(issues: readonly Issue[], context: ManifestContext): Problem[] {
  const reader = new IssueReader(context);
  return issues.flatMap((issue) => reader.read(issue));
}
