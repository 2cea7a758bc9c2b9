/** The manifest as texts of a form, and the changes of a form. Pure. */
import {
  listYamlFields,
  readYamlField,
  type YamlEdit,
  type YamlValue,
} from "../../../job/yaml/edit-yaml.ts";
import type { Job } from "../../../kinds/any-job.ts";
import {
  controlsOf,
  designPathOf,
  hasSheets,
  SHEETS,
  toText,
  toValue,
  type Control,
} from "./controls.ts";
import { labelNames, toLabelTexts, toLabelValue, type TemplateTexts } from "./label-texts.ts";
import { NO_SHEET, STOCK, stockNames, toSheetValue, toStockTexts, type Texts } from "./stock.ts";

/** A field that the form can't show, as the manifest writes it. */
export interface LeftAlone {
  readonly field: string;
  readonly yaml: string;
}

export interface FormValues {
  readonly texts: Texts;
  /** Form fields that can't be changed here: their values are of another shape. */
  readonly locked: ReadonlySet<string>;
  readonly leftAlone: readonly LeftAlone[];
}

interface Part {
  readonly names: readonly string[];
  readonly path: readonly string[];
  readonly toTexts: (value: unknown) => Texts | undefined;
  readonly toValue: (texts: Texts) => YamlValue | undefined;
}

const toPart = (control: Control): Part => ({
  names: [control.id],
  path: control.path,
  toTexts: (value) => {
    const text = toText(control, value);
    return text === undefined ? undefined : { [control.id]: text };
  },
  toValue: (texts) => toValue(control, texts[control.id] ?? ""),
});

function partsOf(job: Job, templates: readonly TemplateTexts[]): readonly Part[] {
  const controls = controlsOf(job).map(toPart);
  if (!hasSheets(job)) return controls;
  const label: Part = {
    names: labelNames(templates),
    path: [...SHEETS, "label"],
    toTexts: (value) => toLabelTexts(value, templates),
    toValue: (texts) => toLabelValue(texts, templates),
  };
  const stock: Part = {
    names: stockNames,
    path: SHEETS,
    toTexts: toStockTexts,
    toValue: toSheetValue,
  };
  return [stock, label, ...controls];
}

/** Fields beside those that have a control. */
function listOthers(text: string, job: Job, parts: readonly Part[]): LeftAlone[] {
  const known = new Set(parts.map(({ path }) => path.join(".")));
  known.add([...SHEETS, "sheet"].join("."));
  const places = [hasSheets(job) ? SHEETS : undefined, designPathOf(job)];
  return places.flatMap((place) =>
    place === undefined
      ? []
      : listYamlFields(text, place)
          .map((field) => [...place, field])
          .filter((path) => !known.has(path.join(".")))
          .flatMap((path) => {
            const yaml = readYamlField(text, path)?.yaml;
            return yaml === undefined ? [] : [{ field: path.join("."), yaml }];
          }),
  );
}

export function toFormValues(
  text: string,
  job: Job,
  templates: readonly TemplateTexts[],
): FormValues {
  const texts: Record<string, string> = {};
  const locked = new Set<string>();
  const leftAlone: LeftAlone[] = [];
  const parts = partsOf(job, templates);
  for (const part of parts) {
    const written = readYamlField(text, part.path);
    const shown = written?.isShared === true ? undefined : part.toTexts(written?.value);
    if (shown !== undefined) Object.assign(texts, shown);
    else {
      for (const name of part.names) locked.add(name);
      leftAlone.push({ field: part.path.join("."), yaml: written?.yaml ?? "" });
    }
  }
  return { texts, locked, leftAlone: [...leftAlone, ...listOthers(text, job, parts)] };
}

/** Adds sheets to a job without any, or removes them. */
function editStock(text: string, texts: Texts, value: YamlValue | undefined): YamlEdit {
  if (texts[STOCK] === NO_SHEET) return { path: SHEETS, value: undefined };
  const { value: sheets } = readYamlField(text, SHEETS) ?? {};
  const isMap = typeof sheets === "object" && sheets !== null;
  return isMap || value === undefined
    ? { path: [...SHEETS, "sheet"], value }
    : { path: SHEETS, value: { sheet: value } };
}

/**
 * A person's changes: fields that differ from `was`, which the form was filled with. The manifest
 * of now does not count, so that changes of other fields by others stay.
 */
export function findEdits(
  manifest: { readonly text: string; readonly job: Job },
  { was, now }: { readonly was: Texts; readonly now: Texts },
  templates: readonly TemplateTexts[],
): YamlEdit[] {
  const { text, job } = manifest;
  const edits: YamlEdit[] = [];
  for (const { names, path, toValue: read } of partsOf(job, templates)) {
    const isChanged = names.some((name) => now[name] !== undefined && now[name] !== was[name]);
    if (!isChanged) continue;
    const value = read({ ...was, ...now });
    if (path === SHEETS) edits.push(editStock(text, { ...was, ...now }, value));
    else edits.push({ path, value });
  }
  // Without sheets their fields are not written.
  const hasNone = edits.some(({ path, value }) => path === SHEETS && value === undefined);
  return hasNone ? edits.filter(({ path }) => path === SHEETS || path[0] !== "output") : edits;
}
