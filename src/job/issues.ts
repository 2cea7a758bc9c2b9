import type { z } from "zod";

import type { Problem } from "../base/errors.ts";
import { didYouMean, suggest } from "../base/text/suggest.ts";

import { schemaAt, schemasAt } from "./yaml/coerce.ts";
import { hidePassword } from "../base/text/hide-password.ts";
import { cutText } from "../base/text/words.ts";
import {
  keyPlaceAt,
  nodeAt,
  placeAt,
  toFieldName,
  type Place,
  type ScalarNode,
  type TreeNode,
  type TreePath,
} from "./yaml/tree.ts";

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
const SPOKEN_BOOLEAN = /^(?:y|yes|on|n|no|off)$/iu;
/** `63.5 x 33.9 mm`, as people write two lengths. */
const SIZE = /^(\d+(?:\.\d+)?) ?(?:mm)? ?[x×*,;] ?(\d+(?:\.\d+)?) ?(?:mm)?$/iu;
const MAX_SHOWN = 60;

/** The value, cut short, for "got …". */
function showNode(node: TreeNode | undefined): string {
  if (node === undefined) return "nothing";
  if (node.kind !== "scalar") return node.kind === "map" ? "a map" : "a list";
  if (node.value === null) return "nothing";
  const shown = hidePassword(node.text);
  const text = typeof node.value === "string" ? JSON.stringify(shown) : shown;
  return cutText(text, MAX_SHOWN);
}

/** Of a union's issues, those of the member that fits the value best. */
function pickBranch(branches: readonly Issue[][]): Issue[] {
  const isForeign = (issues: Issue[]): boolean =>
    issues.some(({ code, path }) => code === "invalid_type" && path.length === 0);
  const own = branches.filter((issues) => !isForeign(issues));
  // A member that looked inside the value says more than one that refused it as a whole.
  const isInside = (issues: readonly Issue[]): boolean =>
    issues.some(({ path }) => path.length > 0);
  const [best = []] = own.toSorted(
    (a, b) => Number(isInside(b)) - Number(isInside(a)) || countFaults(a) - countFaults(b),
  );
  return best;
}

const countFaults = (issues: readonly Issue[]): number =>
  issues.reduce(
    (sum, issue) => sum + (issue.code === "unrecognized_keys" ? issue.keys.length : 1),
    0,
  );

function fieldsOf(context: ManifestContext, path: TreePath): string[] {
  return schemasAt(context.schema, path).flatMap(({ _zod: { def } }) =>
    def.type === "object" ? Object.keys(def.shape) : [],
  );
}

/** `[277, 400]` for what was written as `277x400mm`. */
function toLengthsHint(text: string): string | undefined {
  const numbers = SIZE.exec(text)?.slice(1).join(", ");
  return numbers === undefined ? undefined : `write [${numbers}]`;
}

/** Words that YAML takes for something else than text. */
const NO_TEXT = /^(?:true|false|yes|no|on|off|null|y|n)$/iu;

/** A text as it may stand in a list: in quotes, unless it is a word or several. */
const toItem = (text: string): string =>
  /^\p{L}[\p{L}\p{N} _-]*$/u.test(text) && !NO_TEXT.test(text) ? text : JSON.stringify(text);

class IssueReader {
  readonly #context: ManifestContext;

  constructor(context: ManifestContext) {
    this.#context = context;
  }

  read(issue: Issue, above: TreePath = []): Problem[] {
    const path = [...above, ...issue.path];
    if (issue.code === "unrecognized_keys") {
      return issue.keys.map((key) => this.#unknownKey(path, key));
    }
    if (issue.code === "invalid_union") {
      const branch = pickBranch(issue.errors);
      if (branch.length > 0) return branch.flatMap((inner) => this.read(inner, path));
    }
    if (issue.code === "invalid_key") {
      return issue.issues.map((inner) => this.#badName(path, inner.message));
    }
    return [this.#mismatch(path, this.#withTuple(path, this.#rule(issue)))];
  }

  /** Lists of a fixed length are named as such, alone or beside the words that stand for one. */
  #withTuple(path: TreePath, rule: string): string {
    const length = this.#tupleAt(path);
    if (length === undefined) return rule;
    const list = `a list of ${length} numbers`;
    const isList = nodeAt(this.#context.root, path)?.kind === "list";
    if (rule.startsWith("must be one of") || (rule.startsWith("must be a number") && !isList)) {
      return `${rule}, or ${list}`;
    }
    return `must be ${list}`;
  }

  #tupleAt(path: TreePath): number | undefined {
    const defs = schemasAt(this.#context.schema, path).map(({ _zod: { def } }) => def);
    const tuple = defs.find(({ type }) => type === "tuple");
    return (tuple as z.core.$ZodTupleDef | undefined)?.items.length;
  }

  #rule(issue: Issue): string {
    if (issue.message.startsWith("must")) return issue.message;
    if (issue.code === "invalid_union") return this.#unionRule(issue);
    if (issue.code === "invalid_type") return TYPE_RULES[issue.expected] ?? issue.message;
    return issue.code === "invalid_value"
      ? `must be one of ${issue.values.join(", ")}`
      : issue.message;
  }

  #unionRule(issue: z.core.$ZodIssueInvalidUnion): string {
    const rules = issue.errors.flatMap(([first]) =>
      first?.code === "invalid_type" ? [TYPE_RULES[first.expected]?.replace("must be ", "")] : [],
    );
    return `must be ${[...new Set(rules)].filter((rule) => rule !== undefined).join(" or ")}`;
  }

  #problem(
    path: TreePath,
    place: Place,
    text: { message: string; hint?: string | undefined },
  ): Problem {
    const where = { file: this.#context.file, ...place, field: toFieldName(path) };
    return { message: text.message, hint: text.hint, where };
  }

  #mismatch(path: TreePath, rule: string): Problem {
    const { root } = this.#context;
    const node = nodeAt(root, path);
    const field = toFieldName(path) || "manifest";
    const place = placeAt(root, path);
    if (node !== undefined) {
      const message = `${field} ${rule}, got ${showNode(node)}`;
      return this.#problem(path, place, { message, hint: this.#fixOf(path, node) });
    }
    const schema = schemaAt(this.#context.schema, path) as z.ZodType | undefined;
    const about = schema?.description ?? "";
    return this.#problem(path, place, {
      message: `${field} must be given, got nothing`,
      hint: `add "${String(path.at(-1))}: …". ${about}`.trim(),
    });
  }

  /** The fix, where the text shows it. */
  #fixOf(path: TreePath, node: TreeNode): string | undefined {
    if (node.kind !== "scalar" || node.text === "") return undefined;
    const lengths = this.#tupleAt(path) === 2 ? toLengthsHint(node.text) : undefined;
    if (lengths !== undefined) return lengths;
    const defs = schemasAt(this.#context.schema, path).map((schema) => schema._zod.def);
    if (defs.some(({ type }) => type === "boolean") && SPOKEN_BOOLEAN.test(node.text)) {
      return `write ${/^(?:y|yes|on)$/iu.test(node.text)}`;
    }
    if (defs.some(({ type }) => type === "number") && node.quoted && node.text.trim() !== "") {
      return Number.isNaN(Number(node.text)) ? undefined : "remove the quotes";
    }
    const words = defs.flatMap((def) => (def.type === "enum" ? Object.values(def.entries) : []));
    const near = suggest(node.text, words.map(String));
    if (near !== undefined) return `did you mean "${near}"?`;
    return this.#toFrameHint(path, node);
  }

  /** The list or map in which a value stands. */
  #toFrameHint(path: TreePath, node: ScalarNode): string | undefined {
    return this.#toListHint(path, node) ?? this.#toMapHint(path, node.text);
  }

  #takes(path: TreePath, value: unknown): boolean {
    const schema = schemaAt(this.#context.schema, path) as z.ZodType | undefined;
    return schema?.safeParse(value).success === true;
  }

  /** `[svg, png]` for `svg, png`, where the list takes them; undefined where the text hides a password. */
  #toListHint(path: TreePath, { text, value }: ScalarNode): string | undefined {
    if (value === null || typeof value === "boolean" || hidePassword(text) !== text)
      return undefined;
    const items = text.split(",").map((item) => item.trim());
    const areTaken = text.length <= MAX_SHOWN && this.#takes(path, items);
    return areTaken ? `write [${items.map(toItem).join(", ")}]` : undefined;
  }

  /** `{ type: url }` for `url`; where no field alone makes a map of this word, all fields. */
  #toMapHint(path: TreePath, text: string): string | undefined {
    const fields = [...new Set(fieldsOf(this.#context, path))];
    const hasWord = (field: string): boolean =>
      schemasAt(this.#context.schema, [...path, field]).some(
        ({ _zod: { def } }) => def.type === "enum" && Object.values(def.entries).includes(text),
      ) && this.#takes(path, { [field]: text });
    const field = fields.find(hasWord);
    if (field !== undefined) return `write { ${field}: ${toItem(text)} }`;
    return fields.length === 0 ? undefined : `its fields are ${fields.join(", ")}`;
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
    const known = [...new Set(fieldsOf(this.#context, path))].filter((name) => name !== "$schema");
    const message = `${toFieldName(field)} must be a known field, got "${key}"`;
    return this.#problem(field, place, { message, hint: didYouMean(key, known) });
  }
}

/** Issues of zod -> problems with places and fixes. */
export function toProblems(issues: readonly Issue[], context: ManifestContext): Problem[] {
  const reader = new IssueReader(context);
  return issues.flatMap((issue) => reader.read(issue));
}
