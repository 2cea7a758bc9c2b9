/** The kinds of field that manifests are made of. Messages begin with "must". */
import { z } from "zod";

import { isHexColor } from "../../base/color/color.ts";
import { DURATION } from "../../base/time/duration.ts";

export const HAS_TEMPLATE = /\{\{/u;

/** Any text with something in it. */
export const filled = z.string().min(1, "must not be empty");

/** Text in which `{{ column }}` is replaced per row. */
export const template = z.string();

/** One of a fixed list, or a template that gives one per row. */
export const choice = <const Values extends readonly [string, ...string[]]>(values: Values) =>
  z.union([z.enum(values), z.string().regex(HAS_TEMPLATE, `must be one of ${values.join(", ")}`)]);

/** A hex colour, or a template that gives one per row. */
export const color = z
  .string()
  .refine((text) => isHexColor(text) || HAS_TEMPLATE.test(text), 'must be a colour like "#0a3d62"');

/** `120s`, `1.5m`. */
export const duration = z.string().regex(DURATION, 'must be a time with a unit, like "120s"');

const PERCENT = /^(\d{1,3}(?:[.,]\d+)?)\s?%$/u;

/** Share (0..1) of what `percent` let pass. */
export const parsePercent = (text: string): number =>
  Number.parseFloat(text.replace(",", ".")) / 100;

/** `2%`, `2,5 %`, at most 100. */
export const percent = (rule: string) =>
  z.string(rule).refine((text) => PERCENT.test(text) && parsePercent(text) <= 1, rule);

/** Length in mm in a range, both ends included. */
export const millimetres = (least: number, most: number) => {
  const rule = `must be a number of millimetres from ${least} to ${most}`;
  return z.number(rule).min(least, rule).max(most, rule);
};

/** Whole number in a range, both ends included. */
export const whole = (least: number, most: number) => {
  const rule = `must be a whole number from ${least} to ${most}`;
  return z.int(rule).min(least, rule).max(most, rule);
};
