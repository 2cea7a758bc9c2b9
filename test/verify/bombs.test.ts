import { execFile, spawn, type ChildProcessWithoutNullStreams } from "node:child_process";
import { mkdtemp, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { createInterface } from "node:readline";
import { promisify } from "node:util";
import { deflateSync } from "node:zlib";

import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { openForeignPage } from "../../src/print/pdf/pdf-objects.ts";
import { checkBackground } from "../../src/verify/supplied/background.ts";
import { openRenderer } from "../../src/verify/pixels/render.ts";
import { readPeakMb } from "../peak-memory.ts";
import { deflateRepeated, makePage, makePdf, MEGABYTE, plain, type RawStream } from "./make-pdf.ts";

const SPAN = "0 0 0 1 k 0 0 1 1 re f\n";
const run = promisify(execFile);

/**
 * Looks at files as backgrounds in a process of its own: what it says of each, and how many megabytes it grew
 * meanwhile. Linux forgets the peak of the file before; elsewhere it is that of all so far.
 */
const child = `${readPeakMb}
const { checkBackground, openBackground } = await import("./src/verify/supplied/background.ts");
const { openForeignPage } = await import("./src/print/pdf/pdf-objects.ts");
const { openPdfFile } = await import("./src/verify/pdf/pdf-file.ts");
const { checkXref } = await import("./src/verify/pdf/xref.ts");
const { readFile, writeFile } = await import("node:fs/promises");
const { createInterface } = await import("node:readline");
const says = async (open) => open().then(() => "opened", (error) => error.message);
const isLinux = process.platform === "linux";
for await (const file of createInterface({ input: process.stdin })) {
  gc();
  if (isLinux) await writeFile("/proc/self/clear_refs", "5");
  const before = await readPeakMb();
  await openBackground({ file, page: 1 });
  const problems = await checkBackground({ file, page: 1 }, "PDF/X-4");
  const bytes = await readFile(file);
  const placed = await says(() => openForeignPage(bytes, 1));
  const parsed = await says(() => openPdfFile(bytes));
  const xref = checkXref(bytes).slice(0, 3);
  const grownMb = Math.round((await readPeakMb()) - before);
  console.log(JSON.stringify({ problems, placed, parsed, xref, grownMb }));
}
`;

interface Looked {
  readonly problems: readonly { message: string; hint?: string; where: { file: string } }[];
  readonly placed: string;
  readonly parsed: string;
  readonly xref: readonly string[];
  readonly grownMb: number;
  readonly stderr: string;
}

let folder = "";
let looker: ChildProcessWithoutNullStreams;
let answers: AsyncIterator<string>;
let stderr = "";
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), "bombs-"));
  looker = spawn(process.execPath, [
    "--expose-gc",
    "--import",
    "tsx",
    "--input-type=module",
    "-e",
    child,
  ]);
  looker.stderr.setEncoding("utf8").on("data", (text: string) => {
    stderr += text;
  });
  answers = createInterface({ input: looker.stdout })[Symbol.asyncIterator]();
});
afterAll(() => looker.kill("SIGKILL"));

async function look(bytes: Uint8Array): Promise<Looked> {
  const file = path.join(folder, "page.pdf");
  await writeFile(file, bytes);
  stderr = "";
  looker.stdin.write(`${file}\n`);
  const { value, done } = await answers.next();
  if (done === true) throw new Error(`it ended: ${stderr}`);
  return { ...(JSON.parse(value) as Looked), stderr };
}

/** Packed again and again: each layer is small beside the one below it. */
const nested = (data: Uint8Array, layers: number): RawStream => {
  let packed = data;
  for (let i = 1; i < layers; i += 1) packed = deflateSync(packed, { level: 9 });
  return { dict: `/Filter [${"/FlateDecode ".repeat(layers)}]`, data: packed };
};

const runLengths = (megabytes: number): RawStream => ({
  dict: "/Filter [/FlateDecode /RunLengthDecode]",
  data: deflateRepeated(String.fromCharCode(129, 32), Math.ceil(megabytes / 64)),
});

const image = (entries: string, data: Uint8Array): RawStream => ({
  dict: `/Type /XObject /Subtype /Image ${entries}`,
  data,
});

const GREY = "/BitsPerComponent 8 /ColorSpace /DeviceGray";
const shown = (stream: RawStream): Uint8Array =>
  makePage(plain("/I Do"), "/XObject << /I 5 0 R >>", [stream]);

function lzw(codes: number): Uint8Array {
  // Every code but the first is the one just made: each shows one byte more than the last.
  let bits = "100000000000000000";
  let [next, width] = [258, 9];
  for (let i = 0; i < codes; i += 1) {
    if (next >= 511) width = 10;
    if (next >= 1023) width = 11;
    if (next >= 2047) width = 12;
    bits += Math.min(next, 4095).toString(2).padStart(width, "0");
    next += 1;
  }
  return Uint8Array.from(bits.match(/.{1,8}/gu) ?? [], (byte) =>
    Number.parseInt(byte.padEnd(8, "0"), 2),
  );
}

const startOfJpx = Buffer.concat([
  Buffer.from([0xff, 0x4f, 0xff, 0x51, 0, 47, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0]),
  Buffer.alloc(24),
  Buffer.from([0, 3, 0, 0, 0, 0]),
]);

const jpegHead = Buffer.from([
  0xff, 0xd8, 0xff, 0xc0, 0, 17, 8, 0xff, 0xff, 0xff, 0xff, 3, 1, 17, 0, 2, 17, 0, 3, 17, 0,
]);

const RARE = /must unpack to at most 32 MB per stream, got more in the content of page 1/u;

const bombs: Readonly<Record<string, readonly [() => Uint8Array, RegExp]>> = {
  "content of 900 MB": [
    () => makePage({ dict: "/Filter /FlateDecode", data: deflateRepeated(SPAN, 900) }),
    /must unpack to at most 64 MB per stream, got more in the content of page 1/u,
  ],
  "content in many parts": [
    () => {
      const parts = Array.from({ length: 40 }, () => "4 0 R").join(" ");
      const page = makePage({ dict: "/Filter /FlateDecode", data: deflateRepeated(SPAN, 20) });
      return Buffer.from(
        Buffer.from(page).toString("latin1").replace("/Contents 4 0 R", `/Contents [${parts}]`),
        "latin1",
      );
    },
    /must unpack to at most 96 MB per stream, got more in the content of page 1/u,
  ],
  "a bomb within a bomb": [
    () => makePage(nested(deflateRepeated(SPAN, 900), 3)),
    /must unpack to at most 64 MB per stream, got more in the content of page 1/u,
  ],
  "a filter a hundred times": [
    () => makePage(nested(deflateRepeated(SPAN, 1), 100)),
    /must pack a stream at most 4 times, got 100 times in the content of page 1/u,
  ],
  "run lengths": [() => makePage(runLengths(900)), RARE],
  LZW: [() => makePage({ dict: "/Filter /LZWDecode", data: lzw(60_000) }), RARE],
  "ASCII85 in Flate": [
    () =>
      makePage({
        dict: "/Filter [/FlateDecode /ASCII85Decode]",
        data: deflateRepeated("z", 60),
      }),
    RARE,
  ],
  "an object stream": [
    () =>
      makePdf([
        "<< /Type /Catalog /Pages 2 0 R >>",
        {
          dict: "/Type /ObjStm /N 1 /First 4 /Filter /FlateDecode",
          data: deflateRepeated("5 0 ", 900),
        },
      ]),
    /must unpack to at most 4 MB per stream, got more in the object stream that ends at byte \d+/u,
  ],
  "many object streams": [
    () => {
      const list = deflateRepeated("5 0 (abcdefghijklmnopqrstuvwxyz) ", 1);
      const stream = { dict: "/Type /ObjStm /N 1 /First 4 /Filter /FlateDecode", data: list };
      return makePdf([
        "<< /Type /Catalog /Pages 2 0 R >>",
        ...Array.from({ length: 40 }, () => stream),
      ]);
    },
    /must (?:have at most 32 MB of packed objects|hold at most 1000000 numbers), got more|must hold at most 1000000/u,
  ],
  "millions of numbers in an object stream": [
    () => {
      const list = Buffer.from(`5 0 [${"0 ".repeat(510_000)}]`);
      const stream = {
        dict: "/Type /ObjStm /N 1 /First 4 /Filter /FlateDecode",
        data: deflateSync(list),
      };
      return makePdf(["<< /Type /Catalog /Pages 2 0 R >>", stream, stream]);
    },
    /must hold at most 1000000 numbers, names, texts and lists, got more/u,
  ],
  "a picture that unpacks to 2 GB": [
    () =>
      shown(
        image(`/Width 10 /Height 10 ${GREY} /Filter /FlateDecode`, deflateRepeated("\0", 2000)),
      ),
    /must unpack to at most 384 MB per stream, got more in object 5/u,
  ],
  "pictures that unpack to 2 GB together": [
    () => {
      const entries = `/Width 10 /Height 10 ${GREY} /Filter /FlateDecode`;
      const data = deflateRepeated("\0", 300);
      const names = Array.from({ length: 7 }, (_, i) => `/I${i} ${5 + i} 0 R`).join(" ");
      const pictures = Array.from({ length: 7 }, () => image(entries, data));
      return makePage(plain("/I0 Do"), `/XObject << ${names} >>`, pictures);
    },
    /must unpack to at most 1024 MB per page, got more/u,
  ],
  "a picture of enormous size": [
    () => shown(image(`/Width 60000 /Height 60000 ${GREY} /Filter /FlateDecode`, deflateSync(""))),
    /pictures of at most 384 MB unpacked, got 60000 x 60000 pixels in object 5/u,
  ],
  "a fax of enormous size": [
    () =>
      shown(
        image(
          "/Width 65535 /Height 65535 /BitsPerComponent 1 /ColorSpace /DeviceGray /Filter /CCITTFaxDecode /DecodeParms << /K -1 /Columns 65535 /Rows 65535 >>",
          Buffer.alloc(10),
        ),
      ),
    /pictures of at most 384 MB unpacked, got 65535 x 65535 pixels in object 5/u,
  ],
  "a JBIG2 picture of enormous size": [
    () =>
      shown(
        image("/Width 99999 /Height 99999 /ImageMask true /Filter /JBIG2Decode", Buffer.alloc(10)),
      ),
    /pictures of at most 384 MB unpacked, got 99999 x 99999 pixels in object 5/u,
  ],
  "a JPEG that is larger than it says": [
    () => shown(image(`/Width 10 /Height 10 ${GREY} /Filter /DCTDecode`, jpegHead)),
    /pictures of at most 384 MB unpacked, got 65535 x 65535 pixels in object 5/u,
  ],
  "a JPEG 2000 picture that is larger than it says": [
    () =>
      shown(
        image("/Width 10 /Height 10 /Filter [/FlateDecode /JPXDecode]", deflateSync(startOfJpx)),
      ),
    /pictures of at most 384 MB unpacked, got 65536 x 65536 pixels in object 5/u,
  ],
  "a predictor over rows without end": [
    () =>
      shown(
        image(
          `/Width 10 /Height 10 ${GREY} /Filter /FlateDecode /DecodeParms << /Predictor 15 /Columns 900000000 >>`,
          deflateSync(Buffer.alloc(99)),
        ),
      ),
    /rows of at most 200000 pixels, got 900000000 in object 5/u,
  ],
  "an ICC profile": [
    () =>
      makePage(plain(""), "/ColorSpace << /C [/ICCBased 5 0 R] >>", [
        { dict: "/N 4 /Filter /FlateDecode", data: deflateRepeated("\0", 900) },
      ]),
    /must unpack to at most 64 MB per stream, got more in object 5/u,
  ],
  "a font and its ToUnicode": [
    () =>
      makePage(plain(""), "/Font << /F 5 0 R >>", [
        "<< /Type /Font /Subtype /Type0 /BaseFont /A /ToUnicode 6 0 R >>",
        { dict: "/Filter /FlateDecode", data: deflateRepeated("\0", 900) },
      ]),
    /must unpack to at most 64 MB per stream, got more in object 6/u,
  ],
  "a page of 100 m": [
    () =>
      Buffer.from(
        Buffer.from(makePage(plain("")))
          .toString("latin1")
          .replace("0 0 180 96.09", "0 0 300000 300000"),
        "latin1",
      ),
    /page of at most 1700 x 1700 mm with all that is around it, got 105833 x 105833 mm/u,
  ],
};

/** Refused by what they say of themselves: nothing is unpacked. */
const stated = [
  "a filter a hundred times",
  "a picture of enormous size",
  "a fax of enormous size",
  "a JBIG2 picture of enormous size",
  "a JPEG that is larger than it says",
  "a JPEG 2000 picture that is larger than it says",
  "a predictor over rows without end",
  "a page of 100 m",
];

/** A process that begins has 70 MB: 400 MB in all. */
const MOST_MB = 330;

describe("a designer's page that unpacks without end", () => {
  const known = new Map<string, Promise<Looked>>();
  /** Once: what several tests are about. */
  const lookAt = (name: string): Promise<Looked> => {
    const looked = known.get(name) ?? look(bombs[name]?.[0]() ?? new Uint8Array());
    known.set(name, looked);
    return looked;
  };
  const packed = Object.entries(bombs).filter(([name]) => !stated.includes(name));
  it.each(packed)("is refused in little memory: %s", async (name, [, says]) => {
    const { problems, grownMb } = await lookAt(name);
    expect(problems.map(({ message }) => message).join("; ")).toMatch(says);
    expect(problems[0]?.hint).toMatch(/save the PDF again/u);
    expect(problems[0]?.where.file).toMatch(/page\.pdf$/u);
    expect(grownMb).toBeLessThan(MOST_MB);
  });

  it.each(stated)("is refused by what it says of itself: %s", async (name) => {
    const [make, says] = bombs[name] ?? [() => new Uint8Array(), /^$/u];
    const file = path.join(folder, "stated.pdf");
    await writeFile(file, make());
    const problems = await checkBackground({ file, page: 1 }, "PDF/X-4");
    expect(problems.map(({ message }) => message).join("; ")).toMatch(says);
    expect(problems[0]?.hint).toMatch(/save the (?:PDF|page) again/u);
  });

  it("has no colours that are called like a part of every object", async () => {
    const spaces = "/ColorSpace << /A [/constructor 1] /B [/__proto__ 1] >>";
    const file = path.join(folder, "names.pdf");
    for (const name of ["constructor", "__proto__", "toString", "A", "B"]) {
      await writeFile(file, makePage(plain(`/${name} cs 0.5 sc 0 0 9 9 re f\n`), spaces));
      expect(await checkBackground({ file, page: 1 }, "PDF/X-4")).toEqual([]);
    }
  });

  it("is refused by every reader", async () => {
    const found = await lookAt("content of 900 MB");
    expect(found.placed).toMatch(/at most 64 MB per stream, got more in the content of page 1/u);
    const packed = await lookAt("an object stream");
    expect(packed.placed).toMatch(/at most 4 MB per stream/u);
    expect(packed.parsed).toMatch(/at most 4 MB per stream/u);
  });

  it("as a cross-reference is refused", async () => {
    const xref = {
      dict: "/Type /XRef /Size 99 /Root 1 0 R /W [1 2 1] /Filter /FlateDecode",
      data: deflateRepeated("\0", 900),
    };
    const bytes = makePdf(["<< /Type /Catalog >>", xref]);
    const text = Buffer.from(bytes).toString("latin1");
    const at = text.indexOf("2 0 obj");
    const whole = Buffer.from(text.replace(/startxref\n\d+/u, `startxref\n${at}`), "latin1");
    const { xref: faults, parsed, grownMb } = await look(whole);
    expect(parsed).toBe("opened");
    expect(faults.join()).toMatch(/at most 4 MB per stream, got more in the cross-reference/u);
    expect(grownMb).toBeLessThan(MOST_MB);
  });

  it("as a tree of pages that doubles on every level is one page", async () => {
    const levels = Array.from(
      { length: 60 },
      (_, i) => `<< /Type /Pages /Kids [${i + 3} 0 R ${i + 3} 0 R] /Count 2 >>`,
    );
    const leaf = "<< /Type /Page /MediaBox [0 0 9 9] >>";
    const bytes = makePdf(["<< /Type /Catalog /Pages 2 0 R >>", ...levels, leaf]);
    expect((await openForeignPage(bytes, 1)).box("MediaBox")).toEqual([0, 0, 9, 9]);
    await expect(openForeignPage(bytes, 2)).rejects.toThrow("one of the file's 1, got 2");
  });
});

/** A stream whose length leads back to an `endstream` that stands before it: a circle. */
function endsBefore(text: string): string {
  const before = "2 0 obj (";
  const behind = `endstream${text}) endobj\n3 0 obj << /Length -`;
  const end = " >> stream\n";
  const length = behind.length + end.length + 4;
  return `${before}${behind}${length}${end}`;
}

/** Files of a few kilobytes that a parser would read again and again. */
const rereads: Readonly<Record<string, string>> = {
  "headers without objects": "1 0 obj ".repeat(30_000),
  "letters between objects": "a".repeat(30_000),
  "digits between objects": "1".repeat(30_000),
  "numbers between objects": "1 1 1 1 ".repeat(8000),
  "comments within a comment": "1%".repeat(15_000),
  "a stream that ends before it begins": endsBefore("\u00e9".repeat(9000)),
};

describe("a designer's page with ambiguous parts", () => {
  it.each(Object.entries(rereads))("is refused: %s", async (_, text) => {
    const file = path.join(folder, "reread.pdf");
    await writeFile(file, `%PDF-1.6\n1 0 obj 0 endobj\n${text}`, "latin1");
    const problems = await checkBackground({ file, page: 1 }, "PDF/X-4");
    expect(problems.map(({ message }) => message)).toEqual([
      "background must be a whole PDF, got one that is damaged in too many places",
    ]);
    expect(problems[0]?.hint).toMatch(/save the PDF again/u);
  });

  it("is taken with some bytes of elsewhere between its objects", async () => {
    const text = Buffer.from(makePage(plain(""))).toString("latin1");
    const file = path.join(folder, "odd.pdf");
    await writeFile(
      file,
      text.replaceAll("endobj\n", `endobj\n${"odd 1 0 ".repeat(100)}\n`),
      "latin1",
    );
    expect(await checkBackground({ file, page: 1 }, "PDF/X-4")).toEqual([]);
  });
});

it("writes nothing to the terminal, whatever numbers a designer's page has", async () => {
  const numbers = "99999999999999999999 -1 +88888888888888888888.5 [7777777777777777777.]";
  const packed = `9 0 [${numbers}]`;
  const stream = `/Type /ObjStm /N 1 /First 4 /Filter /FlateDecode`;
  const bytes = makePage(plain(""), `/X [${numbers}]`, [
    { dict: stream, data: deflateSync(Buffer.from(packed)) },
  ]);
  const { problems, stderr } = await look(bytes);
  expect(problems).toEqual([]);
  expect(stderr).toBe("");
});

describe("a designer's page that is big and honest", () => {
  it("is taken: 8 MB of line art", async () => {
    const { problems, placed } = await look(
      makePage({ dict: "/Filter /FlateDecode", data: deflateRepeated(SPAN, 8) }),
    );
    expect(problems).toEqual([]);
    expect(placed).toBe("opened");
  });

  it("is taken: a CMYK picture of A3 at 600 dpi", async () => {
    const entries =
      "/Width 7016 /Height 9921 /BitsPerComponent 8 /ColorSpace /DeviceCMYK /Filter /FlateDecode";
    const { problems } = await look(shown(image(entries, deflateRepeated("\0", 266))));
    expect(problems).toEqual([]);
  });
});

describe("the engine that draws pages", () => {
  it("takes 1 GB at most, breaks off there, and draws the next page all the same", async () => {
    const file = path.join(folder, "drawn.pdf");
    const plainFile = path.join(folder, "plain.pdf");
    const data = deflateRepeated(SPAN, 900);
    await writeFile(file, makePage({ dict: "/Filter /FlateDecode", data }));
    await writeFile(plainFile, makePage(plain("")));
    const drawing = `${readPeakMb}
      const { openRenderer } = await import("./src/verify/pixels/render.ts");
      const { readFile } = await import("node:fs/promises");
      const draw = async (file) => {
        const document = await openRenderer(await readFile(file));
        return document.render(0, { width: 30, height: 20 }).then(({ data }) => data.length, (error) => error.message);
      };
      const [bomb, next] = [await draw(process.argv[1]), await draw(process.argv[2])];
      console.log(JSON.stringify({ bomb, next, peakMb: await readPeakMb() }));`;
    const args = ["--import", "tsx", "--input-type=module", "-e", drawing, file, plainFile];
    const { stdout, stderr } = await run(process.execPath, args, { maxBuffer: MEGABYTE });
    // What it says of itself is of no use to anybody.
    expect(stderr).toBe("");
    const { bomb, next, peakMb } = JSON.parse(stdout) as Record<string, unknown>;
    expect(bomb).toBe("drawing it takes too much memory, or breaks the engine");
    expect(next).toBe(600);
    expect(peakMb).toBeLessThan(1300);
  });

  it("draws no page of more pixels than any sheet has", async () => {
    const document = await openRenderer(makePage(plain("")));
    await expect(document.render(0, { width: 20_000, height: 20_000 })).rejects.toThrow(
      "at most 250000000 pixels",
    );
    document.close();
  });
});
