/**
 * Row templates: `{{ column | filter: argument }}`. A column, then filters from a fixed list; no
 * expressions (docs/spec/jobs.md section 1).
 */
import { AppError, type Problem } from "../../base/errors.ts";
import type { SlugLanguage } from "../../base/text/slug.ts";
import { didYouMean } from "../../base/text/suggest.ts";
import { dateFormat } from "../../base/time/zoned-time.ts";

import {
  applyFilter,
  checkArguments,
  FilterError,
  filterNames,
  filters,
  isFilterName,
  type FilterName,
} from "./filters.ts";

interface FilterCall {
  readonly name: FilterName;
  readonly args: readonly string[];
}

export interface Placeholder {
  readonly column: string;
  readonly filters: readonly FilterCall[];
  /** Where its `{{` stands in the text, from 0. */
  readonly offset: number;
}

export interface Template {
  readonly text: string;
  readonly parts: readonly (string | Placeholder)[];
}

/** What a template may use besides the row. */
export interface TemplateContext {
  /** Wall clock of the run, epoch milliseconds; feeds `date` and `month`. */
  readonly nowMs: number;
  /** IANA name; UTC when left out. */
  readonly timeZone?: string | undefined;
  /** Of the source: how slugs write its letters. */
  readonly language?: SlugLanguage | undefined;
}

export interface TemplateFault {
  /** Where in the text, from 0. */
  readonly offset: number;
  readonly message: string;
  readonly hint: string;
}

/** Names that every template knows. A column of the same name wins. */
export const builtIns = ["date", "month"] as const;

const OPEN = "{{";
const CLOSE = "}}";

/** Index of the `}}` that ends a placeholder; quotes count behind the first `|` only. */
function findClose(text: string, from: number): number {
  let quote = "";
  let inFilters = false;
  for (let i = from; i < text.length; i += 1) {
    const character = text.charAt(i);
    if (quote !== "") {
      if (character === quote) quote = "";
    } else if (text.startsWith(CLOSE, i)) {
      return i;
    } else if (character === "|") {
      inFilters = true;
    } else if (inFilters && (character === '"' || character === "'")) {
      quote = character;
    }
  }
  return -1;
}

/** Splits at `separator` outside quotes. */
function splitOutside(text: string, separator: string): string[] {
  const parts = [""];
  let quote = "";
  for (const character of text) {
    if (quote === "" && character === separator) {
      parts.push("");
      continue;
    }
    if (quote === "" && (character === '"' || character === "'")) quote = character;
    else if (character === quote) quote = "";
    parts.push((parts.pop() ?? "") + character);
  }
  return parts;
}

function unquote(argument: string): string {
  const text = argument.trim();
  const quote = text.charAt(0);
  const isQuoted = text.length > 1 && /["']/u.test(quote) && text.endsWith(quote);
  return isQuoted ? text.slice(1, -1) : text;
}

function readFilter(text: string, offset: number): FilterCall | TemplateFault {
  const colon = text.indexOf(":");
  const name = (colon < 0 ? text : text.slice(0, colon)).trim();
  if (!isFilterName(name)) {
    return {
      offset,
      message: `filter must be one of ${filterNames.join(", ")}, got ${JSON.stringify(name)}`,
      hint: didYouMean(name, filterNames),
    };
  }
  const args = colon < 0 ? [] : splitOutside(text.slice(colon + 1), ",").map(unquote);
  const rule = checkArguments(name, args);
  if (rule === undefined) return { name, args };
  const got = args.length === 0 ? "nothing" : args.map((arg) => JSON.stringify(arg)).join(", ");
  return {
    offset,
    message: `argument of the filter "${name}" must be ${rule}, got ${got}`,
    hint: `write it like "{{ column | ${filters[name].usage} }}"`,
  };
}

function readPlaceholder(inner: string, offset: number): Placeholder | TemplateFault[] {
  const bar = inner.indexOf("|");
  const column = (bar < 0 ? inner : inner.slice(0, bar)).trim();
  const calls = bar < 0 ? [] : splitOutside(inner.slice(bar + 1), "|");
  const read = calls.map((call) => readFilter(call, offset));
  const faults = read.filter((call) => "message" in call);
  if (column === "") {
    faults.unshift({
      offset,
      message: 'template must name a column between "{{" and "}}", got nothing',
      hint: "write it like {{ column }}",
    });
  }
  if (faults.length > 0) return faults;
  return { column, filters: read.filter((call) => "name" in call), offset };
}

/** Reads a template; lists all its problems, throws nothing. */
export function readTemplate(text: string): { template: Template; faults: TemplateFault[] } {
  const parts: (string | Placeholder)[] = [];
  const faults: TemplateFault[] = [];
  let at = 0;
  for (;;) {
    const open = text.indexOf(OPEN, at);
    if (open < 0) break;
    const close = findClose(text, open + OPEN.length);
    if (close < 0) {
      faults.push({
        offset: open,
        message: `template must close every "{{" with "}}", got ${JSON.stringify(text.slice(open))}`,
        hint: 'add the missing "}}"',
      });
      break;
    }
    if (open > at) parts.push(text.slice(at, open));
    const placeholder = readPlaceholder(text.slice(open + OPEN.length, close), open);
    if (Array.isArray(placeholder)) faults.push(...placeholder);
    else parts.push(placeholder);
    at = close + CLOSE.length;
  }
  if (at < text.length) parts.push(text.slice(at));
  return { template: { text, parts }, faults };
}

/** Text -> template. Throws `manifest-invalid` with everything that is wrong with it. */
export function parseTemplate(text: string): Template {
  const { template, faults } = readTemplate(text);
  const [first] = faults;
  if (first === undefined) return template;
  const problems: Problem[] = faults.map(({ message, hint }) => ({ message, hint }));
  throw new AppError("manifest-invalid", first.message, { hint: first.hint, problems });
}

export function placeholdersOf(template: Template): Placeholder[] {
  return template.parts.filter((part) => typeof part !== "string");
}

/** Columns and built-ins that a template uses, in order, each once. */
export function columnsOf(template: Template): string[] {
  return [...new Set(placeholdersOf(template).map(({ column }) => column))];
}

/** `column "Lot"`, `columns "Lot", "Date"`; empty where a template's text has none. */
export function sayColumns(columns: readonly string[]): string {
  if (columns.length === 0) return "";
  const names = columns.map((name) => JSON.stringify(name)).join(", ");
  return `${columns.length === 1 ? "column" : "columns"} ${names}`;
}

/** `2026-11-20`, in the zone of the context. */
function toDay({ nowMs, timeZone }: TemplateContext): string {
  const format = dateFormat("en-CA", {
    timeZone: timeZone ?? "UTC",
    year: "numeric",
    month: "2-digit",
    day: "2-digit",
  });
  return format.format(nowMs);
}

export const yearOf = (context: TemplateContext): number => Number(toDay(context).slice(0, 4));

function valueOf(
  column: string,
  values: Readonly<Record<string, string>>,
  context: TemplateContext,
): string {
  if (Object.hasOwn(values, column)) return values[column] ?? "";
  if (column === "date") return toDay(context);
  if (column === "month") return toDay(context).slice(0, 7);
  throw new AppError("row-invalid", `template must name a column of the row, got "${column}"`, {
    hint: didYouMean(column, [...Object.keys(values), ...builtIns]),
  });
}

function applyAll(
  { column, filters }: Placeholder,
  value: string,
  { language }: TemplateContext,
): string {
  try {
    return filters.reduce((text, call) => applyFilter(call, text, language), value);
  } catch (error) {
    if (!(error instanceof FilterError)) throw error;
    throw new AppError("row-invalid", error.message, { where: { column }, cause: error });
  }
}

const PARSED_KEPT = 500;
const parsed = new Map<string, Template>();

/** The same, remembered for the next row. */
export function toTemplate(text: string): Template {
  const known = parsed.get(text);
  if (known !== undefined) return known;
  if (parsed.size >= PARSED_KEPT) parsed.clear();
  const template = parseTemplate(text);
  parsed.set(text, template);
  return template;
}

/**
 * The text of one row. Pure: the same values and context give the same text.
 * @throws AppError `row-invalid` when a value isn't what a filter needs; `manifest-invalid` for a
 *   text that is no template.
 */
export function renderTemplate(
  template: Template | string,
  values: Readonly<Record<string, string>>,
  context: TemplateContext,
): string {
  const { parts } = typeof template === "string" ? toTemplate(template) : template;
  return parts
    .map((part) =>
      typeof part === "string"
        ? part
        : applyAll(part, valueOf(part.column, values, context), context),
    )
    .join("");
}
