/**
 * What every pattern, eye style and frame costs: median time and bytes of a styled SVG, and of a
 * PNG after the first of its layer. With `--write` it draws the pictures of docs/designs.md instead.
 *
 *     npx tsx bench/designs.ts --write
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
import { rasterizeSvgToPalettePng } from "../src/qr/png/raster.ts";

const TEXT = "https://example.com/p/42";
const PICTURES = new URL("../docs/images/designs/", import.meta.url);
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

/** The templates that every workspace has, as their files describe them. */
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

await (process.argv.includes("--write") ? writePictures() : measure());
engine.close();
