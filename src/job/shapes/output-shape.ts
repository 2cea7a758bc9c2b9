import { z } from "zod";

import { formatCount } from "../../base/text/words.ts";
import { MOST_PICTURES } from "../job.ts";
import { filled, HAS_TEMPLATE, millimetres, percent, template, whole } from "./fields.ts";
import { GradeFields } from "./grade-shape.ts";
import { InksShape, LabelShape } from "./label-shape.ts";

const per = filled.optional().describe("Column that splits the rows into one file per text.");
const name = filled.optional().describe("File name; default: the job's, with the group. Template.");

export const ZipFields = z.strictObject({ per, name });

const COPIES_RULE = "must be a whole number from 1 to 10000, or a template that gives one";

const marks = ["crop", "registration", "bar"] as const;
const orders = ["rows", "columns", "cut-and-stack", "stack-by-column"] as const;
const corners = ["top-left", "top-right", "bottom-left", "bottom-right"] as const;

const DieLineFields = z.strictObject({
  spot: filled.default("CutContour").describe("Ink that the cutter follows; it is never printed."),
  cut: z
    .enum(["through", "kiss"])
    .default("through")
    .describe("Through the stock, or through the label but not its backing."),
});

const choke = millimetres(0, 5);

export const WhiteFields = z.strictObject({
  spot: filled.default("White").describe("Name of its plate."),
  under: z
    .enum(["label", "codes"])
    .default("label")
    .describe("What it lies beneath; codes: symbols, too."),
  choke_mm: choke.default(0.2).describe("How far it stays inside of the cut, in mm; 0: it bleeds."),
});

export const VarnishFields = z.strictObject({
  spot: filled.default("Varnish").describe("Name of its plate."),
  over: z
    .enum(["label", "codes", "around-codes"])
    .default("around-codes")
    .describe("What it lies on; codes and symbols under gloss are harder to read."),
  choke_mm: choke.default(0).describe("How far it stays inside of the cut, in mm; 0: it bleeds."),
});

const IccFields = z.strictObject({
  file: filled.describe("Output profile (CMYK), relative to the manifest."),
  condition: filled.describe("Name of the printing condition that it stands for."),
});

const DEFAULT_SHEET = "a4-24up-63.5x33.9";

const side = millimetres(1, 5000);

const paperNames = [
  "A3",
  "A4",
  "A5",
  "SRA3",
  "SRA4",
  "RA3",
  "RA4",
  "Letter",
  "Tabloid",
  "12x18",
  "13x19",
] as const;
const paperSize = z.union([z.enum(paperNames), z.tuple([side, side])]);

/** A sheet of one's own, in the manifest itself: as many labels as fit, centred. */
const OwnSheetFields = z.strictObject({
  page: paperSize
    .optional()
    .describe(
      "Page: a name, or width and height in mm; default: A4. With marks, SRA3 and the like are the paper.",
    ),
  roll: side
    .optional()
    .describe("Width of a roll, in mm, instead of a page: each page of the file is one repeat."),
  label: z.tuple([side, side]).describe("Width and height of a label, in mm."),
  gutter: z
    .union([millimetres(0, 500), z.tuple([millimetres(0, 500), millimetres(0, 500)])])
    .default(0)
    .describe("Space between labels, or that across and that down, in mm."),
  margin: millimetres(0, 500)
    .optional()
    .describe(
      "Least space to the edge of the page, in mm; default: 5, none on rolls and for labels that need the whole page.",
    ),
  columns: whole(1, 500).optional().describe("Default: as many as fit."),
  rows: whole(1, 500).optional().describe("Default: as many as fit; on a roll 1."),
  radius: millimetres(0, 500).default(0).describe("Radius of the labels' corners, in mm."),
  shape: z
    .enum(["rectangle", "round", "oval"])
    .default("rectangle")
    .describe("Of the labels: code and texts stay inside of it."),
  stock: z
    .enum(["plain", "labels"])
    .optional()
    .describe(
      "Plain stock is cut along marks, labels are cut already; default: plain, on a roll labels.",
    ),
});

const background = z
  .union([
    filled,
    z.strictObject({
      file: filled.describe("PDF, relative to the manifest."),
      page: whole(1, 10_000).default(1).describe("Which of its pages."),
    }),
  ])
  .optional()
  .describe(
    "Designer's own PDF page behind each label, of the label's size, with its bleed or without.",
  );

const label = LabelShape.optional().describe(
  "What stands on each label: a label template, or a map with items; default: the code with its caption.",
);

const BackFields = z.strictObject({
  label,
  background,
  flip: z
    .enum(["long-edge", "short-edge"])
    .default("long-edge")
    .describe("Over which edge the sheet is turned."),
});

const StyleFields = z.strictObject({
  pattern: z
    .enum(["Original", "Circles", "Squares", "Diamonds", "Triangles"])
    .optional()
    .describe("Shape of the modules; default: that of the design."),
  eyes: z
    .enum(["Square", "Rounded", "Drop", "Leaf"])
    .optional()
    .describe("Shape of the three eyes; default: that of the design."),
  ink: filled.optional().describe("Ink of the code; default: black."),
  eye_ink: filled.optional().describe("Ink of its eyes; default: that of the code."),
});

export const SheetsFields = z.strictObject({
  sheet: z
    .union([filled, OwnSheetFields])
    .default(DEFAULT_SHEET)
    .describe(
      "Label sheet: a name of `makeready sheets`, a .json file of your own, or a map with a page and a label.",
    ),
  per,
  name,
  label,
  background,
  back: BackFields.optional().describe("Back of each label, on the page after its front."),
  pages: z
    .enum(["interleaved", "fronts-first"])
    .default("interleaved")
    .describe("With a back: front and back in turn, or all fronts of a file, then all backs."),
  inks: InksShape.default({}).describe("Inks of one's own, for labels and codes."),
  code_style: StyleFields.optional().describe(
    "Codes in the design's pattern and in inks of the press; default: whole modules in black.",
  ),
  print: z
    .enum(["designed", "plain"])
    .optional()
    .describe(
      "Codes in their designs, or whole black modules; default: designed, unless other fields say how codes look.",
    ),
  artwork: z
    .enum(["redraw", "server"])
    .default("redraw")
    .describe(
      "Codes are drawn from what they say, or as the server drew them, where a press can print that.",
    ),
  artwork_inks: z
    .record(z.string().regex(/^#[0-9a-f]{6}$/iu, "must be a colour like #1a237e"), filled)
    .default({})
    .describe(
      "Inks for colours of designs and server drawings; default: CMYK by the profile, of drawings black.",
    ),
  caption: z
    .union([template, z.array(template)])
    .optional()
    .describe(
      "Text by each code, one line per entry; default: the display name; not with label. Template.",
    ),
  caption_bold: z
    .enum(["none", "first-line"])
    .default("none")
    .describe("What of captions is bold."),
  caption_place: z
    .enum(["beside", "below", "above"])
    .optional()
    .describe("Where captions stand; default: where they leave the code more room."),
  caption_align: z
    .enum(["left", "center", "right"])
    .optional()
    .describe("Default: in the middle; beside the code from the side where the script begins."),
  caption_size: z
    .number("must be a number of points from 4 to 400")
    .min(4, "must be a number of points from 4 to 400")
    .max(400, "must be a number of points from 4 to 400")
    .optional()
    .describe(
      "Greatest size of captions in pt; default: 9, up to 14 beside large codes, more on posters.",
    ),
  fonts: z
    .array(filled)
    .default([])
    .describe(
      "Fonts (TTF, OTF, file.ttc#0) for what the bundled font lacks, the first that has it; relative to the manifest.",
    ),
  marks: z
    .array(z.enum(marks))
    .default([])
    .describe(
      "What is printed outside the cut: on the paper, or the page grows to hold it. Plain stock only.",
    ),
  paper: paperSize
    .optional()
    .describe(
      "Press sheet that marks must lie on: a name, or width and height in mm; default: the page grows.",
    ),
  bleed_mm: millimetres(0, 20)
    .optional()
    .describe("Distance of marks from the trimmed sheet; default: 3."),
  device_dpi: whole(72, 9600)
    .optional()
    .describe(
      "Dots per inch, for whole pixels per module. Default: the printer's, else 600 (rolls 300) for codes as large as fits.",
    ),
  bar_width_reduction: whole(0, 20)
    .default(0)
    .describe("Device pixels that dark modules are narrower by, against ink that spreads."),
  application: z
    .enum(["general", "gs1-pos"])
    .default("general")
    .describe(
      "What the codes are for: general keeps X at 0.33 mm or more; gs1-pos holds all that tills ask for (docs/labels.md).",
    ),
  x_dimension_mm: millimetres(0.05, 20)
    .optional()
    .describe(
      "Width of a module (X), raised to the grid of a device that is named (device_dpi, printer); default: as large as fits.",
    ),
  qr_size_mm: millimetres(3, 500)
    .optional()
    .describe(
      "Side of the codes without quiet zone, lowered to the grid of a device that is named.",
    ),
  safe_mm: millimetres(0, 50)
    .optional()
    .describe("What stays clear of a label's edge; default: 3, on pre-cut labels 1.6."),
  order: z
    .enum(orders)
    .default("rows")
    .describe(
      "How rows fill sheets; cut-and-stack and stack-by-column ascend through the cut pile or roll.",
    ),
  reverse: z.boolean().default(false).describe("Last row first, as rolls want it."),
  corner: z.enum(corners).default("top-left").describe("Where the first row lies."),
  start: z
    .union([whole(1, 10_000), z.literal("continue")])
    .default(1)
    .describe(
      "First cell of the first sheet, for a part-used one, or continue: behind the last job on such sheets.",
    ),
  copies: z
    .union([whole(1, 10_000), z.string().regex(HAS_TEMPLATE, COPIES_RULE)], COPIES_RULE)
    .default(1)
    .describe(
      'Labels of each row: a number, or a template like "{{ qty }}"; 0 in a row: a code without a label.',
    ),
  copy_order: z
    .enum(["adjacent", "series"])
    .default("adjacent")
    .describe("Copies of a row side by side, or the whole series again and again."),
  overs: percent('must be a share of the rows, like "2%"')
    .default("0%")
    .describe('Share of the rows, like "2%", that gets one more label at the end.'),
  spares: whole(0, 10_000)
    .default(0)
    .describe("Last cells of every sheet that are kept free of rows of their own."),
  spare_labels: z
    .enum(["empty", "repeat"])
    .default("empty")
    .describe("What spare cells show: nothing, or the sheet's first labels again."),
  reprint: z
    .enum(["same", "new", "forbidden"])
    .default("same")
    .describe(
      "What becomes of a spoiled label: the same again, a fresh serial in its place, or nothing (docs/ledger.md).",
    ),
  proof: z
    .enum(["full", "sampled"])
    .default("full")
    .describe(
      "Decodes every code; or of over 100,000 generated labels one in 100, and compares modules of all (docs/labels.md).",
    ),
  standard: z
    .enum(["PDF/X-4", "PDF/X-1a:2003"])
    .default("PDF/X-4")
    .describe("What the files conform to."),
  printer: filled
    .optional()
    .describe(
      "Printer in printers.json beside the manifest: what was measured of it is undone on every page.",
    ),
  icc: z
    .union([
      z.enum(["FOGRA39", "FOGRA29", "GRACoL", "SWOP3", "SNAP"], {
        error:
          "must be one of FOGRA39, FOGRA29, GRACoL, SWOP3, SNAP, or a map of your own profile (file, condition)",
      }),
      IccFields,
    ])
    .optional()
    .describe(
      "Printing condition: a name, or a profile of your own; default: FOGRA39, on US paper GRACoL.",
    ),
  die_line: z
    .union([z.boolean(), DieLineFields])
    .default(false)
    .describe("Outlines for a cutting plotter: true, or a map with its details. Plain stock only."),
  white: z
    .union([z.boolean(), WhiteFields])
    .default(false)
    .describe(
      "White underbase on fronts, for clear and metallic stock: true, or a map. PDF/X-4 only.",
    ),
  varnish: z
    .union([z.boolean(), VarnishFields])
    .default(false)
    .describe("Varnish on fronts, as a plate of its own: true, or a map. PDF/X-4 only."),
  volume_codes: whole(1, 100_000)
    .optional()
    .describe("Codes per file, in whole sheets; default: 10000."),
});

const file = z.enum(["svg", "png"]);
const indexFormats = z.array(z.enum(["csv", "xlsx"]));

const IndexFields = z.strictObject({
  formats: indexFormats.default(["csv", "xlsx"]).describe("Formats of the list."),
  pictures: z
    .boolean()
    .default(false)
    .describe(
      `A picture of each code in index.xlsx; for ${formatCount(MOST_PICTURES)} rows at most.`,
    ),
});

const dir = filled.optional();

const outputFields = {
  files: z.array(file).default(["svg", "png"]).describe("Artwork to be kept per row."),
  file_name: filled
    .optional()
    .describe("Path of a row's artwork, without extension; default: the key columns. Template."),
  zip: z
    .union([z.boolean(), ZipFields])
    .default(false)
    .describe("Packs artwork and index: true, or a map with its details."),
  sheets: z
    .union([z.boolean(), SheetsFields])
    .default(false)
    .describe("Makes print-ready PDF sheets: true, or a map with its details."),
  grade: GradeFields.optional().describe(
    "Grade that verifiers are expected to give the codes (docs/grades.md): which grades warn, which are refused.",
  ),
  index: z
    .union([indexFormats, IndexFields])
    .default(["csv"])
    .describe("Lists row, id, short link, files and cell: its formats, or a map with its details."),
};

export const OutputShape = z.strictObject({
  dir: dir.describe("Folder, relative to the manifest; default: out/ and the job's name."),
  ...outputFields,
});
export type OutputShape = z.output<typeof OutputShape>;

const datedDir = dir.describe(
  "Folder, relative to the manifest, with {{ date }} or {{ month }}; default: out/ and the name.",
);

/** Of kinds that make nothing new: every run may have a folder of its own. */
export const DatedOutputShape = z.strictObject({ dir: datedDir, ...outputFields });

/** A code that leads elsewhere looks the same: there are no pictures to be kept. */
export const RetargetOutputShape = z.strictObject({
  dir: datedDir,
  index: indexFormats.default(["csv"]).describe("Lists row, id, short link, files and cell."),
});
