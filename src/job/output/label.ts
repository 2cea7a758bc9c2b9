/** A label of a manifest, with its template, as data to draw. Reads files, changes nothing. */
import { readdir, readFile } from "node:fs/promises";
import path from "node:path";

import { packagePath } from "../../base/files/package-files.ts";
import { type Problem, toMessage } from "../../base/errors.ts";
import {
  type ArtBox,
  type ArtItem,
  BLACK_INK,
  type Ink,
  type LabelArt,
  type SymbolItem,
  type TextSource,
  type TextStyle,
} from "../../base/shapes/label-art.ts";
import { didYouMean } from "../../base/text/suggest.ts";
import { quoteText } from "../../base/text/words.ts";
import { defaultUse } from "../../symbol/sizes.ts";
import { isGs1Elements, symbolKinds } from "../../symbol/symbols.ts";
import { coerce } from "../yaml/coerce.ts";
import { type DeclaredInks, makeInkTable, type InkTable, readInk } from "./inks.ts";
import { toProblems } from "../issues.ts";
import type { ColumnUse, JobLabel } from "../job.ts";
import { type ItemShape, kindsOf, LabelFileShape, type LabelShape } from "../shapes/label-shape.ts";
import { placeholdersOf, readTemplate } from "../template/template.ts";
import { parseYaml } from "../yaml/yaml.ts";

const ownFolder = packagePath("templates/labels/");

/** Names of the label templates that come along. */
async function listLabelTemplates(): Promise<string[]> {
  const files = (await readdir(ownFolder)).filter((file) => file.endsWith(".json"));
  return files.map((file) => file.slice(0, -".json".length)).toSorted();
}

/** A label template that comes along. */
export interface LabelTemplate {
  readonly name: string;
  readonly title: string;
  /** What it was drawn for, mm. */
  readonly size: readonly [width: number, height: number] | null;
  /** Texts that a job may give -> the row template that is their default. */
  readonly texts: Readonly<Record<string, string>>;
}

/** All label templates that come along, by name. A file that doesn't fit the shape throws. */
export async function readLabelTemplates(): Promise<LabelTemplate[]> {
  return Promise.all(
    (await listLabelTemplates()).map(async (name) => {
      const text = await readFile(path.join(ownFolder, `${name}.json`), "utf8");
      const { title, size, texts } = LabelFileShape.parse(JSON.parse(text));
      return { name, title: title ?? name, size: size ?? null, texts };
    }),
  );
}

/** What one face of a label is read from. */
export interface ReadLabel {
  readonly label: JobLabel | null;
  readonly problems: readonly Problem[];
  /** Columns that the template's own texts name. */
  readonly uses: readonly ColumnUse[];
}

export interface LabelContext {
  /** The manifest, absolute. */
  readonly file: string;
  /** `output.sheets.label`. */
  readonly field: string;
  readonly inks: DeclaredInks;
  /** Row texts of the faces before this one. */
  readonly firstText: number;
}

interface OpenTemplate {
  readonly shape: LabelFileShape;
  readonly file: string;
}

async function openTemplate(
  name: string,
  context: LabelContext,
): Promise<OpenTemplate | { problems: readonly Problem[] }> {
  const isOwn = !/\.(?:json|ya?ml)$/iu.test(name);
  const where = { file: context.file, field: context.field };
  if (isOwn) {
    const known = await listLabelTemplates();
    if (!known.includes(name)) {
      const message = `${context.field} must be a label template or a .json file, got ${JSON.stringify(name)}`;
      return { problems: [{ message, where, hint: didYouMean(name, known) }] };
    }
  }
  const file = isOwn
    ? path.join(ownFolder, `${name}.json`)
    : path.resolve(path.dirname(context.file), name);
  let text: string;
  try {
    text = await readFile(file, "utf8");
  } catch (error) {
    const message = `${context.field} must be a file that can be read, got ${toMessage(error)}`;
    return { problems: [{ message, where }] };
  }
  const { root, problems } = parseYaml(text, file);
  if (root === undefined || problems.length > 0) return { problems };
  const parsed = LabelFileShape.safeParse(coerce(root, LabelFileShape));
  if (parsed.success) return { shape: parsed.data, file };
  return { problems: toProblems(parsed.error.issues, { root, schema: LabelFileShape, file }) };
}

type ReadInk = (name: "color" | "fill" | "stroke" | "panel") => Ink | null;

const DEFAULT_STROKE_PT = 0.5;
const DEFAULT_PPI = 200;

function toBox([x, y, width, height]: ItemShape["at"] = [0, 0, 0, 0]): ArtBox {
  return { x, y, width, height };
}

/** A picture is one file for all rows: its name takes no cells. */
const HINT_IMAGE =
  "name a file, as in logo.png, or leave the item out: {{ }} is for texts, and jobs print no picture of each row";

function toImage(item: ItemShape, folder: string) {
  const file = path.resolve(folder, item.image ?? "");
  return { file, as: item.as ?? "given", leastPpi: item.least_ppi ?? DEFAULT_PPI };
}

function toLine(item: ItemShape, ink: ReadInk): ArtItem {
  const [x1, y1, x2, y2] = item.line ?? [0, 0, 0, 0];
  return {
    kind: "line",
    from: [x1, y1],
    to: [x2, y2],
    stroke: ink("color") ?? ink("stroke") ?? BLACK_INK,
    strokePt: item.stroke_pt ?? DEFAULT_STROKE_PT,
    dash: item.dash ?? null,
  };
}

/** An AI in brackets, as GS1 writes it. */
const AI = /\(\d{2,4}\)/u;

function toSymbol(item: ItemShape): Omit<SymbolItem, "kind" | "at" | "text" | "panel"> {
  const symbol = item.symbol ?? "ean-13";
  const place = item.hri === "key" || item.hri === "all" ? undefined : item.hri;
  return {
    symbol,
    xMm: item.x_mm ?? null,
    heightMm: item.height_mm ?? null,
    hri: place ?? symbolKinds[symbol].hri,
    sizePt: item.size_pt ?? 9,
    use: item.application ?? defaultUse(symbol),
    bearer: item.bearer ?? "bars",
    columns: item.columns ?? null,
  };
}

function toShape(item: ItemShape, ink: ReadInk) {
  return {
    fill: ink("fill"),
    stroke: ink("stroke"),
    strokePt: item.stroke_pt ?? DEFAULT_STROKE_PT,
    radius: item.radius ?? 0,
  };
}

/** Turns the items of one file into what is drawn; collects their problems. */
class ItemReader {
  readonly problems: Problem[] = [];
  readonly texts: string[] = [];
  /** Texts whose AIs stand in the manifest: rows add values only. */
  readonly bracketed: number[] = [];
  readonly #file: string;
  readonly #field: string;
  readonly #inks: InkTable;
  readonly #firstText: number;

  constructor(input: { file: string; field: string; inks: InkTable; firstText: number }) {
    this.#file = input.file;
    this.#field = input.field;
    this.#inks = input.inks;
    this.#firstText = input.firstText;
  }

  read(item: ItemShape, index: number): ArtItem {
    const field = `${this.#field}[${index}]`;
    const at = toBox(item.at);
    const ink: ReadInk = (name) => {
      const text = item[name];
      return text === undefined ? null : this.#ink(text, `${field}.${name}`);
    };
    const [kind = "text"] = kindsOf(item);
    switch (kind) {
      case "code":
        return { kind, at, panel: ink("panel") };
      case "symbol":
        return {
          kind,
          at,
          ...toSymbol(item),
          text: this.#symbolText(item, field),
          panel: ink("panel"),
        };
      case "image":
        this.#checkImage(item, field);
        return { kind, at, ...toImage(item, path.dirname(this.#file)) };
      case "line":
        return toLine(item, ink);
      case "box":
      case "ellipse":
        return { kind, at, ...this.#shape(item, field, ink) };
      case "text":
      case "hri":
      case "counter":
        return { kind: "text", at, source: this.#source(item), style: toStyle(item, ink("color")) };
    }
  }

  #shape(item: ItemShape, field: string, ink: ReadInk): ReturnType<typeof toShape> {
    const shape = toShape(item, ink);
    if (shape.fill === null && shape.stroke === null)
      this.#problem(field, "must have a fill or a stroke, got neither", 'add fill: "black 10%"');
    return shape;
  }

  #checkImage({ image = "" }: ItemShape, field: string): void {
    if (!image.includes("{{")) return;
    const rule = `must be one file, the same on every label, got ${image}`;
    this.#problem(`${field}.image`, rule, HINT_IMAGE);
  }

  #symbolText({ data = "", symbol = "ean-13" }: ItemShape, field: string): number {
    const index = this.#addText(data);
    const [ai] = AI.exec(data.split("{{", 1)[0] ?? "") ?? [];
    if (ai !== undefined && symbolKinds[symbol].content === "gtin") {
      const rule = `must be digits without AIs, got ${quoteText(data)}`;
      this.#problem(`${field}.data`, rule, `leave ${ai} out: ${symbol} holds a GTIN only`);
    }
    if (isGs1Elements(symbol) && AI.test(data)) this.bracketed.push(index);
    return index;
  }

  #addText(text: string): number {
    return this.#firstText + this.texts.push(text) - 1;
  }

  #source(item: ItemShape): TextSource {
    if (item.hri === "key" || item.hri === "all") return { of: "hri", parts: item.hri };
    if (item.counter !== undefined) {
      return {
        of: "counter",
        pattern: item.counter,
        per: item.per ?? "label",
        start: item.start ?? 1,
        step: item.step ?? 1,
      };
    }
    return { of: "row", index: this.#addText(item.text ?? "") };
  }

  #ink(text: string, field: string): Ink {
    const ink = readInk(text, this.#inks);
    if ("cmyk" in ink) return ink;
    this.#problem(field, ink.rule, ink.hint);
    return BLACK_INK;
  }

  #problem(field: string, rule: string, hint: string): void {
    this.problems.push({ message: `${field} ${rule}`, hint, where: { file: this.#file, field } });
  }
}

function toStyle(item: ItemShape, ink: Ink | null): TextStyle {
  const sizePt = item.size_pt ?? 9;
  const fit = item.fit ?? ["wrap", "shrink"];
  const several = typeof fit === "string" ? [fit] : fit;
  return {
    sizePt,
    leastPt: Math.min(sizePt, item.least_pt ?? 5),
    fit: several.filter((one) => one !== "refuse"),
    align: item.align ?? "left",
    valign: item.valign ?? "top",
    bold: item.bold ?? false,
    ink: ink ?? BLACK_INK,
    rotate: item.rotate ?? 0,
  };
}

function usesOf(text: string, where: { file: string; field: string }): ColumnUse[] {
  return placeholdersOf(readTemplate(text).template).map(({ column }) => {
    return { column, field: where.field, where };
  });
}

function faultsOf(text: string, where: { file: string; field: string }): Problem[] {
  return readTemplate(text).faults.map(({ message, hint }) => {
    return { message: `${where.field}: ${message}`, hint, where };
  });
}

const toSize = (size: readonly [number, number] | undefined): LabelArt["size"] =>
  size === undefined ? null : { width: size[0], height: size[1] };

type LabelMap = Exclude<LabelShape, string>;

/** Reports texts that the manifest gives, but the template doesn't ask for. */
function unknownTexts(map: LabelMap, template: LabelFileShape, context: LabelContext): Problem[] {
  const known = Object.keys(template.texts);
  return Object.keys(map.texts ?? {})
    .filter((name) => !known.includes(name))
    .map((name) => {
      const field = `${context.field}.texts.${name}`;
      return {
        message: `${field} must be a text of the label template, got "${name}"`,
        hint: didYouMean(name, known),
        where: { file: context.file, field },
      };
    });
}

const sayHowToGive = (name: string, { template = "" }: LabelMap): string =>
  `or give the text: label: { template: ${template}, texts: { ${name}: "{{ COLUMN }}" } }`;

/** The columns of a template file, and problems with its texts. */
function checkTexts(map: LabelMap, opened: OpenTemplate | undefined, context: LabelContext) {
  if (opened === undefined) return { problems: [], uses: [] };
  const { shape, file } = opened;
  const items = shape.items
    .flatMap(({ text, data }) => [text ?? [], data ?? []].flat())
    .map((text) => [text, { file, field: "items" }] as const);
  // The default of a text is made of columns only.
  const left = Object.entries(shape.texts).filter(([name]) => map.texts?.[name] === undefined);
  const toField = (name: string): string => `${context.field}.texts.${name}`;
  const defaults = left.map(([name, text]) => [text, { file, field: toField(name) }] as const);
  const slots = { ...shape.texts, ...map.texts };
  return {
    problems: [
      ...unknownTexts(map, shape, context),
      ...[...items, ...defaults].flatMap(([text, where]) => faultsOf(text, where)),
    ],
    uses: [
      ...items
        .flatMap(([text, where]) => usesOf(text, where))
        .filter(({ column }) => !Object.hasOwn(slots, column)),
      ...left.flatMap(([name, text]) => {
        const where = { file: context.file, field: toField(name) };
        return usesOf(text, where).map((use) => ({ ...use, hint: sayHowToGive(name, map) }));
      }),
    ],
  };
}

/** Items of the template, then those of the manifest. */
function readItems(map: LabelMap, opened: OpenTemplate | undefined, context: LabelContext) {
  const { file, field, firstText } = context;
  const inks = makeInkTable(opened?.shape.inks ?? {}, context.inks);
  const own = new ItemReader({ file: opened?.file ?? file, field: "items", inks, firstText });
  const items = (opened?.shape.items ?? []).map((item, index) => own.read(item, index));
  const added = new ItemReader({
    file,
    field: `${field}.items`,
    inks,
    firstText: firstText + own.texts.length,
  });
  items.push(...(map.items ?? []).map((item, index) => added.read(item, index)));
  const problems = [...own.problems, ...added.problems];
  if (items.length === 0) {
    const where = { file, field };
    problems.push({ message: `${field} must name a template or have items, got neither`, where });
  }
  const bracketed = [...own.bracketed, ...added.bracketed].map((index) => index - firstText);
  return { items, problems, texts: [...own.texts, ...added.texts], bracketed };
}

/** Reads one face of a label. Lists all its problems, throws nothing. */
export async function readLabel(shape: LabelShape, context: LabelContext): Promise<ReadLabel> {
  const map: LabelMap = typeof shape === "string" ? { template: shape } : shape;
  const opened = map.template === undefined ? undefined : await openTemplate(map.template, context);
  if (opened !== undefined && "problems" in opened) {
    return { label: null, problems: opened.problems, uses: [] };
  }
  const { items, problems, texts, bracketed } = readItems(map, opened, context);
  const checked = checkTexts(map, opened, context);
  const art: LabelArt = {
    name: opened?.shape.name ?? "label",
    size: toSize(map.size ?? opened?.shape.size),
    items,
  };
  return {
    label: {
      art,
      slots: { ...opened?.shape.texts, ...map.texts },
      texts,
      ...(bracketed.length > 0 ? { bracketed } : {}),
    },
    problems: [...problems, ...checked.problems],
    uses: checked.uses,
  };
}
