import { mkdtemp, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";

import { beforeAll, describe, expect, it } from "vitest";

import type { Ink } from "../../src/base/shapes/label-art.ts";
import { makeSheetJob, type SheetOptions } from "../../src/print/sheet-job.ts";
import { platesOf } from "../../src/print/draw/plates.ts";
import { loadSheet } from "../../src/print/layout/sheet-files.ts";
import { judgeBackground, openBackground } from "../../src/verify/supplied/background.ts";
import { verifySheets } from "../../src/verify/verify.ts";
import { box, makeArt, makeCode, WHITE } from "../print/make-art.ts";
import { makePage, plain, type RawStream } from "./make-pdf.ts";
import { makePressJob } from "./press.ts";

let folder = "";
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), "artwork-"));
});

let count = 0;
async function write(bytes: Uint8Array): Promise<string> {
  count += 1;
  const file = path.join(folder, `page-${count}.pdf`);
  await writeFile(file, bytes);
  return file;
}

const OVERPRINT = "/ExtGState << /O << /Type /ExtGState /OP true /op true /OPM 1 >> >>";
const tint = (cmyk: string): string =>
  `<< /FunctionType 2 /Domain [0 1] /C0 [0 0 0 0] /C1 [${cmyk}] /N 1 >>`;
const spot = (name: string, cmyk = "0 1 0 0"): string =>
  `[/Separation /${name} /DeviceCMYK ${tint(cmyk)}]`;
const picture = (width: number, height: number, more = "/BitsPerComponent 8"): RawStream => ({
  dict: `/Type /XObject /Subtype /Image /Width ${width} /Height ${height} /ColorSpace /DeviceGray ${more}`,
  data: Buffer.alloc(width * height, 200),
});
const form = (content: string, more = ""): RawStream => ({
  dict: `/Type /XObject /Subtype /Form /BBox [0 0 180 96] ${more}`,
  data: Buffer.from(content, "latin1"),
});
const GOLD: Ink = { cmyk: [0, 0.2, 0.6, 0.3], spot: "GOLD", tint: 1 };
const FONT =
  "/Font << /F << /Type /Font /Subtype /Type3 /FontBBox [0 0 1 1] /FontMatrix [1 0 0 1 0 0] /CharProcs << >> /Encoding << /Type /Encoding /Differences [] >> /FirstChar 0 /LastChar 0 /Widths [1] >> >>";

interface Bad {
  readonly content: string;
  readonly resources?: string;
  readonly more?: readonly (string | RawStream)[];
  /** What of the job matters: its inks, its die line. */
  readonly job?: { readonly inks: readonly Ink[]; readonly cutInk?: string; readonly icc?: "SNAP" };
  readonly refused?: RegExp;
  readonly warned?: RegExp;
}

/** Fifteen pages that a press would stumble over, each in its own way. */
const bad: Readonly<Record<string, Bad>> = {
  "370% of ink": {
    content: "0.9 0.9 0.9 1 k 20 20 40 30 re f",
    refused: /has 370% of ink, more than 300%, at 7\.1, 16\.3 mm of page 1/u,
  },
  "280% of ink on newsprint": {
    content: "0.7 0.7 0.7 0.7 k 20 20 40 30 re f",
    job: { inks: [], icc: "SNAP" },
    refused: /has 280% of ink, more than 260%/u,
  },
  "the same in a part of the page": {
    content: "q 0.5 0 0 0.5 10 10 cm /P Do Q",
    resources: "/XObject << /P 5 0 R >>",
    more: [form("0.9 0.9 0.9 1 k 20 20 40 30 re f")],
    refused: /has 370% of ink, .*at 7\.1, /u,
  },
  "lines of 0 pt": {
    content: "0 0 0 1 K 0 w 10 50 m 100 50 l S 10 60 m 100 60 l S",
    refused: /lines of 0 pt, .*at 3\.5, 16\.3 mm of page 1 and at 1 more place/u,
  },
  "thin lines in dots": {
    content: "0 0 0 0.4 K 0.2 w 10 50 m 100 50 l S",
    warned: /lines of 0\.20 pt, thinner than 0\.3 pt in several inks or in dots/u,
  },
  "pictures of 18 ppi": {
    content: "q 80 0 0 80 10 10 cm /I Do Q",
    resources: "/XObject << /I 5 0 R >>",
    more: [picture(20, 20)],
    refused: /a picture of 18 ppi, less than 100, at 3\.5, 2\.1 mm/u,
  },
  "pictures that are only fair": {
    content: "q 40 0 0 40 10 10 cm /I Do Q",
    resources: "/XObject << /I 5 0 R >>",
    more: [picture(83, 83)],
    warned: /a picture of 149 ppi, less than 200/u,
  },
  "line art of 120 ppi": {
    content: "0 0 0 1 k q 72 0 0 72 10 10 cm /I Do Q",
    resources: "/XObject << /I 5 0 R >>",
    more: [
      {
        dict: "/Type /XObject /Subtype /Image /Width 120 /Height 120 /ImageMask true /BitsPerComponent 1",
        data: Buffer.alloc(1800),
      },
    ],
    refused: /a picture of one bit of 120 ppi, less than 200/u,
  },
  "white areas set to overprint": {
    content: "1 0 0 0 k 0 0 180 96 re f /O gs 0 0 0 0 k 20 20 40 30 re f",
    resources: OVERPRINT,
    refused: /white areas or lines set to overprint, which vanishes, at 7\.1/u,
  },
  "white text set to overprint": {
    content: "1 0 0 0 k 0 0 180 96 re f /O gs 1 g BT /F 12 Tf 20 40 Td (x) Tj ET",
    resources: `${OVERPRINT} ${FONT}`,
    refused: /white text set to overprint, which vanishes/u,
  },
  "one named ink defined twice": {
    content: "/A cs 1 scn 0 0 20 20 re f /B cs 1 scn 30 0 20 20 re f",
    resources: `/ColorSpace << /A ${spot("BRAND", "1 0 0 0")} /B ${spot("BRAND", "0 1 0 0")} >>`,
    refused: /defines the ink BRAND twice, each time otherwise, which PDF\/X-4 forbids/u,
  },
  "an ink that the job has otherwise": {
    content: "/A cs 1 scn 0 0 20 20 re f",
    resources: `/ColorSpace << /A ${spot("GOLD", "0 0.5 1 0")} >>`,
    job: { inks: [GOLD] },
    refused: /defines the ink GOLD as C M Y K 0 50 100 0, but inks says 0 20 60 30/u,
  },
  "an outline of its own that knocks out": {
    content: "0.5 0 0 0 k 0 0 180 96 re f /A CS 1 SCN 0.25 w 5 5 170 86 re S",
    resources: `/ColorSpace << /A ${spot("CutContour")} >>`,
    job: { inks: [], cutInk: "CutContour" },
    refused: /its own outline in CutContour, beside die_line, and knocks out/u,
  },
  "white text of 4 pt on 290%": {
    content: "0.9 0.8 0.7 0.5 k 0 0 180 96 re f 0 0 0 0 k BT /F 4 Tf 1 0 0 1 20 40 Tm (x) Tj ET",
    resources: FONT,
    warned:
      /white text of 4\.0 pt on 290% of ink on 4 plates, smaller than 8 pt, at 7\.1, 19\.8 mm/u,
  },
  "small text in several inks": {
    content: "1 0.5 0 0 k BT /F 1 Tf 6 0 0 6 20 40 Tm (x) Tj ET",
    resources: FONT,
    warned: /text of 6\.0 pt in 2 inks, smaller than 8 pt/u,
  },
};

async function judge({ content, resources = "", more = [], job }: Bad) {
  const file = await write(makePage(plain(content), resources, more));
  const found = await judgeBackground({ file, page: 1 }, "PDF/X-4", job);
  return { file, ...found };
}

describe("supplied artwork is held to the rules (docs/spec/print.md section 4)", () => {
  it("fifteen pages, each for its own reason", () => {
    expect(Object.keys(bad)).toHaveLength(15);
  });

  it.each(Object.entries(bad))("%s", async (_name, page) => {
    const { problems, warnings, file } = await judge(page);
    const [refused, warned] = [problems, warnings].map((found) =>
      found.map(({ message }) => message),
    );
    if (page.refused === undefined) expect(refused).toEqual([]);
    else expect(refused).toEqual([expect.stringMatching(page.refused)]);
    if (page.warned === undefined) expect(warned).toEqual([]);
    else expect(warned).toEqual([expect.stringMatching(page.warned)]);
    for (const { where } of [...problems, ...warnings]) expect(where?.file).toBe(file);
  });

  it("good pages are let through: overprinting black, fair lines, hidden text, their own die line", async () => {
    const good: Bad = {
      content: [
        "1 0.7 0.6 0.5 k 0 0 180 40 re f",
        "/O gs 0 0 0 1 k 20 20 40 30 re f 0 0 0 1 K 0.15 w 10 50 m 100 50 l S",
        "q /N gs 0 0 0 0 k BT /F 9 Tf 20 20 Td (x) Tj ET",
        "3 Tr BT /F 2 Tf 20 20 Td (x) Tj ET Q",
        "q 20 0 0 20 100 60 cm /I Do Q",
        "/A CS 1 SCN 0.25 w 5 5 170 86 re S",
      ].join(" "),
      resources: `/ExtGState << /O << /OP true /op true /OPM 1 >> /N << /OP false /op false >> >> ${FONT} /XObject << /I 5 0 R >> /ColorSpace << /A ${spot("CutContour")} >>`,
      more: [picture(60, 60)],
    };
    const { problems, warnings } = await judge(good);
    expect([problems, warnings]).toEqual([[], []]);
    const beside = await judge({ ...good, job: { inks: [], cutInk: "cutcontour" } });
    expect(beside.problems).toEqual([]);
    expect(beside.warnings.map(({ message }) => message)).toEqual([
      expect.stringMatching(/its own outline in CutContour, beside die_line: the cutter sees two/u),
    ]);
  });

  it("parts inside of parts come to an end", async () => {
    const deep = Array.from({ length: 30 }, (_, level) =>
      form(
        "/P Do q 0.9 0 0 0.9 0 0 cm /P Do Q",
        `/Resources << /XObject << /P ${level + 6} 0 R >> >>`,
      ),
    );
    const { problems } = await judge({
      content: "/P Do",
      resources: "/XObject << /P 5 0 R >>",
      more: [...deep, form("0 0 0 1 k 0 0 1 1 re f")],
    });
    expect(problems.map(({ message }) => message).join()).toMatch(/more parts inside of parts/u);
    const round = await judge({
      content: "/P Do",
      resources: "/XObject << /P 5 0 R >>",
      more: [form("/P Do", "/Resources << /XObject << /P 5 0 R >> >>")],
    });
    expect(round.problems.map(({ message }) => message).join()).toMatch(
      /has a part that draws itself/u,
    );
  });
});

describe("marks of jobs with a designer's page", () => {
  it("stand on the plates that the page uses, named inks defined as there", async () => {
    const content = "1 0 0 0 k 0 0 180 20 re f /A cs 0.3 scn 0 20 180 40 re f";
    const resources = `/ColorSpace << /A ${spot("BRAND", "0 1 0 0")} >>`;
    const file = await write(makePage(plain(content), resources));
    expect(await openBackground({ file, page: 1 })).not.toHaveProperty("plates");
    const background = await openBackground({ file, page: 1, hasMarks: true });
    expect(background.plates).toEqual(["Cyan"]);
    const sheet = await loadSheet("a4-24up-63.5x33.9");
    const label = makeArt(makeCode(box(3, 3, 27, 27), WHITE));
    const marks = ["crop", "registration", "bar"] as const;
    const changes: Partial<SheetOptions> = { sheet, label, background, marks };
    const job = await makePressJob(changes, 4);
    const { faces } = makeSheetJob(job.options);
    const plates = faces.flatMap((face) => platesOf(makeSheetJob(job.options), face));
    expect(plates.map(({ name }) => name)).toEqual(["Cyan", "Black", "BRAND"]);
    const { volumes, cells } = job.written;
    const proof = await verifySheets({ options: job.options, volumes, cells, workers: 1 });
    expect(proof.findings).toEqual([]);
    const text = Buffer.from(job.bytes).toString("latin1");
    expect(text.startsWith("%PDF-1.6")).toBe(true);
  });
});
