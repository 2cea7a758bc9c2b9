/** The fields of a manifest that the screen can change: a line each. Pure. */
import { errorCorrections, eyeStyles, frames, patterns } from "../../../api/design.ts";
import type { YamlValue } from "../../../job/yaml/edit-yaml.ts";
import type { Job } from "../../../kinds/any-job.ts";
import { corners, orderModes } from "../../../print/layout/imposition.ts";
import { copyOrders } from "../../../print/layout/repeat-records.ts";

export const SHEETS = ["output", "sheets"] as const;

/** How a field is shown, and the values that it can show. */
type Shape =
  | { readonly shown: "number"; readonly min: number; readonly step: number }
  | { readonly shown: "text" | "color" | "lines" | "flag" }
  | { readonly shown: "choice"; readonly choices: readonly string[] };

export type Control = Shape & {
  /** Of its words, and of the form's field. */
  readonly id: string;
  readonly path: readonly string[];
  readonly group: Group;
  readonly otherwise?: string;
};

export type Group = "label" | "filling" | "size" | "design";
export const groups: readonly Group[] = ["label", "filling", "size", "design"];

const sheets = (id: string): readonly string[] => [...SHEETS, id];
const count = { shown: "number", min: 1, step: 1 } as const;
const mm = { shown: "number", min: 0, step: 0.001 } as const;

const sheetControls: readonly Control[] = [
  { id: "caption", path: sheets("caption"), group: "label", shown: "lines" },
  { id: "start", path: sheets("start"), group: "filling", ...count, otherwise: "1" },
  { id: "copies", path: sheets("copies"), group: "filling", ...count, otherwise: "1" },
  {
    id: "copy_order",
    path: sheets("copy_order"),
    group: "filling",
    shown: "choice",
    choices: copyOrders,
    otherwise: "adjacent",
  },
  { id: "overs", path: sheets("overs"), group: "filling", shown: "text", otherwise: "0%" },
  {
    id: "order",
    path: sheets("order"),
    group: "filling",
    shown: "choice",
    choices: orderModes,
    otherwise: "rows",
  },
  {
    id: "corner",
    path: sheets("corner"),
    group: "filling",
    shown: "choice",
    choices: corners,
    otherwise: "top-left",
  },
  { id: "reverse", path: sheets("reverse"), group: "filling", shown: "flag", otherwise: "false" },
  { id: "qr_size_mm", path: sheets("qr_size_mm"), group: "size", ...mm },
  { id: "x_dimension_mm", path: sheets("x_dimension_mm"), group: "size", ...mm },
  { id: "safe_mm", path: sheets("safe_mm"), group: "size", ...mm },
  { id: "device_dpi", path: sheets("device_dpi"), group: "size", ...count },
  {
    id: "print",
    path: sheets("print"),
    group: "design",
    shown: "choice",
    choices: ["designed", "plain"],
    otherwise: "designed",
  },
];

/** The look of codes; `template` and `logo_file` only where the kind knows them. */
function designControls(path: readonly string[], more: readonly string[]): Control[] {
  const at = (id: string) => ({ id, path: [...path, id], group: "design" }) as const;
  const choice = (id: string, choices: readonly string[]): Control => ({
    ...at(id),
    shown: "choice",
    choices,
  });
  return [
    ...(more.includes("template") ? [{ ...at("template"), shown: "text" } as const] : []),
    { ...at("primary_color"), shown: "color" },
    { ...at("eye_color"), shown: "color" },
    { ...at("background_color"), shown: "color" },
    choice("pattern", patterns),
    choice("eye_style", eyeStyles),
    choice("frame", frames),
    { ...at("frame_color"), shown: "color" },
    { ...at("text"), shown: "text" },
    choice("error_correction", errorCorrections),
    ...(more.includes("logo_file") ? [{ ...at("logo_file"), shown: "text" } as const] : []),
  ];
}

/** Where a kind keeps the look of its codes, and its fields beside colours and shapes. */
const designs: Partial<Record<Job["kind"], readonly [path: readonly string[], more: string[]]>> = {
  codes: [
    ["code", "design"],
    ["template", "logo_file"],
  ],
  products: [["code", "design"], ["template"]],
  pdfs: [["code", "design"], []],
  pages: [["code", "design"], []],
  redesign: [["design"], ["template", "logo_file"]],
};

/** Where the look of a job's codes stands; undefined for jobs whose codes have none. */
export function designPathOf(job: Job): readonly string[] | undefined {
  const hasNoCode = job.kind === "products" && !job.hasCode;
  return hasNoCode ? undefined : designs[job.kind]?.[0];
}

export const hasSheets = ({ kind }: Job): boolean => kind !== "report" && kind !== "retarget";

export function controlsOf(job: Job): readonly Control[] {
  const path = designPathOf(job);
  const design = path === undefined ? [] : designControls(path, designs[job.kind]?.[1] ?? []);
  return hasSheets(job) ? [...sheetControls, ...design] : design;
}

const isScalar = (value: unknown): value is string | number | boolean =>
  ["string", "number", "boolean"].includes(typeof value);

const COLOR = /^#[0-9a-f]{6}$/iu;

function fits(control: Control, value: string | number | boolean): boolean {
  switch (control.shown) {
    case "number":
      return typeof value === "number";
    case "choice":
      return control.choices.includes(String(value));
    case "flag":
      return typeof value === "boolean";
    case "color":
      return COLOR.test(String(value));
    case "text":
    case "lines":
      return true;
  }
}

/** A field's value as the form shows it; undefined where the form can't. */
export function toText(control: Control, value: unknown): string | undefined {
  if (value === undefined || value === null) return control.otherwise ?? "";
  if (control.shown === "lines") {
    const lines: unknown[] = Array.isArray(value) ? value : [value];
    return lines.every((line) => typeof line === "string") ? lines.join("\n") : undefined;
  }
  return isScalar(value) && fits(control, value) ? String(value) : undefined;
}

/** The typed text as the manifest's value; undefined: the field isn't written. */
export function toValue(control: Control, typed: string): YamlValue | undefined {
  if (control.shown === "lines") {
    const lines = typed.split(/\r?\n/u).map((line) => line.trimEnd());
    while (lines.at(-1) === "") lines.pop();
    return lines.length > 1 ? lines : lines[0];
  }
  const text = typed.trim();
  if (text === "" || text === control.otherwise) return undefined;
  // The share of spare labels, as `2,5 %`.
  if (control.id === "overs") return text.replace(",", ".").replaceAll(/\s/gu, "");
  if (control.shown === "flag") return text === "true";
  if (control.shown !== "number") return text;
  const number = Number(text.replace(",", "."));
  return Number.isFinite(number) ? number : text;
}
