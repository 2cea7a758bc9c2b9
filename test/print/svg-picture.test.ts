import { mkdtemp, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";

import { PDFName, PDFRawStream } from "pdf-lib";
import { describe, expect, it } from "vitest";

import { openColors } from "../../src/print/art/design-inks.ts";
import { readImage } from "../../src/print/pdf/image-file.ts";
import type { SheetOptions } from "../../src/print/sheets.ts";
import { verifySheets } from "../../src/verify/verify.ts";
import { makePressJob, proveJob, save, spoilObjects } from "../verify/press.ts";
import { box, makeArt, makeCode } from "./make-art.ts";

const svg = (inner: string, head = 'viewBox="0 0 40 20"'): string =>
  `<svg xmlns="http://www.w3.org/2000/svg" ${head}>${inner}</svg>`;

const LOGO = svg(
  '<g style="fill:#0a3d62"><rect width="40" height="20" rx="4"/></g>' +
    '<path fill="#ffffff" fill-rule="evenodd" d="M5 5H15V15H5ZM8 8H12V12H8Z"/><circle cx="28" cy="10" r="5" fill="#d81b60"/>',
);

async function toFile(text: string): Promise<string> {
  const file = path.join(await mkdtemp(path.join(tmpdir(), "svg-")), "logo.svg");
  await writeFile(file, text);
  return file;
}

const read = async (text: string, as: "given" | "gray" = "given") =>
  readImage(await toFile(text), as, () => openColors({}));

const labelWith = (file: string, as: "given" | "gray" = "given") =>
  makeArt(makeCode(box(3, 3, 27, 27)), {
    kind: "image",
    file,
    at: box(34, 3, 24, 12),
    as,
    leastPpi: 300,
  });

describe("SVG pictures (docs/spec/print.md section 4)", () => {
  it.each(["PDF/X-4", "PDF/X-1a:2003"] as const)("are printed as vectors, %s", async (standard) => {
    const label = labelWith(await toFile(LOGO));
    const marks = ["crop", "registration", "bar"] as const;
    const changes: Partial<SheetOptions> = { label, standard, marks };
    const { job, proof } = await proveJob(changes, 3);
    expect(proof.findings).toEqual([]);
    expect(proof.decoded).toBe(3);
    const text = Buffer.from(job.bytes).toString("latin1");
    expect(text).not.toContain("/Subtype /Image");
    // Three labels, one form.
    expect(text.match(/\/Subtype \/Form/gu)).toHaveLength(1);
    expect(job.written.press.map(({ code }) => code)).toContain("pictures-converted");
  });

  it("in shades of grey are black alone, and so is everything with as: gray", async () => {
    for (const [text, as] of [
      [LOGO, "gray"],
      [svg('<rect width="40" height="20" fill="#777"/>'), "given"],
    ] as const) {
      const found = await read(text, as);
      expect(found).toMatchObject({ image: { space: "DeviceGray" } });
      expect(found).not.toHaveProperty("isConverted");
      expect("image" in found && found.image.drawing).toMatch(/^0 0 0 0\.\d+ k\n/u);
    }
  });

  it("keep their proportions and stand where their view says", async () => {
    const found = await read(
      svg('<rect x="-10" y="5" width="5" height="10"/>', 'viewBox="-10 5 5 10"'),
    );
    expect(found).toMatchObject({ image: { width: 500, height: 1000 } });
    expect("image" in found && found.image.drawing).toContain("0 0 m\n500 0 l\n500 1000 l");
  });

  it.each([
    ["text", '<text x="1" y="9">A</text>', /of filled shapes, got .*text/u],
    ["outlines", '<path d="M0 0H9" stroke="#000"/>', /got .*outlines that are stroked/u],
    [
      "gradients",
      '<defs><linearGradient id="a"/></defs><rect width="9" height="9" fill="url(#a)"/>',
      /got .*gradient/u,
    ],
    ["transparency", '<rect width="9" height="9" opacity="0.5"/>', /got .*transparency/u],
    ["scripts", "<script>1</script>", /must be a harmless SVG/u],
    ["pictures of elsewhere", '<image href="https://a.example/x.png"/>', /must be a harmless SVG/u],
    ["nothing", "<g/>", /must show something/u],
    [
      "what blends",
      '<rect width="40" height="20" fill="#f00"/><rect width="40" height="20" fill="#0f0" style="mix-blend-mode:multiply"/>',
      /must look like the shapes/u,
    ],
    ["a file that is cut off", "<g>", /must be a harmless SVG/u],
  ])("are refused with %s, and that is said", async (_what, inner, says) => {
    const found = await read(svg(inner));
    expect("problem" in found && found.problem.message).toMatch(says);
    expect("problem" in found && found.problem.hint).toContain("PNG");
  });

  it("in colours of screens are found by the proof", async () => {
    const job = await makePressJob({ label: labelWith(await toFile(LOGO)) }, 1);
    const bytes = await spoilObjects(job.bytes, ({ context }) => {
      const [Subtype, Form] = [PDFName.of("Subtype"), PDFName.of("Form")];
      for (const [ref, object] of context.enumerateIndirectObjects()) {
        if (!(object instanceof PDFRawStream) || object.dict.get(Subtype) !== Form) continue;
        object.dict.delete(PDFName.of("Filter"));
        const content = Buffer.from("1 0 0 rg 0 0 1000 500 re f\n");
        context.assign(ref, PDFRawStream.of(object.dict, content));
      }
    });
    const { volumes, cells } = job.written;
    const file = await save(job, bytes);
    const proof = await verifySheets({
      options: job.options,
      volumes: volumes.map((volume) => ({ ...volume, file, sha256: undefined })),
      cells,
      workers: 1,
    });
    expect(proof.findings.map(({ message }) => message).join()).toContain(
      "image must be grey or CMYK",
    );
  });
});
