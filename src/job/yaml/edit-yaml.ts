/**
 * Changes single fields of a YAML text and leaves every other letter of it as it is: comments,
 * order, unknown fields. A text in JSON stays JSON. Pure: text in, text out.
 */
import { isDeepStrictEqual } from "node:util";

import {
  isAlias,
  isMap,
  isNode,
  isScalar,
  parseDocument,
  visit,
  type Document,
  type Node,
  type Pair,
  type YAMLMap,
} from "yaml";

import { isRecord } from "../../base/is-record.ts";
import { AppError, badUsage } from "../../base/errors.ts";
import { toFieldPath } from "./field-path.ts";

/** A number that keeps its letters: `7.50` may stand where a text is wanted. */
export class TypedNumber {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

export type YamlValue =
  | string
  | number
  | boolean
  | TypedNumber
  | readonly YamlValue[]
  | { readonly [key: string]: YamlValue };

export interface YamlEdit {
  readonly path: readonly string[];
  /** Undefined takes the field out. */
  readonly value: YamlValue | undefined;
}

/** A longer line is written with one field per line. */
const MAX_LINE = 100;
const STEP = "  ";

const SAFE_TEXT = /^[\p{L}_./][\p{L}\p{N}_./ -]*$/u;
/** Words and numbers that YAML reads as something else than text. */
const OTHER = /^(?:y|n|yes|no|on|off|true|false|null|~|[-+.]?\d.*|\.(?:inf|nan).*)$/iu;

/** A value on one line, as a manifest has it. */
export function toFlow(value: YamlValue): string {
  if (typeof value === "string") {
    const isSafe = SAFE_TEXT.test(value) && !OTHER.test(value) && value.trim() === value;
    return isSafe ? value : JSON.stringify(value);
  }
  if (typeof value !== "object" || value === null) return String(value);
  if (value instanceof TypedNumber) return value.text;
  if (Array.isArray(value)) return `[${value.map((one: YamlValue) => toFlow(one)).join(", ")}]`;
  const pairs = Object.entries(value).map(([key, one]) => `${key}: ${toFlow(one)}`);
  return pairs.length === 0 ? "{}" : `{ ${pairs.join(", ")} }`;
}

/** The same in JSON. */
function toJsonText(value: YamlValue): string {
  if (value instanceof TypedNumber) return value.text;
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  if (Array.isArray(value)) return `[${value.map((one: YamlValue) => toJsonText(one)).join(", ")}]`;
  const pairs = Object.entries(value).map(
    ([key, one]) => `${JSON.stringify(key)}: ${toJsonText(one)}`,
  );
  return pairs.length === 0 ? "{}" : `{ ${pairs.join(", ")} }`;
}

/** How values and names are written: a manifest in JSON stays JSON. */
interface Notation {
  readonly isJson: boolean;
  readonly write: (value: YamlValue) => string;
  readonly name: (key: string) => string;
}

const asYaml: Notation = { isJson: false, write: toFlow, name: (key) => key };
const asJson: Notation = { isJson: true, write: toJsonText, name: (key) => JSON.stringify(key) };

function isJson(text: string): boolean {
  try {
    return isRecord(JSON.parse(text.replace(/^\ufeff/u, "")));
  } catch {
    return false;
  }
}

const parse = (text: string): Document => parseDocument(text, { uniqueKeys: false });

/** Decimals that YAML keeps as they are; `007`, `1e3` and `0x1F` would change. */
const DECIMAL = /^-?(?:0|[1-9]\d*)(?:\.\d+)?$/u;

/** Keeps digits that would be lost: as a number where YAML keeps them, else as text. */
function keepLetters(document: Document): void {
  visit(document, {
    Scalar: (key, node) => {
      const { value, source = "" } = node;
      if (typeof value !== "number" || String(value) === source) return;
      const isName = key === "key";
      node.value = DECIMAL.test(source) && !isName ? new TypedNumber(source) : source;
    },
  });
}

/** What a value of a manifest says. Throws `bad-usage` for text that is no YAML. */
export function readYamlValue(text: string): unknown {
  const document = parse(text);
  const [fault] = document.errors;
  keepLetters(document);
  if (fault === undefined) return document.toJS() as unknown;
  throw badUsage(
    `a value must be YAML, got ${JSON.stringify(text)}`,
    "put it into quotes: 'field=\"a: b\"'",
  );
}

interface Read {
  readonly text: string;
  readonly document: Document;
  readonly plain: unknown;
}

let last: Read | undefined;

/** Fields are asked for one by one, so the last text is parsed once. */
function readText(text: string): Read {
  if (last?.text === text) return last;
  const document = parse(text);
  last = { text, document, plain: document.toJS() as unknown };
  return last;
}

const keyOf = ({ key }: Pair): string => (isScalar(key) ? String(key.value) : "");

const findPair = (map: YAMLMap, key: string): Pair | undefined =>
  map.items.find((pair) => keyOf(pair) === key);

/** A value with an alias or an anchor: it can't be changed by itself. */
const isShared = (node: unknown): boolean =>
  isAlias(node) || (isNode(node) && "anchor" in node && node.anchor !== undefined);

const rangeOf = (node: unknown): { start: number; end: number } => {
  const [start = 0, end = 0] = (node as Node).range ?? [];
  return { start, end };
};

const endOfLine = (text: string, at: number): number => {
  const end = text.indexOf("\n", at);
  return end < 0 ? text.length : end;
};

const startOfLine = (text: string, at: number): number => text.lastIndexOf("\n", at - 1) + 1;

const splice = (text: string, from: number, to: number, put: string): string =>
  text.slice(0, from) + put + text.slice(to);

/** Where a value ends, without the blank lines behind it. */
function endOfValue(text: string, pair: Pair): number {
  const { end } = isNode(pair.value) ? rangeOf(pair.value) : rangeOf(pair.key);
  return text.slice(0, end).trimEnd().length;
}

function replaceValue(text: string, pair: Pair, put: string): string {
  const afterKey = text.indexOf(":", rangeOf(pair.key).end) + 1;
  const { start, end } = isNode(pair.value) ? rangeOf(pair.value) : { start: 0, end: 0 };
  const isInline = end > start && !text.slice(afterKey, end).trimEnd().includes("\n");
  if (isInline) return splice(text, start, end, put);
  const to = end > start ? endOfValue(text, pair) : afterKey;
  return splice(text, afterKey, to, ` ${put}`);
}

/** What stands before the last field of a map in braces: a blank, or the start of its line. */
function gapBefore(text: string, pair: Pair): string {
  const { start } = rangeOf(pair.key);
  const indent = text.slice(startOfLine(text, start), start);
  return indent.trim() === ""
    ? `${text[startOfLine(text, start) - 2] === "\r" ? "\r" : ""}\n${indent}`
    : " ";
}

interface Put {
  /** A field with its name. */
  readonly put: string;
  readonly isJson: boolean;
}

function insertPair(text: string, map: YAMLMap, { put, isJson }: Put) {
  const last = map.items.at(-1);
  const { start, end } = rangeOf(map);
  if (last === undefined) return splice(text, start, end, `{ ${put} }`);
  const at = endOfValue(text, last);
  if (map.flow === true)
    return splice(text, at, at, `,${isJson ? gapBefore(text, last) : " "}${put}`);
  const first = rangeOf(map.items[0]?.key).start;
  const indent = text.slice(startOfLine(text, first), first);
  const line = endOfLine(text, at);
  return splice(text, line, line, `\n${indent}${put}`);
}

function removePair(text: string, map: YAMLMap, pair: Pair): string {
  const at = map.items.indexOf(pair);
  const { start } = rangeOf(pair.key);
  const end = endOfValue(text, pair);
  if (map.flow !== true)
    return splice(text, startOfLine(text, start), endOfLine(text, end) + 1, "");
  const next = map.items[at + 1];
  const before = map.items[at - 1];
  if (next !== undefined) return splice(text, start, rangeOf(next.key).start, "");
  return splice(text, before === undefined ? start : endOfValue(text, before), end, "");
}

const nest = (path: readonly string[], value: YamlValue): YamlValue =>
  path.reduceRight<YamlValue>((inner, key) => ({ [key]: inner }), value);

const cantEdit = (path: readonly string[]): AppError =>
  new AppError(
    "manifest-invalid",
    `${toFieldPath(path)} must stand by itself, but others share it`,
    {
      hint: "its value has an anchor or an alias: change it in a text editor",
    },
  );

/** One edit by cutting and pasting; undefined where nothing changes. */
function cut(
  text: string,
  root: YAMLMap,
  { path, value, notation }: YamlEdit & { readonly notation: Notation },
): string | undefined {
  const { isJson, write, name } = notation;
  let map = root;
  for (const [depth, key] of path.entries()) {
    const rest = path.slice(depth + 1);
    const pair = findPair(map, key);
    if (pair === undefined) {
      if (value === undefined) return undefined;
      return insertPair(text, map, { put: `${name(key)}: ${write(nest(rest, value))}`, isJson });
    }
    if (isShared(pair.value)) throw cantEdit(path);
    if (rest.length > 0 && isMap(pair.value)) {
      map = pair.value;
      continue;
    }
    if (value !== undefined) return replaceValue(text, pair, write(nest(rest, value)));
    return rest.length > 0 ? undefined : removePair(text, map, pair);
  }
  return undefined;
}

/** The value as it is read again. */
function toRead(value: YamlValue): unknown {
  if (value instanceof TypedNumber) return Number(value.text);
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map((one: YamlValue) => toRead(one));
  const entries = Object.entries(value as Readonly<Record<string, YamlValue>>);
  return Object.fromEntries(entries.map(([key, one]) => [key, toRead(one)]));
}

/** The same by the library, which writes the whole text anew. */
function rewrite(text: string, { path, value }: YamlEdit, wanted: Plain, { isJson }: Notation) {
  if (isJson) return `${JSON.stringify(wanted, null, STEP)}\n`;
  const document = parse(text);
  if (value === undefined) document.deleteIn(path);
  else document.setIn(path, document.createNode(toRead(value)));
  return document.toString({ lineWidth: 0 });
}

type Plain = Record<string, unknown>;

const toPlain = (text: string): unknown => readText(text).plain;

/** The value that the edited text must have. */
function change(plain: Plain, { path, value }: YamlEdit): Plain {
  const [key = "", ...rest] = path;
  if (rest.length === 0) {
    const { [key]: _old, ...others } = plain;
    return value === undefined ? others : { ...others, [key]: toRead(value) };
  }
  const inner = plain[key];
  if (value === undefined && !isRecord(inner)) return plain;
  return { ...plain, [key]: change(isRecord(inner) ? inner : {}, { path: rest, value }) };
}

function rootOf(text: string): YAMLMap {
  const { contents, errors } = readText(text).document;
  if (errors.length === 0 && isMap(contents)) return contents;
  throw new AppError("manifest-invalid", "the manifest must be YAML with fields to be changed", {
    hint: "mend it in a text editor first",
  });
}

/** A map that becomes empty goes, too. */
function widen(root: YAMLMap, edit: YamlEdit): YamlEdit {
  const { path, value } = edit;
  const parent = path.slice(0, -1);
  if (value !== undefined || parent.length === 0) return edit;
  const map = root.getIn(parent);
  const isLast = isMap(map) && map.items.length === 1 && map.has(path.at(-1));
  return isLast ? widen(root, { path: parent, value }) : edit;
}

function editOne(text: string, edit: YamlEdit): string {
  const root = rootOf(text);
  const widened = widen(root, edit);
  const wanted = change(toPlain(text) as Plain, widened);
  const notation = isJson(text) ? asJson : asYaml;
  const pasted = cut(text, root, { ...widened, notation });
  if (pasted === undefined) return text;
  const isGood = !notation.isJson || isJson(pasted);
  if (isGood && isDeepStrictEqual(toPlain(pasted), wanted)) return pasted;
  return rewrite(text, widened, wanted, notation);
}

/** A map in braces on a long line: one field per line, its comment behind its name. */
function breakLine(text: string, path: readonly string[]): string {
  const root = rootOf(text);
  const map = root.getIn(path);
  const parent = path.length < 2 ? root : root.getIn(path.slice(0, -1));
  if (!isMap(map) || map.flow !== true || !isMap(parent) || parent.flow === true) return text;
  const { start, end } = rangeOf(map);
  const key = findPair(parent, path.at(-1) ?? "")?.key;
  const at = startOfLine(text, rangeOf(key).start);
  const line = endOfLine(text, end);
  if (line - at <= MAX_LINE || text.slice(start, end).includes("\n")) return text;
  const indent = text.slice(at, rangeOf(key).start) + STEP;
  const fields = map.items.map(
    (pair) => `\n${indent}${text.slice(rangeOf(pair.key).start, endOfValue(text, pair))}`,
  );
  const broken =
    text.slice(0, start).trimEnd() + text.slice(end, line) + fields.join("") + text.slice(line);
  return isDeepStrictEqual(toPlain(broken), toPlain(text)) ? broken : text;
}

/**
 * The text with its edits. Throws `manifest-invalid` for what is no YAML map, and for a value with an
 * anchor or an alias.
 */
export function editYaml(text: string, edits: readonly YamlEdit[]): string {
  const edited = edits.reduce(editOne, text);
  const parents = new Set(edits.map(({ path }) => JSON.stringify(path.slice(0, -1))));
  return [...parents]
    .map((path) => JSON.parse(path) as string[])
    .filter((path) => path.length > 0)
    .reduce(breakLine, edited);
}

/** The text of one field's value as it is written. */
export interface WrittenField {
  readonly value: unknown;
  readonly yaml: string;
  readonly isShared: boolean;
}

/** What a field says; undefined where it isn't written, or the text is no YAML map. */
export function readYamlField(text: string, path: readonly string[]): WrittenField | undefined {
  const { contents } = readText(text).document;
  let node: unknown = contents;
  let pair: Pair | undefined;
  let shared = false;
  for (const key of path) {
    if (!isMap(node)) return undefined;
    pair = findPair(node, key);
    if (pair === undefined) return undefined;
    node = pair.value;
    shared ||= isShared(node);
  }
  if (pair === undefined) return undefined;
  const { start } = rangeOf(pair.key);
  const indent = start - startOfLine(text, start);
  const lines = text.slice(start, endOfValue(text, pair)).split("\n");
  const yaml = lines.map((line) => outdent(line, indent)).join("\n");
  const plain = toPlain(text) as Plain;
  const value = path.reduce<unknown>((at, key) => (isRecord(at) ? at[key] : undefined), plain);
  return { value, yaml, isShared: shared };
}

/** Takes at most so many blanks off a line's start. */
function outdent(line: string, most: number): string {
  let at = 0;
  while (at < most && line[at] === " ") at += 1;
  return line.slice(at);
}

/** Names of the fields of a map; none where it isn't one. */
export function listYamlFields(text: string, path: readonly string[]): string[] {
  const { contents } = readText(text).document;
  const map = path.length === 0 || !isMap(contents) ? contents : contents.getIn(path);
  return isMap(map) ? map.items.map(keyOf) : [];
}
