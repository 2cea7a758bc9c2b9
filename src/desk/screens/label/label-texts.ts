/** The content of a label in the form: the code with its caption, or a label template. Pure. */
import type { YamlValue } from "../../../job/yaml/edit-yaml.ts";
import type { Texts } from "./stock.ts";

/** A label template as far as the form needs it. */
export interface TemplateTexts {
  readonly name: string;
  readonly title: string;
  readonly texts: Readonly<Record<string, string>>;
}

export const LABEL = "label";
/** The field that names the texts that were shown blank: left so, they stay as they are. */
export const BLANKS = "blanks";
export const labelTextName = (template: string, text: string): string =>
  `label.${template}.${text}`;

const blankOf = (templates: readonly TemplateTexts[]): Texts =>
  Object.fromEntries(
    templates.flatMap(({ name, texts }) =>
      Object.entries(texts).map(([text, otherwise]) => [labelTextName(name, text), otherwise]),
    ),
  );

export const labelNames = (templates: readonly TemplateTexts[]): readonly string[] => [
  LABEL,
  ...Object.keys(blankOf(templates)),
];

/** `output.sheets.label` as the form has it; undefined where the form can't show it. */
export function toLabelTexts(
  value: unknown,
  templates: readonly TemplateTexts[],
): Texts | undefined {
  const blank = blankOf(templates);
  if (value === undefined) return { ...blank, [LABEL]: "" };
  const isKnown = (name: unknown): name is string =>
    templates.some((template) => template.name === name);
  if (isKnown(value)) return { ...blank, [LABEL]: value };
  if (typeof value !== "object" || value === null) return undefined;
  const { template, texts = {}, ...others } = value as Readonly<Record<string, unknown>>;
  if (!isKnown(template) || Object.keys(others).length > 0) return undefined;
  const given = Object.entries(texts as object);
  if (given.some(([, text]) => typeof text !== "string")) return undefined;
  const named = given.map(([text, says]) => [labelTextName(template, text), says as string]);
  return { ...blank, [LABEL]: template, ...Object.fromEntries(named) };
}

/** The value of `output.sheets.label`; undefined: the code with its caption. */
export function toLabelValue(
  texts: Texts,
  templates: readonly TemplateTexts[],
): YamlValue | undefined {
  const template = templates.find(({ name }) => name === texts[LABEL]);
  if (template === undefined) return undefined;
  const { name } = template;
  const given = Object.entries(template.texts).flatMap(([text, otherwise]) => {
    const says = texts[labelTextName(name, text)] ?? otherwise;
    return says === otherwise ? [] : [[text, says] as const];
  });
  return given.length === 0 ? name : { template: name, texts: Object.fromEntries(given) };
}
