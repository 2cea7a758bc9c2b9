/** Codes that are stronger or smaller for nothing: new ones only, on the server and on paper alike. */
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";

import { PDFDocument } from "pdf-lib";
import sharp, { type SharpOptions } from "sharp";
import { expect, it } from "vitest";

import { openSqlite } from "../../src/base/sqlite/sqlite.ts";
import { toStableHash } from "../../src/plan/hash.ts";
import { loadDecoder } from "../../src/qr/read/load-decoder.ts";
import { openRenderer } from "../../src/verify/pixels/render.ts";
import { readIndex } from "./check-output.ts";
import { runInProcess } from "./in-process.ts";
import { makeJobFolder, type JobFolder } from "./job-folder.ts";

const manifest = (code: string, more = ""): string => `version: 1
name: flow
kind: codes
source: { file: ../rows.csv, key: [n] }
code: { ${code}, display_name: "{{ n }}"${more} }
output: { dir: ../out, files: [svg], sheets: true, index: [csv] }
`;
const DIGITAL = 'qr_data: "https://id.example.com/01/09520123456788/21/{{ n }}"';
const DYNAMIC = 'dynamic: true, qr_data: "https://a.example/{{ n }}"';
const ROWS = "n\n12345678901234567890\n";

const level = (text: string) => manifest('qr_data: "https://example.com/a/{{ n }}"', text);

interface Seen {
  readonly text: string;
  readonly level: string | undefined;
  readonly version: number | undefined;
}

async function decode(bytes: Uint8Array, options: SharpOptions = {}): Promise<Seen[]> {
  const { data, info } = await sharp(bytes, options)
    .flatten({ background: "#ffffff" })
    .ensureAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true });
  const { width, height } = info;
  const found = await (await loadDecoder()).decode({ data, width, height });
  return found.map(({ text, level, version }) => ({ text, level, version }));
}

const at = (points: number): number => Math.round((points / 72) * 300);

/** The codes of a job as its artwork and its sheets have them. */
async function look({ out }: JobFolder) {
  const [svg = ""] = readdirSync(path.join(out, "artwork"));
  const [pdf = ""] = readdirSync(out).filter((name) => name.endsWith(".pdf"));
  const bytes = readFileSync(path.join(out, pdf));
  const { width, height } = (await PDFDocument.load(bytes)).getPage(0).getSize();
  const renderer = await openRenderer(bytes);
  const grey = await renderer.render(0, { width: at(width), height: at(height) });
  renderer.close();
  const raw = { width: grey.width, height: grey.height, channels: 1 as const };
  return {
    artwork: await decode(readFileSync(path.join(out, "artwork", svg)), { density: 300 }),
    sheet: await decode(await sharp(grey.data, { raw }).png().toBuffer()),
    link: readIndex(out)[0]?.["short_link"],
    pdf: bytes,
  };
}

const NO_DESIGN = toStableHash({});

/** The state as a makeready left it that set no level. */
function forgetLevels({ out }: JobFolder): void {
  const state = openSqlite(path.join(out, "state.db"));
  state.exec(`UPDATE rows SET wanted = json_set(wanted, '$.design', json('{}')),
    made = json_set(made, '$.design', json('{}')),
    design_hash = '${NO_DESIGN}', made_design_hash = '${NO_DESIGN}'`);
  state.close();
}

const run = (files: JobFolder, ...more: string[]) =>
  runInProcess(["run", files.manifest, ...more], {});

it("a static code gets the best level that its size holds; the plan says so", async () => {
  const files = makeJobFolder("n\n1\n2\n", manifest('qr_data: "https://example.com/a/{{ n }}"'));
  const plan = await runInProcess(["plan", files.manifest]);
  expect(plan.out).toContain(
    "all of 2 new codes get error correction H instead of Q: they are no larger for it",
  );
  expect(await run(files)).toMatchObject({ code: 0 });
  const { artwork, sheet } = await look(files);
  expect(artwork).toEqual([{ text: "https://example.com/a/1", level: "H", version: 3 }]);
  expect(sheet).toHaveLength(2);
  expect(sheet).toContainEqual(artwork[0]);
  const again = await runInProcess(["plan", files.manifest]);
  expect(again.out).toContain("2 unchanged");
  expect(again.out).not.toContain("instead of Q");
});

it("a static code that was made before keeps its level, its sheet its bytes", async () => {
  const files = makeJobFolder("n\n1\n", level(", design: { error_correction: Q }"));
  expect(await run(files)).toMatchObject({ code: 0 });
  const before = await look(files);
  expect(before.sheet).toMatchObject([{ level: "Q" }]);
  // As an older makeready made it: with the same level, which the manifest doesn't name.
  forgetLevels(files);
  writeFileSync(files.manifest, level(""));
  const plan = await runInProcess(["plan", files.manifest]);
  expect(plan.out).toContain("1 unchanged");
  expect(await run(files)).toMatchObject({ code: 0 });
  expect((await look(files)).pdf).toEqual(before.pdf);
});

it("compact: static links in capitals where that saves a size, on server and sheet", async () => {
  const files = makeJobFolder(ROWS, manifest(DIGITAL, ", compact: true"));
  expect(await run(files)).toMatchObject({ code: 0 });
  const { artwork, sheet } = await look(files);
  const text = "HTTPS://ID.EXAMPLE.COM/01/09520123456788/21/12345678901234567890";
  expect(artwork).toMatchObject([{ text }]);
  expect(sheet).toEqual(artwork);
  // Taken back, it is for new codes only.
  writeFileSync(files.manifest, manifest(DIGITAL));
  writeFileSync(files.csv, `${ROWS}12345678901234567891\n`);
  expect(await run(files)).toMatchObject({ code: 0 });
  const after = await look(files);
  expect(after.sheet.map((code) => code.text).toSorted()).toEqual([
    text,
    "https://id.example.com/01/09520123456788/21/12345678901234567891",
  ]);
});

it("compact: short links of the embedded service in capitals, at level M", async () => {
  const files = makeJobFolder("n\n1\n", manifest(DYNAMIC, ", compact: true"));
  const address = ["--public-url", "https://menu.example.com"];
  expect(await run(files, ...address)).toMatchObject({ code: 0 });
  const { artwork, sheet, link } = await look(files);
  expect(link).toMatch(/^HTTPS:\/\/MENU\.EXAMPLE\.COM\/[2-9A-HJKMNP-Z]{8}$/u);
  expect(artwork).toEqual([{ text: link, level: "M", version: 2 }]);
  expect(sheet).toEqual(artwork);
  const verify = await runInProcess(["verify", files.manifest]);
  expect(verify.code, verify.out).toBe(0);
});

const planOf = async (letters: number, level: string): Promise<string> => {
  const long = `qr_data: "https://example.com/${"a".repeat(letters)}/{{ n }}"`;
  const logo = `, design: { logo_url: https://a.example/logo.png${level} }`;
  const files = makeJobFolder("n\n1\n2\n", manifest(long, logo));
  return (await runInProcess(["plan", files.manifest])).out;
};

it("the plan counts codes that a logo makes larger, and names a lower level only where there is one", async () => {
  const plan = await planOf(60, "");
  expect(plan).toContain("2 codes are larger than the text needs: codes of version 7 to 13");
  expect(plan).toContain("a shorter text, a lower error_correction or a dynamic code");
  const least = await planOf(200, ", error_correction: L");
  expect(least).toContain("2 codes are larger than the text needs");
  expect(least).toContain("a shorter text or a dynamic code");
});

it("a preview has the code that the sheets will have", async () => {
  const files = makeJobFolder("n\n1\n", manifest(DYNAMIC, ", compact: true"));
  const address = ["--public-url", "https://menu.example.com"];
  const preview = await runInProcess(
    ["preview", files.manifest, "--out", path.join(files.root, "preview"), ...address],
    { cwd: files.root },
  );
  expect(preview.out).toContain('says "HTTPS://MENU.EXAMPLE.COM/ABCDEFGH"');
  const [shown] = await decode(readFileSync(path.join(files.root, "preview", "1.svg")), {
    density: 300,
  });
  expect(await run(files, ...address)).toMatchObject({ code: 0 });
  const { artwork } = await look(files);
  expect(shown?.version).toBe(artwork[0]?.version);
});

const told = (out: string): string | undefined => /X-dimension (\S+) mm/u.exec(out)?.[1];

it("the plan names the size of the modules on the sheets, before the codes exist and after", async () => {
  const files = makeJobFolder("n\n1\n", manifest(DYNAMIC, ", compact: true"));
  const address = ["--public-url", "https://menu.example.com"];
  const before = told((await runInProcess(["plan", files.manifest, ...address])).out);
  expect(await run(files, ...address)).toMatchObject({ code: 0 });
  const after = told((await runInProcess(["plan", files.manifest])).out);
  const state = openSqlite(path.join(files.out, "state.db"));
  const made =
    state.get<{ x: number }>("SELECT json_extract(cell, '$[0].xMm') AS x FROM rows")?.x ?? 0;
  state.close();
  expect(before).toBe(made.toFixed(3));
  expect(after).toBe(before);
});
