import { z } from "zod";

import { bearerKinds, symbolNames, symbolUses, textFits } from "../../base/shapes/label-art.ts";
import { filled, millimetres, template, whole } from "./fields.ts";

const LENGTH_RULE = "must be a list of numbers of millimetres";
const length = z.number(LENGTH_RULE).min(-1000, LENGTH_RULE).max(10_000, LENGTH_RULE);
const share = z
  .number("must be a number from 0 to 100")
  .min(0, "must be a number from 0 to 100")
  .max(100, "must be a number from 0 to 100");

const cmyk = z
  .tuple([share, share, share, share])
  .describe("Cyan, magenta, yellow and black, each 0 to 100.");

const points = (least: number, most: number) => {
  const rule = `must be a number of points from ${least} to ${most}`;
  return z.number(rule).min(least, rule).max(most, rule);
};

/** Inks by name; without `spot` they are process colours. */
export const InksShape = z.record(
  z.string(),
  z.strictObject({
    cmyk,
    spot: filled.optional().describe("Name of the ink's own plate; cmyk then stands in for it."),
  }),
);

const ink = filled.describe(
  'Ink: a name of inks, black, white or "C0 M0 Y0 K100", with a tint if wanted ("black 40%").',
);

/** What an item is; it has exactly one of these. */
export const itemKinds = [
  "code",
  "symbol",
  "text",
  "hri",
  "counter",
  "image",
  "box",
  "ellipse",
  "line",
] as const;

const TextFields = {
  size_pt: points(4, 400).optional().describe("Size of the text; default: 9."),
  least_pt: points(4, 400).optional().describe("Floor of shrink; default: 5, or size_pt if less."),
  fit: z
    .union([z.enum([...textFits, "refuse"]), z.array(z.enum(textFits))])
    .optional()
    .describe("What may be done to a text that is too large; default: wrap and shrink."),
  align: z.enum(["left", "center", "right"]).optional().describe("Default: left."),
  valign: z.enum(["top", "middle", "bottom"]).optional().describe("Default: top."),
  bold: z.boolean().optional().describe("Default: false."),
  rotate: z
    .union([z.literal(0), z.literal(90), z.literal(180), z.literal(270)])
    .optional()
    .describe("Degrees, counter-clockwise; default: 0."),
};

type ItemKind = (typeof itemKinds)[number];

/** What an item is; of a symbol, `hri` is no item of its own. */
export function kindsOf(item: { readonly [Kind in ItemKind]?: unknown }): ItemKind[] {
  return itemKinds.filter(
    (kind) => item[kind] !== undefined && !(kind === "hri" && item.symbol !== undefined),
  );
}

const ofSymbols = ["data", "x_mm", "height_mm", "application", "bearer", "columns"] as const;
const notOfSymbols = ["rotate", "bold", "color", "align", "valign", "fit", "least_pt"] as const;

type SymbolFields = {
  readonly [Field in (typeof ofSymbols)[number] | (typeof notOfSymbols)[number]]?: unknown;
} & { readonly symbol?: string | undefined; readonly hri?: string | undefined };

type AddIssue = (path: string[], message: string) => void;

/** Fields that go with symbols only, and those that don't. */
function checkSymbol(item: SymbolFields, add: AddIssue): void {
  const { symbol, hri } = item;
  const isSymbol = symbol !== undefined;
  const foreign = isSymbol ? notOfSymbols : ofSymbols;
  const rule = isSymbol ? "must not stand with a symbol" : "must stand with a symbol only";
  for (const field of foreign) if (item[field] !== undefined) add([field], rule);
  if (hri !== undefined && isSymbol !== places.includes(hri))
    add(["hri"], isSymbol ? "must be below, above or none of a symbol" : "must be key or all");
  if (isSymbol) checkFields(symbol, item, add);
}

function checkFields(symbol: string, { data, bearer }: SymbolFields, add: AddIssue): void {
  if (data === undefined) add([], 'must say what the symbol holds, like data: "{{ gtin }}"');
  if (bearer !== undefined && symbol !== "itf-14") add(["bearer"], "must stand with itf-14 only");
}

const places: readonly string[] = ["below", "above", "none"];

export const ItemShape = z
  .strictObject({
    code: z.literal(true).optional().describe("The row's code, as large as its room allows."),
    text: template.optional().describe("A text. Template."),
    symbol: z
      .enum(symbolNames)
      .optional()
      .describe("A barcode or other symbol beside the code; data says what it holds."),
    data: template
      .optional()
      .describe(
        'Symbol: text; of EAN, UPC, ITF-14, databar-omni digits alone; of other GS1 "(01){{ gtin }}(10){{ lot }}". Template.',
      ),
    x_mm: millimetres(0.1, 5)
      .optional()
      .describe(
        "Symbol: width of its narrowest bar, raised to the grid; default: as large as fits.",
      ),
    height_mm: millimetres(1, 300)
      .optional()
      .describe("Symbol: height of its bars; default: what its room has."),
    application: z
      .enum(symbolUses)
      .optional()
      .describe(
        "Symbol: where it is scanned, which decides its sizes; default: retail or distribution, if its GS1 table has it.",
      ),
    bearer: z
      .enum(bearerKinds)
      .optional()
      .describe("Symbol itf-14: bars above and below, a frame all round, or none; default: bars."),
    columns: whole(1, 30)
      .optional()
      .describe("Symbol pdf417, databar-expanded-stacked: how many stand side by side."),
    hri: z
      .enum(["key", "all", "below", "above", "none"])
      .optional()
      .describe(
        "Item: the GS1 text of the code, key or all. Of a symbol: where its own text stands, below, above, none.",
      ),
    counter: z
      .string()
      .regex(/#/u, 'must have a run of # for the number, like "No. ####"')
      .optional()
      .describe('A number that counts up, in place of the run of #, like "No. ####".'),
    image: filled
      .optional()
      .describe(
        "PNG, JPEG or SVG, relative to the file that names it; RGB is printed in inks of the printing condition.",
      ),
    box: z.literal(true).optional().describe("A rectangle."),
    ellipse: z.literal(true).optional().describe("An ellipse."),
    line: z
      .tuple([length, length, length, length])
      .optional()
      .describe("A line: x and y of its ends."),
    at: z
      .tuple([length, length, length, length])
      .optional()
      .describe("Left, top, width and height, counted from the label's top left corner."),
    panel: ink
      .optional()
      .describe("Code, symbol: light ink that is painted under it and its quiet zone."),
    ...TextFields,
    color: ink.optional().describe("Ink of a text or line; default: black."),
    per: z
      .enum(["label", "row", "copy", "sheet"])
      .optional()
      .describe("Counter: what it counts; default: label."),
    start: whole(0, 1_000_000_000).optional().describe("Counter: first number; default: 1."),
    step: whole(1, 1_000_000).optional().describe("Counter: from number to number; default: 1."),
    as: z
      .enum(["given", "gray"])
      .optional()
      .describe("Image: gray turns colours into shades of black; default: given."),
    least_ppi: whole(50, 2400)
      .optional()
      .describe("Image: least resolution that is printed; default: 200."),
    fill: ink.optional().describe("Box, ellipse: ink of its area."),
    stroke: ink.optional().describe("Box, ellipse: ink of its outline."),
    stroke_pt: points(0.15, 50).optional().describe("Width of a line or an outline; default: 0.5."),
    radius: millimetres(0, 500).optional().describe("Box: radius of its corners; default: 0."),
    dash: millimetres(0.1, 100).optional().describe("Line: length of dashes and gaps."),
  })
  .superRefine((item, context) => {
    const found = kindsOf(item);
    checkSymbol(item, (path, message) => context.addIssue({ code: "custom", path, message }));
    if (found.length !== 1) {
      const message = `must have exactly one of ${itemKinds.join(", ")}`;
      context.addIssue({ code: "custom", message });
    }
    if (found[0] !== "line" && item.at === undefined) {
      context.addIssue({ code: "custom", message: "must say where, like at: [2, 2, 20, 20]" });
    }
  });
export type ItemShape = z.output<typeof ItemShape>;

const texts = z
  .record(z.string(), template)
  .optional()
  .describe("Texts that the template asks for, by name. Templates.");

/** A label as `templates/labels/*.json` and people's own files have it. */
export const LabelFileShape = z.strictObject({
  $schema: z.string().optional(),
  name: filled,
  title: filled.optional(),
  size: z
    .tuple([millimetres(3, 1000), millimetres(3, 1000)])
    .optional()
    .describe("Width and height that it was drawn for; it is scaled to other labels."),
  inks: InksShape.default({}),
  texts: z
    .record(z.string(), z.string())
    .default({})
    .describe("Texts that a job may give, with their defaults."),
  items: z.array(ItemShape).min(1, "must have at least one item"),
});
export type LabelFileShape = z.output<typeof LabelFileShape>;

export const LabelShape = z.union([
  filled,
  z.strictObject({
    template: filled.optional().describe("Built-in label template, or a .json file of your own."),
    texts,
    size: z
      .tuple([millimetres(3, 1000), millimetres(3, 1000)])
      .optional()
      .describe("Width and height that the items are drawn for; they are scaled to other labels."),
    items: z
      .array(ItemShape)
      .optional()
      .describe("What stands on the label, drawn in this order; added to those of the template."),
  }),
]);
export type LabelShape = z.output<typeof LabelShape>;
