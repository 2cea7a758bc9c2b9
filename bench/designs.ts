/**
 * The cost of every pattern, eye style and frame: median time and bytes of a styled SVG, and of a
 * PNG after the first of its layer. With `--write` it draws the pictures of docs/designs.md, and
 * grades them for its tables.
 *
 * npx tsx bench/designs.ts --write
 */
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";

import type { ContactCell } from "../src/qr/draw/contact-sheet.ts";
import {
  type DesignInput,
  eyeStyles,
  frameNames,
  frames,
  patterns,
  resolveDesign,
} from "../src/qr/draw/design.ts";
import { labelFonts, openQrEngine } from "../src/qr/engine.ts";
import type { LeastSize } from "../src/qr/draw/least-size.ts";
import { rasterizeSvgToPalettePng } from "../src/qr/png/raster.ts";
import { readPng } from "../src/qr/read/png-read.ts";
import type { Reflectances } from "../test/qr/grade/find-symbol.ts";
import { gradeSymbol } from "../test/qr/grade/grade-symbol.ts";
import { toReflectances, withGain } from "../test/qr/grade/reflectance.ts";

const TEXT = "https://example.com/p/42";
const PICTURES = new URL("../docs/images/designs/", import.meta.url);
const PAGE = new URL("../docs/designs.md", import.meta.url);
const ROUNDS = 25;

const engine = await openQrEngine({ fonts: labelFonts.map((url) => readFileSync(url)) });

interface Named {
  readonly name: string;
  readonly design: DesignInput;
}

const base: DesignInput = { primaryColor: "#17324d", backgroundColor: "#ffffff" };
const label = (frame: keyof typeof frames): DesignInput =>
  frames[frame].text ? { text: "SCAN ME" } : {};

const listPatterns = (): Named[] =>
  patterns.map((pattern) => ({ name: pattern, design: { ...base, pattern } }));

const listEyes = (): Named[] =>
  eyeStyles.map((eyeStyle) => ({
    name: eyeStyle,
    design: { ...base, eyeStyle, eyeColor: "#b3261e" },
  }));

const listFrames = (extra: DesignInput = {}): Named[] =>
  frameNames.map((frame) => ({
    name: frame,
    design: { ...base, frame, ...label(frame), ...extra },
  }));

const listPairs = (): Named[] =>
  patterns.flatMap((pattern) =>
    eyeStyles.map((eyeStyle) => ({
      name: `${pattern}, ${eyeStyle}`,
      design: { ...base, pattern, eyeStyle },
    })),
  );

const listBorders = (): Named[] =>
  listFrames({ hasBorder: true }).filter(({ name }) => frames[name as keyof typeof frames].border);

const listLabels = (): Named[] =>
  [
    ["Scan me", ""],
    ["Menu", "Speisekarte"],
    ["Größe & Maße", "Übersicht"],
    ["Σάρωσέ με", ""],
    ["Отсканируй", "меня"],
    ["סרוק אותי", ""],
    ["امسحني", ""],
    ["Quét mã này để xem thực đơn", ""],
  ].map(([text = "", textSecondary = ""]) => ({
    name: text,
    design: { ...base, frame: "card", text, textSecondary },
  }));

/** The built-in templates, as their files describe them. */
function listTemplates(): Named[] {
  const folder = new URL("../templates/designs/", import.meta.url);
  return readdirSync(folder)
    .toSorted()
    .map((file) => {
      const { title, design } = JSON.parse(readFileSync(new URL(file, folder), "utf8")) as {
        title: string;
        design: Record<string, never>;
      };
      const camel = Object.entries(design).map(([field, value]) => [
        field.replace(/_(\w)/gu, (_, letter: string) => letter.toUpperCase()),
        value,
      ]);
      return { name: title, design: Object.fromEntries(camel) as DesignInput };
    });
}

const pictures: Record<string, { readonly cells: readonly Named[]; readonly columns: number }> = {
  patterns: { cells: listPatterns(), columns: 5 },
  eyes: { cells: listEyes(), columns: 4 },
  "patterns-and-eyes": { cells: listPairs(), columns: 4 },
  frames: { cells: listFrames(), columns: 4 },
  "frames-with-border": { cells: listBorders(), columns: 4 },
  labels: { cells: listLabels(), columns: 4 },
  templates: { cells: listTemplates(), columns: 4 },
};

async function writePictures(): Promise<void> {
  mkdirSync(PICTURES, { recursive: true });
  for (const [name, { cells, columns }] of Object.entries(pictures)) {
    const drawn = cells.map((cell): ContactCell => ({
      caption: cell.name,
      text: TEXT,
      design: resolveDesign(cell.design),
    }));
    const png = await rasterizeSvgToPalettePng(engine.contactSheet(drawn, { columns }));
    writeFileSync(new URL(`${name}.png`, PICTURES), png);
    console.log(`${name}.png: ${drawn.length} codes, ${Math.ceil(png.length / 1000)} kB`);
  }
}

/** Pixels of a module in graded pictures: gain has steps of a twentieth of a module. */
const GRADED_PITCH = 20;
const GAIN_STEPS = [0.1, 0.2, 0.3, 0.4, 0.5];

async function paint(input: DesignInput): Promise<Reflectances> {
  const design = resolveDesign({ ...base, primaryColor: "#000000", ...input });
  const widthPx = Math.ceil(engine.leastWidthPx(TEXT, design) / 2) * GRADED_PITCH;
  return toReflectances(readPng(await engine.png(TEXT, design, { widthPx })));
}

/** The largest change of an element's width in one direction that still gives grade 2. */
function toTolerance(image: Reflectances, sign: 1 | -1): string {
  const held = GAIN_STEPS.findIndex((gain) => {
    const moved = withGain(image, (sign * gain * GRADED_PITCH) / 2);
    return gradeSymbol(moved).grade < 2;
  });
  const most = held < 0 ? GAIN_STEPS.at(-1) : (GAIN_STEPS[held - 1] ?? 0);
  return `${sign < 0 ? "-" : "+"}${(most ?? 0).toFixed(1)} X`;
}

async function gradeRow(name: string, design: DesignInput): Promise<string> {
  const image = await paint(design);
  const { grade } = gradeSymbol(image);
  const tolerance = `${toTolerance(image, -1)} to ${toTolerance(image, 1)}`;
  const { codeMm } = engine.leastSize(TEXT, resolveDesign(design));
  return `| \`${name}\` | ${grade.toFixed(1)} | ${tolerance} | ${codeMm.toFixed(1)} mm |`;
}

/** As long as a label may be. */
const LABEL = { text: "SCAN ME FOR THE WHOLE MENU NOW" };

async function frameRow(frame: (typeof frameNames)[number]): Promise<string> {
  const size = (more: DesignInput): LeastSize =>
    engine.leastSize(TEXT, resolveDesign({ frame, ...more }));
  const { grade } = gradeSymbol(await paint({ frame, ...label(frame) }));
  const text = frames[frame].text ? size(LABEL).textMm : undefined;
  const shown = text === undefined ? "-" : `${text.toFixed(1)} mm`;
  return `| \`${frame}\` | ${grade.toFixed(1)} | ${size({}).codeMm.toFixed(1)} mm | ${shown} |`;
}

/** Puts rows into a table of docs/designs.md, after its head. */
function putTable(page: string, head: string, rows: readonly string[]): string {
  const lines = page.split("\n");
  const at = lines.indexOf(head);
  if (at < 0) throw new Error(`docs/designs.md has no table ${head}`);
  const end = lines.findIndex((line, i) => i > at && !line.startsWith("|"));
  return [...lines.slice(0, at + 2), ...rows, ...lines.slice(end)].join("\n");
}

async function rowsOf<Name>(
  names: readonly Name[],
  toRow: (name: Name) => Promise<string>,
): Promise<string[]> {
  const rows: string[] = [];
  for (const name of names) rows.push(await toRow(name));
  return rows;
}

async function writeTables(): Promise<void> {
  const tables: [string, string[]][] = [
    [
      "| pattern | grade | print gain at grade 2 | least width |",
      await rowsOf(patterns, (pattern) => gradeRow(pattern, { pattern })),
    ],
    [
      "| eyes | grade | print gain at grade 2 | least width |",
      await rowsOf(eyeStyles, (eyeStyle) => gradeRow(eyeStyle, { eyeStyle })),
    ],
    [
      "| frame | grade | least width | least width of 30 letters |",
      await rowsOf(frameNames, frameRow),
    ],
  ];
  const page = tables.reduce(
    (text, [head, rows]) => putTable(text, head, rows),
    readFileSync(PAGE, "utf8"),
  );
  writeFileSync(PAGE, page);
}

const median = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;

async function timeMs(work: (text: string) => unknown): Promise<number> {
  const times: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const start = performance.now();
    await work(`${TEXT}${round + 10}`);
    times.push(performance.now() - start);
  }
  return median(times);
}

const kb = (bytes: number): string => `${(bytes / 1000).toFixed(1)} kB`.padStart(9);
const ms = (time: number): string => `${time.toFixed(2)} ms`.padStart(9);

async function measure(): Promise<void> {
  for (const { name, design } of [...listPatterns(), ...listEyes(), ...listFrames()]) {
    const whole = resolveDesign(design);
    const svg = await timeMs((text) => engine.svg(text, whole));
    const png = await timeMs((text) => engine.png(text, whole, { widthPx: 1000 }));
    const svgBytes = engine.svg(TEXT, whole).length;
    const pngBytes = (await engine.png(TEXT, whole, { widthPx: 1000 })).length;
    console.log(
      `  ${name.padEnd(22)} SVG ${ms(svg)} ${kb(svgBytes)}   PNG ${ms(png)} ${kb(pngBytes)}`,
    );
  }
}

if (process.argv.includes("--write")) {
  await writePictures();
  await writeTables();
} else {
  await measure();
}
engine.close();
